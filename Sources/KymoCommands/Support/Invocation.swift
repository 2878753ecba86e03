import JSONText
import TimelineModel
import TimelineStore

/// A command's arguments after parsing: what was said, and nothing that was not.
struct Invocation {
  var command: Command
  /// The form of the command that the words ask for.
  private(set) var form: CommandForm
  /// Everything outside of the command.
  let console: Console
  /// Words that are not flags, in order.
  var positionals: [String] = []
  /// How many positionals stand before the `--` that parts two groups. `nil`: none does.
  private(set) var firstGroupCount: Int?
  /// Values of flags by name. A switch has the value "". Of a flag that was given again the newest.
  private var values: [String: String] = [:]
  /// All values of flags that may be given again, in order.
  private var repeated: [String: [String]] = [:]
  /// The flags that were given, each with its value, in the order of the words.
  private(set) var flagsInOrder: [(name: String, value: String)] = []
  /// The flags as they were given, so that another process gets the same.
  private(set) var flagWords: [String] = []

  /// Sorts the words after the verb into flags and positionals.
  ///
  /// `--flag value`, `--flag=value` and `--` (nothing after it is a flag) are understood. A single
  /// dash is a positional that stands for standard input. Where a command has two groups of positionals, the
  /// first `--` parts them, and flags may follow.
  ///
  /// - Parameter isWorker: Whether the words are flags alone, for a process that is given its files one by one.
  init(
    command: Command, words: [String], console: Console, isWorker: Bool = false
  ) throws {
    (self.command, self.console) = (command, console)
    form = command.workerForm ?? command.forms[0]
    let hasTwoGroups = command.forms.contains(where: \.hasTwoGroups)
    var index = 0
    var flagsAreOver = false
    while index < words.count {
      let word = words[index]
      index += 1
      if flagsAreOver || word == "-" || !word.hasPrefix("-")
        || Invocation.isNumber(word) && !command.flags.contains(where: { $0.short == word })
      {
        positionals.append(word)
      } else if word == "--" {
        if hasTwoGroups, firstGroupCount == nil {
          firstGroupCount = positionals.count
        } else {
          flagsAreOver = true
        }
      } else {
        let first = index - 1
        try addFlag(word, words: words, index: &index)
        flagWords += words[first..<index]
      }
    }
    guard !isWorker else { return }
    form = command.forms[try command.choose(self)]
    if let flag = command.flags.first(where: { values[$0.name] != nil && !form.has($0) }),
      let other = command.forms.first(where: { $0.has(flag) })
    {
      throw Failure.usage(
        "--\(flag.name) belongs to another form. Usage: kymo \(command.name) \(other.arguments). "
          + "kymo help \(command.name) shows the flags of each form")
    }
    guard form.argumentCount.contains(positionals.count) else { throw wrongCount() }
    if form.arguments.contains("…") { try expandFolders() }
  }

  /// Puts the recordings below a folder in its place.
  ///
  /// An empty folder beside other names stays: whoever opens it names it and leaves it out. So does one whose command
  /// writes a file for a build, which is to have it in any case.
  mutating func expandFolders() throws {
    let words = positionals
    let first = firstGroupCount
    positionals = []
    for (position, word) in words.enumerated() {
      if position == first { firstGroupCount = positionals.count }
      var found: [[UInt8]]?
      do {
        found = try RecordingFolder.recordings(below: Array(word.utf8))
      } catch {
        guard words.count > 1 || form.flags.contains(where: { $0.name == Flags.junit.name }) else {
          throw error
        }
      }
      positionals += found?.map { String(decoding: $0, as: UTF8.self) } ?? [word]
    }
  }

  private mutating func addFlag(_ word: String, words: [String], index: inout Int) throws {
    var word = command.flags.first { $0.short == word }.map { "--\($0.name)" } ?? word
    if word.hasPrefix("-j"), word.count > 2, word.dropFirst(2).allSatisfy(\.isNumber),
      command.flags.contains(where: { $0.short == "-j" })
    {
      word = "--jobs=\(word.dropFirst(2))"
    }
    let body = word.drop(while: { $0 == "-" })
    let parts = body.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard word.hasPrefix("--"), let flag = command.flags.first(where: { $0.name == name }) else {
      throw Failure.usage("unknown flag \(word). \(command.hint(to: name))")
    }
    guard values[name] == nil || flag.repeats else {
      throw Failure.usage("--\(name) is given twice")
    }
    if flag.value == nil {
      guard parts.count == 1 else { throw Failure.usage("--\(name) takes no value") }
      values[name] = ""
    } else if parts.count == 2 {
      let end = index + max(0, flag.wordCount - 1)
      guard end <= words.count else {
        throw Failure.usage("missing value: --\(name) \(flag.value ?? "")")
      }
      values[name] = ([String(parts[1])] + words[index..<end]).joined(separator: " ")
      index = end
    } else if flag.isValueOptional,
      positionals.count < command.forms.map(\.argumentCount.lowerBound).min() ?? 0
        || index == words.count || words[index].hasPrefix("-")
    {
      values[name] = ""
    } else {
      guard index + max(1, flag.wordCount) <= words.count else {
        throw Failure.usage("missing value: --\(name) \(flag.value ?? "")")
      }
      let end = index + max(1, flag.wordCount)
      values[name] = words[index..<end].joined(separator: " ")
      index = end
    }
    flagsInOrder.append((name, values[name] ?? ""))
    if flag.repeats, let value = values[name] { repeated[name, default: []].append(value) }
  }

  private func wrongCount() -> Failure {
    let names = form.arguments.replacing("[#SESSION]", with: "").replacing("…", with: "")
      .split(separator: " ").filter { $0 != "--" }
    // In their order, so that the first that is not there is the missing one.
    let missing = names.dropFirst(firstGroupCount == 0 ? 0 : positionals.count).first ?? ""
    let usage = "Usage: kymo \(command.name) \(form.arguments)"
    guard positionals.count > form.argumentCount.upperBound else {
      return Failure.usage("missing \(missing). \(usage)")
    }
    let word = positionals[form.argumentCount.upperBound]
    let file = positionals.last { !$0.contains("#") && $0.hasSuffix(".kymo") }
    let isSelector = !word.contains("/") && !word.contains(".")
    let hint = isSelector ? file.map { "Did you mean \($0)#\(word)?" } : nil
    return Failure.usage("unexpected argument '\(word)'. \(hint ?? usage)")
  }

  private static func isNumber(_ word: String) -> Bool {
    word.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
  }

  /// The answers.
  var output: StandardOutput { console.output }

  /// Writes one line to standard error.
  func note(_ message: String) { console.note(message) }

  func has<Value>(_ flag: Flag<Value>) -> Bool { values[flag.name] != nil }

  /// Whether a flag was given that only one form of the command has.
  func asks(forForm index: Int) -> Bool {
    command.forms[index].flags.contains { flag in
      values[flag.name] != nil
        && !command.forms.indices.contains { $0 != index && command.forms[$0].has(flag) }
    }
  }

  /// The names of those flags that were given, in the order of the arguments.
  func given(_ flags: any FlagSource...) -> [String] { given(flags) }

  /// The names of those flags that were given, in the order of the list.
  func given(_ flags: [any FlagSource]) -> [String] {
    flags.flatMap(\.declarations).map(\.name).filter { values[$0] != nil }
  }

  /// The text of a flag as it was given.
  func text(_ flag: Flag<String>) -> String? { values[flag.name] }

  /// The text of a flag by the flag's name.
  func text(of name: String) -> String? { values[name] }

  /// All texts of a flag that may be given again, in order.
  func texts(_ flag: Flag<String>) -> [String] { repeated[flag.name] ?? [] }

  /// The value of a flag that the command cannot do without.
  func requiredValue<Value>(_ flag: Flag<Value>) throws -> Value {
    guard let value = try value(flag) else {
      let argument = command.flags.first { $0.name == flag.name }?.value ?? ""
      throw Failure.usage("missing --\(flag.name) \(argument)")
    }
    return value
  }

  /// The value of a flag. `nil` without the flag.
  func value<Value>(_ flag: Flag<Value>) throws -> Value? {
    try values[flag.name].map { try flag.read($0, flag.name) }
  }

  /// The value of a flag, or of the environment variable that stands in for it. `nil` without both.
  func value<Value>(_ flag: Flag<Value>, or variable: String) throws -> Value? {
    try (values[flag.name] ?? console.variable(variable)).map { try flag.read($0, flag.name) }
  }

  /// All values of a flag that may be given again, in order.
  func allValues<Value>(_ flag: Flag<Value>) throws -> [Value] {
    try (repeated[flag.name] ?? []).map { try flag.read($0, flag.name) }
  }

  /// The time between two flags, of which neither need be given.
  func range(_ first: Flag<Int64>, _ last: Flag<Int64>) throws -> ClosedRange<Instant> {
    let start = try value(first) ?? .min
    let end = try value(last) ?? .max
    guard start <= end else {
      throw Failure.usage("--\(first.name) is later than --\(last.name)")
    }
    return Instant(nanoseconds: start)...Instant(nanoseconds: end)
  }

}

extension Command {
  /// Advice about a flag that this command does not have.
  fileprivate func hint(to name: String) -> String {
    let others = Command.all.filter { $0.flags.contains { $0.name == name } }.map {
      "kymo \($0.name)"
    }
    let near = nearestName(to: name, among: flags.map(\.name)).map { "Did you mean --\($0)?" }
    guard let last = others.last, others.count <= 4 else {
      return near ?? "See kymo help \(self.name)"
    }
    let before = others.dropLast().joined(separator: ", ")
    let holders = before.isEmpty ? "\(last) has it" : "\(before) and \(last) have it"
    return near.map { "\(holders). \($0)" } ?? holders
  }
}

/// The name that was meant, if one is near, or else the names that there are: at most sixteen, eight if a command lists
/// them.
func choices(near name: String, among names: [String], listedBy command: String? = nil) -> String {
  if let near = nearestName(to: name, among: names) { return "Did you mean \(near)?" }
  guard !names.isEmpty else { return "There is none" }
  let shown = names.count > (command == nil ? 16 : 8) ? 8 : names.count
  let more =
    names.count > shown
    ? ", and \(names.count - shown) more" + (command.map { " (\($0))" } ?? "") : ""
  return "Known: " + names.prefix(shown).joined(separator: ", ") + more
}

/// Reads "0.25", "250ms", "3us", "10ns" or "2s" as nanoseconds, rounded once.
func parseTime(_ text: String) -> Int64? {
  for (suffix, factor) in [("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9), ("", 1e9)]
  where text.hasSuffix(suffix) {
    let digits = text.dropLast(suffix.count)
    if suffix == "ns", let exact = Int64(digits) { return exact }
    guard let number = Double(digits), number.isFinite else { return nil }
    return Int64(exactly: (number * factor).rounded())
  }
  return nil
}
