import JSONText

/// One run of the program: finds the command, runs it, says what went wrong.
struct CommandLineRun {
  /// The words after the program's name.
  var arguments: [String]

  /// Runs and returns how the program ends.
  func run() -> ExitCode {
    let code: ExitCode
    do {
      code = try dispatch()
    } catch let failure as Failure {
      say("kymo: \(failure.message)")
      code = failure.code
    } catch {
      let failure = explain(error)
      say("kymo: \(failure.message)")
      code = failure.code
    }
    standardOutput.flush()
    SignOfLife.current?.end()
    return code
  }

  private func dispatch() throws -> ExitCode {
    guard let verb = arguments.first else {
      say(overviewHelp(), asLines: true)
      return .usage
    }
    switch verb {
    case "help", "--help", "-h": return try help(Array(arguments.dropFirst()))
    case "--version", "version":
      guard arguments.count == 1 else {
        throw Failure.usage("'\(arguments[1])' is too much: kymo --version")
      }
      standardOutput.write(versionText + "\n")
      return .yes
    case WorkerProcess.verb: return try WorkerLoop.run(Array(arguments.dropFirst()))
    default: break
    }
    let command = try command(named: verb)
    let words = Array(arguments.dropFirst())
    let beforeEnd = words.prefix { $0 != "--" }
    if beforeEnd.contains("--help") || beforeEnd.contains("-h") {
      standardOutput.write(commandHelp(command))
      return .yes
    }
    guard !words.isEmpty || !command.helpsAlone else {
      say(commandHelp(command), asLines: true)
      return .usage
    }
    return try command.run(Invocation(command: command, words: words))
  }

  private func help(_ words: [String]) throws -> ExitCode {
    guard let verb = words.first else {
      standardOutput.write(overviewHelp())
      return .yes
    }
    guard words.count == 1 else {
      throw Failure.usage("'\(words[1])' is too much: kymo help COMMAND")
    }
    if verb == "names" {
      standardOutput.write(KnownName.all.map(\.help).joined(separator: "\n"))
    } else if !allCommands.contains(where: { $0.name == verb }), let row = KnownName.row(for: verb)
    {
      standardOutput.write(row.help)
    } else {
      standardOutput.write(commandHelp(try command(named: verb)))
    }
    return .yes
  }

  private func command(named verb: String) throws -> Command {
    if let command = allCommands.first(where: { $0.name == verb }) { return command }
    let hint = didYouMean(verb, among: allCommands.map(\.name))
    throw Failure.usage("there is no command '\(verb)'\(hint ?? "; see kymo help")")
  }
}
