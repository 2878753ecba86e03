/// Reads `libinput record`, version 1 of its file: YAML, of which the devices' names and their events are read, lines
/// `- [seconds, microseconds, type, code, value]` in decimal.
///
/// What libinput itself, or a HID device, reported beside them (`libinput:`, `hid:`) is passed over. Of several devices
/// one is read, as by ``readGetevent(_:into:)``.
///
/// - Returns: The device's name, or its path where the file has no name.
func readLibinputRecord(
  _ source: GestureSource, into log: inout TouchLog
) throws(GestureError) -> String? {
  var devices = InputDevices()
  var path = ""
  var hasEvents = false
  for line in source.lines {
    let text = unquoted(line.text)
    if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
    if text.starts(with: "- [".utf8) {
      if let event = recordedEvent(text, line: line.number) {
        devices.append(event, path: path)
      } else {
        log.losses.add(line: line.number, unreadable(line, as: "event"))
      }
    } else if let node = value(of: "- node:", in: text) {
      path = shown(node)
      devices.describe(path: path)
      hasEvents = false
    } else if text.starts(with: "events:".utf8) || text.starts(with: "- evdev:".utf8) {
      hasEvents = true
    } else if hasEvents {
      if !isBesideEvents(text) { log.losses.add(line: line.number, unreadable(line, as: "line")) }
    } else if let name = value(of: "name:", in: text) {
      devices.name(name)
    } else if path.isEmpty, let version = value(of: "version:", in: text).flatMap(wholeNumber),
      version != 1
    {
      throw source.error(
        .unsupported, line: line.number,
        "Unknown version \(version) of libinput recordings. Known: 1.")
    }
  }
  return devices.readTouches(into: &log)
}

/// Whether a line can only be one of `libinput record`; its heading is missing in some copies.
func isLibinputRecord(_ line: ArraySlice<UInt8>) -> Bool {
  let text = unquoted(line)
  return text.starts(with: "# libinput record".utf8) || text.starts(with: "ndevices:".utf8)
    || text.starts(with: "- node: /dev/input/".utf8) || text.starts(with: "- evdev:".utf8)
    || recordedEvent(text, line: 0) != nil
}

/// `- [  0,   8333,   3,  53,     541] # EV_ABS / ABS_MT_POSITION_X    541 (+1)`.
private func recordedEvent(_ text: ArraySlice<UInt8>, line: Int) -> KernelEvent? {
  guard text.starts(with: "- [".utf8), let end = text.firstIndex(of: UInt8(ascii: "]")) else {
    return nil
  }
  let fields = text[..<end].dropFirst(3).split(
    separator: UInt8(ascii: ","), omittingEmptySubsequences: false
  ).map { trimmed($0) }
  guard fields.count == 5, let seconds = wholeNumber(fields[0]),
    let microseconds = wholeNumber(fields[1]), microseconds < 1_000_000,
    let type = wholeNumber(fields[2]).flatMap(UInt16.init(exactly:)),
    let code = wholeNumber(fields[3]).flatMap(UInt16.init(exactly:)),
    let value = Int32(String(decoding: fields[4], as: UTF8.self)),
    let time = nanoseconds(seconds: seconds, microseconds: microseconds)
  else { return nil }
  return KernelEvent(
    nanoseconds: time, line: line, kind: .init(type: type, code: code), value: value)
}

/// What stands behind a key of YAML, without quotation marks; nil where the line has another key.
private func value(of key: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
  guard text.starts(with: key.utf8) else { return nil }
  let value = trimmed(text.dropFirst(key.utf8.count))
  let mark = UInt8(ascii: "\"")
  return value.count > 1 && value.first == mark && value.last == mark
    ? value.dropFirst().dropLast() : value
}

/// Whether a line between events is of libinput's own events, of a HID device's reports or the sign of the key that
/// ended the program: nothing that is lost.
private func isBesideEvents(_ text: ArraySlice<UInt8>) -> Bool {
  ["- libinput:", "- hid:", "- {", "time:", "hidraw", "0x", "]", "^C"].contains {
    text.starts(with: $0.utf8)
  }
}
