import TimelineModel

/// How many of the pointers' events that were sent have come to the page's thread.
final class PointerReports {
  private let page: PageSession
  private var (sent, come) = (0, 0)
  /// Whether the page can count them.
  private var areCounted = true
  /// The fingers that are down, and where.
  private var fingers: [Int: Point2D] = [:]

  /// How long a report may take to the page's thread, and what it usually takes at most.
  private static let (limit, usualWay) = (Duration.milliseconds(500), Duration.milliseconds(4))

  init(_ page: PageSession) { self.page = page }

  /// Counts an event that was sent.
  func count(_ input: PlannedInput) {
    switch input.event {
    case .mouse: sent += 1
    case .touch(.began, let contacts), .touch(.moved, let contacts):
      // A finger that stays where it was has no event.
      for contact in contacts {
        if fingers.updateValue(contact.place, forKey: contact.number) != contact.place { sent += 1 }
      }
    case .touch(.ended, let contacts), .touch(.cancelled, let contacts):
      sent += contacts.isEmpty ? fingers.count : contacts.count
      let lifted = contacts.isEmpty ? Array(fingers.keys) : contacts.map(\.number)
      for number in lifted { fingers[number] = nil }
    case .wheel, .key: break
    }
  }

  /// Waits until the page's thread has got all that was sent: how long a report takes on its way must not decide which
  /// frame shows it.
  ///
  /// - Parameter ask: Asks the page.
  /// - Returns: Whether the browser has taken a pointer from the page, and then goes on by a clock of its own.
  func areTaken(
    _ ask: (_ expression: String) throws(BrowserError) -> ProtocolObject
  ) throws(BrowserError) -> Bool {
    guard sent > come else { return false }
    let end = ContinuousClock.now + Self.limit
    while areCounted, come < sent {
      let answer = try ask("kymoPage.reports()")
      if answer.flag("isTaken") == true {
        come = sent
        return true
      }
      let count = answer.integer("count") ?? -1
      come = max(come, count)
      // A page that has lost the pointer, or has it in a frame of its own, gets no more.
      areCounted = count >= 0 && ContinuousClock.now < end
    }
    if !areCounted {
      try page.connection.read(for: Self.usualWay)
      come = sent
    }
    return false
  }
}
