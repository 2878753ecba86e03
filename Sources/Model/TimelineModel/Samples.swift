/// What a session is doing at a moment.
public enum MotionPhase: String, Hashable, Sendable, CaseIterable {
  /// No transition.
  case idle
  /// A gesture, a script or an app sets the values.
  case driving
  /// The rest of the way runs by itself.
  case settling
}

/// What a recorded key is.
public enum KeyRole: String, Hashable, Sendable, CaseIterable {
  /// The progress of a transition, 0 old layout to 1 new layout; its name is ``progressKeyName``.
  case progress
  /// A key that the transition layout animates (`updateValue(_:forAnimatedKey:)`).
  case animated
  /// A value that an app records on its own.
  case custom
}

/// The name under which every transition's progress is recorded.
public let progressKeyName = "progress"

/// One value of a key at a moment. The unit is the key's.
public struct Sample: Hashable, Sendable {
  /// When the value was set.
  public var time: Instant
  /// The value, in the key's unit.
  public var value: Double

  /// Makes a sample.
  public init(time: Instant, value: Double) {
    self.time = time
    self.value = value
  }
}

/// Phase of one touch sample.
public enum TouchPhase: String, Hashable, Sendable, CaseIterable {
  /// The contact landed.
  case began
  /// The contact reported a place.
  case moved
  /// The contact lifted.
  case ended
  /// The system took the contact away.
  case cancelled
}

/// One report of one contact, in the units of the device that recorded it.
public struct TouchSample: Hashable, Sendable {
  /// When it was reported; a recorded file counts from its first touch.
  public var time: Instant
  /// Number of the contact in the recording, counted from 0 in the order of landing.
  public var contact: Int
  /// The device's slot, where it has slots.
  public var slot: Int?
  /// The device's own id of the contact, where it has one.
  public var trackingID: Int?
  /// Landed, moved, lifted or taken away.
  public var phase: TouchPhase
  /// The place, in the recording's units (points after a scenario's `gesture.map`); y points down.
  public var position: Point2D
  /// Whether the system computed the place between two measured ones, as for a frame of the display.
  public var isResampled: Bool

  /// Makes a touch sample.
  public init(
    time: Instant, contact: Int, slot: Int? = nil, trackingID: Int? = nil, phase: TouchPhase,
    position: Point2D, isResampled: Bool = false
  ) {
    self.time = time
    self.contact = contact
    self.slot = slot
    self.trackingID = trackingID
    self.phase = phase
    self.position = position
    self.isResampled = isResampled
  }
}

/// The state that belongs to a whole frame of the display rather than to one element.
public struct FrameState: Hashable, Sendable {
  /// The display instant of the frame.
  public var time: Instant
  /// What the session was doing.
  public var phase: MotionPhase
  /// The transition's progress as it was given (it may leave 0 to 1); nil outside a transition.
  public var progress: Double?
  /// Content coordinates of the viewport's corner, in points.
  public var contentOffset: Point2D
  /// Extent of the whole content, in points.
  public var contentSize: Size2D

  /// Makes a frame's state.
  public init(
    time: Instant, phase: MotionPhase, progress: Double?, contentOffset: Point2D,
    contentSize: Size2D
  ) {
    self.time = time
    self.phase = phase
    self.progress = progress
    self.contentOffset = contentOffset
    self.contentSize = contentSize
  }
}
