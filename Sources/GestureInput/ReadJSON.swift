import JSONText
import TimelineModel

/// Reads browser pointer events, one JSON object a line or all of them in one JSON array: a header with `format` and
/// `version`, then
/// `type`, `timeStamp` in milliseconds, `pointerId`, `clientX`, `clientY` in CSS pixels.
///
/// Read are `pointerdown`, `pointermove`, `pointerup` and `pointercancel`. Other events of the
/// pointer, predicted points and moves of a mouse or pen that is not down are not touches. Other
/// fields are left alone, but `"resampled": true`, which says that a place was computed.
///
/// - Returns: The browser as its header names it.
func readJSON(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) -> String? {
  var contacts = NamedContacts()
  var agent: String?
  func take(_ fields: JSONFields, _ line: GestureSource.Line) throws(GestureError) {
    if fields["type"] == nil, let format = fields["format"] {
      guard format.value == .string("pointerevents"), fields["version"]?.value == .integer(1)
      else {
        throw source.error(
          .unsupported, line: line.number,
          "Unknown format or version in the header. Known: 'pointerevents' version 1.")
      }
      if case .string(let text)? = fields["agent"]?.value { agent = shown(Array(text.utf8)[...]) }
      return
    }
    do throws(JSONError) {
      guard let event = try PointerEvent(fields, line: line.number) else { return }
      if event.hovers && !contacts.isDown(event.id) { return }
      contacts.take(event.touch, id: event.id, to: &log)
    } catch {
      log.losses.add(line: line.number, "\(error) The line was left out.")
    }
  }
  if let first = source.lines.first, first.text.first == UInt8(ascii: "[") {
    var objects: [JSONFields] = []
    for element in try elements(of: source, first) {
      do throws(JSONError) {
        objects.append(try element.object())
      } catch {
        log.losses.add(line: first.number, "\(error) The element was left out.")
      }
    }
    for fields in objects { try take(fields, first) }
  } else {
    for line in source.lines {
      let fields: JSONFields
      do throws(JSONError) {
        fields = try JSONReader(parseJSON(Array(line.text), line: line.number)).object()
      } catch {
        log.losses.add(
          line: line.number,
          line.isTerminated ? "\(error) The line was left out." : unreadable(line, as: "object"))
        continue
      }
      try take(fields, line)
    }
  }
  log.hasOpenContacts = contacts.hasContacts
  return agent
}

/// The most bytes of a JSON array, which is in memory as a whole: half an hour of one finger at 120 Hz.
private let longestArray = 32 << 20

/// The elements of a file that is one JSON array.
private func elements(
  of source: GestureSource, _ first: GestureSource.Line
) throws(GestureError) -> [JSONReader] {
  var text: [UInt8] = []
  for line in source.lines {
    text += line.text
    text.append(UInt8(ascii: "\n"))
    guard text.count <= longestArray else {
      throw source.error(
        .unsupported,
        "The JSON array is longer than 32 MiB. Write one event a line, without the brackets.")
    }
  }
  do throws(JSONError) {
    return try JSONReader(parseJSON(text, line: first.number)).array()
  } catch {
    throw source.error(
      .unsupported, line: first.number, "The JSON array cannot be read. \(error)")
  }
}

/// One pointer event that is a touch.
private struct PointerEvent {
  let touch: TouchLog.Touch
  let id: String
  /// Whether it is a move of a pointer that moves without touching, too.
  let hovers: Bool

  /// nil for an event that is not a touch.
  init?(_ fields: JSONFields, line: Int) throws(JSONError) {
    let phase: TouchPhase
    switch try fields.required("type").string() {
    case "pointerdown": phase = .began
    case "pointermove": phase = .moved
    case "pointerup": phase = .ended
    case "pointercancel": phase = .cancelled
    default: return nil
    }
    if fields["predicted"]?.value == .bool(true) { return nil }
    let pointer = try fields.required("pointerId").integer()
    let places = -largestCoordinate...largestCoordinate
    let time = try fields.required("timeStamp")
    let milliseconds = try time.number()
    // Rounded once. Int64(exactly:) refuses what does not fit.
    guard let nanoseconds = Int64(exactly: (milliseconds * 1e6).rounded()) else {
      throw time.failure("Must be a time within 292 years (got \(milliseconds) ms).")
    }
    id = String(pointer)
    hovers = phase == .moved && fields["pointerType"].map { $0.value != .string("touch") } ?? false
    touch = TouchLog.Touch(
      nanoseconds: nanoseconds, line: line, contact: 0, trackingID: Int(pointer), phase: phase,
      x: try fields.required("clientX").number(in: places),
      y: try fields.required("clientY").number(in: places),
      isResampled: fields["resampled"]?.value == .bool(true))
  }
}
