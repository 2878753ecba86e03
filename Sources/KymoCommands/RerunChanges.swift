import GestureInput
import GestureRerun
import JSONText
import MotionPhysics
import TimelineModel
import TransitionScenarios

/// What `--patch` and `--set` change, in this order.
struct RerunChanges {
  /// One of the values that are swept through.
  struct Value {
    let json: JSONValue
    /// The value for names and tables: a word as it is, anything else as JSON.
    var text: String {
      if case .string(let word) = json { word } else { json.sortedJSON }
    }
    /// The value for rows.
    var field: FieldValue {
      switch json {
      // Whole numbers are in a row of numbers.
      case .integer(let number): .number(Double(number))
      case .number(let number): .number(number)
      case .string, .bool, .null, .array, .object: .text(text)
      }
    }
  }

  /// The path with several values, and these. `nil`: there is one run.
  private(set) var sweep: (path: String, values: [Value])?
  private var patch: (name: String, value: JSONValue)?
  private let settings: [Setting]
  /// Each field that fell away since another rule does not have it, a sentence each.
  private(set) var notes: [String] = []

  private static let mostRuns = 1000

  /// All of them in words.
  var words: String {
    ((patch.map { [$0.name] } ?? []) + settings.map { "\($0.path)=\($0.text)" })
      .joined(separator: ", ")
  }

  /// Reads the flags, and the patch's file.
  init(_ invocation: Invocation) throws {
    var settings = try invocation.settings()
    if let rule = try invocation.value(Flags.rule) {
      guard !settings.contains(where: { $0.path == ReleaseField.rule.path }) else {
        throw Failure.usage(
          "--rule and --set \(ReleaseField.rule.path) are the same. Use one of them")
      }
      settings.insert(try Setting("\(ReleaseField.rule.path)=\(rule.rawValue)"), at: 0)
    }
    self.settings = settings
    if let path = invocation.text(RerunFlags.patch) {
      let bytes = try invocation.console.readInput(path, atMost: .description)
      do {
        patch = (inputName(path), try parseJSON(bytes))
        _ = try JSONReader(patch?.value ?? .null).object()
      } catch {
        throw ScenarioError(
          file: inputName(path), path: error.path,
          message: error.message
            + " A merge patch is an object such as {\"settle\": {\"stiffness\": 200}}.")
      }
    }
    for setting in settings where !setting.isOne {
      if let sweep {
        throw Failure.usage(
          "--set \(sweep.path) and \(setting.words) both have several values. Give one of them one value"
        )
      }
      guard let texts = setting.texts() else { throw setting.stepIsMissing }
      guard texts.count <= RerunChanges.mostRuns else {
        throw Failure.usage(
          "\(setting.words) has more than \(RerunChanges.mostRuns) values. Use a larger step")
      }
      sweep = (setting.path, try texts.map { Value(json: try RerunChanges.json($0, of: setting)) })
    }
  }

  private static func json(_ text: String, of setting: Setting) throws -> JSONValue {
    try naming(setting.words) { () throws(JSONError) in try setting.json(text) }
  }

  /// The scenario with the changes made, once for each value that is swept through.
  mutating func edits(
    of source: RerunSource, name: String
  ) throws -> [(value: Value?, edit: ScenarioEdit)] {
    if source.way == .releases {
      for setting in settings where !["release", "settle"].contains(setting.root) {
        throw Failure.usage(
          "the session has no scenario with touches, so '\(setting.path)' cannot be changed. Only release.… and "
            + "settle.… can")
      }
    }
    let values: [Value?] = sweep?.values ?? [nil]
    var notes: [String] = []
    defer { self.notes = notes }
    return try values.map { value in
      var edit = try source.editable(name: name)
      if let patch {
        try RerunChanges.naming(patch.name) { () throws(JSONError) in try edit.merge(patch.value) }
      }
      for setting in settings {
        let swept = setting.isOne ? nil : value
        let new = try swept?.json ?? RerunChanges.json(setting.text, of: setting)
        let words = swept.map { "--set \(setting.path)=\($0.text)" } ?? setting.words
        try RerunChanges.naming(words) { () throws(JSONError) in
          try edit.set(setting.path, to: new)
        }
      }
      let before = try source.editable(name: name).value
      try RerunChanges.naming(words) { () throws(JSONError) in
        if let note = try edit.takeOutFieldsOfOtherRule(since: before), !notes.contains(note) {
          notes.append(note)
        }
      }
      return (value, edit)
    }
  }

  private static func naming<Result>(
    _ name: String, _ body: () throws(JSONError) -> Result
  ) throws(ScenarioError) -> Result {
    do {
      return try body()
    } catch {
      throw ScenarioError(file: name, path: error.path, message: error.message)
    }
  }
}
