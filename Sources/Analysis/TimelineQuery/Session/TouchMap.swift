import JSONText
package import TimelineModel

/// How a scenario's `gesture.map` makes points of the device's units.
package struct TouchMap {
  private var scale = Point2D(x: 1, y: 1)
  private var offset = Point2D.zero
  /// The unit of what was recorded: "pt", or "device" where a map makes points of it.
  package private(set) var unit = "pt"

  /// Reads the map from a scenario's text; without one the units are points already.
  package init(scenario: String?) {
    guard let gesture = try? JSONFields(recorded: scenario)?["gesture"]?.object(),
      let map = try? gesture["map"]?.object()
    else { return }
    unit = "device"
    scale = TouchMap.pair(map["scale"]) ?? scale
    offset = TouchMap.pair(map["offset"]) ?? offset
  }

  private static func pair(_ reader: JSONReader?) -> Point2D? {
    guard let numbers = try? reader?.numbers(count: 2) else { return nil }
    return Point2D(x: numbers[0], y: numbers[1])
  }

  /// The length in points of what is so far along both axes.
  package func length(_ x: Double, _ y: Double) -> Double {
    let (across, down) = (x * scale.x, y * scale.y)
    return (across * across + down * down).squareRoot()
  }

  /// A place in points.
  package func point(of place: Point2D) -> Point2D {
    Point2D(x: place.x * scale.x + offset.x, y: place.y * scale.y + offset.y)
  }
}
