public import MotionJudgement
package import TimelineModel

/// One self-contained HTML page that plays a session, or two on one clock.
///
/// The page opens from disk by a double click: no network, no server, no other file. The same runs give
/// the same bytes.
public struct ReportPage: Sendable {
  /// The first run, A; its clock is the page's.
  package let run: ReportRun
  /// The second run, B, where two are compared.
  package let other: ReportRun?
  /// What the comparison came to, in words, for the head of the page; nil: nothing is said.
  package let verdict: String?
  /// What is marked in the run, of two in B, in the order of time.
  package var marks: [ReportMark] = []
  /// By how much B is later than A beyond the alignment, in seconds: where the page's slider stands at
  /// first.
  package let lagSeconds: Double
  /// The lag at which the progress of both agrees best, in seconds, which the page offers; nil where none
  /// was found, or only the end of the search.
  package let bestLagSeconds: Double?
  /// How the clocks were laid on each other ("start").
  package let alignment: String
  /// Whether the comparison stretched B's clock, which the page does not.
  package let isStretched: Bool
  /// The instant of A that is laid on ``anchorOfB``.
  package let anchorOfA: Instant
  /// The instant of B that is laid on ``anchorOfA``.
  package let anchorOfB: Instant

  /// Makes the page of one run.
  ///
  /// - Parameters:
  ///   - run: The session.
  ///   - verdict: What a check came to, in words, for the head of the page.
  public init(_ run: ReportRun, verdict: String? = nil) {
    self.run = run
    self.verdict = verdict
    other = nil
    lagSeconds = 0
    bestLagSeconds = nil
    alignment = RunComparison.Alignment.none.rawValue
    isStretched = false
    (anchorOfA, anchorOfB) = (.zero, .zero)
  }

  /// Makes the page of two runs.
  ///
  /// - Parameters:
  ///   - run: The reference, A.
  ///   - other: What is held against it, B.
  ///   - comparison: How they compare, which lays the clocks on each other; nil lays the first
  ///     transitions' starts on each other.
  ///   - verdict: What the comparison came to, in words.
  ///   - lagSeconds: By how much B is later, beyond the alignment. No number counts as 0.
  public init(
    _ run: ReportRun, _ other: ReportRun, comparison: RunComparison? = nil,
    verdict: String? = nil, lagSeconds: Double = 0
  ) {
    self.run = run
    self.other = other
    self.verdict = verdict
    self.lagSeconds = lagSeconds.isFinite ? lagSeconds : 0
    let progress = comparison?.keys.first { $0.name == progressKeyName }?.comparison
    bestLagSeconds = progress.flatMap { $0.lagIsAtLimit ? nil : $0.lagSeconds }
    alignment = (comparison?.alignment ?? .start).rawValue
    isStretched = comparison.map { !$0.timeMap.isShift } ?? false
    anchorOfA = comparison?.anchorOfA ?? run.firstStart ?? .zero
    anchorOfB = comparison?.anchorOfB ?? other.firstStart ?? .zero
  }
}

/// Something that a page points at.
package struct ReportMark: Hashable, Sendable {
  /// When it is.
  var time: Instant
  /// What is to be said of it.
  var text: String

  /// The requirements that are not met, where each of them is not; those that are so at no instant are left out.
  package static func all(_ verdicts: [Verdict]) -> [ReportMark] {
    verdicts.compactMap { verdict in
      guard !verdict.passes, let time = verdict.finding.instant else { return nil }
      return ReportMark(time: time, text: verdict.sentence)
    }.sorted { $0.time < $1.time }
  }
}
