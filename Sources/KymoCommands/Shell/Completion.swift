import TimelineModel
import TimelineRendering
import TimelineStore

/// The words that may stand at the end of a command line, for the completions of shells.
///
/// Everything comes from the commands' data. Former names and hidden verbs are not among the words.
struct Completion {
  /// The hidden verb that the shells' completions call, with the words after the program's name. The last is the
  /// word that is completed, and may be empty.
  static let verb = ".complete"
  /// The longest time that a shell may wait.
  static let mostSeconds: UInt32 = 1
  /// No shell shows more words than these.
  static let mostWords = 1000

  /// A word, and its meaning in a few words.
  struct Candidate: Equatable {
    var word: String
    var meaning = ""
  }

  /// Names that the shell itself lists beside the words.
  enum Names: String {
    case none = ""
    case files = ":files"
    case folders = ":folders"
  }

  /// The words in the order of help.
  private(set) var candidates: [Candidate] = []
  private(set) var names = Names.none
  /// The word that is completed, as far as it is typed.
  private let typed: String

  /// Finds the words for a command line.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name, and the word that is completed.
  ///   - find: The command that the words begin with, and the words after it.
  init(of words: [String], find: ([String]) throws -> (Command, [String])) {
    typed = words.last ?? ""
    let isHelp = words.count > 1 && words[0] == "help"
    let asksForColumns = isHelp && words.count > 2 && words[1] == HelpTopic.columns.rawValue
    let before = Array(words.dropLast().dropFirst(asksForColumns ? 2 : isHelp ? 1 : 0))
    candidates = Self.commandWords(after: before)
    if before.isEmpty, !asksForColumns {
      isHelp ? addTopics() : addFirstWords()
    } else if candidates.isEmpty, !isHelp, let (command, rest) = try? find(before) {
      add(CompletedLine(command, rest))
    }
    let typed = typed
    candidates = Array(
      candidates.filter { $0.word.hasPrefix(typed) && DisplayText.harmless($0.word) == $0.word }
        .prefix(Self.mostWords))
  }

  /// The words that continue the names of commands. None after a whole name.
  private static func commandWords(after words: [String]) -> [Candidate] {
    let names = Command.all.map { command in
      (words: command.name.split(separator: " ").map(String.init), summary: command.summary)
    }
    var found: [Candidate] = []
    for name in names where name.words.starts(with: words) && name.words.count > words.count {
      let word = name.words[words.count]
      guard !found.contains(where: { $0.word == word }) else { continue }
      found.append(Candidate(word: word, meaning: Command.family(word)?.summary ?? name.summary))
    }
    return found
  }

  private mutating func addTopics() {
    candidates += HelpTopic.allCases.map { Candidate(word: $0.rawValue) }
  }

  /// Adds the words beside the commands.
  private mutating func addFirstWords() {
    candidates.append(Candidate(word: "help", meaning: "Explain a command"))
    if typed.hasPrefix("-") {
      candidates += [Candidate(word: "--help"), Candidate(word: "--version")]
    } else if !candidates.contains(where: { $0.word.hasPrefix(typed) }) {
      // A file alone is shown.
      addFiles(typed)
    }
  }

  /// Adds the words that may follow in a line of a command.
  private mutating func add(_ line: CompletedLine) {
    if let (flag, part) = line.openFlag {
      addValues(of: flag, part: part, typed: typed, before: "", line)
      guard flag.isValueOptional, typed.hasPrefix("-") else { return }
    }
    if typed.hasPrefix("-"), !line.flagsAreOver {
      if let equals = typed.firstIndex(of: "="), let flag = line.flag(String(typed[..<equals])) {
        let start = typed.index(after: equals)
        return addValues(
          of: flag, part: 0, typed: String(typed[start...]), before: String(typed[..<start]), line)
      }
      return addFlags(line)
    }
    guard let argument = line.nextArgument else {
      if typed.isEmpty { addFlags(line) }
      return
    }
    if let choices = line.choices(of: argument) {
      candidates += choices.map { Candidate(word: $0) }
    } else if ValueKind(argument) == .file {
      addFiles(typed)
    }
  }

  private mutating func addFlags(_ line: CompletedLine) {
    candidates += line.freeFlags.map { Candidate(word: "--\($0.name)", meaning: $0.help) }
    candidates.append(Candidate(word: "--help", meaning: "print the command's help"))
  }

  /// Adds the values that a flag may have.
  ///
  /// - Parameters:
  ///   - part: The index of the word in a value of several words.
  ///   - text: The value as far as it is typed.
  ///   - start: The part of the typed word before the value.
  private mutating func addValues(
    of flag: FlagDeclaration, part: Int, typed text: String, before start: String,
    _ line: CompletedLine
  ) {
    if !flag.choices.offered.isEmpty {
      let isList = flag.value == "NAMES"
      return add(flag.choices.offered, typed: text, before: start, isList: isList)
    }
    let words = (flag.value ?? "").split(separator: " ").map(String.init)
    guard words.indices.contains(part) else { return }
    switch ValueKind(words[part], of: flag) {
    case .file: addFiles(text, before: start)
    case .folder: names = .folders
    case .key: add(line.keys(), typed: text, before: start, isList: words[part] != "NAME")
    case .value:
      let last = text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
      add(line.subjects(String(last)), typed: text, before: start, isList: true)
    case .item: add(line.items(), typed: text, before: start, isList: true)
    case .other: break
    }
  }

  /// Adds names. In a list with commas those that may follow the last comma.
  private mutating func add(_ names: [String], typed: String, before start: String, isList: Bool) {
    guard isList else {
      candidates += names.map { Candidate(word: start + $0) }
      return
    }
    let listed = typed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let before = listed.dropLast()
    let head = start + before.map { $0 + "," }.joined()
    candidates += names.filter { !before.contains($0) }.map { Candidate(word: head + $0) }
  }

  /// Adds the sessions of a recording behind its `#`. The shell adds the names of files.
  private mutating func addFiles(_ text: String, before start: String = "") {
    let (path, selector) = SessionArgument.split(text)
    guard selector != nil else {
      names = .files
      return
    }
    guard let sessions = try? RecordingReader(path: path).sessionRecords() else { return }
    func add(_ selector: String, _ meaning: String) {
      candidates.append(Candidate(word: "\(start)\(path)#\(selector)", meaning: meaning))
    }
    for session in sessions { add("\(session.number)", session.description.name ?? "") }
    if !sessions.isEmpty { add("last", "the last session") }
    for name in sessions.compactMap(\.description.name) where !name.isEmpty {
      add(name, "a name")
    }
  }
}
