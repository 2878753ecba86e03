package import TimelineModel

/// Touches as calls of Chromium's DevTools protocol, one JSON object a line: when, counted from the first touch, and
/// `method` and `params` of `Input.dispatchTouchEvent`.
///
/// Who plays them sends each line at its time, with that time as `timestamp`, in seconds since 1970, and waits for no
/// answer: the page then has every place at its own time, however late a line is sent.
package struct DevToolsTouches: TouchFormat {
  package static let name = "cdp"
  package static let hasPanel = false

  private enum Loss: CaseIterable {
    case resampled, notFinite, liftPositions, singleCancels, openContacts
  }

  private let map: PositionMap
  private let text: ExportText
  private let start: Instant
  /// The contacts that are down, where the page has them.
  private var down: [Int: Point2D] = [:]
  private var counts: [Loss: Int] = [:]

  /// Writes touches. Of times that run backwards the earlier go first. The format has no panel.
  package static func write(
    _ touches: [TouchSample], map: PositionMap, panel: Size2D? = nil,
    to output: @escaping ([UInt8]) throws -> Void
  ) throws -> [String] {
    let kept = touches.filter {
      let point = map($0.position)
      return !$0.isResampled && point.x.isFinite && point.y.isFinite
    }
    // Swift's sort keeps the order of equals.
    let sorted = kept.sorted { $0.time < $1.time }
    var writer = DevToolsTouches(map, ExportText(output), start: sorted.first?.time ?? .zero)
    writer.counts[.resampled] = touches.count { $0.isResampled }
    writer.counts[.notFinite] = touches.count - kept.count - writer.count(.resampled)
    var rest = sorted[...]
    while let first = rest.first {
      let report = rest.prefix { $0.time == first.time }
      writer.put(report)
      rest = rest[report.endIndex...]
      try writer.text.check()
    }
    writer.counts[.openContacts] = writer.down.count
    try writer.text.finish()
    return writer.losses
  }

  private init(_ map: PositionMap, _ text: ExportText, start: Instant) {
    (self.map, self.text, self.start) = (map, text, start)
  }

  /// Writes the touches of one instant.
  private mutating func put(_ report: ArraySlice<TouchSample>) {
    let cancelled = Set(report.filter { $0.phase == .cancelled }.map(\.contact))
    var moved: Set<Int> = []
    for touch in report {
      let isDown = down[touch.contact] != nil
      let isPosition = touch.phase == .began || touch.phase == .moved
      // Moves of one instant are one event, unless a contact moves twice.
      if touch.phase != .moved || !isDown || moved.contains(touch.contact) {
        flush(&moved, at: touch.time)
      }
      switch touch.phase {
      case .moved where isDown: moved.insert(touch.contact)
      case .began, .moved:
        // One that has not lifted lifts now, one whose landing is not known lands now.
        if isDown { lift(touch.contact, at: touch.time) }
      case .ended:
        if isDown, down[touch.contact] != map(touch.position) {
          counts[.liftPositions, default: 0] += 1
        }
        lift(touch.contact, at: touch.time)
      case .cancelled where isDown:
        // The protocol cancels all contacts or none.
        if cancelled.isSuperset(of: down.keys) {
          down = [:]
          put("touchCancel", [], at: touch.time)
        } else {
          counts[.singleCancels, default: 0] += 1
          lift(touch.contact, at: touch.time)
        }
      case .cancelled: break
      }
      guard isPosition else { continue }
      down[touch.contact] = map(touch.position)
      if moved.isEmpty { put("touchStart", Array(down.keys), at: touch.time) }
    }
    if let time = report.first?.time { flush(&moved, at: time) }
  }

  private func flush(_ moved: inout Set<Int>, at time: Instant) {
    if !moved.isEmpty { put("touchMove", Array(down.keys), at: time) }
    moved = []
  }

  /// Lifts a contact that is down. One of several is named in the event. The last one is not.
  private mutating func lift(_ contact: Int, at time: Instant) {
    guard down[contact] != nil else { return }
    put("touchEnd", down.count > 1 ? [contact] : [], at: time)
    down[contact] = nil
  }

  private func put(_ kind: StaticString, _ contacts: [Int], at time: Instant) {
    text.put("{\"t_ns\":")
    text.put(time.nanoseconds(since: start))
    text.put(
      ",\"method\":\"Input.dispatchTouchEvent\",\"params\":{\"type\":\"\(kind)\",\"touchPoints\":[")
    for (number, contact) in contacts.sorted().enumerated() {
      guard let point = down[contact] else { continue }
      text.put(number == 0 ? "{\"x\":" : ",{\"x\":")
      text.put(point.x)
      text.put(",\"y\":")
      text.put(point.y)
      text.put(",\"id\":\(contact)}")
    }
    text.put("]}}\n")
  }

  private func count(_ loss: Loss) -> Int { counts[loss, default: 0] }

  private var losses: [String] {
    Loss.allCases.compactMap { loss in
      let count = count(loss)
      func counted(_ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
      }
      guard count > 0 else { return nil }
      switch loss {
      case .resampled:
        return "\(counted("touch was", "touches were")) computed between two measured ones and "
          + "left out. The receiver computes its own"
      case .notFinite:
        return "\(counted("position is", "positions are")) not finite and left out"
      case .liftPositions:
        return "\(counted("contact lifts", "contacts lift")) at another position than its last "
          + "one, which DevTools cannot say. It lifts at its last one"
      case .singleCancels:
        return "\(counted("contact was", "contacts were")) cancelled while others stayed, which "
          + "DevTools cannot say. It lifts"
      case .openContacts:
        return "\(counted("contact stays", "contacts stay")) down at the end. A page that receives "
          + "these touches waits for a lift"
      }
    }
  }
}
