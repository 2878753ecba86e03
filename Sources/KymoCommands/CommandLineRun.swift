import JSONText
import MotionJudgement
import TimelineModel
import TimelineRendering

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of the program: finds the command, runs it, says what went wrong.
package struct CommandLineRun {
  /// The words after the program's name.
  var arguments: [String]
  /// Everything outside of the command.
  var console: Console

  /// Makes a run.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - console: Everything outside of the command.
  package init(_ arguments: [String], on console: Console) {
    (self.arguments, self.console) = (arguments, console)
  }

  /// Runs the command and returns its exit code.
  package func run() -> ExitCode {
    let code: ExitCode
    do {
      code = try dispatch()
    } catch {
      let failure = explain(error)
      console.note(failure.message)
      code = failure.code
    }
    console.letGoOfStates()
    console.output.flush()
    console.busyIndicator?.end()
    return console.output.ending ?? (code == .yes && console.hasReadLosses ? .loss : code)
  }

  private func dispatch() throws -> ExitCode {
    guard let verb = arguments.first else {
      console.note(lines: overviewHelp())
      return .usage
    }
    switch verb {
    case "help", "--help", "-h": return try help(Array(arguments.dropFirst()))
    case "--version", "version":
      guard arguments.count == 1 else {
        throw Failure.usage("unexpected argument '\(arguments[1])'. Usage: kymo --version")
      }
      console.output.write(versionText + "\n")
      return .yes
    case WorkRow.columnsVerb:
      for column in WorkRow.fields.described().rows {
        console.output.write(data: FieldValue.object(column).json + "\n")
      }
      return .yes
    case Completion.verb:
      writeCompletions(of: Array(arguments.dropFirst()))
      return .yes
    case ManualPages.verb:
      let date = arguments.dropFirst().joined(separator: " ")
      let pages =
        switch date {
        case CommandReference.form: CommandReference.text()
        case CommandReference.columnsForm: CommandReference.columnsText()
        case CommandReference.formatsForm: CommandReference.formatsText()
        default: ManualPages.text(date: date)
        }
      console.output.write(data: pages)
      return .yes
    case WorkerProcess.verb: return try WorkerLoop.run(Array(arguments.dropFirst()), on: console)
    default: break
    }
    // A family of commands has no flags of its own.
    if ["--help"] == arguments.dropFirst() || ["-h"] == arguments.dropFirst(),
      Command.family(verb) != nil
    {
      return try help([verb])
    }
    let (command, words) = try command(of: arguments)
    let beforeEnd = words.prefix { $0 != "--" }
    if beforeEnd.contains("--help") || beforeEnd.contains("-h") {
      console.output.write(commandHelp(command))
      return .yes
    }
    guard !words.isEmpty || !command.showsHelpAlone else {
      console.note(lines: commandHelp(command))
      return .usage
    }
    console.command = command.name
    console.busyIndicator?.rename(command.name)
    let invocation = try Invocation(command: command, words: words, console: console)
    return try invocation.form.run(invocation)
  }

  private func help(_ words: [String]) throws -> ExitCode {
    guard let verb = words.first else {
      console.output.write(overviewHelp())
      return .yes
    }
    if verb == HelpTopic.columns.rawValue, words.count > 1 {
      let asked = Array(words.dropFirst())
      let (command, rest) = try command(of: asked)
      if let word = rest.first {
        throw Failure.usage("unexpected argument '\(word)'. Usage: kymo help columns COMMAND")
      }
      guard !command.columns.isEmpty else {
        throw Failure.usage("kymo \(command.name) has no list of columns. See kymo help columns")
      }
      console.output.write(columnsHelp(of: command))
      return .yes
    }
    if words == [HelpTopic.faults.rawValue, "--\(Flags.json.name)"] {
      let writer = RowWriter(
        format: .json, columns: MotionFault.columns, width: console.width, isPrecise: false,
        output: console.output.rows(.json))
      for fault in MotionFault.all { writer.write(fault.row) }
      writer.finish()
      return .yes
    }
    if let entry = Command.family(verb), words.count == 1 {
      console.output.write(familyHelp(entry))
      return .yes
    }
    let isKnown = Command.named(words) != nil
    guard isKnown || words.count == 1 else {
      throw Failure.usage("unexpected argument '\(words[1])'. Usage: kymo help COMMAND")
    }
    if let topic = HelpTopic(rawValue: verb), words.count == 1 {
      console.output.write(topic.text)
    } else if verb == "names" {
      console.output.write(KnownName.all.map(\.help).joined(separator: "\n"))
    } else if !isKnown, let row = KnownName.row(for: verb) {
      console.output.write(row.help)
    } else if !isKnown, let own = OwnName.help(for: verb) {
      console.output.write(own)
    } else {
      let (command, rest) = try command(of: words)
      let wantsAllNames = rest.first == "--\(Flags.all.name)"
      if let word = rest.dropFirst(wantsAllNames ? 1 : 0).first {
        throw Failure.usage("unexpected argument '\(word)'. Usage: kymo help COMMAND [--all]")
      }
      console.output.write(commandHelp(command, withAllNames: wantsAllNames))
    }
    return .yes
  }

  /// The command that the words begin with, and the words after it. A file alone means `kymo show`, and a page
  /// `kymo watch`.
  func command(of words: [String]) throws -> (Command, [String]) {
    let verb = words[0]
    if let (command, count) = Command.named(words) {
      return (command, Array(words.dropFirst(count)))
    }
    if let entry = Command.family(verb) {
      let members = entry.commands.map { String($0.name.dropFirst(verb.count + 1)) }
      guard words.count > 1 else {
        throw Failure.usage("missing word. Usage: kymo \(verb) \(members.joined(separator: "|"))")
      }
      let known = choices(near: words[1], among: members, listedBy: "kymo help \(verb)")
      throw Failure.usage("unknown command '\(verb) \(words[1])'. \(known)")
    }
    if WatchPlan.isPage(verb), let (command, _) = Command.named(["watch"]) {
      return (command, words)
    }
    if isFile(verb), let (command, _) = Command.named(["show"]) { return (command, words) }
    let names = Command.groups.flatMap(\.entries).map(\.name)
    let hint = nearestName(to: verb, among: names).map { "Did you mean \($0)?" }
    throw Failure.usage("unknown command '\(verb)'. \(hint ?? "See kymo help")")
  }

  /// Whether a word is the name of a recording rather than a misspelt command.
  private func isFile(_ word: String) -> Bool {
    let path = SessionArgument.split(word).path
    return path.hasSuffix(".kymo") || path.contains("/")
      || FileManager.default.fileExists(atPath: path)
  }
}

extension Command {
  /// The command that the words begin with, and how many words its name has.
  static func named(_ words: [String]) -> (command: Command, wordCount: Int)? {
    for maker in groups.lazy.flatMap(\.makers) {
      for command in maker().commands {
        let name = command.name.split(separator: " ").map(String.init)
        if words.starts(with: name) { return (command, name.count) }
      }
    }
    return nil
  }

  /// The commands that share this first word. The overview has those of `rule` and `golden` on lines of their own.
  static func family(_ name: String) -> CommandEntry? {
    let entries = groups.flatMap(\.entries)
    if let family = entries.first(where: { $0.isFamily && $0.name == name }) { return family }
    let commands = entries.flatMap(\.commands).filter { $0.name.hasPrefix("\(name) ") }
    guard !commands.isEmpty else { return nil }
    let members = commands.map { String($0.name.dropFirst(name.count + 1)) }
    return CommandEntry(family: name, members.joined(separator: ", "), commands)
  }
}
