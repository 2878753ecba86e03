import JSONText
package import TimelineModel
import TimelineQuery
import TimelineStore

/// The most reports of contacts that a page holds: a quarter of an hour of one finger at 120 Hz.
private let touchLimit = 100_000

extension RunPacking {
  /// Packs the touches, in points where the scenario says how device units become points.
  mutating func packTouches() throws {
    var waiting: [TouchSample] = []
    var count = 0
    let touches = try reader.touches(in: session.number)
    while let touch = try touches.next() {
      guard count < touchLimit else {
        leftOutTouches += 1
        continue
      }
      count += 1
      waiting.append(touch)
      if waiting.count == PageScale.blockRows { append(&waiting) }
    }
    append(&waiting)
  }

  private mutating func append(_ touches: inout [TouchSample]) {
    guard !touches.isEmpty else { return }
    let points = touches.map { touchMap.point(of: $0.position) }
    var bits = BitWriter()
    bits.append(column: touches.map { clock.ticks($0.time) })
    bits.append(column: touches.map { PageScale.whole($0.contact) })
    bits.append(column: touches.map(\.phase.pageNumber))
    bits.append(column: points.map { PageScale.steps($0.x, PageScale.length) })
    bits.append(column: points.map { PageScale.steps($0.y, PageScale.length) })
    touchBlocks.append(text.append(bits, rows: touches.count))
    touches.removeAll(keepingCapacity: true)
  }
}

/// How a scenario's `gesture.map` makes points of the device's units.
package struct TouchMap {
  private var scale = Point2D(x: 1, y: 1)
  private var offset = Point2D.zero

  /// Reads the map from a scenario's text; without one the units are points already.
  package init(scenario: String?) {
    guard let gesture = try? JSONFields(recorded: scenario)?["gesture"]?.object(),
      let map = try? gesture["map"]?.object()
    else { return }
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

extension TouchPhase {
  /// The phase as the page numbers them; from 2 on the contact is gone.
  fileprivate var pageNumber: Int64 {
    switch self {
    case .began: 0
    case .moved: 1
    case .ended: 2
    case .cancelled: 3
    }
  }
}
