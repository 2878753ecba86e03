import KymographCLibrary
import MotionJudgement
import ProcessSpawning
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A child that is this program again: it does one job after the other, and what it meets ends itself alone.
///
/// Jobs go into its standard input and events come out of its standard output, each with its length before it, so
/// that no name can be taken for anything else. Its standard error is ours. It inherits no other descriptor, and
/// ends with its parent.
package final class WorkerProcess {
  /// The word that makes the program a child.
  package static let verb = ".worker"

  /// Its number.
  var pid: pid_t { child.pid }
  private let child: ChildProcess
  /// Where its events come from.
  let output: Int32
  private var input: Int32
  private(set) var frames = FrameBuffer()
  /// When it was last heard of, or given a job.
  var lastSign: ContinuousClock.Instant
  private let console: Console
  /// Whether it was ended since it took too long.
  private(set) var isOutOfTime = false

  enum Ending {
    /// By a signal from outside, which is not the file's doing.
    case killed
    /// By a signal of its own doing, or by a code that no worker ends with.
    case crashed(String)
    /// By us, since it took too long.
    case tookTooLong
  }

  /// Starts a child for a command with its flags.
  ///
  /// - Throws: ``Failure``: the system gives no more processes or descriptors.
  init(_ words: [String], of console: Console) throws {
    self.console = console
    lastSign = console.now()
    guard let jobs = PipeEnds() else { throw Self.noPipe() }
    guard let events = PipeEnds() else {
      let failure = Self.noPipe()
      for end in [jobs.reading, jobs.writing] { close(end) }
      throw failure
    }
    let environment = ProcessInfo.processInfo.environment.merging(
      // Its backtrace would take seconds, and has no reader.
      ["SWIFT_BACKTRACE": "enable=no"]
    ) { given, _ in given }
    defer { for end in [jobs.reading, events.writing] { close(end) } }
    do {
      child = try ChildProcess(
        starting: Self.executable(console), arguments: [console.program, Self.verb] + words,
        environment: environment.map { "\($0.key)=\($0.value)" },
        descriptors: [(jobs.reading, STDIN_FILENO), (events.writing, STDOUT_FILENO)])
    } catch {
      for end in [jobs.writing, events.reading] { close(end) }
      throw Failure.unreadable("no process for the work can be started: \(error.reason)")
    }
    (input, output) = (jobs.writing, events.reading)
  }

  private static func noPipe() -> Failure {
    .unreadable(
      "no pipe to another process can be made: \(String(cString: strerror(errno)))")
  }

  /// This program: as the system knows it, or as it was called where there is no /proc.
  private static func executable(_ console: Console) -> String {
    let link = "/proc/self/exe"
    return access(link, X_OK) == 0 ? link : console.program
  }

  deinit {
    if input >= 0 { close(input) }
    close(output)
  }

  /// Gives it a job.
  ///
  /// - Returns: false where it has ended.
  func give(_ job: WorkJob) -> Bool {
    lastSign = console.now()
    return put(job.frame, into: input)
  }

  /// Reads what it has said. Call it when ``output`` is readable.
  ///
  /// - Returns: false at its end.
  func readSome() -> Bool {
    var count: Int
    repeat {
      count = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { room in
        let count = read(output, room.baseAddress, room.count)
        if count > 0 { frames.append(UnsafeRawBufferPointer(rebasing: room[..<count])) }
        return count
      }
    } while count < 0 && errno == EINTR
    lastSign = console.now()
    return count > 0
  }

  /// The next event that came in whole.
  func nextEvent() throws -> WorkEvent? { try frames.next().map(WorkEvent.init) }

  /// Ends it, since it takes too long. One that was stopped, too.
  func endForTime() {
    isOutOfTime = true
    kill(pid, SIGKILL)
  }

  /// Ends it whatever it does, as an interrupt would: half-written files go with it.
  func end() {
    kill(pid, SIGTERM)
    // One that was stopped ends, too.
    kill(pid, SIGCONT)
  }

  /// Waits for its end, which has come or comes at once.
  func ending() -> Ending {
    let status = child.waitForEnd()
    if isOutOfTime { return .tookTooLong }
    let signal = status & 0x7f
    guard signal != 0 else {
      let code = status >> 8 & 0xff
      return code == ExitCode.interrupted.rawValue || code == 128 + SIGTERM
        ? .killed : .crashed("ended with \(code)")
    }
    return [SIGKILL, SIGTERM, SIGINT, SIGHUP].contains(signal)
      ? .killed : .crashed("was ended by signal \(signal)")
  }

  /// Closes its input, upon which it ends, and waits for that.
  func finish() {
    close(input)
    input = -1
    child.waitForEnd()
  }
}

/// The child's side: reads jobs, does them, and says what comes of them.
enum WorkerLoop {
  /// Does what its parent asks, until that closes the pipe.
  ///
  /// - Parameter words: The command and its flags.
  static func run(_ words: [String], on console: Console) throws -> ExitCode {
    closeOthers()
    signal(SIGPIPE, SIG_IGN)
    guard let verb = words.first,
      Command.all.contains(where: { $0.name == verb && $0.workerForm != nil })
    else { throw Failure.usage("\(WorkerProcess.verb) is for the program itself") }
    // The parent has said what is to be said of the command's own words.
    console.noteHandler = { _ in }
    let made: Result<Worker, Failure>
    do {
      // The cores are shared with the other children.
      made = .success(
        try worker(words, on: console) { ParallelThreads.limit /= try $0.jobCount() })
    } catch {
      made = .failure(explain(error))
    }
    var unsent: [UInt8] = []
    let send: (WorkEvent) -> Void = { event in
      unsent += event.frame
      // What a job comes to goes out with its end, or before the next step begins.
      switch event {
      case .begin, .done: break
      case .value, .message, .failure, .fatal: return
      }
      // A parent that is gone needs no answer.
      guard put(unsent, into: console.output.descriptor) else { _exit(ExitCode.yes.rawValue) }
      unsent.removeAll(keepingCapacity: unsent.count < 1 << 16)
    }
    console.noteHandler = { send(.message($0)) }
    endWithParent()
    var frames = FrameBuffer()
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      while let frame = frames.next() {
        isBusy.store(true, ordering: .releasing)
        do {
          try made.get()(try WorkJob(frame), send)
        } catch {
          send(.fatal(explain(error)))
        }
        isBusy.store(false, ordering: .releasing)
        send(.done)
      }
      let count = read(console.input, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .yes }
      frames.append(chunk[..<count])
    }
  }

  /// The worker of a command with its flags.
  ///
  /// - Parameter prepare: Is called before the worker is made.
  static func worker(
    _ words: [String], on console: Console, prepare: (Invocation) throws -> Void = { _ in }
  ) throws -> Worker {
    guard let command = Command.all.first(where: { $0.name == words.first }),
      let makeWorker = command.workerForm?.worker
    else { throw Failure.usage("kymo \(words.first ?? "") has no worker") }
    let invocation = try Invocation(
      command: command, words: Array(words.dropFirst()), console: console, isWorker: true)
    try prepare(invocation)
    return try makeWorker(invocation)
  }

  /// Whether a job is being done.
  private static let isBusy = Atomic(false)

  /// Closes what the parent had from others: a lock would otherwise outlive it here.
  private static func closeOthers() {
    let numbers: [Int32]
    if let names = readFolder("/dev/fd") ?? readFolder("/proc/self/fd") {
      numbers = names.compactMap { Int32(String(decoding: $0, as: UTF8.self)) }
    } else {
      // Where neither is there, as in an empty root: as far as most systems let one program go.
      numbers = Array(0..<Int32(max(0, min(sysconf(Int32(_SC_OPEN_MAX)), 1024))))
    }
    for number in numbers where number > STDERR_FILENO { close(number) }
  }

  /// Ends with the parent, also in the middle of a job, as an interrupt would: half-written files go.
  private static func endWithParent() {
    let thread = startThread {
      var descriptor = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
      if isBusy.load(ordering: .acquiring) { kill(getpid(), SIGTERM) }
    }
    if let thread { pthread_detach(thread) }
  }
}
