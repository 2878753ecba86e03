package import MotionJudgement
import MotionMeasures
import MotionPhysics
package import TimelineModel
package import TimelineSession
package import TimelineStore

/// A session among many that a person looks through: what was judged of it, and the few numbers by which the worst come
/// first.
package struct ReviewedRun: Sendable {
  /// What becomes of a session, the worst first.
  package enum State: String, CaseIterable, Comparable, Sendable {
    /// A session of the golden recording that no session is like.
    case missing
    /// Something was decided otherwise than in the golden session.
    case flipped
    /// Above a limit.
    case failed
    /// Above a limit that warns, or of no golden session.
    case warned
    /// Within its limits.
    case passed

    package static func < (left: State, right: State) -> Bool { left.index < right.index }

    private var index: Int { State.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The release that says most of a session: the first that was decided otherwise, or else the one that was nearest to
  /// the other outcome.
  package struct Release: Sendable, Hashable {
    /// The number of the transition in its session.
    package var transition: Int
    /// What was done. `nil` where the session has no such release.
    package var outcome: ReleaseOutcome?
    /// What was done in the golden session. `nil` where that has no such release, or there is none.
    package var goldenOutcome: ReleaseOutcome?
    /// How far the progress was from the other outcome, with its sign. `nil` where it was not recorded.
    package var margin: Double?
    /// How fast the progress was by the session's own estimator, per second. `nil` where it is not known.
    package var velocity: Double?

    package init(
      transition: Int, outcome: ReleaseOutcome?, goldenOutcome: ReleaseOutcome?, margin: Double?,
      velocity: Double?
    ) {
      (self.transition, self.outcome, self.goldenOutcome) = (transition, outcome, goldenOutcome)
      (self.margin, self.velocity) = (margin, velocity)
    }
  }

  /// What a session shows beside what was judged of it.
  package struct Figures: Sendable, Hashable {
    /// Whether something was decided otherwise than in the golden session.
    package var isFlipped = false
    /// The release that says most. `nil` where the session has none.
    package var release: Release?
    /// Milliseconds of lateness in each second of motion. `nil` where it is not known.
    package var hitchRatio: Double?
    /// The key that is furthest off, or else the progress. `nil` where the session has no value.
    package var thumbnail: CurveThumbnail?

    package init() {}
  }

  /// What was judged.
  package var run: GoldenCheck.Run
  /// What else it shows.
  package var figures: Figures

  package init(run: GoldenCheck.Run, figures: Figures) {
    (self.run, self.figures) = (run, figures)
  }

  /// What becomes of it.
  package var state: State {
    if !run.isJudged, run.grade == .fail { return .missing }
    if figures.isFlipped { return .flipped }
    return switch run.grade {
    case .fail: .failed
    case .warn: .warned
    case .pass: .passed
    }
  }

  /// What matters most of what is beyond its limit, as ``GoldenCheck/failures`` begin. `nil` where nothing is.
  package var worst: Verdict? { run.verdicts.worst }

  /// How often its value has the limit of that. Infinite where that must not be at all.
  package var ratio: Double? { worst?.ratio }

  /// Whether it comes before another in a list whose worst are first: missing, flipped, failed, then the rest. Of the
  /// failed by how far beyond their limits they are, of the others by the smallest margin, and then by hitches.
  package static func isWorse(_ left: ReviewedRun, _ right: ReviewedRun) -> Bool {
    func order(_ run: ReviewedRun) -> (State, Double, Double, Double) {
      let isBeyond = [.failed, .warned].contains(run.state)
      return (
        run.state, isBeyond ? -(run.ratio ?? 0) : 0,
        run.figures.release?.margin.map(abs) ?? .infinity, -(run.figures.hitchRatio ?? 0)
      )
    }
    return order(left) < order(right)
  }
}

extension GoldenCheck {
  /// What a review shows of a session.
  ///
  /// - Parameters:
  ///   - run: What was judged of it.
  ///   - curves: What it was compared by, as ``compared(_:in:golden:in:progress:)`` has it. `nil`: it was not.
  ///   - reader: Its recording.
  /// - Throws: `StoreError` when the file cannot be read.
  package func reviewed(
    _ run: Run, _ curves: (SessionData, SessionData)?, in reader: RecordingReader
  ) throws -> ReviewedRun {
    let runs: (golden: SessionData?, run: SessionData) = (
      curves?.0,
      try curves?.1
        ?? SessionData(
          FileSource(run.session, in: reader),
          reading: .allKeys(derivesReleases: options.derivesReleases))
    )
    var figures = ReviewedRun.Figures()
    let outcomes = (runs.golden?.releases.map(\.outcome), runs.run.releases.map(\.outcome))
    figures.isFlipped = outcomes.0.map { $0 != outcomes.1 } ?? false
    figures.release = try release(of: runs.run, in: reader, golden: runs.golden)
    figures.hitchRatio =
      run.comparison?.smoothness.b.hitchRatio ?? FrameMetrics(runs.run.frames).hitchRatio
    figures.thumbnail = thumbnail(run, of: runs.run, golden: runs.golden)
    var kept = run
    kept.comparison = nil
    return ReviewedRun(run: kept, figures: figures)
  }

  /// What a review shows of a golden session that no session is like.
  package func missing(_ session: SessionRecord, in reader: RecordingReader) throws -> ReviewedRun {
    let curves = try SessionData(
      FileSource(session, in: reader), reading: .allKeys(derivesReleases: false))
    var figures = ReviewedRun.Figures()
    figures.thumbnail = CurveThumbnail(
      golden: curves.progressKey ?? curves.tracks.all.first { $0.curve.count > 0 }, run: nil,
      map: nil)
    return ReviewedRun(
      run: unpaired(session, path: reader.path, isGolden: true), figures: figures)
  }

  private func release(
    of run: SessionData, in reader: RecordingReader, golden: SessionData?
  ) throws -> ReviewedRun.Release? {
    let others = golden?.releases ?? []
    let count = golden == nil ? run.releases.count : max(run.releases.count, others.count)
    func outcome(_ releases: [ReleaseRecord], _ index: Int) -> ReleaseOutcome? {
      releases.indices.contains(index) ? releases[index].outcome : nil
    }
    let flipped = (0..<count).first {
      golden != nil && outcome(run.releases, $0) != outcome(others, $0)
    }
    let margins = try run.margins(from: FileSource(run.session, in: reader))
    let nearest = run.releases.indices.min { left, right in
      func margin(_ index: Int) -> Double { margins[index].map(abs) ?? .infinity }
      return margin(left) < margin(right)
    }
    guard let index = flipped ?? nearest else { return nil }
    let record = run.releases.indices.contains(index) ? run.releases[index] : nil
    return ReviewedRun.Release(
      transition: record?.transition ?? others[index].transition,
      outcome: record?.outcome, goldenOutcome: outcome(others, index),
      margin: record == nil ? nil : margins[index],
      velocity: try record.flatMap { try velocity(at: $0, of: run, in: reader) })
  }

  /// How fast the progress was at a release, by the session's own estimator.
  private func velocity(
    at release: ReleaseRecord, of run: SessionData, in reader: RecordingReader
  ) throws -> Double? {
    guard let progress = run.progressKey else { return nil }
    var question = VelocityQuestion()
    question.derivesReleases = options.derivesReleases
    question.keyNames = [progress.record.name]
    question.contacts = []
    let answer = try VelocitySource(FileSource(run.session, in: reader), asking: question)
      .release(release)
    return answer.motions.lazy.compactMap { motion in
      guard case .key(let key) = motion.subject, key.handle == progress.record.handle else {
        return nil
      }
      return motion.estimate.velocityPerSecond
    }.first
  }

  private func thumbnail(
    _ run: Run, of curves: SessionData, golden: SessionData?
  ) -> CurveThumbnail? {
    func key(_ name: String?, in curves: SessionData?) -> Track? {
      name.flatMap { name in curves?.tracks.all.first { $0.record.name == name } }
    }
    let furthest = run.verdicts.filter { verdict in
      verdict.grade != .pass && key(verdict.subject, in: curves) != nil
    }.worst?.subject
    let name =
      furthest ?? curves.progressKey?.record.name ?? golden?.progressKey?.record.name
      ?? curves.tracks.all.first { $0.curve.count > 0 }?.record.name
    return CurveThumbnail(
      golden: key(name, in: golden), run: key(name, in: curves), map: run.comparison?.timeMap)
  }
}
