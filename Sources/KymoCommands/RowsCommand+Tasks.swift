import KymographCLibrary
import MotionJudgement
import MotionMeasures
import TimelineInterchange
import TimelineModel
import TimelineRendering
import TimelineStore

/// What `kymo rows` is asked of each session, in one opening of its file.
final class WorkTasks {
  let invocation: Invocation
  private let whatIfs: [(flags: String, question: VelocityQuestion)]
  private var judge: RunJudge?
  private let labels: LabelSource
  private let requirements: Expectations?
  private let sampleKeys: [String]?
  let export: (format: ExportFormat, folder: String)?
  /// What was asked, as one short name: rows of another one do not answer it.
  let name: String

  /// Reads what was asked for, golden recording and tolerances included.
  ///
  /// - Throws: ``Failure`` for wrong usage, and where golden recording or tolerances cannot be read.
  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    guard !invocation.given(WorkTasks.flags).isEmpty else {
      throw Failure.usage(
        "missing question. Add at least one of "
          + WorkTasks.flags.flatMap(\.declarations).map { "--\($0.name)" }.joined(separator: ", "))
    }
    for flag in invocation.given(Flags.tolerances) where !invocation.has(WorkFlags.check) {
      throw Failure.usage("--\(flag) can only be used with --check")
    }
    for flag in invocation.given(WorkFlags.exportDir, Flags.force)
    where !invocation.has(WorkFlags.export) {
      throw Failure.usage("--\(flag) can only be used with --export")
    }
    whatIfs = try invocation.texts(WorkFlags.tries).map {
      ($0, try WorkTasks.question($0, invocation.console))
    }
    sampleKeys = try invocation.value(WorkFlags.values)
    export = try invocation.value(WorkFlags.export).map {
      ($0, try invocation.requiredValue(WorkFlags.exportDir))
    }
    guard export?.folder != "" else {
      throw Failure.usage("--export-dir must be the name of a folder (got '')")
    }
    // Before SQLite has it open, whose locks would go with a descriptor of ours.
    let golden = invocation.text(WorkFlags.check).map {
      WorkTasks.checksums(of: SessionArgument.split($0).path)
    }
    judge =
      try invocation.has(WorkFlags.check)
      ? RunJudge(invocation, golden: WorkFlags.check, requirements: nil) : nil
    labels = try LabelSource(invocation)
    requirements = try invocation.requirements()
    name = WorkTasks.name(invocation, golden ?? [], judge, labels, requirements)
  }

  /// The flags that each ask for something.
  private static var flags: [any FlagSource] {
    [
      WorkFlags.metrics, WorkFlags.releases, WorkFlags.tries, WorkFlags.check, Flags.labels,
      Flags.requirements, WorkFlags.values, WorkFlags.export,
    ]
  }

  /// Reads the flags of `kymo rule try` that decide one gesture.
  private static func question(_ flags: String, _ console: Console) throws -> VelocityQuestion {
    let words = flags.split(whereSeparator: \.isWhitespace).map(String.init)
    do {
      let asked = try Invocation(
        command: ruleTryCommand(), words: words, console: console, isWorker: true)
      guard asked.positionals.isEmpty else {
        throw Failure.usage(
          "unexpected argument '\(asked.positionals[0])'. Use only flags of kymo rule try")
      }
      for flag in asked.given(
        Flags.manyFiles, Flags.listing, WhatIfFlags.nearest, Flags.labels)
      {
        throw Failure.usage("--\(flag) cannot be used here")
      }
      return try asked.whatIfQuestion(sweeps: false)
    } catch let failure as Failure {
      throw Failure(failure.code, "--try \"\(flags)\": \(failure.message)")
    }
  }

  /// FNV-1a (Fowler, Noll, Vo; 64 bits) of everything that an answer depends on beside the recording.
  private static func name(
    _ invocation: Invocation, _ golden: [String], _ judge: RunJudge?, _ labels: LabelSource,
    _ requirements: Expectations?
  ) -> String {
    var parts = [programVersion, versionText]
    for flag in invocation.given(WorkFlags.metrics, WorkFlags.releases) { parts.append(flag) }
    for flags in invocation.texts(WorkFlags.tries) { parts += ["whatif", flags] }
    for flag in invocation.given(WorkFlags.values, WorkFlags.export, WorkFlags.exportDir) {
      parts += [flag, invocation.text(of: flag) ?? ""]
    }
    if let judge { parts += ["check"] + judge.identity + golden }
    if let named = labels.named { parts += ["labels", named.text] }
    if let requirements { parts += ["requirements", requirements.identity] }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in parts.flatMap({ (part: String) -> [UInt8] in Array(part.utf8) + [0] }) {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// What is in a recording and its log: the checksum of each mebibyte.
  private static func checksums(of path: String) -> [String] {
    ["", "-wal"].flatMap { ending -> [String] in
      guard let file = PlainFile(path + ending) else { return [] }
      return stride(from: 0, to: file.count, by: 1 << 20).map { start in
        "\((file.bytes(at: start, count: 1 << 20) ?? []).withUnsafeBytes(BlockChecksum.crc32c))"
      }
    }
  }

  /// Does once what is not done for each file: makes the folder of exports, and says what is not judged.
  func prepare() throws {
    if let export { try makeFolders(of: export.folder + "/") }
    if let judge, judge.hasAggregates {
      invocation.note(
        "limits with an aggregate are left out, because they judge all sessions as one. Use kymo check for them"
      )
    }
  }
}

// MARK: - One file

extension WorkTasks {
  /// Does all that is asked of a file's sessions.
  func work(on job: WorkJob, _ emit: (WorkEvent) -> Void) throws {
    let listed = ListedName(job.request)
    var notes: [String] = []
    let console = invocation.console
    let outside = console.noteHandler
    console.noteHandler = { notes.append($0) }
    defer { console.noteHandler = outside }
    var openable: OpenableName?
    func leaveOut(_ step: Int64?, _ work: () throws -> Void) throws {
      do {
        try work()
      } catch {
        let failure = explain(error)
        // Without it there is no answer about any file.
        if let path = (error as? StoreError)?.path, path == judge?.golden?.reader.path {
          throw failure
        }
        let why = openable?.restored(failure.message) ?? failure.message
        emit(
          .failure(
            WorkFailure(
              step: step, name: job.name, exit: Int(ExitCode.unreadable.rawValue), why: why)))
      }
    }
    try leaveOut(nil) {
      let name = try OpenableName(listed, temporary: console.variable("TMPDIR"))
      openable = name
      let reader = try console.openRecording(name.path, keepsState: false)
      name.removeLink()
      let all = try reader.sessionRecords()
      let sessions = try listed.selector.map { [try reader.session(selectedBy: $0)] } ?? all
      guard !sessions.isEmpty else {
        throw Failure.unreadable("\(listed.text) contains no session")
      }
      console.warnOfMissingLog(reader, sessions)
      let ofFile = notes
      for session in sessions where !job.done.contains(session.number) {
        emit(.begin(step: session.number))
        notes = ofFile
        try leaveOut(session.number) {
          var answer = Answer(row: WorkRow(listed, of: session, in: all.count, task: self.name))
          try reader.inOneState {
            try SessionArgument(console: console, reader: reader, session: session)
              .warnOfSuspectData()
            try add(session, reader, listed, to: &answer)
          }
          for note in answer.notes where !notes.contains(note) { notes.append(note) }
          answer.row.notes = notes.map(name.restored)
          let line = Line(isNo: answer.isNo, json: answer.row.json)
          emit(.value(step: session.number, line))
        }
      }
    }
  }

  /// What came of a session.
  private struct Answer {
    var row: WorkRow
    var notes: [String] = []
    var isNo = false
  }

  /// A session's row, and whether it failed a check.
  struct Line: WireRecord {
    var isNo: Bool
    var json: String

    static let blank = Line(isNo: false, json: "")
    static let wire = WireField<Line>.list(\.isNo, \.json)
  }

  /// The row of what came to nothing.
  func row(of failure: WorkFailure, _ listed: ListedName) -> String {
    WorkRow(listed, failed: failure, task: name).json
  }

  private func add(
    _ session: SessionRecord, _ reader: RecordingReader, _ listed: ListedName,
    to answer: inout Answer
  ) throws {
    if invocation.has(WorkFlags.metrics) {
      answer.row.metrics = try SessionMetrics(session, in: reader).metrics
    }
    if invocation.has(WorkFlags.releases) {
      let question = VelocityQuestion()
      let report = try VelocityReport(of: session, in: reader, asking: question)
      answer.notes += report.warnings
      answer.row.releases = report.motions(of: session, asking: question)
    }
    if !whatIfs.isEmpty {
      var gestures: [WorkRow.Gesture] = []
      for (flags, question) in whatIfs {
        var found = WhatIf()
        try found.add(session, in: reader, file: reader.path, asking: question)
        found.label(by: try labels.labels(of: reader))
        answer.notes += found.warnings
        if found.withoutProgress > 0 {
          answer.notes.append(
            "\(found.withoutProgress) without a recorded progress cannot be decided again")
        }
        gestures += found.gestures.map { WorkRow.Gesture(flags: flags, gesture: $0) }
      }
      answer.row.gestures = gestures
    }
    if judge != nil, var run = try judge?.judged(session, in: reader) {
      run.verdicts.removeAll { judge?.isAggregated($0) ?? false }
      answer.isNo = run.grade == .fail
      answer.row.check = run
    }
    if invocation.has(Flags.labels) {
      let said = try labels.labels(of: reader)
      answer.row.labels = try LabelledRelease.all(of: session, in: reader, said)
    }
    if let requirements {
      let verdicts = try ExpectationJudge(requirements.rules).verdicts(of: session, in: reader)
      let judged = WorkRow.Requirements(verdicts: verdicts)
      answer.isNo = answer.isNo || judged.failures > 0
      answer.row.expect = judged
    }
    if let sampleKeys { answer.row.samples = try samples(sampleKeys, session, reader) }
    if let export {
      answer.row.export = try exported(
        session, reader, listed, as: export.format, into: export.folder)
    }
  }

  /// The values of the keys that the session has.
  private func samples(
    _ names: [String], _ session: SessionRecord, _ reader: RecordingReader
  ) throws -> [WorkRow.Samples] {
    let keys = try reader.keys(in: session.number).filter { names.contains($0.name) }
    return try keys.map { key in
      var samples = WorkRow.Samples(key: key)
      let rows = try reader.samples(of: key.handle, in: session.number)
      while let row = try rows.next() {
        samples.times.append(row.sample.time)
        samples.values.append(row.sample.value)
      }
      return samples
    }
  }
}
