import KymographCLibrary
import TimelineStore
import TransitionScenarios

/// The program: main settles what holds for the whole process, and makes one call.
@main
struct Kymo {
  static func main() {
    ProcessSettings.turnOffMemoryStatistics()
    // Beyond a limit on the size of files a write then fails, and is reported as on a full disk.
    signal(SIGXFSZ, SIG_IGN)
    WorkerProcess.isAvailable = true
    // Where nobody ignores it already, as a shell does for what it runs in the background.
    let former = signal(SIGINT) { _ in _exit(ExitCode.interrupted.rawValue) }
    if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGINT, SIG_IGN)
    }
    // Memory that is a file's, a crash journal's or the log's index, is gone when another program
    // cuts the file short.
    signal(SIGBUS) { _ in
      let message: StaticString =
        "kymo: a file beside the recording was cut short by another program; what was committed is safe\n"
      _ = write(STDERR_FILENO, message.utf8Start, message.utf8CodeUnitCount)
      _exit(ExitCode.unreadable.rawValue)
    }
    // A child's parent does that.
    if EarlyStart.arguments.first != WorkerProcess.verb { SignOfLife.begin(EarlyStart.arguments) }
    exit(CommandLineRun(arguments: EarlyStart.arguments).run().rawValue)
  }
}

/// Every command, in the order in which help lists them.
let allCommands: [Command] = [
  recordCommand, infoCommand, sessionsCommand, keysCommand, eventsCommand, touchesCommand,
  replayCommand, rerunCommand, playCommand, plotCommand, filmstripCommand, velocityCommand,
  fitCommand, whatIfCommand, tuneCommand, compareCommand, benchCommand, calibrateCommand,
  checkCommand,
  reviewCommand, acceptCommand, labelCommand, expectCommand, workCommand, reportCommand,
  describeCommand, layoutCommand, easeCommand,
  settleCommand, scenarioCommand, sqlCommand, sealCommand, expandCommand, compactCommand,
  mergeCommand, exportCommand, trimCommand, deleteCommand, migrateCommand,
  doctorCommand, recoverCommand, webCommand,
]

/// The program's own version.
let programVersion = "0.1.0"

/// The program as it names itself in a recording.
let programName = "kymo \(programVersion)"

/// What `kymo --version` prints.
var versionText: String {
  "\(programName) (engine \(engineVersion), recording schema \(RecordingFormat.schemaVersion), "
    + "SQLite \(RecordingFormat.sqliteVersion))"
}
