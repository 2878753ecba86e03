package import TimelineModel

/// The frames of a session that were read, and when the callbacks of each of them ran.
package struct ReadFrames: Sendable {
  /// When each was shown, rising.
  package private(set) var times: [Instant] = []
  /// When its callbacks ran. The frame's own time if that is not known. Never falls.
  package private(set) var began: [Instant] = []
  /// Whether the recording says of each when its callbacks ran. Without it nobody knows what the frame knew.
  package private(set) var saysBegan = true

  package init() {}

  /// Reads the frames.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the frames.
  package init(_ source: some SessionSource) throws {
    try source.forEachState { if !$0.isUnread { add($0) } }
  }

  /// The same with a part of the frames.
  func keeping(_ positions: [Int]) -> ReadFrames {
    var kept = self
    (kept.times, kept.began) = (positions.map { times[$0] }, positions.map { began[$0] })
    return kept
  }

  /// Takes the next frame that was read.
  ///
  /// - Returns: false if its time does not rise, so that it is left out.
  @discardableResult
  mutating func add(_ frame: FrameState) -> Bool {
    guard times.last.map({ frame.time > $0 }) ?? true else { return false }
    let latest = began.last ?? Instant(nanoseconds: .min)
    saysBegan = saysBegan && frame.began.map { $0 >= latest } ?? false
    times.append(frame.time)
    began.append(max(frame.began ?? frame.time, latest))
    return true
  }
}
