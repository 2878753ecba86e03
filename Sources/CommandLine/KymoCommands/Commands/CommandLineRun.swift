import JSONText
import TimelineModel

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
    console.output.flush()
    console.busyIndicator?.end()
    return console.output.ending ?? code
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
        throw Failure.usage("'\(arguments[1])' is too much: kymo --version")
      }
      console.output.write(versionText + "\n")
      return .yes
    case WorkRow.columnsVerb:
      for column in WorkRow.fields.described().rows {
        console.output.write(data: FieldValue.object(column).json + "\n")
      }
      return .yes
    case WorkerProcess.verb: return try WorkerLoop.run(Array(arguments.dropFirst()), on: console)
    default: break
    }
    let command = try command(named: verb)
    let words = Array(arguments.dropFirst())
    let beforeEnd = words.prefix { $0 != "--" }
    if beforeEnd.contains("--help") || beforeEnd.contains("-h") {
      console.output.write(commandHelp(command))
      return .yes
    }
    guard !words.isEmpty || !command.showsHelpAlone else {
      console.note(lines: commandHelp(command))
      return .usage
    }
    return try command.run(Invocation(command: command, words: words, console: console))
  }

  private func help(_ words: [String]) throws -> ExitCode {
    guard let verb = words.first else {
      console.output.write(overviewHelp())
      return .yes
    }
    guard words.count == 1 else {
      throw Failure.usage("'\(words[1])' is too much: kymo help COMMAND")
    }
    if verb == "names" {
      console.output.write(KnownName.all.map(\.help).joined(separator: "\n"))
    } else if !Command.all.contains(where: { $0.name == verb }), let row = KnownName.row(for: verb)
    {
      console.output.write(row.help)
    } else {
      console.output.write(commandHelp(try command(named: verb)))
    }
    return .yes
  }

  private func command(named verb: String) throws -> Command {
    if let command = Command.all.first(where: { $0.name == verb }) { return command }
    let hint = didYouMean(verb, among: Command.all.map(\.name))
    throw Failure.usage("there is no command '\(verb)'\(hint ?? "; see kymo help")")
  }
}
