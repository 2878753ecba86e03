package import TimelineModel

/// Touches as a recording of evemu: a touch screen with numbered slots, and what it reported. Players of such files make
/// a device of it and send the same events through the kernel.
///
/// The format's places are whole units and its times whole microseconds. The first event is at 0.000001, as players pass
/// over the time before an event that follows one at 0.
package struct EvemuTouches: TouchFormat {
  package static let name = "evemu"
  package static let hasPanel = true

  /// Contacts that are down at once, at most. The kernel's panels have ten or so.
  private static let mostSlots = 256
  /// What `ABS_MT_TRACKING_ID` runs to in drivers of the kernel.
  private static let largestTrackingID = 65_535

  /// How far from a whole unit a place is rounded, in units: a factor such as 1/3 leaves that much of a whole number.
  private static let smallestError = 1e-6

  private enum Loss: CaseIterable {
    case resampled, notFinite, positions, times, backwards, outside, tooMany, cancels, openContacts
  }

  private struct Contact {
    var slot: Int
    var x: Int32
    var y: Int32
  }

  private struct Frame {
    var microseconds: Int64
    var events: [(type: Int, code: Int, value: Int32)]
  }

  private let map: PositionMap
  private let start: Instant
  private var down: [Int: Contact] = [:]
  private var slot = 0
  private var frames: [Frame] = []
  /// The highest slot that the last frame speaks of.
  private var lastSlot: Int?
  private var nextID: Int32 = 1
  private var slots = 10
  private var largestID = EvemuTouches.largestTrackingID
  private var bounds: (minimum: Point2D, maximum: Point2D) = (.zero, .zero)
  private var counts: [Loss: Int] = [:]
  private var worstPositionError = 0.0
  private var worstTime: Int64 = 0

  /// Writes touches. Those of one contact stay in their order. One that is earlier than the one before goes to the time
  /// of that.
  package static func write(
    _ touches: [TouchSample], map: PositionMap, panel: Size2D?,
    to output: @escaping ([UInt8]) throws -> Void
  ) throws -> [String] {
    let fits = { (number: Double) in abs(number) <= Double(Int32.max) }
    let kept = touches.filter {
      let point = map($0.position)
      return !$0.isResampled && fits(point.x) && fits(point.y)
    }
    var latest: [Int: Instant] = [:]
    let forward = kept.map { touch in
      var touch = touch
      touch.time = max(touch.time, latest[touch.contact] ?? touch.time)
      latest[touch.contact] = touch.time
      return touch
    }
    // Swift's sort keeps the order of equals.
    let sorted = forward.sorted { $0.time < $1.time }
    var writer = EvemuTouches(map: map, start: sorted.first?.time ?? .zero)
    writer.counts[.resampled] = touches.count { $0.isResampled }
    writer.counts[.notFinite] = touches.count - kept.count - (writer.counts[.resampled] ?? 0)
    writer.counts[.backwards] = zip(kept, forward).count { $0.time != $1.time }
    for touch in sorted { writer.put(touch, panel) }
    writer.counts[.openContacts] = writer.down.count
    let text = ExportText(output)
    writer.putHead(to: text, panel)
    for frame in writer.frames {
      for event in frame.events + [(0, 0, 0)] {
        text.put(writer.line(event, at: frame.microseconds))
      }
      try text.check()
    }
    try text.finish()
    return writer.losses(of: sorted.count)
  }

  private init(map: PositionMap, start: Instant) { (self.map, self.start) = (map, start) }

  private mutating func put(_ touch: TouchSample, _ panel: Size2D?) {
    let nanoseconds = touch.time.nanoseconds(since: start)
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    let microseconds = whole + (rest >= 500 ? 1 : 0)
    let timeError = min(rest, 1000 - rest)
    worstTime = max(worstTime, timeError)
    if timeError > 0 { counts[.times, default: 0] += 1 }
    let isLift = touch.phase == .ended || touch.phase == .cancelled
    guard var contact = down[touch.contact] ?? (isLift ? nil : landing(of: touch)) else { return }
    let isNew = down[touch.contact] == nil
    if !isNew, touch.phase == .began {
      // It has not lifted as far as is known.
      lift(touch.contact, contact, at: microseconds)
      down[touch.contact] = nil
      return put(touch, panel)
    }
    let point = map(touch.position)
    let (x, y) = (Int32(point.x.rounded()), Int32(point.y.rounded()))
    let isElsewhere = isNew || (x, y) != (contact.x, contact.y)
    let positionError = max(abs(point.x - Double(x)), abs(point.y - Double(y)))
    if positionError > Self.smallestError, !isLift || isElsewhere {
      counts[.positions, default: 0] += 1
      worstPositionError = max(worstPositionError, positionError)
    }
    note(x, y, panel)
    begin(contact.slot, at: microseconds)
    if isNew { add(3, 0x39, trackingID(of: touch)) }
    if !isLift || isElsewhere {
      add(3, 0x35, x)
      add(3, 0x36, y)
    }
    (contact.x, contact.y) = (x, y)
    if isNew, down.isEmpty { add(1, 0x14a, 1) }
    down[touch.contact] = contact
    if isLift {
      if touch.phase == .cancelled { counts[.cancels, default: 0] += 1 }
      end(touch.contact)
    }
  }

  /// Lifts a contact that is down, where it is.
  private mutating func lift(_ number: Int, _ contact: Contact, at microseconds: Int64) {
    begin(contact.slot, at: microseconds)
    end(number)
  }

  private mutating func end(_ number: Int) {
    add(3, 0x39, -1)
    down[number] = nil
    if down.isEmpty { add(1, 0x14a, 0) }
  }

  /// The slot for a contact that lands: its own, where that is free, else the lowest free one. `nil` where none is.
  private mutating func landing(of touch: TouchSample) -> Contact? {
    let taken = Set(down.values.map(\.slot))
    let free = { (slot: Int) in (0..<Self.mostSlots).contains(slot) && !taken.contains(slot) }
    guard
      let slot = touch.slot.flatMap({ free($0) ? $0 : nil })
        ?? (0..<Self.mostSlots).first(where: free)
    else {
      counts[.tooMany, default: 0] += 1
      return nil
    }
    slots = max(slots, slot + 1)
    return Contact(slot: slot, x: 0, y: 0)
  }

  private mutating func trackingID(of touch: TouchSample) -> Int32 {
    if let id = touch.trackingID.flatMap(Int32.init(exactly:)), id >= 0, id < Int32.max {
      largestID = max(largestID, Int(id))
      return id
    }
    defer { nextID = nextID == Int32(Self.largestTrackingID) ? 1 : nextID + 1 }
    return nextID
  }

  /// Begins a frame, where the last one is of another time or speaks of this slot, or of one behind it, already: who
  /// reads a frame takes its slots in order, and each once.
  private mutating func begin(_ slot: Int, at microseconds: Int64) {
    if frames.last?.microseconds != microseconds || lastSlot.map({ $0 >= slot }) == true {
      frames.append(Frame(microseconds: microseconds, events: []))
    }
    lastSlot = slot
    if slot != self.slot { add(3, 0x2f, Int32(slot)) }
    self.slot = slot
  }

  private mutating func add(_ type: Int, _ code: Int, _ value: Int32) {
    frames[frames.count - 1].events.append((type, code, value))
  }

  private mutating func note(_ x: Int32, _ y: Int32, _ panel: Size2D?) {
    let (x, y) = (Double(x), Double(y))
    bounds.minimum = Point2D(x: min(bounds.minimum.x, x), y: min(bounds.minimum.y, y))
    bounds.maximum = Point2D(x: max(bounds.maximum.x, x), y: max(bounds.maximum.y, y))
    if let panel, !(0..<panel.width).contains(x) || !(0..<panel.height).contains(y) {
      counts[.outside, default: 0] += 1
    }
  }
}

extension EvemuTouches {
  /// The device's description: its name, its properties, what it can report (`B:`, without which a player makes a device
  /// that cannot be touched) and its axes.
  private func putHead(to text: ExportText, _ panel: Size2D?) {
    text.put("# EVEMU 1.3\n# Made by kymo export\nN: kymograph touch screen\n")
    // Bus 6 is the virtual one. Property 1 is INPUT_PROP_DIRECT.
    text.put("I: 0006 0000 0000 0001\nP: 02 00 00 00 00 00 00 00\n")
    let axes = [0x00, 0x01, 0x2f, 0x35, 0x36, 0x39]
    for (type, codes, count) in [
      (0, [0, 1, 3], 64), (1, [0x14a], 768), (2, [], 64), (3, axes, 64),
    ] {
      for line in stride(from: 0, to: count, by: 64) {
        let bytes = (0..<8).map { byte in
          codes.reduce(0) { $0 | ($1 / 8 == line / 8 + byte ? 1 << ($1 % 8) : 0) }
        }
        text.put("B: " + ([type] + bytes).map { hexadecimal($0, digits: 2) }.joined(separator: " "))
        text.put("\n")
      }
    }
    let size = panel.map { Point2D(x: $0.width - 1, y: $0.height - 1) } ?? bounds.maximum
    let origin = panel == nil ? bounds.minimum : .zero
    for axis in axes {
      let range: (Double, Double) =
        switch axis {
        case 0x00, 0x35: (origin.x, size.x)
        case 0x01, 0x36: (origin.y, size.y)
        case 0x2f: (0, Double(slots - 1))
        default: (0, Double(largestID))
        }
      text.put("A: \(hexadecimal(axis, digits: 2)) \(Int(range.0)) \(Int(range.1)) 0 0 0\n")
    }
  }

  /// `E: 0.008334 0003 0035 541`.
  private func line(_ event: (type: Int, code: Int, value: Int32), at microseconds: Int64) -> String
  {
    let (seconds, rest) = (microseconds + 1).quotientAndRemainder(dividingBy: 1_000_000)
    let digits = String(rest)
    return "E: \(seconds)." + String(repeating: "0", count: 6 - digits.count) + digits
      + " \(hexadecimal(event.type, digits: 4)) \(hexadecimal(event.code, digits: 4)) \(event.value)\n"
  }

  private func hexadecimal(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  private func losses(of total: Int) -> [String] {
    Loss.allCases.compactMap { loss in
      let count = counts[loss, default: 0]
      guard count > 0 else { return nil }
      func counted(_ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
      }
      switch loss {
      case .resampled:
        return
          "\(counted("touch was", "touches were")) computed between two measured ones and left out"
      case .notFinite:
        return
          "\(counted("position is", "positions are")) not finite or beyond 32 bits, and left out"
      case .positions:
        return
          "\(counted("position", "positions")) of \(total) \(count == 1 ? "was" : "were") rounded to whole units, "
          + "by up to \(FieldValue.jsonNumber((worstPositionError * 10_000).rounded(.up) / 10_000)). "
          + "A larger scale loses less"
      case .times:
        return
          "\(counted("time", "times")) of \(total) \(count == 1 ? "was" : "were") rounded to whole "
          + "microseconds, by up to \(worstTime) ns"
      case .backwards:
        return
          "\(counted("touch is", "touches are")) earlier than the touch before of the same contact, and "
          + "\(count == 1 ? "was" : "were") written at its time"
      case .outside:
        return
          "\(counted("position is", "positions are")) outside the panel, and a player may refuse them"
      case .tooMany:
        return
          "\(counted("touch was", "touches were")) left out, as more than \(Self.mostSlots) contacts are down"
      case .cancels:
        return
          "\(counted("contact was", "contacts were")) cancelled. evemu has no cancel, so a lift was written"
      case .openContacts:
        return
          "\(counted("contact stays", "contacts stay")) down at the end, pressed"
      }
    }
  }
}
