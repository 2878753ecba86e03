import KymoCommands
import KymographCLibrary
import TimelineStore

/// The program: main settles what holds for the whole process, and makes one call.
@main
struct Kymo {
  static func main() {
    ProcessSettings.saveMemoryWork()
    // Beyond a limit on the size of files a write then fails, and is reported as on a full disk.
    signal(SIGXFSZ, SIG_IGN)
    // A closed pipe is an error of write.
    signal(SIGPIPE, SIG_IGN)
    ProcessSignals.handle()
    let console = Console(program: EarlyStart.program, ownsProcess: true)
    // A child's parent shows that it works.
    if EarlyStart.arguments.first != WorkerProcess.verb {
      console.beginBusyIndicator(EarlyStart.arguments)
    }
    exit(CommandLineRun(EarlyStart.arguments, on: console).run().rawValue)
  }
}
