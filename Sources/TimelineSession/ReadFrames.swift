package import TimelineModel

/// The frames of a session that were read, and when the callbacks of each of them ran.
package struct ReadFrames: Sendable {
  /// When each was shown, rising.
  package private(set) var times: [Instant] = []
  /// When its callbacks ran, in seconds of the session.
  package private(set) var began: [Double] = []

  package init() {}

  /// Reads the frames.
  ///
  /// - Returns: no frame if the recording does not say of each of them when its callbacks ran.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the frames.
  package init(_ source: some SessionSource) throws {
    var isKnown = true
    try source.forEachState { frame in
      guard isKnown, !frame.isUnread, frame.time > times.last ?? Instant(nanoseconds: .min) else {
        return
      }
      guard let instant = frame.began?.seconds, instant >= began.last ?? -.infinity else {
        isKnown = false
        return
      }
      times.append(frame.time)
      began.append(instant)
    }
    if !isKnown { (times, began) = ([], []) }
  }
}
