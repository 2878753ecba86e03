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
  /// When it was reported. A recorded file counts from its first touch.
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
  /// When a pointer handler of the program was told of this place. `nil`: not known.
  public var heard: Instant?
  /// When a touch handler of the program was told of it. `nil`: not known, or none was told. A browser keeps small
  /// moves from touch handlers.
  public var touchHeard: Instant?

  /// Makes a touch sample.
  public init(
    time: Instant, contact: Int, slot: Int? = nil, trackingID: Int? = nil, phase: TouchPhase,
    position: Point2D, isResampled: Bool = false, heard: Instant? = nil, touchHeard: Instant? = nil
  ) {
    self.time = time
    self.contact = contact
    self.slot = slot
    self.trackingID = trackingID
    self.phase = phase
    self.position = position
    self.isResampled = isResampled
    self.heard = heard
    self.touchHeard = touchHeard
  }
}

extension TouchSample {
  /// Whether it says where its contact is. Every landing and move does. An end does if its place is another one than
  /// the place before, and is known.
  package func reportsPosition(after last: Point2D?) -> Bool {
    if phase == .began || phase == .moved { return true }
    return last.map { position.isFinite && position != $0 } ?? false
  }
}

extension TouchSample: ResultRow {
  package static let fields = makeFields()

  private static func makeFields() -> [ResultField<TouchSample>] {
    [
      ResultField("t_ns", "The instant of the touch.", \.time),
      ResultField("contact", "The number of the finger, counted from 0.", \.contact),
      ResultField("slot", "The device's slot for the finger.", \.slot),
      ResultField("tracking_id", "The device's own id of the finger.", \.trackingID),
      ResultField("phase", "The phase: began, moved, ended or cancelled.", \.phase.rawValue),
      ResultField("x", "The horizontal position, in the recording's unit.", \.position.x),
      ResultField("y", "The vertical position, downwards, in the recording's unit.", \.position.y),
      ResultField("resampled", "Whether the system computed the touch for a frame.", \.isResampled),
      ResultField("heard_ns", "When a pointer handler received the touch.", \.heard),
      ResultField(
        "touch_heard_ns", "When a touch handler received the touch.", \.touchHeard),
    ]
  }
}
