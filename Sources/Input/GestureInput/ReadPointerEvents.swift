import JSONText
import TimelineModel

/// Reads browser pointer events, one JSON object a line: a header with `format` and `version`, then
/// `type`, `timeStamp` in milliseconds, `pointerId`, `clientX`, `clientY` in CSS pixels.
///
/// Read are `pointerdown`, `pointermove`, `pointerup` and `pointercancel`. Other events of the
/// pointer, predicted points and moves of a mouse or pen that is not down are no touches; other
/// fields are left alone, but `"resampled": true`, which says that a place was computed.
///
/// - Returns: The browser as its header names it.
func readPointerEvents(
  _ source: GestureSource, into log: inout TouchLog
) throws(GestureError) -> String? {
  var contacts = NamedContacts()
  var agent: String?
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
    if fields["type"] == nil, let format = fields["format"] {
      guard format.value == .string("pointerevents"), fields["version"]?.value == .integer(1)
      else {
        throw source.error(
          .unsupported, line: line.number,
          "The header speaks of another format or version; \"pointerevents\" version 1 is read.")
      }
      if case .string(let text)? = fields["agent"]?.value { agent = shown(Array(text.utf8)[...]) }
      continue
    }
    do throws(JSONError) {
      guard let event = try PointerEvent(fields, line: line.number) else { continue }
      if event.hovers && !contacts.isDown(event.id) { continue }
      contacts.take(event.touch, id: event.id, to: &log)
    } catch {
      log.losses.add(line: line.number, "\(error) The line was left out.")
    }
  }
  log.hasOpenContacts = contacts.hasContacts
  return agent
}

/// One pointer event that is a touch.
private struct PointerEvent {
  let touch: TouchLog.Touch
  let id: String
  /// Whether it is a move of a pointer that moves without touching, too.
  let hovers: Bool

  /// nil for an event that is no touch.
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
    // Rounded once; Int64(exactly:) refuses what does not fit.
    guard let nanoseconds = Int64(exactly: (milliseconds * 1e6).rounded()) else {
      throw time.failure("Found \(milliseconds) ms; expected a time within 292 years.")
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
