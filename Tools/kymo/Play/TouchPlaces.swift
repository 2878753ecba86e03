import JSONText
import TimelineModel

/// Where on the stage a contact is: a scenario's `gesture.map` says how the device's units become points.
struct TouchPlaces {
  private var scale = Point(x: 1, y: 1)
  private var offset = Point.zero

  /// Reads the map from a scenario's text; without one the units are points.
  init(scenario: String?) {
    guard let scenario, let value = try? parseJSON(Array(scenario.utf8)),
      case .object(let fields) = value, case .object(let gesture)? = fields["gesture"],
      case .object(let map)? = gesture["map"]
    else { return }
    scale = TouchPlaces.pair(map["scale"]) ?? scale
    offset = TouchPlaces.pair(map["offset"]) ?? offset
  }

  /// The place in points.
  func point(_ place: Point) -> Point {
    Point(x: place.x * scale.x + offset.x, y: place.y * scale.y + offset.y)
  }

  private static func pair(_ value: JSONValue?) -> Point? {
    guard case .array(let parts)? = value, parts.count == 2 else { return nil }
    let numbers = parts.compactMap { part -> Double? in
      switch part {
      case .integer(let integer): Double(integer)
      case .number(let number): number
      default: nil
      }
    }
    return numbers.count == 2 ? Point(x: numbers[0], y: numbers[1]) : nil
  }
}
