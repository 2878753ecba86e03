public import TimelineModel

/// A part of a session that is one motion: from a transition's start to the next one's.
public struct MotionStretch: Sendable, Hashable {
  /// The first instant.
  public var start: Instant
  /// The last instant. It still belongs to the stretch.
  public var end: Instant
  /// When it was released. `nil` where nothing was decided.
  public var release: Instant?

  package init(start: Instant, end: Instant, release: Instant?) {
    (self.start, self.end, self.release) = (start, end, release)
  }

  /// All of a session's time, without a release.
  public static let everything = MotionStretch(
    start: Instant(nanoseconds: .min), end: Instant(nanoseconds: .max), release: nil)

  /// One stretch for each decision, or one over everything where there is none.
  ///
  /// A stretch begins with the last start event before its decision and after the decision before. Without one it
  /// begins with the first driving value after the decision before, the first stretch with the session. It ends just
  /// before the next start event, or before the next stretch begins.
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
    guard !decisions.isEmpty else { return [everything] }
    // How many of the starts are not later than each decision.
    let passed = decisions.map { decided in starts.partitioningIndex { $0 > decided } }
    var begins = [starts[..<passed[0]].last ?? everything.start]
    for index in decisions.indices.dropFirst() {
      let before = decisions[index - 1]
      let start = starts[passed[index - 1]..<passed[index]].last
      begins.append(start ?? drives[index - 1] ?? before)
    }
    return decisions.indices.map { index in
      let decided = decisions[index]
      let follower =
        starts[passed[index]...].first ?? (index + 1 < begins.count ? begins[index + 1] : nil)
      let end = follower.map { max(decided, $0.advanced(byNanoseconds: -1)) } ?? everything.end
      return MotionStretch(start: begins[index], end: end, release: decisions[index])
    }
  }
}
