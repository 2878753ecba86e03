/// Reads the output of `evtest`, the commonest paste in reports of bugs: `Event: time S.U, type T (…), code C (…), value V`
/// and a line of dashes at the end of each report. Python's `evdev.evtest` prints the same without `Event:`.
///
/// - Returns: The device's name, where the head has been copied too.
func readEvtest(
  _ source: GestureSource, into log: inout TouchLog
) throws(GestureError) -> String? {
  var events: [KernelEvent] = []
  var device: String?
  var lines = PastedLines(source) { isEvtest($0) || $0.starts(with: deviceHeading.utf8) }
  while let (line, event) = lines.read({ text in
    text.starts(with: deviceHeading.utf8) ? .some(nil) : evtestEvent(text).map(Optional.some)
  }) {
    switch event {
    case .some(.some(var event)):
      event.line = line.number
      events.append(event)
    case .some(nil): device = device ?? deviceName(line)
    case nil: log.losses.add(line: line.number, unreadable(line, as: "event"))
    }
  }
  readTouches(from: events, into: &log)
  log.resolutions = evtestResolutions(source)
  return device
}

/// What stands before the device's name.
private let deviceHeading = "Input device name:"

private func deviceName(_ line: GestureSource.Line) -> String {
  let name = unquoted(line.text).dropFirst(deviceHeading.utf8.count)
  return shown(trimmed(name.filter { $0 != UInt8(ascii: "\"") }[...]))
}

/// The device's name in a heading.
func evtestDevice(_ heading: GestureSource) -> String? {
  heading.lines.first { unquoted($0.text).starts(with: deviceHeading.utf8) }.map(deviceName)
}

/// The resolutions of the heading: `Event code 53 (ABS_MT_POSITION_X)` below `Event type 3 (EV_ABS)`, and some lines on
/// `Resolution 16`. Python's `evdev.evtest` prints `Code ABS_X 0:` below `Type EV_ABS 3:`, and then one line that ends
/// with `res 16`.
func evtestResolutions(_ source: GestureSource) -> AxisResolutions {
  var resolutions = AxisResolutions()
  var (isAxis, axis) = (false, UInt16?.none)
  for line in source.lines {
    let fields = words(unquoted(line.text), without: ",:".utf8)
      .map { String(decoding: $0, as: UTF8.self) }
    if fields.count > 6, fields[0] == "Event", fields[1] == "time" { break }
    switch (fields.first, fields.dropFirst().first) {
    case ("Event", "type"): (isAxis, axis) = (fields.contains("3"), nil)
    case ("Type", _): (isAxis, axis) = (fields.last == "3", nil)
    case ("Event", "code"): axis = isAxis && fields.count > 2 ? UInt16(fields[2]) : nil
    case ("Code", _): axis = isAxis ? fields.last.flatMap { UInt16($0) } : nil
    default:
      guard let axis, let name = fields.firstIndex(where: { ["Resolution", "res"].contains($0) }),
        name + 1 < fields.count, let units = Int(fields[name + 1])
      else { continue }
      resolutions.note(units, of: axis)
    }
  }
  return resolutions
}

/// Whether a line is an event of evtest, at least at its beginning.
func isEvtest(_ line: ArraySlice<UInt8>) -> Bool { afterTime(unquoted(line)) != nil }

/// The words behind `Event: time`, of which the first is the time.
private func afterTime(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  for start in ["Event: time ", "time "] where text.starts(with: start.utf8) {
    let rest = text.dropFirst(start.utf8.count)
    // The second form is a common word. After it comes a time, and then a type or a sign.
    guard start == "time " else { return rest }
    let fields = words(rest)
    guard fields.count > 1, time(fields[0]) != nil,
      fields[1].elementsEqual("type".utf8) || "-+>".utf8.contains(fields[1].first ?? 0)
    else { return nil }
    return rest
  }
  return nil
}

/// An event whose line is not known yet.
func evtestEvent(_ text: ArraySlice<UInt8>) -> KernelEvent? {
  guard let rest = afterTime(text) else { return nil }
  let fields = words(rest, without: ",".utf8)
  guard fields.count > 1, let time = time(fields[0]) else { return nil }
  func event(_ kind: KernelEvent.Kind, _ value: Int32 = 0) -> KernelEvent {
    KernelEvent(nanoseconds: time, line: 0, kind: kind, value: value)
  }
  switch fields[1].first {
  // The signs are as old as the program. The names between them have changed: SYN_REPORT, EV_SYN, Report Sync.
  case UInt8(ascii: "-"):
    let name = fields.dropFirst(2).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
    switch name.uppercased() {
    case "": return nil
    case "SYN_CONFIG", "CONFIG": return event(.other)
    case "SYN_DROPPED": return event(.dropped)
    case "SYN_MT_REPORT": return event(.contactEnd)
    default: return event(.frameEnd)
    }
  case UInt8(ascii: "+"): return event(.contactEnd)
  case UInt8(ascii: ">"): return event(.dropped)
  default: break
  }
  guard let type = number(after: "type", in: fields).flatMap({ UInt16($0) }),
    let code = number(after: "code", in: fields).flatMap({ UInt16($0) }),
    let value = number(after: "value", in: fields)
  else { return nil }
  // Scan codes are printed in hexadecimal.
  let isMiscellaneous = type == 4
  guard let number = isMiscellaneous ? 0 : Int32(value) else { return nil }
  return event(.init(type: type, code: code), number)
}

private func time(_ field: ArraySlice<UInt8>) -> Int64? {
  nanoseconds(fromSeconds: field.last == UInt8(ascii: ",") ? field.dropLast() : field)
}

private func number(after word: String, in fields: [ArraySlice<UInt8>]) -> String? {
  guard let index = fields.firstIndex(where: { $0.elementsEqual(word.utf8) }),
    index + 1 < fields.count
  else { return nil }
  return String(decoding: fields[index + 1], as: UTF8.self)
}
