import TimelineStore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program: main settles what holds for the whole process, and makes one call.
@main
struct Kymo {
  static func main() {
    ProcessSettings.turnOffMemoryStatistics()
    exit(CommandLineRun(arguments: Array(CommandLine.arguments.dropFirst())).run().rawValue)
  }
}

/// Every command, in the order in which help lists them.
let allCommands: [Command] = [
  recordCommand, infoCommand, sessionsCommand, keysCommand, eventsCommand, touchesCommand,
  replayCommand, playCommand, plotCommand, filmstripCommand, velocityCommand, whatIfCommand,
  compareCommand, benchCommand, calibrateCommand, checkCommand, reportCommand, layoutCommand,
  easeCommand,
  settleCommand, scenarioCommand, sqlCommand, sealCommand, expandCommand, compactCommand,
  mergeCommand, exportCommand, trimCommand, deleteCommand, migrateCommand,
  doctorCommand, recoverCommand,
]
