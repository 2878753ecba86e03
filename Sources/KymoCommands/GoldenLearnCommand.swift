import MotionJudgement
import MotionMeasures
import RunStudies
import TimelineModel
import TimelineRendering
import TimelineStore

/// What the command does with one file.
private func calibrateWorker(_ invocation: Invocation) throws -> Worker {
  let options = try invocation.calibrationOptions()
  let recordings = OpenRecordings(invocation.console)
  let naming = invocation.fileWorker { session, reader in
    NamedRun(path: reader.path, session: session)
  }
  return { job, emit in
    // A file's name asks for its sessions, a request for how far two of them are apart.
    guard !job.request.isEmpty else { return try naming(job, emit) }
    let runs: [NamedRun] = try WireBytes(job.request).decoded()
    do {
      let (a, b) = (try recordings.session(runs[0]), try recordings.session(runs[1]))
      let found = try Calibration.Differences.measure(
        a.session, in: a.reader, with: b.session, in: b.reader, options: options)
      emit(.value(step: 0, found))
    } catch let error as StoreError where runs.contains(where: { $0.path == error.path }) {
      // Damage that opening did not meet.
      emit(.failure(try WorkFailure(leavingOut: error.path, step: 0, because: error)))
    }
  }
}

/// `kymo golden learn FILE…`: a tolerance file learned from runs that ought to be alike.
func goldenLearnCommand() -> Command {
  Command(
    name: "golden learn", summary: "Learn tolerances from sessions that should be equal",
    arguments: "FILE…", argumentCount: 1...100_000,
    examples: [
      "kymo golden learn runs.kymo -o tolerances.json",
      "kymo golden learn today/*.kymo runs.kymo --quantile 1 > tolerances.json",
    ],
    exits: [
      .no:
        "if two sessions differ in a decision, or if a limit is above a tenth of its key's range, and no "
        + "file is written",
      .loss: "if a file cannot be read and is left out",
    ],
    discussion: """
      Compares every session with every other session of the same name, as kymo compare does. FILE
      means all of its sessions, and FILE#SESSION means one of them. Use 10 sessions or more.

      The quantile of the differences becomes the limit of a warning. That limit times the safety
      factor becomes the limit of a failure. If a difference is larger, it is an outlier and becomes
      the limit, so that all sessions pass. kymo names the sessions of outliers.

      Each key gets limits of largest distance, root mean square, lag, settle time, overshoot and
      velocities. All elements together get limits of position, size and alpha. There are also
      limits of hitches, frame intervals and margin. Decisions must match. Differences too small to
      be seen are not judged.

      Without -o the tolerance file goes to standard output. With -o kymo prints a table of the
      differences as well.
      """,
    columns: Calibration.Measurement.fields.described() + WorkFailure.fields.described(),
    flags: [
      CalibrateFlags.quantile, CalibrateFlags.safety,
      Flags.align.described(
        "how clocks are aligned: none, start, release, xcorr, progress or manual=MS"
      )
      .standard("start"),
      Flags.lagLimit, CalibrateFlags.allowWide,
      Flags.out.described("the tolerance file").inSection(.output),
      Flags.force.inSection(.output), Flags.manyFiles, Flags.listing,
    ],
    worker: calibrateWorker, run: runCalibrate)
}

/// The flags of `kymo golden learn` alone.
enum CalibrateFlags {
  static var allowWide: Flag<Bool> {
    .toggle("allow-wide", "accept limits above a tenth of a key's range")
  }
  static var quantile: Flag<Double> {
    .number("quantile", "Q", "the share of comparisons without a warning").standard("0.95")
  }
  static var safety: Flag<Double> {
    .number("safety", "F", "the least limit of a failure in limits of a warning").standard("2")
  }
}

/// With fewer sessions the limits are probably too tight. Ours.
private let fewestRuns = 10

private func runCalibrate(_ invocation: Invocation) throws -> ExitCode {
  let options = try invocation.calibrationOptions()
  let isTableWanted = invocation.has(Flags.out) && invocation.text(Flags.out) != "-"
  guard isTableWanted || !(invocation.has(Flags.format) || invocation.has(Flags.json)) else {
    throw Failure.usage(
      "--format is for the table, which goes to standard output if --out names a file. Add -o FILE")
  }
  let output = try FileOutput(
    invocation, flag: Flags.out,
    beside: invocation.positionals.map { SessionArgument.split($0).path })
  let files = try ManyFiles(invocation, label: "comparing")
  let named = try files.gather(invocation.positionals) { (run: NamedRun) in run }.flatMap { $0 }
  // A session that is given twice would make the runs more alike than they are.
  var seen: Set<String> = []
  var runs = named.filter { seen.insert($0.session.uuid).inserted }
  if runs.count < named.count {
    let count = named.count - runs.count
    invocation.note(
      "\(count == 1 ? "1 session was" : "\(count) sessions were") given twice. Each counts once"
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
          case .value(_, let found): add(try found.decoded())
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
      // Learned again without that file.
      runs.removeAll { unreadable.contains($0.path) }
    }
  }
  files.finishBar()
  guard let calibration = found else {
    return isTableWanted ? try files.unreadable(invocation) { $0 } : .unreadable
  }
  let names = runs.map { "\($0.path) \($0.session.label)" }
  let refusal = calibration.refusal(
    names: names,
    allowsWide: invocation.has(CalibrateFlags.allowWide))
  if refusal == nil { try output.finish(with: calibration.tolerances.json) }
  if isTableWanted {
    try invocation.print(
      calibration.measurements.rows
        + (try invocation.outputFormat() == .table ? [] : files.errorRows),
      columns: Calibration.Measurement.columns)
  }
  for remark in remarks(calibration, names) { invocation.note(remark) }
  if let refusal { invocation.note("no file was written: \(refusal)") }
  return files.code(refusal == nil ? .yes : .no, hasAnswer: true)
}

/// A file turned out to be unreadable while it was compared.
private struct FileIsLeftOut: Error {}

extension WorkJob {
  /// How far two runs are apart.
  fileprivate init(comparing a: NamedRun, _ b: NamedRun) {
    var request: [UInt8] = []
    [a, b].put(to: &request)
    self.init(request: request, name: "\(a.path) and \(b.path)")
  }
}

/// As many outliers as notes name.
private let mostOutliers = 5

/// Notes on the tolerance file.
private func remarks(_ calibration: Calibration, _ names: [String]) -> [String] {
  var remarks = [
    "learned from \(calibration.comparisonCount) comparisons of \(calibration.runCount) sessions"
  ]
  for outlier in calibration.outliers.prefix(mostOutliers) {
    let more = outlier.measures.count - 3
    remarks.append(
      "outlier: \(names[outlier.run]) is far from the others in \(outlier.measures.prefix(3).joined(separator: ", "))"
        + (more > 0 ? " and \(more) more" : "")
        + ". The limits include it. For narrower limits, leave it out")
  }
  if calibration.outliers.count > mostOutliers {
    remarks.append("\(calibration.outliers.count - mostOutliers) more sessions are outliers")
  }
  if calibration.isAlike {
    remarks.append(
      "the sessions are equal, bit for bit. All limits are the smallest visible differences")
  }
  if calibration.runCount < fewestRuns {
    remarks.append(
      "only \(calibration.runCount) sessions, so the learned limits are probably too tight. Use \(fewestRuns) "
        + "or more")
  }
  if !calibration.unjudged.isEmpty {
    remarks.append(
      "not in every session, so without a limit: \(calibration.unjudged.joined(separator: ", "))")
  }
  return remarks
}

extension Invocation {
  fileprivate func calibrationOptions() throws -> Calibration.Options {
    var options = Calibration.Options()
    if let quantile = try value(CalibrateFlags.quantile) {
      guard quantile > 0, quantile <= 1 else {
        throw Failure.usage(
          "--quantile must be above 0 and at most 1, such as 0.95 (got '\(quantile)')")
      }
      options.quantile = quantile
    }
    if let safety = try value(CalibrateFlags.safety) {
      guard safety >= 1, safety <= 1000 else {
        throw Failure.usage("--safety must be from 1 to 1000, such as 2 (got '\(safety)')")
      }
      options.safety = safety
    }
    options.alignment = try value(Flags.align) ?? options.alignment
    options.lagLimitSeconds = try lagLimitSeconds() ?? options.lagLimitSeconds
    return options
  }
}
