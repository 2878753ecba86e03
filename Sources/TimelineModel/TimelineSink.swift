/// A key's number in its session. Made by ``TimelineSink/keyHandle(for:role:unit:)``.
public struct KeyHandle: Hashable, Sendable {
  /// The number, counted from 0.
  public let rawValue: Int32

  /// Wraps a number that a sink gave out.
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// An element's number in its session. Made by ``TimelineSink/itemHandle(for:)``.
public struct ItemHandle: Hashable, Sendable {
  /// The number, counted from 0.
  public let rawValue: Int32

  /// Wraps a number that a sink gave out.
  public init(rawValue: Int32) { self.rawValue = rawValue }
}

/// Where a timeline goes: the only thing that the engine, or an app, knows of a recording.
///
/// Times are the caller's and may repeat or run backwards. What was given is what is kept. Numbers
/// that are not finite are refused by the sink with a warning event, and nothing throws: a sink
/// reports its own trouble when it is closed.
public protocol TimelineSink: AnyObject {
  /// The number of a key. The same name and role give the same number. Intern once, outside the
  /// frame loop. `unit` is free text ("pt", "1" for none) and kept from the first call.
  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle

  /// The number of an element. The same identity gives the same number.
  func itemHandle(for identity: ElementIdentity) -> ItemHandle

  /// Keeps one value of a key.
  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase)

  /// Opens a frame of the display. Poses recorded until ``endFrame()`` belong to it.
  func beginFrame(_ state: FrameState)

  /// Keeps one element's pose in the open frame.
  func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath)

  /// Closes the frame. An element of the frame before that got no pose in this one is gone.
  func endFrame()

  /// Keeps one report of a contact.
  func record(_ touch: TouchSample)

  /// Keeps an event.
  func record(_ event: TimelineEvent)

  /// Keeps a release decision.
  func record(_ decision: ReleaseDecision)

  /// Keeps what was estimated for one key at a release.
  func record(_ estimate: ReleaseEstimate)
}
