import GestureRerun
import JSONText
import TimelineModel
import TransitionScenarios

/// What `--patch`, `--layout` and `--set` ask for, in this order.
struct RerunChanges {
  /// A number that is swept through.
  struct Value {
    var number: Double
    /// The same as JSON.
    var text: String { FieldValue.jsonNumber(number) }
  }

  /// The range that is swept through; nil: there is one run.
  private(set) var sweep: (path: String, values: [Value])?
  private var patch: (name: String, value: JSONValue)?
  private var assignments: [Assignment] = []

  /// `PATH=VALUE`, and the flag that it was given by.
  struct Assignment {
    let flag: String
    let path: String
    /// The value: JSON, a word or a range. What JSON is wrong is known with the scenario.
    let text: String
    /// The values of a range; nil: there is one value.
    let range: [Double]?

    private static let mostRuns = 1000

    var words: String { "--\(flag) \(path)=\(text)" }

    /// Reads the value of a flag.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - flag: The flag's name.
    ///   - example: A value for messages.
    ///   - form: The form of values for messages.
    init(_ text: String, of flag: String, such example: String, form: String) throws {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw Failure.usage("--\(flag) expects \(form) as \(example), not '\(text)'")
      }
      (self.flag, path, self.text) = (flag, parts[0], parts[1])
      range =
        SteppedRange.isMeant(by: parts[1])
        ? try SteppedRange(parts[1], of: "--\(flag) \(parts[0])", most: Assignment.mostRuns).values
        : nil
    }
  }

  /// All of them in words.
  var words: String {
    ((patch.map { [$0.name] } ?? []) + assignments.map { "\($0.path)=\($0.text)" })
      .joined(separator: ", ")
  }

  /// Reads the flags, and the patch's file.
  init(_ invocation: Invocation) throws {
    if let path = invocation.text(RerunFlags.patch) {
      let bytes = try invocation.console.readInput(path, atMost: .description)
      do {
        patch = (inputName(path), try parseJSON(bytes))
        _ = try JSONReader(patch?.value ?? .null).object()
      } catch {
        throw ScenarioError(
          file: inputName(path), path: error.path,
          message: error.message
            + " A merge patch is an object as {\"settle\": {\"stiffness\": 200}}.")
      }
    }
    for assignment in try invocation.allValues(RerunFlags.edit) { try add(assignment) }
  }

  private mutating func add(_ assignment: Assignment) throws {
    if let range = assignment.range {
      guard sweep == nil else {
        throw Failure.usage(
          "\(assignment.words) is a second range; sweep through one, and give the other a value")
      }
      sweep = (assignment.path, range.map(Value.init))
    }
    assignments.append(assignment)
  }

  /// The scenario with the changes made, once for each value of the range.
  func edits(
    of source: RerunSource, name: String
  ) throws -> [(value: Value?, edit: ScenarioEdit)] {
    let values: [Value?] = sweep?.values ?? [nil]
    return try values.map { value in
      var edit = try source.editable(name: name)
      if let patch {
        try naming(patch.name) { () throws(JSONError) in try edit.merge(patch.value) }
      }
      for one in assignments {
        let text = one.range == nil ? one.text : value?.text ?? one.text
        let new = try naming(one.words) { () throws(JSONError) in try RerunChanges.value(text) }
        try naming(one.words) { () throws(JSONError) in try edit.set(one.path, to: new) }
      }
      return (value, edit)
    }
  }

  /// JSON, or else the word itself.
  private static func value(_ text: String) throws(JSONError) -> JSONValue {
    if let value = try? parseJSON(Array(text.utf8)) { return value }
    if ["{", "[", "\""].contains(text.prefix(1)) { return try parseJSON(Array(text.utf8)) }
    return .string(text)
  }

  private func naming<Result>(
    _ name: String, _ body: () throws(JSONError) -> Result
  ) throws(ScenarioError) -> Result {
    do {
      return try body()
    } catch {
      throw ScenarioError(file: name, path: error.path, message: error.message)
    }
  }
}
