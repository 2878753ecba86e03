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
  /// The progress of a transition, 0 old layout to 1 new layout. Its name is ``progressKeyName``.
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

/// The state that belongs to a whole frame of the display rather than to one element.
public struct FrameState: Hashable, Sendable {
  /// The display instant of the frame.
  public var time: Instant
  /// What the session was doing.
  public var phase: MotionPhase
  /// The transition's progress as it was given (it may leave 0 to 1). `nil` outside a transition.
  public var progress: Double?
  /// Content coordinates of the viewport's corner, in points.
  public var contentOffset: Point2D
  /// Extent of the whole content, in points.
  public var contentSize: Size2D
  /// When the frame's callbacks ran: what was heard up to then was known when the frame was made. `nil`: not known.
  public var began: Instant?
  /// Whether the frame was over before it could be read: then its time counts, and its elements are not its own.
  public var isUnread: Bool

  /// Makes a frame's state.
  public init(
    time: Instant, phase: MotionPhase, progress: Double?, contentOffset: Point2D,
    contentSize: Size2D, began: Instant? = nil, isUnread: Bool = false
  ) {
    self.time = time
    self.phase = phase
    self.progress = progress
    self.contentOffset = contentOffset
    self.contentSize = contentSize
    self.began = began
    self.isUnread = isUnread
  }
}

extension FrameState: ResultRow {
  package static let fields = makeFields()

  private static func makeFields() -> [ResultField<FrameState>] {
    [
      ResultField("t_ns", "The instant of the frame or sample.", \.time),
      ResultField("phase", "The phase: idle, driving or settling.", \.phase.rawValue),
      ResultField("progress", unit: "1", "The transition's progress, normally 0 to 1.", \.progress),
      ResultField("content_offset", unit: "pt", "The offset of the content.", \.contentOffset),
      ResultField("content_size", unit: "pt", "The content's width and height.", \.contentSize),
      ResultField("began_ns", "The instant when the frame's callbacks ran.", \.began),
      ResultField("unread", "Whether the frame ended before its elements were read.", \.isUnread),
    ]
  }

  /// The fields in front of an element's.
  package static let elementFields = Array(fields.prefix(4))
}
