import GestureInput
package import JSONText
import MotionPhysics
import TimelineModel

/// A scenario's JSON, changed value by value. Whether what comes of it is a scenario is the reader's to say.
package struct ScenarioEdit: Sendable, Hashable {
  /// The JSON as it is by now.
  package private(set) var value: JSONValue
  /// The changes, each `PATH=VALUE` with the value as JSON, in the order in which they were made.
  package private(set) var changes: [String] = []

  /// Objects whose fields a file names itself: none of theirs is made by naming a field inside of it.
  private static let namedByFile: Set<String> = ["$.layouts", "$.gesture.keys"]

  /// ``value`` as JSON on one line, the fields of each object in the order of their names.
  package var text: String { value.sortedJSON }

  /// Begins with a value that is an object.
  package init(_ value: JSONValue) { self.value = value }

  /// Sets the value at a path.
  ///
  /// A path has the names of fields, and places of arrays counted from 0, with dots between them:
  /// `layouts.grid.itemSize.0`. Where names have dots of their own, the longest that is there counts. Missing objects
  /// are made, but for layouts and keys of a gesture. A null takes the field out, so that its default holds. A
  /// damping ratio takes the place of a damping, and the reverse. Mass and stiffness stay.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - new: The value.
  /// - Throws: the path is empty or leads nowhere.
  package mutating func set(_ path: String, to new: JSONValue) throws(JSONError) {
    guard !path.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
      throw JSONError(
        path: "$", message: "The path '\(path)' has an empty part. Write it as settle.stiffness.")
    }
    value = try Self.setting(path[...], to: new, in: JSONReader(value))
    if path == "settle.dampingRatio" { takeOut("damping") }
    if path == "settle.damping" { takeOut("dampingRatio") }
    changes.append("\(path)=\(new.sortedJSON)")
  }

  /// The value at a path as ``set(_:to:)`` takes it. `nil` without one, so that a default holds.
  ///
  /// The damping ratio is known of a spring that has a damping, too.
  package func value(at path: String) -> JSONValue? {
    if let found = Self.value(at: path[...], in: value) { return found }
    guard path == "settle.dampingRatio", let damping = number(at: "settle.damping"),
      let stiffness = number(at: "settle.stiffness")
    else { return nil }
    return .number(damping / (2 * (stiffness * (number(at: "settle.mass") ?? 1)).squareRoot()))
  }

  private func number(at path: String) -> Double? {
    switch value(at: path) {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: nil
    }
  }

  private static func value(at path: Substring, in value: JSONValue) -> JSONValue? {
    if path.isEmpty { return value }
    switch value {
    case .array(let elements):
      let first = path.prefix { $0 != "." }
      guard let index = Int(first), elements.indices.contains(index) else { return nil }
      return self.value(at: path.dropFirst(first.count + 1), in: elements[index])
    case .object(let fields):
      guard let name = longest(of: Array(fields.keys), at: path), let field = fields[name] else {
        return nil
      }
      return self.value(at: path.dropFirst(name.count + 1), in: field)
    default: return nil
    }
  }

  /// Merges a patch by RFC 7396: its objects are merged field by field, a null takes a field out, anything else
  /// takes the place of what is there.
  ///
  /// - Throws: the patch is not an object.
  package mutating func merge(_ patch: JSONValue) throws(JSONError) {
    _ = try JSONReader(patch).object()
    value = Self.merged(value, patch)
    if case .object(let root) = patch, case .object(let settle)? = root["settle"] {
      if settle["dampingRatio"] != nil, settle["damping"] == nil { takeOut("damping") }
      if settle["damping"] != nil, settle["dampingRatio"] == nil { takeOut("dampingRatio") }
    }
    Self.list(patch, at: "", into: &changes)
  }

  private mutating func takeOut(_ name: String) {
    guard case .object(var root) = value, case .object(var settle)? = root["settle"],
      settle["response"] == nil
    else { return }
    settle[name] = nil
    root["settle"] = .object(settle)
    value = .object(root)
  }

  private static func setting(
    _ path: Substring, to new: JSONValue, in reader: JSONReader
  ) throws(JSONError) -> JSONValue {
    let first = path.prefix { $0 != "." }
    if case .array(var elements) = reader.value {
      guard let index = Int(first), elements.indices.contains(index) else {
        throw reader.failure(
          "Unknown index '\(first)'. "
            + (elements.isEmpty ? "The array is empty." : "Known: 0 to \(elements.count - 1)."))
      }
      let element = try reader.array()[index]
      elements[index] =
        first.count == path.count
        ? new : try setting(path.dropFirst(first.count + 1), to: new, in: element)
      return .array(elements)
    }
    let fields = try reader.object()
    guard case .object(var values) = reader.value else { return reader.value }
    let name = longest(of: fields.names, at: path) ?? String(first)
    if name.count == path.count {
      guard new != .null || values[name] != nil else {
        throw missing(name, "field", fields.names, at: reader.path, "that could be taken out")
      }
      values[name] = new == .null ? nil : new
      return .object(values)
    }
    if values[name] == nil, namedByFile.contains(reader.path) {
      throw missing(
        name, reader.path == "$.layouts" ? "layout" : "key", fields.names, at: reader.path)
    }
    // An object that is made has the path that it will have.
    var parent = values
    parent[name] = parent[name] ?? .object([:])
    let child = try JSONReader(.object(parent), path: reader.path).object().required(name)
    values[name] = try setting(path.dropFirst(name.count + 1), to: new, in: child)
    return .object(values)
  }

  /// The longest of some names that a path begins with.
  private static func longest(of names: [String], at path: Substring) -> String? {
    names.filter { path == $0 || path.hasPrefix($0 + ".") }.max { $0.count < $1.count }
  }

  private static func missing(
    _ name: String, _ what: String, _ names: [String], at path: String, _ end: String = ""
  ) -> JSONError {
    JSONError(
      path: path,
      message: "Unknown \(what) '\(name)'\(end.isEmpty ? "" : " " + end). "
        + remedy(for: name, among: names))
  }

  private static func merged(_ target: JSONValue, _ patch: JSONValue) -> JSONValue {
    guard case .object(let changes) = patch else { return patch }
    var fields: [String: JSONValue] = [:]
    if case .object(let there) = target { fields = there }
    for (name, change) in changes {
      fields[name] = change == .null ? nil : merged(fields[name] ?? .null, change)
    }
    return .object(fields)
  }

  /// Lists a patch value by value, in the order of the names.
  private static func list(_ patch: JSONValue, at path: String, into changes: inout [String]) {
    if case .object(let fields) = patch, !fields.isEmpty || path.isEmpty {
      for (name, field) in fields.sorted(by: { $0.key < $1.key }) {
        list(field, at: path.isEmpty ? name : "\(path).\(name)", into: &changes)
      }
    } else {
      changes.append("\(path)=\(patch.sortedJSON)")
    }
  }
}

extension ScenarioEdit {
  /// Takes out the fields of `release` that another rule does not have, after the rule was changed.
  ///
  /// A field that a change names stays, so that a mistake is refused. A speed in another unit goes, and so does the old
  /// rule's own default if the new rule has another. The estimator and its window go if the new rule measures in its
  /// own way.
  ///
  /// - Parameter before: The JSON before all changes.
  /// - Returns: A sentence with all that was taken out. `nil`: nothing was.
  /// - Throws: the JSON is not an object. Nothing is taken out then.
  package mutating func takeOutFieldsOfOtherRule(
    since before: JSONValue
  ) throws(JSONError) -> String? {
    guard let now = Self.rule(in: value), let then = Self.rule(in: before), now != then,
      case .object(let release)? = ScenarioEdit(value).value(at: "release")
    else { return nil }
    let isNamed = { (name: String, changes: [String]) in
      changes.contains { $0.hasPrefix("release.\(name)=") }
    }
    var names = release.keys.filter { name in
      JSONReader.isField(name, of: now) == false
        || name == "velocityThreshold"
          && then.definition.usual.speed?.unit != now.definition.usual.speed?.unit
        || Self.isDefault(release[name], of: name, then, unlike: now)
    }.sorted()
    let estimator = release["estimator"].flatMap { Self.word($0) }.flatMap(
      Estimator.init(rawValue:))
    let isMeasured = Self.measure.contains { isNamed($0, changes) }
    if !isMeasured,
      now.definition.preset != nil || estimator.map({ !now.definition.accepts($0) }) ?? false
    {
      names += Self.measure.filter { release[$0] != nil }
    }
    var words: [String] = []
    for name in names where !isNamed(name, changes) {
      let left = release[name].map(\.sortedJSON) ?? ""
      try set("release.\(name)", to: .null)
      words.append("\(name) \(left)")
    }
    return words.isEmpty
      ? nil
      : "the rule '\(now.rawValue)' has no use for \(words.joined(separator: ", ")), so "
        + "\(words.count == 1 ? "it was" : "they were") left out"
  }

  /// The fields that say how velocities are measured.
  private static let measure = ["estimator", "preset", "window", "stopGap", "history"]

  /// The rule in the field `release.rule`, which is `progress` if it is missing. `nil` for an unknown name.
  private static func rule(in value: JSONValue) -> ReleaseRule.Kind? {
    guard let rule = ScenarioEdit(value).value(at: "release.rule") else { return .progress }
    return word(rule).flatMap(ReleaseRule.Kind.init(rawValue:))
  }

  /// Whether a number is the default of one rule, and another has another default.
  private static func isDefault(
    _ value: JSONValue?, of name: String, _ then: ReleaseRule.Kind, unlike now: ReleaseRule.Kind
  ) -> Bool {
    let own = ReleaseRule(kind: then).fields.first { $0.name == name }?.value
    let new = ReleaseRule(kind: now).fields.first { $0.name == name }?.value
    guard case .number(let number)? = own, case .number(let other)? = new, number != other else {
      return false
    }
    return value.flatMap { try? JSONReader($0).number() } == number
  }

  private static func word(_ value: JSONValue) -> String? {
    if case .string(let word) = value { word } else { nil }
  }
}
