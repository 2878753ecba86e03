public import TimelineModel

/// A part of a session that is one motion: from a transition's start to the next one's.
public struct MotionStretch: Sendable, Hashable {
  /// The first instant.
  public var start: Instant
  /// The last instant; it still belongs to the stretch.
  public var end: Instant
  /// When it was released; nil where nothing was decided.
  public var release: Instant?

  /// All of a session's time, without a release.
  public static let everything = MotionStretch(
    start: Instant(nanoseconds: .min), end: Instant(nanoseconds: .max), release: nil)

  /// One stretch for each decision, or one over everything where there is none.
  ///
  /// A stretch begins with the first start event after the decision before, or where there is none with
  /// the first driving value after it; it ends just before the next one begins, the last one before a start that
  /// nothing decided. The first begins with the last start event before its decision, or with the session.
  ///
  /// - Parameters:
  ///   - decisions: The decisions' instants.
  ///   - starts: The start events' instants.
  ///   - drives: For each decision, in the order of time, the first driving value after it.
  static func all(
    decisions: [Instant], starts: [Instant], drives: [Instant?]
  ) -> [MotionStretch] {
    let decisions = decisions.sorted()
    let starts = starts.sorted()
    guard let first = decisions.first else { return [everything] }
    var begins = [starts.last { $0 <= first } ?? everything.start]
    var next = 0
    for index in decisions.indices.dropFirst() {
      let before = decisions[index - 1]
      while next < starts.count, starts[next] <= before { next += 1 }
      let start = next < starts.count && starts[next] <= decisions[index] ? starts[next] : nil
      begins.append(start ?? drives[index - 1] ?? before)
    }
    return decisions.indices.map { index in
      let follower =
        index + 1 < begins.count ? begins[index + 1] : starts.first { $0 > decisions[index] }
      let end =
        follower.map { max(decisions[index], $0.advanced(byNanoseconds: -1)) } ?? everything.end
      return MotionStretch(start: begins[index], end: end, release: decisions[index])
    }
  }
}
