import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineStore

/// The kinds of words that completions tell apart, by the names that help has for values and arguments.
enum ValueKind {
  case file
  case folder
  /// Recorded keys.
  case key
  /// Everything that `--key` understands: keys, numbers of elements, fingers.
  case value
  /// IDs of elements.
  case item
  case other

  /// The kind of an argument, or of a word of a flag's value.
  init(_ name: String, of flag: FlagDeclaration? = nil) {
    switch (name, flag?.name) {
    case ("DIR", _), ("FOLDER", _): self = .folder
    case ("NAMES", "key"): self = .value
    case ("NAME", "key"), ("KEYS", _): self = .key
    case ("[IDS]", _): self = .item
    case ("A", nil), ("B", nil), ("BASE", nil), ("NEW", nil), ("SCENARIO", nil), ("LIST", nil),
      ("CSV", _), ("PAGE", _), ("GOLDEN", _), ("OLD", _), ("PATH", "browser"),
      ("PATH", "decoder"), ("MERGE.json", _):
      self = .file
    default: self = name.contains("FILE") || name.hasPrefix("OUT") ? .file : .other
    }
  }
}

/// A command line up to the word that is completed, read leniently: nothing in it is an error.
struct CompletedLine {
  private let command: Command
  private var positionals: [String] = []
  private var given: Set<String> = []
  /// The flag whose value the next word belongs to, and the index of that word in the value.
  private(set) var openFlag: (flag: FlagDeclaration, part: Int)?
  /// Whether nothing that follows is a flag.
  private(set) var flagsAreOver = false

  /// Reads the words after the command's name.
  init(_ command: Command, _ words: [String]) {
    self.command = command
    let hasTwoGroups = command.forms.contains(where: \.hasTwoGroups)
    var isSecondGroup = false
    for word in words {
      if let (flag, part) = openFlag, !flag.isValueOptional || !word.hasPrefix("-") {
        openFlag = part + 1 < flag.wordCount ? (flag, part + 1) : nil
      } else if flagsAreOver || word == "-" || !word.hasPrefix("-") {
        positionals.append(word)
      } else if word == "--" {
        if hasTwoGroups, !isSecondGroup { isSecondGroup = true } else { flagsAreOver = true }
      } else {
        openFlag = nil
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let flag = flag(String(parts[0])) else { continue }
        given.insert(flag.name)
        let count = flag.wordCount
        // A value that may be left out is one only after the arguments that the command needs.
        let isTaken = !flag.isValueOptional || positionals.count >= fewestArguments
        if count > parts.count - 1, isTaken { openFlag = (flag, parts.count - 1) }
      }
    }
  }

  private var fewestArguments: Int { command.forms.map(\.argumentCount.lowerBound).min() ?? 0 }

  /// The flag of a word such as `--out` or `-o`.
  func flag(_ word: String) -> FlagDeclaration? {
    command.flags.first { "--\($0.name)" == word || $0.short == word }
  }

  /// The forms of the command that have all flags that are given.
  private var forms: [CommandForm] {
    command.forms.filter { form in
      given.allSatisfy { name in form.flags.contains { $0.name == name } }
    }
  }

  /// The flags that may still be given, in the order of help.
  var freeFlags: [FlagDeclaration] {
    var seen: Set<String> = []
    return forms.flatMap(\.flags).filter {
      ($0.repeats || !given.contains($0.name)) && seen.insert($0.name).inserted
    }
  }

  /// The name in help of the argument that comes next. `nil` if there is none.
  var nextArgument: String? {
    let count = positionals.count
    guard let form = forms.first(where: { $0.argumentCount.upperBound > count }) else { return nil }
    let names = form.argumentNames
    return names.isEmpty ? nil : names[min(count, names.count - 1)]
  }

  /// The words that are offered for an argument. `nil` if it can be anything.
  func choices(of argument: String) -> [String]? {
    forms.lazy.compactMap { $0.choices[argument]?.offered }.first
  }

  // MARK: The recording that the line names

  /// The session of the first argument that is a recording.
  private var session: (reader: RecordingReader, session: SessionRecord)? {
    for name in positionals {
      let (path, selector) = SessionArgument.split(name)
      guard let reader = try? RecordingReader(path: path) else { continue }
      return (try? reader.session(selectedBy: selector ?? "last")).map { (reader, $0) }
    }
    return nil
  }

  /// The recorded keys.
  func keys() -> [String] {
    guard let (reader, session) = session else { return [] }
    return (try? reader.keys(in: session.number).map(\.name)) ?? []
  }

  /// Everything that `--key` understands, as far as it is near to a name that is typed.
  func subjects(_ typed: String) -> [String] {
    guard let (reader, session) = session else { return [] }
    // Fingers and elements are looked up only if the name begins like theirs.
    let near = ["finger.", "item."].first { !typed.isEmpty && $0.hasPrefix(typed) }
    let texts = [typed] + (near.map { [$0] } ?? [])
    guard let subjects = try? SessionSubjects(FileSource(session, in: reader), for: texts) else {
      return []
    }
    var seen: Set<String> = []
    return texts.flatMap { subjects.names(like: $0) }.filter { seen.insert($0).inserted }
  }

  /// The IDs of the elements.
  func items() -> [String] {
    guard let (reader, session) = session else { return [] }
    var seen: Set<String> = []
    let ids = (try? reader.items(in: session.number).map(\.identity.id)) ?? []
    return ids.filter { seen.insert($0).inserted }
  }
}

extension CommandForm {
  /// The names of the arguments in help, without brackets and dots.
  var argumentNames: [String] {
    guard argumentCount.upperBound > 0 else { return [] }
    var names: [String] = []
    for word in arguments.split(separator: " ") where word != "--" {
      guard !word.contains("--") else { break }
      names.append(word.replacing("[#SESSION]", with: "").filter { !"[]…".contains($0) })
    }
    return names
  }
}
