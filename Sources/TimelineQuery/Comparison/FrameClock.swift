public import TimelineModel
import TimelineStore

/// The instants at which a session's display was updated, in the order recorded.
public struct FrameClock: Sendable, Hashable {
  /// What the instants are taken from.
  public enum Source: String, Sendable, CaseIterable {
    /// The recorded frames.
    case frames
    /// The instants at which any key was set, for a session that has no frames: an app that records its
    /// values once a frame has the display's clock in them.
    case samples
  }

  /// What the instants are taken from.
  public var source: Source
  /// The instants.
  public var times: [Instant]
  /// Whether something was under way at each of them: its phase is not idle.
  public var isMoving: [Bool]
  /// Frames per second of the display; nil where the session does not say.
  public var refreshRate: Double?

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - source: What the instants are taken from.
  ///   - times: The instants in the order recorded.
  ///   - isMoving: For each of them, whether something was under way.
  ///   - refreshRate: Frames per second; what is not above 0 counts as unknown.
  public init(source: Source, times: [Instant], isMoving: [Bool], refreshRate: Double?) {
    precondition(times.count == isMoving.count, "Each instant says whether something moves.")
    self.source = source
    self.times = times
    self.isMoving = isMoving
    self.refreshRate = refreshRate.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
  }

  /// Reads a session's frames; nil where it has none.
  init?(_ session: SessionRecord, in reader: RecordingReader) throws {
    var times: [Instant] = []
    var isMoving: [Bool] = []
    let frames = try reader.frames(in: session.number)
    while let frame = try frames.next() {
      times.append(frame.state.time)
      isMoving.append(frame.state.phase != .idle)
    }
    guard !times.isEmpty else { return nil }
    self.init(
      source: .frames, times: times, isMoving: isMoving,
      refreshRate: session.description.refreshRate)
  }
}
