import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// What the command does with one file.
private func calibrateWorker(_ invocation: Invocation) throws -> Worker {
  let options = try invocation.calibrationOptions()
  let recordings = OpenRecordings(invocation.console)
  let naming = invocation.console.fileWorker { session, reader, writer in
    writer.put(reader.path)
    writer.put(session)
  }
  return { job, emit in
    // A file's name asks for its sessions, a request for how far two of them are apart.
    guard !job.request.isEmpty else { return try naming(job, emit) }
    var request = WireReader(job.request)
    let runs = try (0..<2).map { _ in
      NamedRun(path: try request.text(), session: try request.session())
    }
    do {
      let (a, b) = (try recordings.session(runs[0]), try recordings.session(runs[1]))
      var writer = WireWriter()
      writer.put(
        try Calibration.Differences.measure(
          a.session, in: a.reader, with: b.session, in: b.reader, options: options))
      emit(.value(step: 0, writer.bytes))
    } catch let error as StoreError where runs.contains(where: { $0.path == error.path }) {
      // Damage that opening did not meet.
      emit(.failure(try WorkFailure(leavingOut: error.path, step: 0, because: error)))
    }
  }
}

/// `kymo golden learn BASE…`: a tolerance file learned from runs that ought to be alike.
func goldenLearnCommand() -> Command {
  Command(
    name: "golden learn", summary: "learns tolerances from runs that ought to be alike",
    arguments: "BASE…", argumentCount: 1...100_000,
    examples: [
      "kymo golden learn nightly/*.kymo -o tolerances.json",
      "kymo golden learn base.kymo --quantile 1 --safety 1.5 > tolerances.json",
    ],
    discussion: """
      Every session of each FILE is a run (of FILE#SESSION that one), and every run is
      compared with every other of the same name as by kymo compare. The quantile of what is found becomes the
      limit of a warning, and the safety factor times that the limit of a failure: for each
      key the largest distance and the root mean square, the lag, settle time, overshoot and
      velocities; for all elements together place, size and alpha; hitches, frame intervals
      and margin; and decisions must match. Differences too small to be seen are never judged.
      Without -o the file goes to standard output, with it a table of what was found. Runs that
      differ in a decision, and a limit above a tenth of its key's range, end with 1 and without
      a file: such runs are not alike. Ends with 0, or with 3 where a file could not be read and
      is left out.
      """,
    flags: [
      Flags.out.described("the tolerance file; -o for short"), Flags.force,
      CalibrateFlags.quantile, CalibrateFlags.safety,
      Flags.align.described("none, start (default), release, xcorr, progress or manual=MS"),
      Flags.lagLimit, CalibrateFlags.allowWide, Flags.manyFiles, Flags.listing,
    ],
    worker: calibrateWorker, run: runCalibrate)
}

/// The flags of `kymo golden learn` alone.
enum CalibrateFlags {
  static var allowWide: Flag<Bool> {
    .toggle("allow-wide", "allow limits above a tenth of a key's range")
  }
  static var quantile: Flag<Double> {
    .number("quantile", "Q", "the share of comparisons without a warning; 0.95")
  }
  static var safety: Flag<Double> {
    .number("safety", "F", "a failure is at F times a warning; 2")
  }
}

private func runCalibrate(_ invocation: Invocation) throws -> ExitCode {
  let options = try invocation.calibrationOptions()
  let isTableWanted = invocation.has(Flags.out) && invocation.text(Flags.out) != "-"
  guard isTableWanted || !(invocation.has(Flags.format) || invocation.has(Flags.json)) else {
    throw Failure.usage("--format is for the table that is printed when --out names a file")
  }
  let output = try FileOutput(
    invocation, flag: Flags.out,
    beside: invocation.positionals.map { SessionArgument.split($0).path })
  let files = try ManyFiles(invocation, label: "comparing")
  let named = try files.gather(invocation.positionals) {
    NamedRun(path: try $0.text(), session: try $0.session())
  }.flatMap { $0 }
  // A session that is there twice would make the runs more alike than they are.
  var seen: Set<String> = []
  var runs = named.filter { seen.insert($0.session.uuid).inserted }
  if runs.count < named.count {
    let count = named.count - runs.count
    invocation.note(
      "\(count == 1 ? "1 session was" : "\(count) sessions were") given twice; each counts once"
    )
  }
  var found: Calibration?
  while found == nil, !runs.isEmpty {
    var unreadable: Set<String> = []
    do {
      found = try Calibration.learn(names: runs.map(\.session.description.name), options: options) {
        pairs, add in
        var index = 0
        try files.work(on: pairs.map { WorkJob(comparing: runs[$0.a], runs[$0.b]) }) { event in
          switch event {
          case .value(_, let bytes):
            var reader = WireReader(bytes)
            add(try reader.differences())
          case .failure(let failure):
            files.leaveOut(failure)
            // Who ended a child is not known to be one of the two, so that both go.
            unreadable.formUnion(
              failure.path.isEmpty
                ? [runs[pairs[index].a].path, runs[pairs[index].b].path] : [failure.path])
            throw FileIsLeftOut()
          case .done: index += 1
          case .message, .fatal, .begin: break
          }
        }
      }
    } catch is FileIsLeftOut {
      // Learned anew without that file.
      runs.removeAll { unreadable.contains($0.path) }
    }
  }
  files.finishBar()
  guard let calibration = found else {
    return isTableWanted ? try files.unreadable(invocation) { $0 } : .unreadable
  }
  let refusal = calibration.refusal(
    names: runs.map { "\($0.path) \($0.session.label)" },
    allowsWide: invocation.has(CalibrateFlags.allowWide))
  if refusal == nil { try output.finish(with: calibration.tolerances.json) }
  if isTableWanted {
    try invocation.print(
      calibration.rows
        + (try invocation.outputFormat() == .table ? [] : files.errorRows),
      columns: Calibration.Measurement.columns)
  }
  for remark in remarks(calibration) { invocation.note("\(remark)") }
  if let refusal { invocation.note("no file is written: \(refusal)") }
  return files.code(refusal == nil ? .yes : .no, hasAnswer: true)
}

/// A file turned out to be unreadable while it was compared.
private struct FileIsLeftOut: Error {}

extension WorkJob {
  /// How far two runs are apart.
  fileprivate init(comparing a: NamedRun, _ b: NamedRun) {
    var request = WireWriter()
    for run in [a, b] {
      request.put(run.path)
      request.put(run.session)
    }
    self.init(request: request.bytes, name: "\(a.path) and \(b.path)")
  }
}

/// What the person should know of the file.
private func remarks(_ calibration: Calibration) -> [String] {
  var remarks = [
    "learned from \(calibration.comparisonCount) comparisons of \(calibration.runCount) runs"
  ]
  if calibration.failureCount > 0 {
    remarks.append(
      "\(calibration.failureCount) of them are above the limits of failure that came out; --quantile 1 takes "
        + "them in")
  }
  if calibration.isAlike {
    remarks.append("the runs are alike to the bit; all limits are what is too little to be seen")
  }
  if calibration.runCount < 6 {
    remarks.append("that are few runs; their scatter is likely larger than it looks")
  }
  if !calibration.unjudged.isEmpty {
    remarks.append(
      "not in every run, and left alone: \(calibration.unjudged.joined(separator: ", "))")
  }
  return remarks
}

extension Invocation {
  fileprivate func calibrationOptions() throws -> Calibration.Options {
    var options = Calibration.Options()
    if let quantile = try value(CalibrateFlags.quantile) {
      guard quantile > 0, quantile <= 1 else {
        throw Failure.usage("--quantile is a share above 0 and up to 1, such as 0.95")
      }
      options.quantile = quantile
    }
    if let safety = try value(CalibrateFlags.safety) {
      guard safety >= 1, safety <= 1000 else {
        throw Failure.usage("--safety is a factor from 1 to 1000")
      }
      options.safety = safety
    }
    options.alignment = try value(Flags.align) ?? options.alignment
    options.lagLimitSeconds = try lagLimitSeconds() ?? options.lagLimitSeconds
    return options
  }
}
