import TimelineModel

/// Reads recorded touches.
///
/// The format is found by the content when none is given. A file that is damaged in part is read as
/// far as it can be understood. Losses are in ``GestureRecording/losses``. Of gestures that
/// `libinput debug-events` printed, the accelerated distances are read.
///
/// Cost: linear in the length. Memory a few times that of the file.
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
  let plain = readPlainEvtest(as: reading, name: name, byteCount: bytes.count) { take in
    _ = bytes.withUnsafeBufferPointer(take)
  }
  if let plain { return plain }
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
      "The file has more than \(GestureSource.mostLines) lines. Cut it into shorter files.")
  }
  if isBinary { return try readGesture(source, as: .evdev, reading, abi: binary) }
  guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]) else {
    throw source.error(.unsupported, "The file is UTF-16 text. Save it as UTF-8.")
  }
  // A text has no zeros and few other control characters. Pictures, films and damaged recordings have many.
  guard bytes.prefix(mostHeadBytes).count(where: isControl) <= mostControls else {
    throw source.error(
      .unknownFormat, "The content is neither a text nor the bytes of a known device.")
  }
  if let pattern = reading.pattern {
    return try readGesture(source, as: .pattern, reading, shape: compiled(pattern, source))
  }
  let bare = source.withoutPrefixes
  if let format = reading.format ?? (reading.columns == nil ? nil : .table) {
    let shape = TextShape.compiled.first { $0.shape.format == format }
    let isOfLog = shape != nil || format == .table || format == .namedValues
    return try readGesture(isOfLog ? source : bare, as: format, reading, shape: shape)
  }
  // One line may be a stray one of another format: what gives no touch is followed by the next format that the file has
  // lines of, in the order of their first lines.
  var others = GestureFormat.allCases
  var firstFailure: GestureError?
  let shapes = FoundShapes(source)
  while let format = firstFormat(in: source, bare, of: others) {
    do throws(GestureError) {
      let recording = try readGesture(format == .table ? source : bare, as: format, reading)
      try shapes.refuseOthers(than: recording, reading)
      return format == .json ? shapes.withPhases(of: recording, reading) ?? recording : recording
    } catch {
      guard error.code != .ambiguous else { throw error }
      firstFailure = firstFailure ?? error
    }
    others.removeAll { $0 == format }
  }
  return try shapes.read(reading, failure: firstFailure)
}

/// The shape of `--pattern`.
private func compiled(_ pattern: String, _ source: GestureSource) throws(GestureError)
  -> TextShape.Compiled
{
  let shape = TextShape(
    name: GestureFormat.pattern.rawValue, title: GestureFormat.pattern.title, example: pattern,
    lines: [pattern])
  do throws(ShapePattern.Fault) {
    let compiled = try TextShape.Compiled(shape)
    let holes = compiled.holes
    let isWhole = holes.isSuperset(of: [.x, .y]) || holes.isSuperset(of: [.dx, .dy])
    guard isWhole || holes.isSuperset(of: [.type, .code, .value]) else {
      throw ShapePattern.Fault(
        sentence: "It has no holes for a position. Write {x} and {y}, or {dx} and {dy}.")
    }
    return compiled
  } catch {
    throw source.error(.badPattern, "The pattern cannot be read. \(error.sentence)")
  }
}

/// Reads a file of a known format.
///
/// - Parameters:
///   - abi: How long a device file's records were found to be.
///   - shape: The shape of a log's lines.
func readGesture(
  _ source: GestureSource, as format: GestureFormat, _ reading: GestureReading,
  abi: EvdevABI? = nil, shape: TextShape.Compiled? = nil
) throws(GestureError) -> GestureRecording {
  var log = TouchLog()
  let device: String?
  switch format {
  case .evemu: device = try readEvemu(source, into: &log)
  case .getevent: device = try readGetevent(source, into: &log)
  case .table: device = try readTable(source, reading, into: &log)
  case .json: device = try readJSON(source, reading, into: &log)
  case .libinputRecord: device = try readLibinputRecord(source, into: &log)
  case .libinputEvents:
    device = try readLibinputEvents(source, deltas: reading.deltas, into: &log)
  case .evtest: device = try readEvtest(source, into: &log)
  case .evdev: device = try readEvdev(source, abi: reading.abi ?? abi, into: &log)
  case .inkML: device = try readInkML(source, reading, into: &log)
  case .gestureXML: device = try readGestureXML(source, reading, into: &log)
  default:
    device = nil
    if let shape {
      try readShape(source, shape, reading, into: &log)
    } else {
      try readNamedValues(source, reading, into: &log)
    }
  }
  guard !log.touches.isEmpty else {
    if let loss = log.losses.sentences.first {
      throw source.error(
        .unknownFormat, "No touch can be read as \(format.rawValue). \(loss)")
    }
    throw source.error(.noTouches, "The file contains no touches (read as \(format.rawValue)).")
  }
  noteOpenContacts(&log, after: source.lines.last?.number ?? 0)
  var recording = log.recording(format: format, device: device)
  if format == .libinputEvents { recording.deltas = reading.deltas }
  recording.saysItsFormat = saysItsFormat(source, format)
  return recording
}

/// Notes that the last line of a file leaves a contact down.
func noteOpenContacts(_ log: inout TouchLog, after lastLine: Int) {
  guard log.hasOpenContacts else { return }
  log.losses.add(
    line: log.lastLine ?? lastLine,
    "The recording ends while a contact is down, so its lift is missing.")
}

/// Whether a text names its format and the unit of its times: tools of the kernel, the tables that kymo prints, and the pad.
func saysItsFormat(_ source: GestureSource, _ format: GestureFormat) -> Bool {
  if format == .libinputEvents || format.isInDeviceUnits { return true }
  guard let first = source.lines.first(where: { $0.text.first != UInt8(ascii: "#") }) else {
    return false
  }
  let mark = format == .table ? "t_ns," : format == .json ? "\"pointerevents\"" : nil
  return mark.map { mark in
    String(decoding: first.text.prefix(longestHeader), as: UTF8.self).contains(mark)
  } ?? false
}

/// Most bytes of the first line that are looked at. Ours are shorter.
private let longestHeader = 1000

/// So many control characters may be in so many first bytes: a log whose computer lost its power has zeros.
private let (mostHeadBytes, mostControls) = (4096, 64)

/// Whether no text has a byte: a control character that is neither a blank, a line's end, a backspace nor an escape.
private func isControl(_ byte: UInt8) -> Bool {
  byte < 32 && !(8...13).contains(byte) && byte != 27 || byte == 127
}

/// The format of the first line that is an event, or a heading, of one of the formats. `nil` where there is no such line.
///
/// - Parameter bare: The file without what a log put before its lines, as all but tables are read.
private func firstFormat(
  in source: GestureSource, _ bare: GestureSource, of formats: [GestureFormat]
) -> GestureFormat? {
  let event = firstLine(in: bare, of: formats.filter { $0 != .table })
  guard formats.contains(.table), let table = firstLine(in: source, of: [.table]) else {
    return event?.format
  }
  guard let event else { return .table }
  // JSON is one at the same line only if no header can be made of it.
  return event.number < table.number || event.number == table.number && event.format != .json
    ? event.format : .table
}

/// The first line that is an event, or a heading, of one of the formats.
private func firstLine(
  in source: GestureSource, of formats: [GestureFormat]
) -> (format: GestureFormat, number: Int)? {
  var isFirstRow = true
  for index in source.lines.indices {
    let isComment = source.lines[index].text.first == UInt8(ascii: "#")
    if let format = formats.first(where: {
      isLine(at: index, of: source, in: $0, isFirstRow: isFirstRow && !isComment)
    }) {
      return (format, source.lines[index].number)
    }
    isFirstRow = isFirstRow && isComment
  }
  return nil
}

/// Whether a line, with those that follow where it was broken, is an event or a heading of a format.
///
/// - Parameter isFirstRow: Whether it is the first line that is not a comment.
private func isLine(
  at index: Int, of source: GestureSource, in format: GestureFormat, isFirstRow: Bool
) -> Bool {
  let lines = source.lines
  let line = lines[index]
  let text = line.text
  switch format {
  case .evemu:
    return text.starts(with: "# EVEMU".utf8) || text.starts(with: "N:".utf8)
      || text.starts(with: "E:".utf8) && evemuEvent(line) != nil
  case .getevent:
    if text.starts(with: "add device ".utf8) { return true }
    // An event without a time is recognised by three words alone.
    return (isFirstRow || text.first == UInt8(ascii: "[")) && isGetevent(line)
  case .table:
    return isTable(at: index, of: source, isFirstRow: isFirstRow)
  case .json:
    return looksLikeJSON(text, isFirstRow: isFirstRow)
  case .libinputRecord: return isLibinputRecord(text)
  case .evtest: return PastedLines.meaning(of: lines, at: index, isEvtest, evtestEvent) != nil
  case .libinputEvents:
    return PastedLines.meaning(of: lines, at: index, isLibinputEvents, DebugEvent.init) != nil
  case .inkML, .gestureXML: return isXML(text, of: format)
  default: return false
  }
}
