package import TimelineModel
package import TimelineStore

/// The instants at which a session's display was updated, in the order recorded.
package struct FrameClock: Sendable, Hashable {
  /// What the instants are taken from.
  package enum Source: String, Sendable, CaseIterable {
    /// The recorded frames.
    case frames
    /// The instants at which any key was set, for a session that has no frames: an app that records its
    /// values once a frame has the display's clock in them.
    case samples
  }

  /// What the instants are taken from.
  package var source: Source
  package var times: [Instant]
  /// Whether something was under way at each of them: its phase is not idle.
  package var isMoving: [Bool]
  /// Frames per second of the display; nil where the session does not say.
  package var refreshRate: Double?
  /// What the session's key ``displayIntervalKey`` says: seconds that the display gives a frame, each value held
  /// until the next; without a sample where there is no such key.
  package var displayInterval = Curve([])

  /// The key by which an app records how long its display gives each frame, in seconds.
  package static let displayIntervalKey = "display.interval"

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - source: What the instants are taken from.
  ///   - times: The instants in the order recorded.
  ///   - isMoving: For each of them, whether something was under way.
  ///   - refreshRate: Frames per second; what is not above 0 counts as unknown.
  package init(source: Source, times: [Instant], isMoving: [Bool], refreshRate: Double?) {
    precondition(times.count == isMoving.count, "Each instant says whether something moves.")
    self.source = source
    self.times = times
    self.isMoving = isMoving
    self.refreshRate = refreshRate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  /// Reads a session's frames in one walk, and its ``displayIntervalKey``; without frames there is no instant.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - each: Is called with every frame's state, in the order recorded.
  /// - Throws: `StoreError` when the file cannot be read.
  package init(
    _ session: SessionRecord, in reader: RecordingReader, each: (FrameState) -> Void = { _ in }
  ) throws {
    self.init(
      source: .frames, times: [], isMoving: [], refreshRate: session.description.refreshRate)
    let frames = try reader.frames(in: session.number)
    while let frame = try frames.next() {
      times.append(frame.state.time)
      isMoving.append(frame.state.phase != .idle)
      each(frame.state)
    }
    displayInterval = try FrameClock.displayInterval(of: session, in: reader)
  }

  /// The values of a session's key ``displayIntervalKey``.
  static func displayInterval(
    of session: SessionRecord, in reader: RecordingReader
  ) throws -> Curve {
    let keys = try reader.keys(in: session.number)
    guard let key = keys.first(where: { $0.name == FrameClock.displayIntervalKey }) else {
      return Curve([])
    }
    return Curve(try reader.samples(of: key.handle, in: session.number).rest().map(\.sample))
  }

  /// The same clock with a part of its frames.
  func keeping(_ positions: some Collection<Int>) -> FrameClock {
    var clock = self
    clock.times = positions.map { times[$0] }
    clock.isMoving = positions.map { isMoving[$0] }
    return clock
  }

  /// Seconds from one frame to the next: that of the refresh rate, else what is usually expected; nil if nothing tells.
  var interval: Double? {
    refreshRate.map { 1 / $0 } ?? (times.isEmpty ? nil : FrameMetrics(self).expectedSeconds)
  }
}
