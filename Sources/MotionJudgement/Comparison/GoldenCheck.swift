import MotionMeasures
package import TimelineModel
package import TimelineSession
public import TimelineStore

/// Recorded sessions held against what they should be: the gate of a build.
///
/// ```swift
/// var check = GoldenCheck(tolerances)
/// try check.add(session, in: reader, golden: golden, in: goldenReader)
/// if !check.passes { print(check.failures.map(\.sentence)) }
/// ```
///
/// With a golden session everything is judged that `kymo compare` judges. Without one only what a single session can
/// be asked: how even its updates were.
public struct GoldenCheck: Sendable {
  /// One session and what was found of it.
  package struct Run: Sendable {
    /// The recording, as it was named.
    package var path: String
    /// The session.
    package var session: SessionRecord
    /// The golden session. `nil` where there is none.
    package var golden: SessionRecord?
    /// How the two compare, without what nothing is judged by (``RunComparison/Options/keyFigures``). Without a
    /// golden session, the session with itself, without its keys. `nil` where there is nothing to compare.
    package var comparison: RunComparison?
    /// What was judged of this session alone: without what many sessions are made one for, and without what is only counted
    /// (``GoldenCheck/keepsPassing``).
    package var verdicts: [Verdict]
    /// Whether there was something to judge it by: also if the comparison itself was made elsewhere and not kept.
    package var isJudged: Bool

    /// Makes a session of what was found.
    package init(
      path: String, session: SessionRecord, golden: SessionRecord?, comparison: RunComparison?,
      verdicts: [Verdict]
    ) {
      (self.path, self.session, self.golden) = (path, session, golden)
      (self.comparison, self.verdicts) = (comparison, verdicts)
      isJudged = comparison != nil
    }

    /// Adds the verdicts of requirements to those by tolerances.
    package mutating func add(_ requirements: [Verdict]) {
      verdicts += requirements
      isJudged = true
    }

    /// The worst of it.
    package var grade: Verdict.Grade { verdicts.map(\.grade).max() ?? .pass }
  }

  /// What may differ.
  public let tolerances: Tolerances
  /// How sessions are compared where the tolerances say nothing.
  public let options: RunComparison.Options
  /// The sessions in the order in which they were added.
  package private(set) var runs: [Run] = []
  /// The golden session that was read last, and how many sessions it was read for: most often all are held against one.
  private var latest: (curves: SessionData, path: String, runs: Int, frames: [FoldedFrame]?)?
  /// Whether verdicts are kept that pass and of which nothing else is to be known. A check of thousands of files that
  /// lists none of them has no memory for each.
  package var keepsPassing = true
  /// Numbers of many sessions that limits with an aggregate make one, in the order in which they came first.
  private var gathered: [Gathered] = []
  /// Where a limit's number of a subject is among them.
  private var gatheredIndices: [[String]: Int] = [:]
  /// The limits by which something was judged.
  private var usedRules: Set<Int> = []

  /// The numbers of one subject by one limit.
  private struct Gathered {
    let rule: Tolerances.RuleReference
    var first: Verdict
    var values: [Double?]
  }

  /// Makes a check without a session.
  ///
  /// - Parameters:
  ///   - tolerances: What may differ. Its alignment and lag limit take the place of those of `options`.
  ///   - options: How sessions are compared where the tolerances say nothing.
  public init(
    _ tolerances: Tolerances, options: RunComparison.Options = RunComparison.Options()
  ) {
    self.tolerances = tolerances
    var options = options
    options.alignment = tolerances.alignment ?? options.alignment
    options.lagLimitSeconds = tolerances.lagLimitSeconds ?? options.lagLimitSeconds
    options.tolerances = tolerances
    // Releases are derived only for those who ask about them.
    options.derivesReleases =
      options.alignment == .release
      || [Measure.decision, .releaseVelocity].contains { metric in
        tolerances.bound(for: metric).map { $0.rule.level != .off } ?? false
      }
    options.velocities = .judged
    options.keyFigures = .judged
    self.options = options
  }

  /// Judges a session by a golden session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - golden: What it should be.
  ///   - goldenReader: The golden session's recording. May be the same.
  ///   - progress: Is told how far the work is, 0 to 1.
  /// - Throws: ``MotionMeasures/QueryError`` where the sessions cannot be aligned as asked, and where both are empty. `StoreError`
  ///   when a file cannot be read.
  /// - Complexity: linear in the samples, frames and elements of both. Of the golden session that was used last samples
  ///   are kept, and up to 100,000 poses, so that they are not read for every session.
  public mutating func add(
    _ session: SessionRecord, in reader: RecordingReader, golden: SessionRecord,
    in goldenReader: RecordingReader, progress: (Double) -> Void = { _ in }
  ) throws {
    add(try judged(session, in: reader, golden: golden, in: goldenReader, progress: progress))
  }

  /// What ``add(_:in:golden:in:progress:)`` finds, without adding it: for sessions that are judged in one place and
  /// gathered in another. Verdicts by limits with an aggregate are among the session's own still.
  package mutating func judged(
    _ session: SessionRecord, in reader: RecordingReader, golden: SessionRecord,
    in goldenReader: RecordingReader, progress: (Double) -> Void = { _ in }
  ) throws -> Run {
    try compared(
      session, in: reader, golden: golden, in: goldenReader, keepsCurves: false, progress: progress
    ).run
  }

  /// What ``judged(_:in:golden:in:progress:)`` finds, with what it was found by if that is wanted: the golden session's
  /// curves and the session's.
  package mutating func compared(
    _ session: SessionRecord, in reader: RecordingReader, golden: SessionRecord,
    in goldenReader: RecordingReader, keepsCurves: Bool = true,
    progress: (Double) -> Void = { _ in }
  ) throws -> (run: Run, curves: (SessionData, SessionData)?) {
    var options = options
    if keepsCurves { options.apartCount = .max }
    var known = latest.flatMap {
      $0.path == goldenReader.path && $0.curves.session == golden ? $0 : nil
    }
    latest = nil
    if known?.runs == 1 {
      known?.frames = try GoldenCheck.framesToKeep(golden.number, in: goldenReader)
    }
    var runs =
      try known.map {
        (
          $0.curves,
          try SessionData(FileSource(session, in: reader), reading: options.parts)
        )
      } ?? SessionData.pair(golden, goldenReader, session, reader, options: options)
    let curves: (SessionData, SessionData)? = keepsCurves ? runs : nil
    // Of a session that is read key by key there is nothing to keep.
    if !runs.0.tracks.readsApart {
      latest = (runs.0, goldenReader.path, (known?.runs ?? 0) + 1, known?.frames)
    }
    let comparison = try RunComparison.compare(
      &runs, in: goldenReader, reader, framesOfA: known?.frames, options: options,
      progress: progress)
    guard !comparison.isEmpty else {
      throw QueryError(
        "Nothing to check: neither \(session.label) of \(reader.path) nor its golden session has a key, a decision or "
          + "an element.")
    }
    let run = Run(
      path: reader.path, session: session, golden: golden, comparison: comparison,
      verdicts: comparison.allVerdicts.map(GoldenCheck.inWordsOfGolden))
    return (run, curves)
  }

  /// The frames of a session that is read for a second time. `nil` where they hold more than 100,000 poses, some 20 MB,
  /// the most that is kept.
  private static func framesToKeep(
    _ session: Int64, in reader: RecordingReader
  ) throws -> [FoldedFrame]? {
    var kept: [FoldedFrame] = []
    var room = 100_000
    let frames = try reader.foldedFrames(in: session)
    while let frame = try frames.nextRead() {
      room -= frame.elements.count + 1
      guard room >= 0 else { return nil }
      kept.append(frame)
    }
    return kept
  }

  /// Judges what has no counterpart: a session of the golden recording that no session is like fails as missing, a session
  /// that is like no golden session is a warning.
  ///
  /// - Parameters:
  ///   - session: The session, golden or not.
  ///   - path: Its recording, as it was named.
  ///   - isGolden: Whose session it is.
  public mutating func addUnpaired(_ session: SessionRecord, path: String, isGolden: Bool) {
    add(unpaired(session, path: path, isGolden: isGolden))
  }

  /// What ``addUnpaired(_:path:isGolden:)`` adds.
  package func unpaired(_ session: SessionRecord, path: String, isGolden: Bool) -> Run {
    let verdict = Verdict(
      subject: session.description.name ?? session.label,
      measure: isGolden ? "missing" : "not in the golden recording",
      grade: isGolden ? .fail : .warn)
    return Run(path: path, session: session, golden: nil, comparison: nil, verdicts: [verdict])
  }

  /// A golden session is A, which no caller named so.
  private static func inWordsOfGolden(_ verdict: Verdict) -> Verdict {
    var verdict = verdict
    verdict.isOfGolden = true
    switch verdict.measure {
    case "only in A": verdict.finding.measure = "missing"
    case "only in B": verdict.finding.measure = "not in the golden session"
    default: break
    }
    return verdict
  }

  /// Judges a session by itself: by the limits about hitches, jank and intervals.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  public mutating func add(_ session: SessionRecord, in reader: RecordingReader) throws {
    add(try judged(session, in: reader))
  }

  /// What ``add(_:in:)`` finds, without adding it.
  package func judged(_ session: SessionRecord, in reader: RecordingReader) throws -> Run {
    var options = options
    options.comparesLayout = false
    options.alignment = .none
    // Nothing is worked out that nobody judges.
    options.keyNames = []
    var parts = options.parts
    parts.derivesReleases = false
    let curves = try SessionData(FileSource(session, in: reader), reading: parts)
    var runs = (curves, curves)
    let comparison = try RunComparison.compare(&runs, in: reader, reader, options: options)
    return Run(
      path: reader.path, session: session, golden: nil, comparison: comparison,
      verdicts: comparison.verdicts.filter { verdict in
        verdict.rule.map { tolerances.rules[$0.index].isOfOneRun } ?? false
      })
  }

  /// Adds what was found of a session. Verdicts by limits with an aggregate wait for those of the other sessions.
  package mutating func add(_ run: Run) {
    var run = run
    var own: [Verdict] = []
    for verdict in run.verdicts {
      if let rule = verdict.rule {
        usedRules.insert(rule.index)
        if tolerances.rules[rule.index].aggregate != nil {
          gather(verdict, by: rule)
          continue
        }
      }
      if keepsPassing || verdict.isWorthKnowing { own.append(verdict) }
    }
    run.verdicts = own
    runs.append(run)
  }

  private mutating func gather(_ verdict: Verdict, by rule: Tolerances.RuleReference) {
    let name = ["\(rule.index)", verdict.subject, verdict.measure]
    if let index = gatheredIndices[name] {
      gathered[index].values.append(verdict.value)
      gathered[index].first.difference = gathered[index].first.difference ?? verdict.difference
    } else {
      gatheredIndices[name] = gathered.count
      gathered.append(Gathered(rule: rule, first: verdict, values: [verdict.value]))
    }
  }

  /// What was judged of all sessions together, by limits that make them one.
  package var aggregated: [Verdict] {
    gathered.compactMap { group in
      let rule = tolerances.rules[group.rule.index]
      guard let aggregate = rule.aggregate else { return nil }
      var verdict = Verdict(
        group.first.subject, group.first.measure, aggregate.value(of: group.values),
        within: rule.bound(of: group.first.measure), rule: group.rule, level: rule.level)
      verdict.difference = group.first.difference
      verdict.isOfGolden = group.first.isOfGolden
      verdict.offset = verdict.offsetOfMany
      return verdict
    }
  }

  /// What was judged of a session, or of all together.
  package struct RunVerdict {
    // A session takes much more memory than an index of one, and a check of thousands has many verdicts.
    private let runs: [Run]
    private let index: Int?
    package let verdict: Verdict

    /// The session. `nil`: all together.
    package var run: Run? { index.map { runs[$0] } }

    init(_ verdict: Verdict, ofRun index: Int?, among runs: [Run]) {
      (self.verdict, self.index, self.runs) = (verdict, index, runs)
    }
  }

  /// What was judged, the worst first, and of that what matters most.
  ///
  /// - Parameter includesPassing: Whether what is within its limits is among it.
  package func findings(includesPassing: Bool = true) -> [RunVerdict] {
    var found: [RunVerdict] = []
    for (index, run) in runs.enumerated() {
      for verdict in run.verdicts where includesPassing || verdict.grade != .pass {
        found.append(RunVerdict(verdict, ofRun: index, among: runs))
      }
    }
    for verdict in aggregated where includesPassing || verdict.grade != .pass {
      found.append(RunVerdict(verdict, ofRun: nil, among: runs))
    }
    return found.sorted { Verdict.isMoreImportant($0.verdict, than: $1.verdict) }
  }

  /// The rows that `kymo check` prints, in that order.
  ///
  /// - Parameter listsAll: Whether what is within its limits is among them.
  package func rows(listsAll: Bool = true) -> [[EventField]] {
    findings(includesPassing: listsAll).rows
  }

  /// The limits by which nothing was judged in any session, as ``Tolerances/idleRules(_:)`` tells them.
  package var idleRules: [Tolerances.RuleReference] {
    tolerances.idleRules(usedRules)
  }

  /// Everything that failed, by what matters. Of equal ones session by session, then of all together.
  public var failures: [Verdict] {
    (runs.flatMap { $0.verdicts.filter { $0.grade == .fail } }
      + aggregated.filter { $0.grade == .fail }).byImportance
  }

  /// Whether nothing failed. A warning is no failure.
  public var passes: Bool { failures.isEmpty }

  /// The limits that need a golden session.
  package var rulesOfTwoRuns: [Tolerances.RuleReference] {
    tolerances.rules.indices.filter {
      !tolerances.rules[$0].isOfOneRun && tolerances.rules[$0].level != .off
    }.map(tolerances.reference)
  }
}

extension Tolerances.Rule {
  /// Whether one session alone can be judged by it.
  var isOfOneRun: Bool {
    guard case .metric(let metric, _, _, _) = subject else { return false }
    return metric.isOfOneRun
  }

  /// The limits of one of its measures.
  func bound(of measure: String) -> Tolerances.Bound {
    switch subject {
    case .metric(_, _, let bound, let mustMatch):
      return mustMatch ? Tolerances.Bound(fail: 0) : bound
    case .key(_, let ladder), .item(_, let ladder):
      switch measure {
      case "rms": return ladder.rms ?? Tolerances.Bound()
      case "hard": return Tolerances.Bound(fail: ladder.hard)
      case "over_percent": return Tolerances.Bound(fail: ladder.overPercent?.fail)
      case "over_percent.warn": return Tolerances.Bound(warn: ladder.overPercent?.warn)
      default: return ladder.maxAbs ?? Tolerances.Bound()
      }
    }
  }
}

extension Measure {
  /// Whether it is a number of the second session's updates alone.
  package var isOfOneRun: Bool { FrameMetrics.fields.field(of: self) != nil }
}

extension Tolerances.Aggregate {
  /// One number of many. Smaller is better, whatever the sign. A number that cannot be told counts as the worst.
  ///
  /// - Returns: nil where that one is the answer, or there is none at all.
  func value(of values: [Double?]) -> Double? {
    let sorted = values.map { $0 ?? .infinity }.sorted { abs($0) < abs($1) }
    guard let best = sorted.first, let worst = sorted.last else { return nil }
    let found: Double =
      switch self {
      case .optimistic: best
      case .pessimistic: worst
      case .median: sorted.middle ?? best
      }
    return found.isFinite ? found : nil
  }
}
