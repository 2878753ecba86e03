import TimelineModel
import TimelineRendering
import TimelineStore

/// The files of a command over many of them. One that cannot be read is named and left out, the work goes on, and
/// the exit code says so: the same way for every such command.
final class ManyFiles {
  /// What was left out, and why, in the order of the command line.
  private(set) var leftOut: [WorkFailure] = []
  /// The console of the command.
  let console: Console
  private let invocation: Invocation?
  private let isolatesSessions: Bool
  private let bar: ProgressBar?
  private let jobCount: Int
  private let timeLimit: Duration?

  /// Files that a command reads one after the other.
  init(_ console: Console) {
    self.console = console
    (invocation, bar, isolatesSessions, jobCount, timeLimit) = (nil, nil, false, 1, nil)
  }

  /// Files that a command's worker reads.
  ///
  /// - Parameters:
  ///   - invocation: What was asked for, `--jobs` and `--time-limit` among it.
  ///   - label: What is being done, in a word or two.
  ///   - isolatesSessions: Whether the worker goes on behind a session that cannot be read.
  init(_ invocation: Invocation, label: String, isolatesSessions: Bool = false) throws {
    console = invocation.console
    (self.invocation, self.isolatesSessions) = (invocation, isolatesSessions)
    jobCount = try invocation.jobCount()
    timeLimit = try invocation.timeLimit()
    bar = ProgressBar(invocation.console, label: label)
  }

  /// Takes the bar away.
  func finishBar() { bar?.finish() }

  /// Works on a file, and leaves it out where it cannot be read.
  ///
  /// - Parameters:
  ///   - name: The file as the command line names it.
  ///   - required: A recording without which there is no answer: it is not left out.
  ///   - work: What is done.
  /// - Throws: the error for everything else that goes wrong, as wrong usage.
  func read(_ name: String, besides required: String? = nil, _ work: () throws -> Void) throws {
    do {
      try work()
    } catch {
      leaveOut(try WorkFailure(leavingOut: name, step: nil, because: error, besides: required))
    }
  }

  /// What a command's worker makes of the sessions that are named: every session of a `FILE`, and of `FILE#SESSION`
  /// that one.
  ///
  /// - Parameters:
  ///   - names: The words of the command line.
  ///   - take: Takes what came of a session.
  /// - Returns: what came of the sessions, name by name. Nothing of a file that cannot be read to its end, unless the
  ///   worker goes on behind such a session.
  /// - Throws: ``Failure`` where a child ends the command, or none can be started.
  func gather<Sent: WireValue, Found>(
    _ names: [String], _ take: (Sent) throws -> Found
  ) throws -> [[Found]] {
    var found: [[Found]] = names.map { _ in [] }
    var index = 0
    try work(on: names.map { WorkJob(request: [], name: $0) }) { event in
      switch event {
      case .value(_, let value): found[index].append(try take(try value.decoded()))
      case .failure(let failure):
        if !isolatesSessions { found[index] = [] }
        leaveOut(failure)
      case .done: index += 1
      case .message, .fatal, .begin: break
      }
    }
    return found
  }

  /// Has jobs done by the command's worker: a single one in this process, several each in one of its children.
  ///
  /// - Parameters:
  ///   - jobs: What is asked of the worker.
  ///   - take: Takes what comes of them, in their order, each job's `done` last.
  /// - Throws: ``Failure`` as a worker has it.
  func work(on jobs: [WorkJob], _ take: (WorkEvent) throws -> Void) throws {
    guard let invocation, let makeWorker = invocation.form.worker else { return }
    var doneCount = 0
    let share = 1 / Double(max(1, jobs.count))
    func receive(_ event: WorkEvent) throws {
      switch event {
      case .message(let text): console.note(text)
      case .fatal(let failure): throw failure
      case .done:
        doneCount += 1
        bar?.update(Double(doneCount) * share)
      case .value, .failure, .begin: break
      }
      try take(event)
    }
    guard try jobs.count > 1 && console.ownsProcess && !readsTexts(of: jobs) else {
      let worker = try console.withoutNotes { try makeWorker(invocation) }
      console.workProgress = { [bar] in bar?.update((Double(doneCount) + $0) * share) }
      defer { console.workProgress = nil }
      for job in jobs {
        var thrown: (any Error)?
        try worker(job) { event in
          guard thrown == nil else { return }
          do { try receive(event) } catch { thrown = error }
        }
        if let thrown { throw thrown }
        try receive(.done)
      }
      return
    }
    let flags = try PipedWords(invocation.flagWords, console)
    let pool = WorkerPool(
      console, [invocation.command.name] + flags.words,
      mostChildren: min(jobCount, jobs.count),
      timeLimit: timeLimit, isolatesSteps: isolatesSessions)
    try withExtendedLifetime(flags) {
      _ = try pool.run(ListedJobs(jobs)) { try receive($1) }
    }
  }

  /// Whether a job is about a text in the place of a recording. This process may have read it from a pipe, and its losses
  /// count for the exit code.
  private func readsTexts(of jobs: [WorkJob]) throws -> Bool {
    guard invocation?.readsTexts == true else { return false }
    return jobs.contains { (try? InputText.isOne(SessionArgument.split($0.name).path)) == true }
  }

  /// Names what is left out. Sessions of one file for one reason once.
  func leaveOut(_ failure: WorkFailure) {
    if let latest = leftOut.last, (latest.name, latest.why) == (failure.name, failure.why) {
      return
    }
    console.note("left out: \(failure.why)")
    leftOut.append(failure)
  }

  /// What was left out, as rows for programs.
  var errorRows: [[EventField]] { leftOut.rows }

  /// Ends a command that could read nothing: with rows of what was left out where a program reads them.
  func unreadable(
    _ invocation: Invocation, rows: ([EventField]) -> [EventField]
  ) throws -> ExitCode {
    let format = try invocation.outputFormat()
    if format == .json || format == .ndjson { try invocation.print(errorRows.map(rows)) }
    return .unreadable
  }

  /// How a command ends.
  ///
  /// - Parameters:
  ///   - answer: Its answer about what could be read.
  ///   - hasAnswer: Whether anything could be read.
  func code(_ answer: ExitCode, hasAnswer: Bool) -> ExitCode {
    guard hasAnswer else { return .unreadable }
    return answer == .yes && !leftOut.isEmpty ? .loss : answer
  }
}

/// Many recordings, opened when they are asked for. Only those asked for last stay open, so that a thousand files
/// take no more of the system's descriptors than a few dozen. Each question is about the newest state of its file.
final class OpenRecordings {
  private let console: Console
  /// The readers by the age of the last question, the oldest first.
  private var readers: [RecordingReader] = []

  /// Recordings that stay open. Ours: each takes up to three descriptors, and 256 is the smallest limit that
  /// systems set by default.
  private static let mostOpen = 32

  init(_ console: Console) { self.console = console }

  /// The reader of a recording.
  ///
  /// - Throws: `StoreError` where it cannot be opened, or no longer.
  func reader(_ path: String) throws -> RecordingReader {
    let found: RecordingReader
    if let index = readers.firstIndex(where: { $0.path == path }) {
      found = readers.remove(at: index)
    } else {
      found = try console.openRecording(path, keepsState: false)
    }
    if readers.count == OpenRecordings.mostOpen { readers.removeFirst() }
    readers.append(found)
    return found
  }

  /// A session that was seen before, in its recording.
  ///
  /// - Throws: ``Failure`` where another session has taken its place. `StoreError` as ``reader(_:)``.
  func session(_ run: NamedRun) throws -> (session: SessionRecord, reader: RecordingReader) {
    let reader = try reader(run.path)
    let session = try reader.sessionRecord(run.session.number)
    guard session.uuid == run.session.uuid else {
      throw Failure.unreadable("\(run.path) was replaced while it was read. Run it again")
    }
    return (session, reader)
  }
}

/// A session and the recording in which it was found.
struct NamedRun: WireRecord {
  /// The recording.
  var path: String
  /// The session as it was found.
  var session: SessionRecord

  static let blank = NamedRun(path: "", session: .blank)
  static let wire = WireField<Self>.list(\.path, \.session)
}
