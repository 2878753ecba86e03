public import TimelineModel

/// A key of a recorder, which records its values.
///
/// ```swift
/// let x = recorder.key("PositionX", unit: "pt")
/// x.record(15, at: time)
/// ```
///
/// Use it from any thread. It keeps its recorder alive.
public struct RecorderKey: Sendable {
  /// The key's number in the session.
  public let handle: KeyHandle
  /// The recorder of its values.
  public let recorder: Recorder

  init(_ handle: KeyHandle, of recorder: Recorder) {
    (self.handle, self.recorder) = (handle, recorder)
  }

  /// Keeps one value.
  ///
  /// - Parameters:
  ///   - value: The value, in the key's unit.
  ///   - time: The instant.
  ///   - phase: The phase of the session.
  /// - Complexity: O(1). Under ``RecordingPolicy/live`` it takes some nanoseconds, without a lock, memory or
  ///   a call of the system.
  @inlinable
  public func record(_ value: Double, at time: Instant, phase: MotionPhase = .idle) {
    recorder.record(value, for: handle, at: time, phase: phase)
  }

  /// Keeps one value at the time of the call, ``Recorder/now``.
  public func record(_ value: Double, phase: MotionPhase = .idle) {
    recorder.record(value, for: handle, phase: phase)
  }
}
