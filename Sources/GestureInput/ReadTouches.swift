/// Reads the touches out of one device's events.
///
/// Events come in frames. A frame ends with a report, has the report's time and acts as a whole.
func readTouches(from events: [KernelEvent], into log: inout TouchLog) {
  let language = TouchLanguage(of: events)
  var slots = SlotTracker(language: language, firstButton: events.first { $0.kind == .touchButton })
  var contactLists = ContactListTracker()
  var frame: [KernelEvent] = []
  var isDropping = false
  for event in events {
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
  if let last = frame.last {
    log.losses.add(
      line: last.line,
      "The file ends in the middle of a report. Its last \(frame.count) events were left out.")
  }
  log.hasOpenContacts = slots.hasContacts || contactLists.hasContacts
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

  init(of events: [KernelEvent]) {
    var kinds: Set<KernelEvent.Kind> = []
    var contactsInFrame = 0
    var mostContacts = 0
    for event in events {
      kinds.insert(event.kind)
      switch event.kind {
      case .contactEnd: contactsInFrame += 1
      case .frameEnd: contactsInFrame = 0
      default: break
      }
      mostContacts = max(mostContacts, contactsInFrame)
    }
    let reportsOneTouch =
      kinds.contains(.touchButton) && (kinds.contains(.singleX) || kinds.contains(.singleY))
    if kinds.contains(.contactEnd) && !kinds.contains(.slot) {
      self = mostContacts < 2 && reportsOneTouch ? .singleTouch : .contactLists
    } else if kinds.contains(.slot) || kinds.contains(.trackingID) || !reportsOneTouch {
      self = .slots
    } else {
      self = .singleTouch
    }
  }
}
