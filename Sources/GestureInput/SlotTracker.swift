import TimelineModel

/// Follows contacts through numbered slots, by the kernel's multi-touch protocol B
/// (Documentation/input/multi-touch-protocol.rst).
///
/// The current slot holds over frames, and a slot keeps its place over contacts, because the kernel
/// repeats neither. A device with one contact is read as one slot.
struct SlotTracker {
  /// Slots that can be told apart. Panels have ten or so. The limit keeps an absurd number from
  /// asking for memory.
  static let limit = 256
  /// What one driver was seen to print in place of -1 for a lift.
  private static let oddLift: Int32 = 0x7fff_ffff

  private struct Slot {
    /// The content of the slot.
    enum Holding {
      /// Nothing was heard of it yet. A place without an id is a contact from before the recording.
      case unknown
      case nothing
      case contact
    }

    var holding = Holding.unknown
    var contact = 0
    var trackingID: Int?
    var x: Double?
    var y: Double?
    /// Its changes in the frame at hand, in order.
    var changes: [Change] = []

    /// Adds a change at the slot's place.
    mutating func note(_ phase: TouchPhase) {
      changes.append(Change(phase: phase, trackingID: trackingID, x: x, y: y))
    }
  }

  private struct Change {
    var phase: TouchPhase
    var trackingID: Int?
    var x: Double?
    var y: Double?
  }

  private let isSingleTouch: Bool
  private var slots: [Slot] = [Slot()]
  /// The slot that the next events speak of. `nil` when the file left it unclear.
  private var current: Int? = 0

  init(language: TouchLanguage, firstButton: KernelEvent?) {
    isSingleTouch = language == .singleTouch
    // The place of a pen that hovers is not a touch: the button tells when it lands, unless the first
    // thing it tells is a lift.
    if isSingleTouch, firstButton?.value != 0 { slots[0].holding = .nothing }
  }

  /// Whether any contact is down.
  var hasContacts: Bool { slots.contains { $0.holding == .contact } }

  /// After dropped events a contact goes on as it was, as far as is known. Which slot is current is
  /// not known when several are in use.
  mutating func noteDroppedEvents() {
    if slots.count(where: { $0.holding == .contact }) > 1 { current = nil }
  }

  /// Acts on the events of one frame.
  mutating func apply(_ frame: [KernelEvent], end: KernelEvent, to log: inout TouchLog) {
    for event in frame { take(event, &log) }
    for index in slots.indices where !slots[index].changes.isEmpty {
      for change in slots[index].changes {
        if change.phase == .began { slots[index].contact = log.nextContact() }
        log.append(
          .init(
            nanoseconds: end.nanoseconds, line: end.line, contact: slots[index].contact,
            slot: isSingleTouch ? nil : index, trackingID: change.trackingID, phase: change.phase,
            x: change.x, y: change.y))
      }
      slots[index].changes.removeAll(keepingCapacity: true)
    }
  }

  private mutating func take(_ event: KernelEvent, _ log: inout TouchLog) {
    switch (event.kind, isSingleTouch) {
    case (.slot, false): select(event, &log)
    case (.trackingID, false):
      if event.value == Self.oddLift {
        log.warn("The tracking id 7fffffff was read as a lift.")
      }
      if event.value < 0 || event.value == Self.oddLift {
        lift()
      } else {
        land(Int(event.value))
      }
    case (.touchButton, true):
      // 2 is the repetition of a held key.
      if event.value == 0 { lift() } else if event.value == 1 { land(nil) }
    case (.positionX, false), (.singleX, true): place(event, isX: true, &log)
    case (.positionY, false), (.singleY, true): place(event, isX: false, &log)
    default: break
    }
  }

  private mutating func select(_ event: KernelEvent, _ log: inout TouchLog) {
    guard (0..<Int32(Self.limit)).contains(event.value) else {
      log.losses.add(
        line: event.line,
        "Unknown slot \(event.value). Its reports were left out.")
      current = nil
      return
    }
    let index = Int(event.value)
    while slots.count <= index { slots.append(Slot()) }
    current = index
  }

  private mutating func land(_ trackingID: Int?) {
    guard let index = current else { return }
    if slots[index].holding == .contact {
      if slots[index].trackingID == trackingID { return }
      if let last = slots[index].changes.last, last.phase == .began, last.trackingID == nil {
        // The place stood before the id in the contact's first frame.
        slots[index].trackingID = trackingID
        slots[index].changes[slots[index].changes.count - 1].trackingID = trackingID
        return
      }
      lift()
    }
    slots[index].holding = .contact
    slots[index].trackingID = trackingID
    slots[index].note(.began)
  }

  private mutating func lift() {
    guard let index = current else { return }
    if slots[index].holding == .contact {
      // A place in the frame of the lift is the place of the lift.
      if slots[index].changes.last?.phase == .moved { slots[index].changes.removeLast() }
      slots[index].note(.ended)
    }
    slots[index].holding = .nothing
    slots[index].trackingID = nil
  }

  private mutating func place(_ event: KernelEvent, isX: Bool, _ log: inout TouchLog) {
    guard let index = current else { return }
    guard let value = coordinate(Double(event.value)) else {
      log.losses.add(
        line: event.line, "The position \(event.value) is not on a panel. It was left out.")
      return
    }
    if isX { slots[index].x = value } else { slots[index].y = value }
    switch slots[index].holding {
    case .nothing: return
    case .unknown:
      log.warn("A contact was down before the recording began. It begins with its first report.")
      slots[index].holding = .contact
      slots[index].note(.began)
    case .contact:
      if let last = slots[index].changes.indices.last, slots[index].changes[last].phase != .ended {
        if isX {
          slots[index].changes[last].x = value
        } else {
          slots[index].changes[last].y = value
        }
      } else {
        slots[index].note(.moved)
      }
    }
  }
}
