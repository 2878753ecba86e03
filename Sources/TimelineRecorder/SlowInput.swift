/// When lines that arrive slowly are to be written and synced, so that a power cut takes a second at most of
/// what has come, however sparse it is.
///
/// It reads no clock: each call is given the time, in nanoseconds of one clock.
package struct SlowInput {
  /// So long may the oldest line wait that is not on the disk: half of the second that is promised, so that
  /// a slow disk has the other.
  private static let longestWait: Int64 = 500_000_000
  /// After so long without a line what has come is written, as a reader wants to see it: the recorder's own
  /// interval between commits.
  private static let silence: Int64 = 250_000_000

  private var oldest: Int64?
  private var newest: Int64 = 0

  /// Begins with nothing that waits.
  package init() {}

  /// Something has come.
  package mutating func arrived(at now: Int64) {
    oldest = oldest ?? now
    newest = now
  }

  /// The lines are on the disk, or on their way.
  package mutating func isSafe() { oldest = nil }

  /// How long more may be waited for, in milliseconds, 0 when it is time. `nil` when nothing is waiting.
  package func patience(at now: Int64) -> Int32? {
    guard let oldest else { return nil }
    let end = min(oldest + Self.longestWait, newest + Self.silence)
    return Int32(clamping: (max(0, end - now) + 999_999) / 1_000_000)
  }
}
