import KymographCLibrary
import TimelineModel

/// Which of the two distances of a libinput gesture its places are the sums of.
package enum DeltaKind: String, CaseIterable, Sendable {
  /// As pointer acceleration leaves them, and as compositors receive them.
  case accelerated
  /// As the fingers moved, in libinput's units (``DeviceResolution/libinputUnitsPerMillimetre``).
  case unaccelerated
}

/// Reads the gestures and two-finger scrolls that `libinput debug-events` prints. It says how far the fingers went since
/// the line before, not where they are: places begin at (0, 0) and are sums of that.
///
/// A swipe and a scroll are one contact. A pinch is two, a hundred units apart at scale 1. A scroll has no first line:
/// it begins at (0, 0) at the time of its first distance, and so does a gesture whose first line is missing. A scroll's
/// last line, which says 0, is its end. What a mouse, a keyboard or a touch
/// screen reports is left out.
///
/// - Returns: The first touchpad's name, where its line is there.
func readLibinputEvents(
  _ source: GestureSource, deltas: DeltaKind, into log: inout TouchLog
) throws(GestureError) -> String? {
  var device: String?
  var gestures: [String: DeltaGesture] = [:]
  var contacts = NamedContacts(noun: "The")
  var coarsest: (digits: Int, line: Int)?
  var touchLines: (count: Int, first: Int) = (0, 0)
  var lines = PastedLines(source, continues: DebugEvent.isEnd, begins: isLibinputEvents)
  while let (line, parsed) = lines.read(DebugEvent.init) {
    guard let event = parsed else {
      log.losses.add(line: line.number, unreadable(line, as: "event"))
      continue
    }
    switch event.content {
    case .device(let name): device = device ?? name
    case .touch:
      touchLines = (touchLines.count + 1, touchLines.count == 0 ? line.number : touchLines.first)
    case .other: break
    case .gesture(let kind, let time, let phase, let step):
      if time.digits < 3, time.digits < coarsest?.digits ?? 3 {
        coarsest = (time.digits, line.number)
      }
      let id = "\(kind.rawValue) of \(event.source)"
      var gesture = phase == .began ? DeltaGesture() : gestures[id] ?? DeltaGesture()
      let starts = gesture.positions(kind)
      guard gesture.move(by: step, deltas) else {
        log.losses.add(line: line.number, "The sum is out of range. It was left out.")
        continue
      }
      let isOver = phase == .ended || phase == .cancelled
      gestures[id] = isOver ? nil : gesture
      // A scroll says 0 at its end even where it has not begun, and it has no line for its beginning.
      if kind == .scroll, isOver, !contacts.isDown(id) { continue }
      for (number, position) in gesture.positions(kind).enumerated() {
        let name = kind == .pinch ? "\(id), finger \(number + 1)" : id
        func take(_ phase: TouchPhase, _ position: Point2D) {
          contacts.take(
            .init(
              nanoseconds: time.nanoseconds, line: line.number, contact: 0, phase: phase,
              x: position.x, y: position.y),
            id: name, to: &log)
        }
        if phase == .moved, !contacts.isDown(name) {
          if kind != .scroll {
            log.warn(
              "The \(name) moves in line \(line.number) before it began. It begins there."
            )
          }
          take(.began, starts[number])
        }
        take(phase, position)
      }
    }
  }
  log.hasOpenContacts = contacts.hasContacts
  log.warn(
    "Positions are sums of the \(deltas.rawValue) deltas since the start of each gesture.")
  if let coarsest {
    log.losses.add(
      line: coarsest.line,
      "Times have \(coarsest.digits) digits, steps of \(coarsest.digits == 2 ? 10 : 100) ms. The program that wrote"
        + " the file rounded them.")
  }
  if touchLines.count > 0 {
    log.losses.add(
      line: touchLines.first,
      (touchLines.count == 1
        ? "The line of a touch screen was" : "The \(touchLines.count) lines of a touch screen were")
        + " left out. Use libinput record for it.")
  }
  return device
}

/// Whether a line is one of `libinput debug-events`, at least at its beginning.
func isLibinputEvents(_ text: ArraySlice<UInt8>) -> Bool { DebugEvent.name(in: words(text)) != nil }

/// How far one gesture has gone, in millionths, which sums of two digits do not round.
private struct DeltaGesture {
  private var x: Int64 = 0
  private var y: Int64 = 0
  private var angle: Int64 = 0
  private var scale: Int64 = 1_000_000

  /// Half the distance of two fingers at scale 1. libinput does not say what it was.
  private static let radius = 50.0

  /// Returns false, and does nothing, where the sum would be no sensible number.
  mutating func move(by step: DebugEvent.Step?, _ deltas: DeltaKind) -> Bool {
    guard let step else { return true }
    let (dx, dy) = deltas == .accelerated ? step.accelerated : step.unaccelerated
    let limit = Int64(largestCoordinate) * 1_000_000
    guard abs(x + dx) <= limit, abs(y + dy) <= limit, abs(angle + step.angle) <= limit else {
      return false
    }
    (x, y, angle, scale) = (x + dx, y + dy, angle + step.angle, step.scale)
    return true
  }

  /// Where the contacts are: one, or the two fingers of a pinch.
  func positions(_ kind: DebugEvent.Kind) -> [Point2D] { kind == .pinch ? fingers : [center] }

  private var center: Point2D { Point2D(x: Double(x) / 1e6, y: Double(y) / 1e6) }

  private var fingers: [Point2D] {
    let length = Self.radius * Double(scale) / 1e6
    let turn = Double(angle) / 1e6 * Double.pi / 180
    let (dx, dy) = (length * cos(turn), length * sin(turn))
    return [
      Point2D(x: center.x + dx, y: center.y + dy), Point2D(x: center.x - dx, y: center.y - dy),
    ]
  }
}

/// Reads `libinput record`, version 1 of its file: YAML, of which the devices' names and their events are read, lines
/// `- [seconds, microseconds, type, code, value]` in decimal.
///
/// The reports of libinput itself, or of a HID device, beside them (`libinput:`, `hid:`) are passed over. Of several devices
/// one is read, as by ``readGetevent(_:into:)``.
///
/// - Returns: The device's name, or its path where the file has no name.
func readLibinputRecord(
  _ source: GestureSource, into log: inout TouchLog
) throws(GestureError) -> String? {
  var devices = InputDevices()
  var path = ""
  var hasEvents = false
  var isInAxes = false
  for line in source.lines {
    let text = unquoted(line.text)
    if text.isEmpty || text.first == UInt8(ascii: "#") { continue }
    if isInAxes, !hasEvents, let (axis, units) = recordedResolution(text) {
      devices.note(resolution: units, of: axis)
      continue
    }
    isInAxes = text.starts(with: "absinfo:".utf8)
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

/// Whether a line can only be one of `libinput record`. Its heading is missing in some copies.
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

/// An axis and its units per millimetre of a line `53: [0, 1079, 0, 0, 16]` below `absinfo:`. `nil` if it is another line.
private func recordedResolution(_ text: ArraySlice<UInt8>) -> (axis: UInt16, units: Int)? {
  let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1)
  guard parts.count == 2, let axis = wholeNumber(trimmed(parts[0])).flatMap(UInt16.init(exactly:)),
    case let list = trimmed(parts[1]), list.first == UInt8(ascii: "["),
    let end = list.firstIndex(of: UInt8(ascii: "]"))
  else { return nil }
  let numbers = list[..<end].dropFirst().split(separator: UInt8(ascii: ","))
  guard numbers.count == 5,
    let units = Int(String(decoding: trimmed(numbers[4]), as: UTF8.self))
  else { return nil }
  return (axis, units)
}

/// The value of a key of YAML, without quotation marks. `nil` where the line has another key.
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
