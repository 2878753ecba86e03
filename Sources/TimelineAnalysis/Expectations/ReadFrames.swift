import TimelineModel
import TimelineStore

/// The frames of a session that were read, and when the callbacks of each of them ran.
struct ReadFrames {
  /// When each was shown, rising.
  private(set) var times: [Instant] = []
  /// When its callbacks ran, in seconds of the session.
  private(set) var began: [Double] = []

  init() {}

  /// Reads the frames.
  ///
  /// - Returns: no frame if the recording does not say of each of them when its callbacks ran.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the frames.
  init(_ session: SessionRecord, in reader: RecordingReader) throws {
    let frames = try reader.frames(in: session.number)
    while let frame = try frames.next()?.state {
      guard !frame.isUnread, frame.time > times.last ?? Instant(nanoseconds: .min) else { continue }
      guard let instant = frame.began?.seconds, instant >= began.last ?? -.infinity else {
        (times, began) = ([], [])
        return
      }
      times.append(frame.time)
      began.append(instant)
    }
  }
}
