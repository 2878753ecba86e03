package import TimelineModel
import TimelineStore

/// The instants at which a session's display was updated, in the order recorded.
package struct Frames: Sendable, Hashable {
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
  /// Frames per second of the display. `nil` where the session does not say.
  package var refreshRate: Double?
  /// What the session's key ``displayIntervalKey`` says: seconds that the display gives a frame, each value held
  /// until the next. Without a sample where there is no such key.
  package var displayInterval = Curve([])

  /// The key by which an app records how long its display gives each frame, in seconds.
  package static let displayIntervalKey = "display.interval"

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - source: What the instants are taken from.
  ///   - times: The instants in the order recorded.
  ///   - isMoving: For each of them, whether something was under way.
  ///   - refreshRate: Frames per second. What is not above 0 counts as unknown.
  package init(source: Source, times: [Instant], isMoving: [Bool], refreshRate: Double?) {
    precondition(times.count == isMoving.count, "Each instant says whether something moves.")
    self.source = source
    self.times = times
    self.isMoving = isMoving
    self.refreshRate = refreshRate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  /// Reads a session's frames in one walk, and its ``displayIntervalKey``. Without frames there is no instant.
  ///
  /// - Parameters:
  ///   - source: The session.
  ///   - each: Is called with every frame's state, in the order recorded.
  /// - Throws: `StoreError` when the file cannot be read.
  package init(
    _ source: some SessionSource, each: (FrameState) -> Void = { _ in }
  ) throws {
    self.init(
      source: .frames, times: [], isMoving: [],
      refreshRate: source.session.description.refreshRate)
    try source.forEachState { state in
      times.append(state.time)
      isMoving.append(state.phase != .idle)
      each(state)
    }
    displayInterval = try Frames.displayInterval(of: source)
  }

  /// A session's frames, or the instants at which any key was set if it has no frames.
  ///
  /// - Throws: `StoreError` when the recording cannot be read.
  /// - Complexity: linear in the frames, or in the samples without frames.
  package init(orSamplesOf source: some SessionSource) throws {
    self = try Frames(source)
    guard times.isEmpty else { return }
    var reading = SampleReading(try source.keys(), keeping: .nothing, needsClock: true)
    try reading.read(source)
    self = reading.clock(like: self)
  }

  /// No frame.
  package init(refreshRate: Double?) {
    self.init(source: .frames, times: [], isMoving: [], refreshRate: refreshRate)
  }

  /// The values of a session's key ``displayIntervalKey``.
  static func displayInterval(of source: some SessionSource) throws -> Curve {
    var curve = Curve([])
    guard let key = try source.keys().first(where: { $0.name == Frames.displayIntervalKey }) else {
      return curve
    }
    try source.forEachSample(of: key.handle, in: RecordingReader.allTime) { all in
      for series in all { curve.append(series) }
      return true
    }
    return curve
  }

  /// The same clock with a part of its frames.
  package func keeping(_ positions: some Collection<Int>) -> Frames {
    var clock = self
    clock.times = positions.map { times[$0] }
    clock.isMoving = positions.map { isMoving[$0] }
    return clock
  }
}
