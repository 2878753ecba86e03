import KymographCLibrary

/// Reads the output of `evtest` piece by piece, if it is as the program writes it: a heading, and then events alone. The
/// touches are those that the reader of pasted lines makes, and no more than these are in memory.
///
/// - Parameters:
///   - reading: How the file is to be read.
///   - name: The file's name, for messages.
///   - byteCount: How long the file is.
///   - forEachPiece: Calls a function with the pieces of the file, in their order, until that returns false. It is called
///     twice.
/// - Returns: nil if it is another text, if it has other lines between the events, or if no touch is in it.
package func readPlainEvtest(
  as reading: GestureReading, name: String, byteCount: Int,
  _ forEachPiece: ((UnsafeBufferPointer<UInt8>) -> Bool) throws -> Void
) rethrows -> GestureRecording? {
  guard [nil, .evtest].contains(reading.format), reading.timeUnit == nil, reading.columns == nil,
    reading.pattern == nil
  else { return nil }
  var habits = DeviceHabits()
  var look = EvtestPieces()
  try forEachPiece { look.take($0) { habits.note($0) } }
  guard look.finish(then: { habits.note($0) }), look.hasEvents else { return nil }
  var log = TouchLog()
  log.reserve(touches: byteCount / shortestReport)
  var reader = TouchReader(habits)
  var pieces = EvtestPieces()
  try forEachPiece { pieces.take($0) { reader.take($0, into: &log) } }
  guard pieces.finish(then: { reader.take($0, into: &log) }) else { return nil }
  if let line = pieces.cutLine {
    log.losses.add(line: line, "The file ends in the middle of this line. It was left out.")
  }
  reader.finish(&log)
  guard !log.touches.isEmpty else { return nil }
  noteOpenContacts(&log, after: pieces.lastLine)
  let head = GestureSource(name: name, bytes: pieces.heading)
  log.resolutions = evtestResolutions(head)
  var recording = log.recording(format: .evtest, device: evtestDevice(head))
  recording.saysItsFormat = true
  return recording
}

/// The bytes of a report of one finger that moves along one axis, less than which none has.
private let shortestReport = 120

/// The lines of a text of evtest, of which the pieces come one after the other.
private struct EvtestPieces {
  /// The lines before the first event.
  private(set) var heading: [UInt8] = []
  /// Whether an event was met.
  private(set) var hasEvents = false
  /// The last line that is not empty.
  private(set) var lastLine = 0
  /// The line that the end of the file cuts. `nil`: none.
  private(set) var cutLine: Int?

  /// The beginning of a line whose end is in the next piece.
  private var rest: [UInt8] = []
  private var line = 0
  private var isPlain = true

  /// The longest line of evtest, and the longest heading, in bytes.
  private static let (longestLine, longestHeading) = (500, 1 << 16)

  /// Takes a piece.
  ///
  /// - Returns: false if it is another text.
  mutating func take(
    _ piece: UnsafeBufferPointer<UInt8>, _ event: (KernelEvent) -> Void
  ) -> Bool {
    guard var next = piece.baseAddress, isPlain else { return isPlain }
    let end = next + piece.count
    while isPlain, next < end {
      guard let found = memchr(next, 0x0A, end - next) else {
        rest.append(contentsOf: UnsafeBufferPointer(start: next, count: end - next))
        isPlain = rest.count <= Self.longestLine
        break
      }
      let lineEnd = UnsafePointer(found.assumingMemoryBound(to: UInt8.self))
      let text = UnsafeBufferPointer(start: next, count: lineEnd - next)
      if rest.isEmpty {
        take(line: text, event)
      } else {
        rest.append(contentsOf: text)
        takeRest(event)
      }
      next = lineEnd + 1
    }
    return isPlain
  }

  /// Takes the end of the file.
  ///
  /// - Returns: false if it is another text.
  mutating func finish(then event: (KernelEvent) -> Void) -> Bool {
    guard isPlain, !rest.isEmpty else { return isPlain }
    let text = trimmed(rest[...])
    if hasEvents, !text.isEmpty, evtestEvent(text) == nil {
      // What is left of a line that was cut is nothing that could be read otherwise.
      let start = "Event: time "
      guard text.starts(with: start.utf8.prefix(text.count)) else { return false }
      lastLine = line + 1
      if text.count >= start.utf8.count { cutLine = lastLine }
      return true
    }
    takeRest(event)
    return isPlain
  }

  private mutating func takeRest(_ event: (KernelEvent) -> Void) {
    var text: [UInt8] = []
    swap(&text, &rest)
    text.withUnsafeBufferPointer { take(line: $0, event) }
    text.removeAll(keepingCapacity: true)
    swap(&text, &rest)
  }

  /// Takes a line without its end.
  private mutating func take(
    line text: UnsafeBufferPointer<UInt8>, _ event: (KernelEvent) -> Void
  ) {
    line += 1
    if var found = plainEvent(text) ?? evtestEvent(trimmed(Array(text)[...])) {
      found.line = line
      hasEvents = true
      lastLine = line
      return event(found)
    }
    let isEmpty = text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    if isEmpty { return }
    lastLine = line
    guard !hasEvents else {
      isPlain = false
      return
    }
    isPlain = Self.isOfHeading(text) && heading.count + text.count < Self.longestHeading
    heading.append(contentsOf: text)
    heading.append(0x0A)
  }

  /// Whether a line is one that evtest prints before the events.
  private static func isOfHeading(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let text = text.drop { $0 == 0x20 || $0 == 0x09 }
    return [
      "Input d", "Supported events:", "Event type ", "Event code ", "Event state ", "State ",
      "Value ", "Min ", "Max ", "Fuzz ", "Flat ", "Resolution ", "Properties:", "Property type ",
      "Property ", "Key repeat handling:", "Repeat ", "Repeat type ", "Testing ",
      "No device specified", "Not running as root", "Available devices:", "/dev/input/event",
      "Select the device",
    ].contains { text.starts(with: $0.utf8) }
  }
}

/// The event of a line exactly as evtest prints it: `Event: time S.U, type T (…), code C (…), value V`, or the end of a
/// report. `nil` for any other line, of which ``evtestEvent(_:)`` may make an event.
private func plainEvent(_ text: UnsafeBufferPointer<UInt8>) -> KernelEvent? {
  var scan = PlainScan(text)
  guard scan.skip("Event: time "), let seconds = scan.number(), scan.skip(".") else { return nil }
  let start = scan.position
  guard let fraction = scan.number(), case let digits = scan.position - start, digits <= 9,
    let time = nanoseconds(seconds: seconds, fraction: fraction, digits: digits)
  else { return nil }
  if scan.skip(", -------------- SYN_REPORT ------------") {
    guard scan.isAtEnd else { return nil }
    return KernelEvent(nanoseconds: time, line: 0, kind: .frameEnd, value: 0)
  }
  guard scan.skip(", type "), let type = scan.number(), scan.skip(" ("), scan.skipName(),
    scan.skip("), code "), let code = scan.number(), scan.skip(" ("), scan.skipName(),
    scan.skip("), value ")
  else { return nil }
  if type == 4, code <= UInt16.max {
    // Scan codes are printed in hexadecimal, and are not used.
    return scan.skipName() && scan.isAtEnd
      ? KernelEvent(nanoseconds: time, line: 0, kind: .other, value: 0) : nil
  }
  let isNegative = scan.skip("-")
  guard let size = scan.number(), scan.isAtEnd, let type = UInt16(exactly: type),
    let code = UInt16(exactly: code), let value = Int32(exactly: isNegative ? -size : size)
  else { return nil }
  return KernelEvent(
    nanoseconds: time, line: 0, kind: .init(type: type, code: code), value: value)
}

private func nanoseconds(seconds: Int64, fraction: Int64, digits: Int) -> Int64? {
  var fraction = fraction
  for _ in digits..<9 { fraction *= 10 }
  let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, sumOverflow) = whole.addingReportingOverflow(fraction)
  return overflow || sumOverflow ? nil : sum
}

/// A place in a line that is read from its beginning to its end.
private struct PlainScan {
  private let text: UnsafeBufferPointer<UInt8>
  private(set) var position = 0

  init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// Whether nothing but space follows.
  var isAtEnd: Bool {
    text[position...].allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }

  /// Passes over a text, if it is here.
  mutating func skip(_ part: StaticString) -> Bool {
    let count = part.utf8CodeUnitCount
    guard position + count <= text.count, let start = text.baseAddress,
      memcmp(start + position, part.utf8Start, count) == 0
    else { return false }
    position += count
    return true
  }

  /// Passes over a name of capitals, digits and underscores, or a question mark.
  mutating func skipName() -> Bool {
    let start = position
    while position < text.count, text[position] != UInt8(ascii: ")"),
      text[position] > 0x20, text[position] != UInt8(ascii: ",")
    { position += 1 }
    return position > start
  }

  /// The whole number that is here, of at most 18 digits.
  mutating func number() -> Int64? {
    let start = position
    var value: Int64 = 0
    while position < text.count, case let digit = text[position] &- 0x30, digit < 10 {
      value = value &* 10 &+ Int64(digit)
      position += 1
    }
    return (1...18).contains(position - start) ? value : nil
  }
}
