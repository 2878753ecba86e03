import TimelineModel

/// Follows contacts through frames that each list all of them, by the kernel's multi-touch protocol
/// A. A contact is recognised by its id where the device gives one, else it is the nearest one of
/// the frame before.
struct ContactListTracker {
  /// Contacts of one frame that are distinguished. A further contact is left out.
  static let limit = 32

  private struct Contact {
    var number = 0
    var trackingID: Int?
    var x: Double?
    var y: Double?
  }

  private var contacts: [Contact] = []

  /// Whether any contact is down.
  var hasContacts: Bool { !contacts.isEmpty }

  /// Acts on the events of one frame.
  mutating func apply(_ frame: [KernelEvent], end: KernelEvent, to log: inout TouchLog) {
    guard let listed = Self.listed(in: frame, &log) else { return }
    let origins = origins(of: listed)
    for index in contacts.indices where !origins.contains(index) {
      append(contacts[index], .ended, end, to: &log)
    }
    var now: [Contact] = []
    for (origin, var contact) in zip(origins, listed) {
      if let origin {
        contact.number = contacts[origin].number
        contact.x = contact.x ?? contacts[origin].x
        contact.y = contact.y ?? contacts[origin].y
      } else {
        contact.number = log.nextContact()
      }
      append(contact, origin == nil ? .began : .moved, end, to: &log)
      now.append(contact)
    }
    contacts = now
  }

  /// The contacts that a frame lists. `nil` when it does not speak of contacts.
  private static func listed(in frame: [KernelEvent], _ log: inout TouchLog) -> [Contact]? {
    var listed: [Contact] = []
    var contact = Contact()
    var reportsContacts = false
    for event in frame {
      switch event.kind {
      case .positionX: contact.x = coordinate(Double(event.value))
      case .positionY: contact.y = coordinate(Double(event.value))
      case .trackingID: contact.trackingID = event.value < 0 ? nil : Int(event.value)
      case .touchButton where event.value == 0: reportsContacts = true
      case .contactEnd:
        reportsContacts = true
        // A list without any contact is one empty entry.
        if contact.x == nil && contact.y == nil { break }
        if listed.count < limit {
          listed.append(contact)
        } else {
          log.warn("A report lists more than \(limit) contacts. The further ones were left out.")
        }
        contact = Contact()
      default: break
      }
    }
    return reportsContacts ? listed : nil
  }

  /// For each listed contact its index in the frame before. `nil` when it is
  /// new. Without ids the nearest pairs are joined first.
  private func origins(of listed: [Contact]) -> [Int?] {
    var origins = [Int?](repeating: nil, count: listed.count)
    var isTaken = [Bool](repeating: false, count: contacts.count)
    var pairs: [(distance: Double, listed: Int, before: Int)] = []
    for (index, contact) in listed.enumerated() {
      for (before, known) in contacts.enumerated() {
        if let id = contact.trackingID {
          if known.trackingID == id { pairs.append((-1, index, before)) }
        } else if known.trackingID == nil {
          let dx = (contact.x ?? 0) - (known.x ?? 0)
          let dy = (contact.y ?? 0) - (known.y ?? 0)
          pairs.append((dx * dx + dy * dy, index, before))
        }
      }
    }
    pairs.sort { ($0.distance, $0.listed, $0.before) < ($1.distance, $1.listed, $1.before) }
    for pair in pairs where origins[pair.listed] == nil && !isTaken[pair.before] {
      origins[pair.listed] = pair.before
      isTaken[pair.before] = true
    }
    return origins
  }

  private func append(
    _ contact: Contact, _ phase: TouchPhase, _ end: KernelEvent, to log: inout TouchLog
  ) {
    log.append(
      .init(
        nanoseconds: end.nanoseconds, line: end.line, contact: contact.number,
        trackingID: contact.trackingID, phase: phase, x: contact.x, y: contact.y))
  }
}
