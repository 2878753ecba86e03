import TimelineModel

/// Reads `evemu-record` output: `N:` the device's name, `E:` an event with decimal seconds, type and
/// code in hexadecimal and the value in decimal.
///
/// - Returns: The device's name.
func readEvemu(
  _ source: GestureSource, into log: inout TouchLog
) throws(GestureError) -> String? {
  var device: String?
  var events: [KernelEvent] = []
  for line in source.lines {
    switch (line.text.first, line.text.dropFirst().first) {
    case (UInt8(ascii: "#"), _): continue
    case (UInt8(ascii: "N"), UInt8(ascii: ":")):
      device = shown(trimmed(line.text.dropFirst(2)))
    case (UInt8(ascii: "E"), UInt8(ascii: ":")):
      if let event = evemuEvent(line) {
        events.append(event)
      } else {
        log.losses.add(line: line.number, unreadable(line, as: "event"))
      }
    case (UInt8(ascii: "A"), UInt8(ascii: ":")):
      // The axis, its least and largest value, fuzz, flat and, in newer files, the resolution.
      let fields = words(line.text.dropFirst(2)).map { String(decoding: $0, as: UTF8.self) }
      if fields.count == 6, let axis = UInt16(fields[0], radix: 16), let units = Int(fields[5]) {
        log.resolutions.note(units, of: axis)
      }
    // I ids, P properties, B event bits, L and S states of lights and switches.
    case (let letter?, UInt8(ascii: ":")) where "IPBLS".utf8.contains(letter): continue
    default: log.losses.add(line: line.number, unreadable(line, as: "line"))
    }
  }
  readTouches(from: events, into: &log)
  return device
}

/// The event of a line. `nil` where it is none.
func evemuEvent(_ line: GestureSource.Line) -> KernelEvent? {
  let fields = words(line.text.dropFirst(2).prefix { $0 != UInt8(ascii: "#") })
  guard fields.count == 4, let time = nanoseconds(fromSeconds: fields[0]),
    let type = UInt16(String(decoding: fields[1], as: UTF8.self), radix: 16),
    let code = UInt16(String(decoding: fields[2], as: UTF8.self), radix: 16),
    let value = Int32(String(decoding: fields[3], as: UTF8.self))
  else { return nil }
  return KernelEvent(
    nanoseconds: time, line: line.number, kind: .init(type: type, code: code), value: value)
}

/// The message about a line that cannot be understood.
func unreadable(_ line: GestureSource.Line, as thing: String) -> String {
  line.isTerminated
    ? "'\(shown(line.text))' is not \(withArticle(thing)) of this format. It was left out."
    : "The file ends in the middle of this line. It was left out."
}
