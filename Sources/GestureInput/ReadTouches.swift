/// Reads the touches out of one device's events.
func readTouches(from events: [KernelEvent], into log: inout TouchLog) {
  var habits = DeviceHabits()
  for event in events { habits.note(event) }
  var reader = TouchReader(habits)
  for event in events { reader.take(event, into: &log) }
  reader.finish(&log)
}

/// Makes touches of one device's events, one after the other.
///
/// Events come in frames. A frame ends with a report, has the report's time and acts as a whole.
struct TouchReader {
  private let language: TouchLanguage
  private var slots: SlotTracker
  private var contactLists = ContactListTracker()
  private var frame: [KernelEvent] = []
  private var isDropping = false

  /// - Parameter habits: What all of the events say of the device.
  init(_ habits: DeviceHabits) {
    language = habits.language
    slots = SlotTracker(language: language, firstButton: habits.firstButton)
  }

  mutating func take(_ event: KernelEvent, into log: inout TouchLog) {
    switch event.kind {
    case .dropped:
      log.losses.add(line: event.line, "The kernel dropped events here. The touches have a gap.")
      slots.noteDroppedEvents()
      frame.removeAll()
      isDropping = true
    case .frameEnd where isDropping:
      frame.removeAll()
      isDropping = false
    case .frameEnd:
      switch language {
      case .slots, .singleTouch: slots.apply(frame, end: event, to: &log)
      case .contactLists: contactLists.apply(frame, end: event, to: &log)
      }
      frame.removeAll(keepingCapacity: true)
    default:
      if !isDropping { frame.append(event) }
    }
  }

  /// Notes what the end of the events leaves open.
  func finish(_ log: inout TouchLog) {
    if let last = frame.last {
      log.losses.add(
        line: last.line,
        "The file ends in the middle of a report. "
          + (frame.count == 1
            ? "Its last event was left out." : "Its last \(frame.count) events were left out."))
    }
    log.hasOpenContacts = slots.hasContacts || contactLists.hasContacts
  }
}

/// How a device speaks of its contacts.
enum TouchLanguage {
  /// Numbered slots that keep their contact until it ends: type B of the kernel's multi-touch
  /// protocol.
  case slots
  /// Every frame lists all contacts: type A.
  case contactLists
  /// One contact: two axes and a touch button.
  case singleTouch
}

/// What all events of a device say of how it speaks of its contacts.
struct DeviceHabits {
  private var kinds: Set<KernelEvent.Kind> = []
  private var contactsInFrame = 0
  private var mostContacts = 0
  /// The first event of the touch button. `nil`: there is none.
  private(set) var firstButton: KernelEvent?

  mutating func note(_ event: KernelEvent) {
    switch event.kind {
    case .contactEnd:
      contactsInFrame += 1
      mostContacts = max(mostContacts, contactsInFrame)
    case .frameEnd: contactsInFrame = 0
    case .touchButton: firstButton = firstButton ?? event
    default: break
    }
    kinds.insert(event.kind)
  }

  var language: TouchLanguage {
    let reportsOneTouch =
      kinds.contains(.touchButton) && (kinds.contains(.singleX) || kinds.contains(.singleY))
    if kinds.contains(.contactEnd) && !kinds.contains(.slot) {
      return mostContacts < 2 && reportsOneTouch ? .singleTouch : .contactLists
    }
    return kinds.contains(.slot) || kinds.contains(.trackingID) || !reportsOneTouch
      ? .slots : .singleTouch
  }
}
