/// Reads `getevent -lt` and `getevent -t`, with or without device paths, labels and numbers mixed.
///
/// Several devices may be interleaved. The one with multi-touch positions that moves first is read,
/// else the first whose touch button is pressed.
///
/// - Returns: The device's name, or its path where the tool gave no name.
func readGetevent(
  _ source: GestureSource, into log: inout TouchLog
) throws(GestureError) -> String? {
  var devices = InputDevices()
  var untimedLine: Int?
  for line in source.lines {
    if devices.isDescription(line.text) { continue }
    var rest = line.text
    while let text = nextEvent(&rest) {
      switch GeteventLine(text, line: line.number) {
      case .event(let event, let path): devices.append(event, path: path)
      case .untimed: untimedLine = untimedLine ?? line.number
      case nil: log.losses.add(line: line.number, unreadable(line, as: "event"))
      }
    }
  }
  if devices.touchDevice == nil, let untimedLine {
    throw source.error(
      .unsupported, line: untimedLine, "The events have no times. Record with getevent -lt.")
  }
  return devices.readTouches(into: &log)
}

/// Whether a line, or the first of its events, is an event of getevent.
func isGetevent(_ line: GestureSource.Line) -> Bool {
  var rest = line.text
  return nextEvent(&rest).map { GeteventLine($0, line: line.number) != nil } == true
}

/// Takes the next event off a line. `getevent -n` prints no line ends, so one line may hold all
/// events. Each begins with a bracket.
private func nextEvent(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  guard let first = rest.first else { return nil }
  let bracket = UInt8(ascii: "[")
  let end = first == bracket ? rest.dropFirst().firstIndex(of: bracket) : nil
  defer { rest = rest[(end ?? rest.endIndex)...] }
  return trimmed(rest[..<(end ?? rest.endIndex)])
}

/// One line of events: `[  12.345678] /dev/input/event2: EV_ABS ABS_MT_SLOT 00000001`.
enum GeteventLine {
  case event(KernelEvent, path: String)
  /// An event without a time, as getevent prints it without `-t`.
  case untimed

  init?(_ text: ArraySlice<UInt8>, line: Int) {
    var rest = text
    var time: Int64?
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
        let parsed = nanoseconds(fromSeconds: trimmed(rest[..<end].dropFirst()))
      else { return nil }
      time = parsed
      rest = rest[(end + 1)...]
    }
    var fields = words(rest)
    var path = ""
    if let first = fields.first, first.last == UInt8(ascii: ":") {
      path = shown(first.dropLast())
      fields.removeFirst()
    }
    // `-r` adds "rate N" after a report.
    if fields.count == 5, fields[3].elementsEqual("rate".utf8) { fields.removeLast(2) }
    guard fields.count == 3, let (kind, value) = Self.meaning(of: fields) else { return nil }
    guard let time else {
      self = .untimed
      return
    }
    self = .event(
      KernelEvent(nanoseconds: time, line: line, kind: kind, value: value), path: path)
  }

  /// Labels and numbers may stand side by side: an unknown code stays a number with `-l` too.
  private static func meaning(
    of fields: [ArraySlice<UInt8>]
  ) -> (kind: KernelEvent.Kind, value: Int32)? {
    let text = fields.map { String(decoding: $0, as: UTF8.self) }
    guard let kind = kind(type: text[0], code: text[1]) else { return nil }
    switch text[2] {
    case "UP": return (kind, 0)
    case "DOWN": return (kind, 1)
    case "REPEAT": return (kind, 2)
    case let value:
      if let bits = hexadecimal(value, digits: 8) { return (kind, Int32(bitPattern: bits)) }
      return kind == .other && isLabel(value) ? (kind, 0) : nil
    }
  }

  private static func kind(type: String, code: String) -> KernelEvent.Kind? {
    let number = hexadecimal(type, digits: 4)
    guard number != nil || isLabel(type) else { return nil }
    if isLabel(code) { return .init(label: code) }
    guard let code = hexadecimal(code, digits: 4) else { return nil }
    switch (number, type.filter { $0 != "_" }) {
    case (let number?, _): return .init(type: UInt16(number), code: UInt16(code))
    case (_, "EVSYN"): return .init(type: 0, code: UInt16(code))
    case (_, "EVKEY"): return .init(type: 1, code: UInt16(code))
    case (_, "EVABS"): return .init(type: 3, code: UInt16(code))
    default: return .other
    }
  }

  private static func hexadecimal(_ text: String, digits: Int) -> UInt32? {
    text.utf8.count == digits && text.first != "+" && text.first != "-"
      ? UInt32(text, radix: 16) : nil
  }

  /// The kernel's names all hold an underscore: EV_ABS, BTN_TOUCH, MT_TOOL_FINGER. Markdown takes it from some.
  private static func isLabel(_ text: String) -> Bool {
    (text.contains("_")
      || ["EV", "ABS", "SYN", "BTN", "KEY", "MSC"].contains { text.hasPrefix($0) })
      && text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      }
  }
}
