/// A value in a JSON text together with its path, with getters whose errors name the expected type.
///
/// ```swift
/// let root = JSONReader(try parseJSON(bytes))
/// let fields = try root.object(allowing: ["name", "viewport"])
/// let name = try fields["name"]?.string() ?? "untitled"
/// let viewport = try fields.required("viewport").numbers(count: 2)
/// ```
package struct JSONReader: Sendable, Hashable {
  package let value: JSONValue
  /// The path of its container, and its step from there. The path is put together for messages alone.
  private let parent: String
  private let step: Step

  private enum Step: Hashable {
    case itself
    case field(String)
    case element(Int)
  }

  /// Makes a reader. The root of a text has the path `$`.
  package init(_ value: JSONValue, path: String = "$") {
    self.init(value, path, .itself)
  }

  fileprivate init(_ value: JSONValue, inObject path: String, name: String) {
    self.init(value, path, .field(name))
  }

  private init(_ value: JSONValue, _ parent: String, _ step: Step) {
    (self.value, self.parent, self.step) = (value, parent, step)
  }

  /// Where it stands: `$.layouts.grid.itemSize[1]`.
  package var path: String {
    switch step {
    case .itself: parent
    case .field(let name): childPath(of: parent, name: name)
    case .element(let index): "\(parent)[\(index)]"
    }
  }

  /// Whether the value is `null`.
  package var isNull: Bool { value == .null }

  /// An error at this place, for a rule of the caller's own.
  package func failure(_ message: String) -> JSONError {
    JSONError(path: path, message: message)
  }

  package func string() throws(JSONError) -> String {
    guard case .string(let text) = value else { throw mismatch("a string") }
    return text
  }

  /// `true` or `false`.
  package func bool() throws(JSONError) -> Bool {
    guard case .bool(let flag) = value else { throw mismatch("true or false") }
    return flag
  }

  /// The number, whole or not. Always finite.
  package func number() throws(JSONError) -> Double {
    switch value {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    default: throw mismatch("a number")
    }
  }

  /// The number, when it lies in `range`.
  package func number(in range: ClosedRange<Double>) throws(JSONError) -> Double {
    let number = try number()
    guard range.contains(number) else {
      throw mismatch("a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The whole number, when it lies in `range`. `2.0` is whole. `2.5` is refused.
  package func integer(
    in range: ClosedRange<Int64> = Int64.min...Int64.max
  ) throws(JSONError) -> Int64 {
    guard case .integer(let integer) = value else { throw mismatch("a whole number") }
    guard range.contains(integer) else {
      switch (range.lowerBound, range.upperBound) {
      case (let low, .max): throw mismatch("a whole number of \(low) or more")
      case (let low, let high): throw mismatch("a whole number from \(low) to \(high)")
      }
    }
    return integer
  }

  /// The case of an enumeration whose raw value is the string.
  ///
  /// - Parameters:
  ///   - choices: The cases that are allowed. `nil`: all.
  ///   - offered: The cases that an error names. `nil`: those that are allowed.
  package func choice<Choice>(
    _ type: Choice.Type, among choices: [Choice]? = nil, offering offered: [Choice]? = nil
  ) throws(JSONError) -> Choice
  where Choice: RawRepresentable & CaseIterable, Choice.RawValue == String {
    if case .string(let text) = value, let choice = Choice(rawValue: text),
      choices?.contains(where: { $0.rawValue == text }) ?? true
    {
      return choice
    }
    let names = (offered ?? choices ?? Array(Choice.allCases)).map(\.rawValue)
    guard case .string(let text) = value else {
      throw mismatch("one of " + names.joined(separator: ", "))
    }
    throw failure("Unknown value \(quoted(text)). \(remedy(for: text, among: names))")
  }

  /// The elements of the array, each with its own path.
  package func array() throws(JSONError) -> [JSONReader] {
    guard case .array(let values) = value else { throw mismatch("an array") }
    let path = path
    return values.enumerated().map { JSONReader($0.element, path, .element($0.offset)) }
  }

  /// The elements of an array of exactly `count` elements.
  package func array(count: Int) throws(JSONError) -> [JSONReader] {
    let elements = try array()
    guard elements.count == count else { throw mismatch("an array of \(count)") }
    return elements
  }

  /// The numbers of an array of exactly `count` numbers, as points, sizes and rectangles are.
  package func numbers(count: Int) throws(JSONError) -> [Double] {
    guard case .array(let values) = value, values.count == count else {
      throw mismatch("an array of \(count) numbers")
    }
    var numbers: [Double] = []
    for element in try array() { numbers.append(try element.number()) }
    return numbers
  }

  /// The fields of the object. Any name is allowed, as where a file names its own layouts.
  package func object() throws(JSONError) -> JSONFields {
    guard case .object(let fields) = value else { throw mismatch("an object") }
    return JSONFields(fields, path: path)
  }

  /// The fields of the object, of which each has one of the given names.
  package func object(allowing names: [String]) throws(JSONError) -> JSONFields {
    let fields = try object()
    if let name = fields.firstName(notIn: names) {
      throw JSONError(
        path: childPath(of: path, name: name),
        message: "Unknown field \(quoted(name)). \(remedy(for: name, among: names))")
    }
    return fields
  }

  private func mismatch(_ expected: String) -> JSONError {
    failure("Must be \(expected) (got \(value.phrase)).")
  }
}

/// The fields of one JSON object, each readable by name.
package struct JSONFields: Sendable, Hashable {
  /// Where the object stands.
  package let path: String
  private let fields: [String: JSONValue]

  init(_ fields: [String: JSONValue], path: String) {
    self.fields = fields
    self.path = path
  }

  /// All names, in the order of the alphabet, so that nothing hangs on a dictionary's order.
  package var names: [String] { fields.keys.sorted() }

  /// How many fields there are.
  package var fieldCount: Int { fields.count }

  /// Whether every name is in a list.
  package func hasOnly(_ known: [String]) -> Bool { fields.keys.allSatisfy(known.contains) }

  /// The first name, in the order of the alphabet, that is not in a list.
  package func firstName(notIn known: [String]) -> String? {
    fields.keys.filter { !known.contains($0) }.min()
  }

  /// The field, or nil when it is left out. A field that is `null` is there.
  package subscript(name: String) -> JSONReader? {
    fields[name].map { JSONReader($0, inObject: path, name: name) }
  }

  /// The field, which must be there.
  package func required(_ name: String) throws(JSONError) -> JSONReader {
    guard let field = self[name] else {
      throw JSONError(path: path, message: "Missing field \(quoted(name)).")
    }
    return field
  }
}
