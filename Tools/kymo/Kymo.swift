#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program: main is one call.
@main
struct Kymo {
  static func main() {
    exit(CommandLineRun(arguments: Array(CommandLine.arguments.dropFirst())).run().rawValue)
  }
}

/// Every command, in the order in which help lists them.
let allCommands: [Command] = [
  recordCommand, infoCommand, sessionsCommand, keysCommand, eventsCommand, touchesCommand,
  replayCommand, velocityCommand, compareCommand, layoutCommand, scenarioCommand, sqlCommand,
]
