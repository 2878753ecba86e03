package import JSONText
package import TimelineModel

/// The values that scenario files and recordings as text are made of, each read from its array of numbers.
extension JSONReader {
  /// `[x, y]`, in points.
  package func point() throws(JSONError) -> Point2D {
    let numbers = try numbers(count: 2)
    return Point2D(x: numbers[0], y: numbers[1])
  }

  /// `[width, height]`, in points, not negative.
  package func size() throws(JSONError) -> Size2D {
    let numbers = try numbers(count: 2)
    guard numbers[0] >= 0, numbers[1] >= 0 else {
      throw failure("A size must not be negative.")
    }
    return Size2D(width: numbers[0], height: numbers[1])
  }

  /// `[width, height]`, in points, as it was recorded: a spring that overshoots makes it negative.
  package func anySize() throws(JSONError) -> Size2D {
    let numbers = try numbers(count: 2)
    return Size2D(width: numbers[0], height: numbers[1])
  }

  /// `[x, y, width, height]`, in points. Width and height not negative.
  package func rect() throws(JSONError) -> Rect2D {
    let numbers = try numbers(count: 4)
    guard numbers[2] >= 0, numbers[3] >= 0 else {
      throw failure("The size of a rectangle must not be negative.")
    }
    return Rect2D(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// `[section, item]`.
  package func indexPath() throws(JSONError) -> ItemIndexPath {
    let parts = try array(count: 2)
    let section = try parts[0].integer(in: 0...Int64(Int32.max))
    let item = try parts[1].integer(in: 0...Int64(Int32.max))
    return ItemIndexPath(section: Int(section), item: Int(item))
  }

  /// Six or sixteen numbers.
  package func transform() throws(JSONError) -> ElementTransform {
    var components: [Double] = []
    for element in try array() { components.append(try element.number()) }
    guard let transform = ElementTransform(components: components) else {
      throw failure(
        "Must be 6 numbers [a, b, c, d, tx, ty], or 16 column by column (got "
          + "\(components.count)).")
    }
    return transform
  }

  /// A number above 0.
  package func positiveNumber(
    upTo limit: Double = .greatestFiniteMagnitude
  ) throws(JSONError) -> Double {
    let number = try number()
    guard number > 0, number <= limit else {
      let found = FieldValue.jsonNumber(number)
      let end = limit == .greatestFiniteMagnitude ? "" : " and at most \(limit)"
      throw failure("Must be a number above 0\(end) (got \(found)).")
    }
    return number
  }

  /// A number of 0 or more.
  package func nonNegativeNumber() throws(JSONError) -> Double {
    let number = try number()
    guard number >= 0 else {
      throw failure("Must be a number of 0 or more (got \(FieldValue.jsonNumber(number))).")
    }
    return number
  }

  /// An instant given in seconds.
  package func instant() throws(JSONError) -> Instant {
    guard let instant = Instant(seconds: try number()), abs(instant.seconds) <= 86_400 * 365 else {
      throw failure("A time must be in seconds, within a year of the session's start.")
    }
    return instant
  }

  /// The name of an animated key. The progress's own name is taken.
  package func keyName() throws(JSONError) -> String {
    let name = try string()
    guard name != progressKeyName else {
      throw failure("The key '\(name)' is the transition's progress. Choose another name.")
    }
    guard !name.isEmpty else { throw failure("A key must have a name.") }
    return name
  }
}

extension JSONValue {
  /// The value as JSON on one line with fields in the order of their names, so that equal values
  /// give equal texts.
  package var sortedJSON: String { fieldValue.json }

  /// The same value in the form that recordings are written in.
  package var fieldValue: FieldValue {
    switch self {
    case .null: .null
    case .bool(let flag): .flag(flag)
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .string(let string): .text(string)
    case .array(let values): .list(values.map(\.fieldValue))
    case .object(let fields):
      .object(
        fields.sorted { $0.key < $1.key }.map { EventField($0.key, $0.value.fieldValue) })
    }
  }
}
