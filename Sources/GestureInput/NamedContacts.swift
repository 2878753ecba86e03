import TimelineModel

/// Follows contacts in formats where every row names its contact and its phase.
struct NamedContacts {
  /// Contacts that are down at once. Further ones are left out. As many as there are slots of a device.
  static let limit = SlotTracker.limit

  private let noun: String
  private var open: [String: (contact: Int, last: TouchLog.Touch)] = [:]

  /// - Parameter noun: The words before a contact's name in a sentence.
  init(noun: String = "Contact") { self.noun = noun }

  /// A contact in a sentence, which may have no name.
  private func name(_ id: String) -> String {
    id.isEmpty ? noun == "Contact" ? "The contact" : noun : "\(noun) \(id)"
  }

  /// Whether any contact is down.
  var hasContacts: Bool { !open.isEmpty }

  func isDown(_ id: String) -> Bool { open[id] != nil }

  /// Whether the row lifts the only contact that is down.
  func isLastLift(_ row: TouchLog.Touch, id: String) -> Bool {
    open.count == 1 && open[id] != nil && (row.phase == .ended || row.phase == .cancelled)
  }

  /// Takes one row. A row for a contact that never began starts one. A lift without a beginning is
  /// a loss. A second beginning ends the contact before it.
  ///
  /// - Parameters:
  ///   - row: The row, with whatever contact number.
  ///   - id: The contact's name in the file.
  ///   - log: Where it goes.
  mutating func take(_ row: TouchLog.Touch, id: String, to log: inout TouchLog) {
    var row = row
    if open.count >= Self.limit, open[id] == nil, row.phase == .began || row.phase == .moved {
      log.losses.add(
        line: row.line,
        "More than \(Self.limit) contacts are down. The row was left out."
      )
      return
    }
    switch (row.phase, open[id]) {
    case (.began, let before?):
      var end = before.last
      end.phase = .ended
      end.nanoseconds = row.nanoseconds
      end.line = row.line
      log.append(end)
      log.warn("\(name(id)) begins again in line \(row.line) before it ended.")
      row.contact = log.nextContact()
    case (.began, nil):
      row.contact = log.nextContact()
    case (.moved, nil):
      log.warn(
        "\(name(id)) moves in line \(row.line) before it began. It begins there.")
      row.phase = .began
      row.contact = log.nextContact()
    case (.ended, nil), (.cancelled, nil):
      log.losses.add(
        line: row.line, "\(name(id)) ends before it began. It was left out.")
      return
    case (_, let known?):
      row.contact = known.contact
    }
    log.append(row)
    let isOver = row.phase == .ended || row.phase == .cancelled
    open[id] = isOver ? nil : (row.contact, row)
  }
}
