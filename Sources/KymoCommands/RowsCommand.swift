import KymographCLibrary
import TimelineInterchange
import TimelineModel
import TimelineStore

/// What the command does with one file.
private func workWorker(_ invocation: Invocation) throws -> Worker {
  let tasks = try WorkTasks(invocation)
  return { job, emit in try tasks.work(on: job, emit) }
}

/// `kymo rows`: many recordings become rows.
func rowsCommand() -> Command {
  Command(
    name: "rows", summary: "Print one JSON row for each session of many recordings",
    arguments: "< LIST", argumentCount: 0...0,
    examples: [
      "find . -name '*.kymo' -print0 | kymo rows -0 --metrics > rows.ndjson",
      "ls *.kymo | kymo rows --try \"--rule velocity\" --try \"--rule projection\"",
      "kymo rows --check golden.kymo --tolerances limits.json < list.txt",
      "kymo rows --metrics --skip rows.ndjson < list.txt >> rows.ndjson",
    ],
    exits: [
      .no: "if a check or a requirement fails", .loss: "if some rows are errors",
      .unreadable:
        "if nothing can be read, or the golden recording, the list or the output is unusable",
    ],
    discussion: """
      Each line of standard input is the path of a recording, or PATH#SESSION. If a file has that
      whole name, the line means the file. A folder means the *.kymo files below it. PATH alone
      means all its sessions.

      Standard output has a JSON object on a line for each session, in the order of the list. It has
      a field for each question.

      metrics is as in kymo compare, releases as in kymo velocity, whatif as in kymo rule try, check
      as in kymo check, and labels as in kymo list labels. The other fields are expect, samples and
      export.

      A file that cannot be read is a row too: "exit" is 4 and "error" is a sentence. Child processes
      read the files, so a file that crashes its reader (139) or takes too long (124) costs one row. A
      child that is killed from outside is replaced, and its session is read again.
      """,
    columns: WorkRow.fields.described(),
    flags: [
      WorkFlags.null, WorkFlags.metrics, WorkFlags.releases, WorkFlags.tries, WorkFlags.check,
      Flags.tolerances.described("with --check: the tolerance file, in JSON"),
      Flags.labels.described(
        "the label of each release, from this file or else from the recording"),
      Flags.requirements.described("check each session against these requirements (JSON)"),
      WorkFlags.values, WorkFlags.skip,
      WorkFlags.export.inSection(.output), WorkFlags.exportDir.inSection(.output),
      Flags.force.described("with --export: replace existing files").inSection(.output),
      Flags.jobs.described("how many child processes read files at once").standard("one per core")
        .inSection(.manyFiles),
      Flags.timeLimit.described("the longest time for a session").standard("60s")
        .inSection(.manyFiles),
    ],
    showsHelpAlone: true, worker: workWorker, run: runWork)
}

/// The flags of `kymo rows` alone.
enum WorkFlags {
  static var null: Flag<Bool> {
    .toggle("null", "a zero byte ends each name, as find -print0 writes them")
  }
  static var metrics: Flag<Bool> {
    .toggle("metrics", "the metrics of each session")
  }
  static var releases: Flag<Bool> {
    .toggle("releases", "the velocities at each release")
  }
  /// Text: ``WorkTasks`` reads each value as the arguments of `kymo rule try`, with the console of this command.
  static var tries: Flag<String> {
    .text(
      "try", "FLAGS", "decide each gesture again with these flags of kymo rule try",
      repeats: true)
  }
  static var check: Flag<String> {
    .text("check", "GOLDEN", "compare each session with this golden recording")
  }
  static var values: Flag<[String]> {
    Flag("values", "KEYS", "the values of these keys, separated by commas") { text, name in
      let keys = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard !keys.contains("") else {
        throw Failure.usage("--\(name) must be names of keys, separated by commas (got '\(text)')")
      }
      return keys
    }
  }
  static var export: Flag<ExportFormat> {
    .choice("export", "FORMAT", "write each session as a file, in a format of kymo export")
  }
  static var exportDir: Flag<String> {
    .text("export-dir", "DIR", "with --export: the folder, which gets the folders of the list")
  }
  static var skip: Flag<String> {
    .text("skip", "OLD", "skip sessions with a good row in OLD that did not change since")
  }
}

private func runWork(_ invocation: Invocation) throws -> ExitCode {
  // Before anything is opened, which would take its number.
  guard fcntl(invocation.console.input, F_GETFD) >= 0 else {
    throw Failure.unreadable("the list cannot be read: standard input is closed")
  }
  let tasks = try WorkTasks(invocation)
  let jobCount = try invocation.jobCount()
  let timeLimit = try invocation.timeLimit(usual: .seconds(60))
  try tasks.prepare()
  let finished = try invocation.text(WorkFlags.skip).map { path in
    let finished = try FinishedRows(path, of: tasks.name)
    for line in finished.strangeLines.prefix(3) {
      invocation.note("\(path):\(line): not a row of kymo rows, so its session is read again")
    }
    return finished
  }
  let list = NameList(
    invocation.console.input, endedBy: invocation.has(WorkFlags.null) ? 0 : UInt8(ascii: "\n"),
    without: finished)
  var tally = WorkTally(list, invocation.console)
  defer { tally.finish() }
  let flags = try PipedWords(invocation.flagWords, invocation.console)
  let pool = WorkerPool(
    invocation.console, [invocation.command.name] + flags.words, mostChildren: jobCount,
    timeLimit: timeLimit,
    isolatesSteps: true)
  var watch = WorkerPool.Watch()
  watch.stop = invocation.console.ownsProcess ? InterruptWatch.begin() : nil
  watch.period = tally.period
  watch.look = { isTick in if isTick { tally.show() } }
  let isWhole = try pool.run(list, watch: watch, leftovers: tasks.removeLeftovers) { job, event in
    switch event {
    case .value(_, let value):
      let row: WorkTasks.Line = try value.decoded()
      tally.add(isBad: false, isNo: row.isNo)
      invocation.output.write(data: row.json + "\n")
    case .failure(let failure):
      tally.add(isBad: true, isNo: false)
      invocation.output.write(data: tasks.row(of: failure, ListedName(job.request)) + "\n")
    case .fatal(let failure): throw failure
    case .message(let text): invocation.note(text)
    case .begin, .done: break
    }
  }
  withExtendedLifetime(flags) {}
  tally.finish()
  guard isWhole else {
    invocation.note("interrupted. Use --skip to continue after the rows that were written")
    return .interrupted
  }
  if list.count == 0 { throw Failure.unreadable("the list on standard input is empty") }
  guard tally.good > 0 || list.skipped > 0 else {
    throw Failure.unreadable("nothing in the list can be read. The rows have the reasons")
  }
  return tally.no > 0 ? .no : tally.bad > 0 ? .loss : .yes
}

/// How far the work is, for people.
private struct WorkTally {
  private(set) var good = 0
  private(set) var bad = 0
  private(set) var no = 0
  private let list: NameList
  private let console: Console
  private let start: ContinuousClock.Instant
  private var isShown = false

  init(_ list: NameList, _ console: Console) {
    (self.list, self.console) = (list, console)
    start = console.now()
    // This says more.
    console.busyIndicator?.end()
  }

  /// So often it is shown: a terminal's eye sees ten pictures a second, a log needs no more than six lines a minute.
  var period: Duration { console.showsProgress ? .milliseconds(100) : .seconds(10) }

  mutating func add(isBad: Bool, isNo: Bool) {
    if isBad { bad += 1 } else { good += 1 }
    if isNo { no += 1 }
  }

  mutating func show() {
    let seconds = (console.now() - start) / .milliseconds(1) / 1000
    let done = good + bad
    let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
    let names = list.isComplete ? " of \(counted(list.count, "name"))" : ""
    let text = "\(done) done\(names), \(bad) bad, \(rate)/s"
    guard console.showsProgress else { return console.note(text) }
    console.output.flush()
    isShown = true
    console.put("\rkymo rows … \(text)\u{1b}[K")
  }

  mutating func finish() {
    guard isShown else { return }
    isShown = false
    console.put("\r\u{1b}[K")
  }
}
