import MotionJudgement
import MotionMeasures
import RunStudies
import TimelineModel
import TimelineSession
import TimelineStore

/// Judges run by run, as a worker does. The same in every process.
struct RunJudge {
  /// What was judged. A worker's has no run.
  var check: GoldenCheck
  /// The recording that runs should be like.
  let golden: GoldenRecording?
  /// What is required of every run, and the file that says so.
  let requirements: (path: String, rules: [MotionExpectation])?
  /// Whether a file says what may differ.
  let hasTolerances: Bool
  /// Whether a requirement fails that is too short to tell.
  var isStrict = false

  /// Reads golden recording, tolerances and requirements, of which one has to be there.
  init(_ invocation: Invocation) throws {
    let needed = invocation.given(Flags.golden, Flags.tolerances, Flags.requirements)
    guard !needed.isEmpty else {
      throw Failure.usage(
        "missing --golden FILE, --tolerances FILE or --requirements FILE. Give at least one of them"
      )
    }
    try self.init(invocation, golden: Flags.golden, requirements: try invocation.requirements())
    isStrict = invocation.has(CheckFlags.strict)
    guard !isStrict || requirements != nil else {
      throw Failure.usage("--strict goes with --requirements FILE")
    }
  }

  /// Reads golden recording and tolerances.
  ///
  /// - Parameters:
  ///   - flag: The flag that names the golden recording.
  ///   - requirements: What is required beside them.
  init(_ invocation: Invocation, golden flag: Flag<String>, requirements: Expectations?) throws {
    let tolerances = try invocation.text(Flags.tolerances).map(invocation.console.readTolerances)
    var options = RunComparison.Options()
    options.alignment = try invocation.value(Flags.align) ?? options.alignment
    let golden = try invocation.text(flag).map { try GoldenRecording(invocation.console, $0) }
    if invocation.has(Flags.keys) {
      guard let golden else {
        throw Failure.usage("--key goes with --golden FILE, which has the keys")
      }
      let sessions = golden.sessions.map { (session: $0, reader: golden.reader) }
      options.keyNames = Set(try namedValues(invocation.texts(Flags.keys), in: sessions).names)
    }
    self.golden = golden
    check = GoldenCheck(tolerances ?? Tolerances(), options: options)
    hasTolerances = tolerances != nil
    self.requirements = requirements.map {
      (invocation.text(Flags.requirements) ?? "", $0.rules)
    }
  }

  /// Whether a limit judges all runs as one.
  var hasAggregates: Bool { check.tolerances.rules.contains { $0.aggregate != nil } }

  /// Whether a verdict waits for those of other runs.
  func isAggregated(_ verdict: Verdict) -> Bool {
    verdict.rule.map { check.tolerances.rules[$0.index].aggregate != nil } ?? false
  }

  /// What its answers depend on beside the run.
  var identity: [String] {
    [check.tolerances.json] + (golden?.identity ?? [])
  }

  /// What is found of a run.
  mutating func judged(
    _ session: SessionRecord, in reader: RecordingReader, progress: (Double) -> Void = { _ in }
  ) throws -> GoldenCheck.Run {
    try found(session, in: reader, keepsCurves: false, progress: progress).run
  }

  /// What a review shows of a run. The comparison is not kept.
  mutating func reviewed(
    _ session: SessionRecord, in reader: RecordingReader, progress: (Double) -> Void = { _ in }
  ) throws -> ReviewedRun {
    let found = try found(session, in: reader, keepsCurves: true, progress: progress)
    return try check.reviewed(found.run, found.curves, in: reader)
  }

  /// What is found of a run, and what it was compared by.
  private mutating func found(
    _ session: SessionRecord, in reader: RecordingReader, keepsCurves: Bool,
    progress: (Double) -> Void
  ) throws -> (run: GoldenCheck.Run, curves: (SessionData, SessionData)?) {
    var (run, curves) = try compared(
      session, in: reader, keepsCurves: keepsCurves, progress: progress)
    if let requirements {
      let verdicts = try ExpectationJudge(requirements.rules).verdicts(of: session, in: reader)
      run.add(isStrict ? verdicts.map(\.strict) : verdicts)
    }
    return (run, curves)
  }

  /// What golden recording and tolerances find.
  private mutating func compared(
    _ session: SessionRecord, in reader: RecordingReader, keepsCurves: Bool,
    progress: (Double) -> Void
  ) throws -> (run: GoldenCheck.Run, curves: (SessionData, SessionData)?) {
    guard let golden else {
      guard hasTolerances else {
        return (
          GoldenCheck.Run(
            path: reader.path, session: session, golden: nil, comparison: nil, verdicts: []), nil
        )
      }
      return (try check.judged(session, in: reader), nil)
    }
    guard let counterpart = try golden.session(for: session) else {
      return (check.unpaired(session, path: reader.path, isGolden: false), nil)
    }
    let found = try check.compared(
      session, in: reader, golden: counterpart, in: golden.reader, keepsCurves: keepsCurves,
      progress: progress)
    return (found.run, found.curves)
  }
}

extension Invocation {
  /// The requirements of `--requirements`. `nil` without the flag.
  ///
  /// - Throws: ``Failure`` with 4 for a file that is missing or malformed.
  func requirements() throws -> Expectations? {
    guard let path = text(Flags.requirements) else { return nil }
    guard path != "-" else {
      throw Failure.usage(
        "--requirements must be a file, not standard input: it is read more than once")
    }
    do {
      return try Expectations(json: try console.readInput(path, atMost: .description))
    } catch {
      let why = explain(error).message
      throw Failure.unreadable(why.contains(path) ? why : "\(path): \(why)")
    }
  }
}

/// The recording that runs should be like.
struct GoldenRecording {
  let reader: RecordingReader
  private let selected: SessionRecord?
  let sessions: [SessionRecord]

  init(_ console: Console, _ name: String) throws {
    let (path, selector) = SessionArgument.split(name)
    let reader = try console.openRecording(path, keepsState: false)
    let sessions = try reader.sessionRecords()
    self.reader = reader
    self.sessions = sessions
    selected = try selector.map { try reader.session(selectedBy: $0) } ?? sessions.only
    if selected == nil, sessions.isEmpty {
      throw Failure.unreadable(
        "\(path) contains no session. Name a golden recording with at least one")
    }
  }

  /// Its sessions, wherever the file is.
  var identity: [String] { (selected.map { [$0] } ?? sessions).map(\.uuid) }

  /// The session that a run is to be like. `nil` where none has its name.
  func session(for run: SessionRecord) throws -> SessionRecord? {
    if let selected { return selected }
    let named = sessions.filter { $0.description.name == run.description.name }
    guard named.count <= 1, run.description.name != nil else {
      throw Failure.usage(
        "\(reader.path) has \(sessions.count) sessions, and not exactly one has the name of \(run.label). "
          + "Name the session: --golden \(reader.path)#1")
    }
    return named.first
  }

  /// The sessions that have to be there and are not among these.
  func sessions(without found: [SessionRecord]) -> [SessionRecord] {
    let found = Set(found.map(\.number))
    return (selected.map { [$0] } ?? sessions).filter { !found.contains($0.number) }
  }
}

extension Array {
  /// The element of an array of one. `nil` for any other.
  fileprivate var only: Element? { count == 1 ? first : nil }
}
