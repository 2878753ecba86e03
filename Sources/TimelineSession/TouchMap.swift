import JSONText
package import TimelineModel

/// How a session's touches become points: by its scenario's `gesture.map`, if there is one.
package struct TouchMap {
  private var scale = Point2D(x: 1, y: 1)
  private var offset = Point2D.zero
  /// The unit of the places: "pt", or "device" if the touches are of a gesture file and no map makes points of them.
  package private(set) var unit = "pt"
  private let viewport: Size2D?

  /// Reads the map of a session. An app records points.
  package init(_ session: SessionDescription) {
    viewport = session.isOfTouchpad ? nil : session.viewport
    if session.engineVersion != nil || session.gestureSource != nil { unit = "device" }
    guard let gesture = try? JSONFields(recorded: session.scenario)?["gesture"]?.object(),
      let map = try? gesture["map"]?.object()
    else { return }
    unit = "pt"
    scale = TouchMap.pair(map["scale"]) ?? scale
    offset = TouchMap.pair(map["offset"]) ?? offset
  }

  private static func pair(_ reader: JSONReader?) -> Point2D? {
    guard let numbers = try? reader?.numbers(count: 2) else { return nil }
    return Point2D(x: numbers[0], y: numbers[1])
  }

  /// What is doubtful about places: those in the device's units that lie outside of the viewport. Of distances nobody
  /// knows where they are.
  package func warning(of positions: some Sequence<Point2D>) -> String? {
    guard unit == "device", let size = viewport else { return nil }
    let isOutside = positions.contains {
      $0.x < 0 || $0.y < 0 || $0.x > size.width || $0.y > size.height
    }
    return isOutside
      ? "the touches lie outside of the viewport: they are in the device's units, and no gesture.map makes points of them"
      : nil
  }

  package func point(of position: Point2D) -> Point2D {
    Point2D(x: position.x * scale.x + offset.x, y: position.y * scale.y + offset.y)
  }
}

extension SessionDescription {
  /// The unit of lengths on the screen: CSS pixels of a page in a browser, else points.
  package var lengthUnit: String { clock == "performance.now" ? "px" : "pt" }
}
