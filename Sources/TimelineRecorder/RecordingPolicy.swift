/// What a recorder does when the disk is slower than its caller.
public enum RecordingPolicy: Hashable, Sendable {
  /// The caller waits and nothing is lost: for scenarios and imports. Transactions are cut at the
  /// session's time, never at the clock's, so the same input makes the same file.
  case wait
  /// The caller never waits for the disk: for an app. What does not fit the bounded queue is dropped,
  /// counted, and written down as a loss.
  case live
}

/// The sizes that bound a recorder's memory and the age of what is not yet committed.
package struct RecordingLimits: Sendable {
  /// Age at which rows are committed, in nanoseconds: of the session's time under
  /// ``RecordingPolicy/wait``, of the clock's under ``RecordingPolicy/live``. 250 ms: beyond it a
  /// commit gains nothing, and it is the most that a killed app loses (measured, store design 4c).
  package var commitNanoseconds: Int64 = 250_000_000
  /// Rows after which ``RecordingPolicy/wait`` commits in any case. Beyond some 500 rows a larger
  /// transaction is no faster (store design 4a); this many keep the memory under about 4 MB.
  package var waitRows = 16_384
  /// Rows that may wait for the writer under ``RecordingPolicy/live``: four seconds of 200 elements
  /// that all change 120 times a second, about 25 MB.
  package var liveRows = 100_000
  /// Rows beyond ``liveRows`` that are kept for events, decisions and estimates, so that a flood of
  /// values cannot push out what they mean.
  package var reservedRows = 1_024
  /// Every so many commits under ``RecordingPolicy/live`` one waits for the disk: with a commit each
  /// 250 ms, a power cut then loses at most 750 ms (simulated, store design 5).
  package var commitsPerDurable = 3

  /// The usual sizes.
  package init() {}
}
