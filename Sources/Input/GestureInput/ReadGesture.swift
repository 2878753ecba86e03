import TimelineModel

/// Reads recorded touches.
///
/// The format is found by the content when none is given. A file that is damaged in part is read as
/// far as it can be understood; what is missing stands in ``GestureRecording/losses``. Of gestures that
/// `libinput debug-events` printed, the accelerated distances are read.
///
/// Cost: linear in the length; memory a few times that of the file.
///
/// - Parameters:
///   - bytes: The file's content.
///   - format: The format, or nil to find it by the content.
///   - name: The file's name, for messages.
/// - Throws: ``GestureError`` when there is no touch to be had.
public func readGesture(
  _ bytes: [UInt8], format: GestureFormat?, name: String
) throws(GestureError) -> GestureRecording {
  try readGesture(bytes, as: GestureReading(format: format), name: name)
}

/// Reads recorded touches, as ``readGesture(_:format:name:)``.
package func readGesture(
  _ bytes: [UInt8], as reading: GestureReading, name: String
) throws(GestureError) -> GestureRecording {
  let binary =
    reading.format == .evdev
    ? reading.abi : reading.format == nil ? recognizedEvdevABI(of: bytes) : nil
  let isBinary = reading.format == .evdev || binary != nil
  let source = GestureSource(name: name, bytes: bytes, hasLines: !isBinary)
  guard isBinary ? !bytes.isEmpty : !source.lines.isEmpty else {
    throw source.error(.empty, "The file is empty.")
  }
  guard !source.isTooLong else {
    throw source.error(
      .unsupported,
      "It has more than \(GestureSource.mostLines) lines, the most that are read; cut it.")
  }
  let format =
    if isBinary { GestureFormat.evdev } else if let format = reading.format { format } else {
      try recognizedFormat(of: source)
    }
  var log = TouchLog()
  let device: String?
  switch format {
  case .evemu: device = try readEvemu(source, into: &log)
  case .getevent: device = try readGetevent(source, into: &log)
  case .csv: device = try readCSV(source, into: &log)
  case .pointer: device = try readPointerEvents(source, into: &log)
  case .libinputRecord: device = try readLibinputRecord(source, into: &log)
  case .libinputEvents:
    device = try readLibinputEvents(source, deltas: reading.deltas, into: &log)
  case .evtest: device = try readEvtest(source, into: &log)
  case .evdev: device = try readEvdev(source, abi: reading.abi ?? binary, into: &log)
  }
  guard !log.touches.isEmpty else {
    if let loss = log.losses.sentences.first {
      throw source.error(
        .unknownFormat, "No touch can be read from it as \(format.rawValue). \(loss)")
    }
    throw source.error(.noTouches, "There is no touch in it (read as \(format.rawValue)).")
  }
  if log.hasOpenContacts {
    log.losses.add(
      line: log.lastLine ?? source.lines.last?.number ?? 0,
      "The recording ends while a contact is down; its lift, and what follows, is missing.")
  }
  var recording = log.recording(format: format, device: device)
  if format == .libinputEvents { recording.deltas = reading.deltas }
  return recording
}

/// Most bytes of a header of comma-separated columns; ours has seven short names.
private let longestHeader = 1000

/// The format that the first telling line speaks of.
private func recognizedFormat(of source: GestureSource) throws(GestureError) -> GestureFormat {
  var isFirstRow = true
  for line in source.lines {
    let text = line.text
    // The second sign tells these two from garbage that happens to begin so.
    let second = trimmed(text.dropFirst()).first
    if text.first == UInt8(ascii: "{") && second == UInt8(ascii: "\"") { return .pointer }
    // An array of such objects, of which the first may stand on the next line.
    if text.first == UInt8(ascii: "["), second == nil || second == UInt8(ascii: "{") {
      return .pointer
    }
    if text.starts(with: "# EVEMU".utf8) || text.starts(with: "E:".utf8)
      || text.starts(with: "N:".utf8)
    {
      return .evemu
    }
    if text.first == UInt8(ascii: "[") && second.map({ "0123456789".utf8.contains($0) }) == true
      || text.starts(with: "add device ".utf8)
    {
      return .getevent
    }
    if isLibinputRecord(text) { return .libinputRecord }
    if isEvtest(text) { return .evtest }
    if isLibinputEvents(text) { return .libinputEvents }
    // The first line that is no comment may be a header of columns, or an event without a time.
    if text.first != UInt8(ascii: "#") && isFirstRow && text.count <= longestHeader {
      if csvColumns(text).contains("t_ns") { return .csv }
      if GeteventLine(text, line: line.number) != nil { return .getevent }
    }
    isFirstRow = isFirstRow && text.first == UInt8(ascii: "#")
  }
  throw source.error(
    .unknownFormat,
    "This is no recording of touches in a known format (evemu, getevent -lt, libinput record or debug-events, evtest,"
      + " an event device's bytes, CSV with the header t_ns,id,phase,x,y, or pointer events as NDJSON or a JSON"
      + " array).")
}
