import GestureInput
import Testing
import TimelineModel

struct PointerEventTests {
  private func event(
    _ type: String, _ time: Double, _ x: Double, more: String = "\"pointerType\": \"touch\""
  ) -> String {
    "{\"type\": \"\(type)\", \"timeStamp\": \(time), \"pointerId\": 3, \"clientX\": \(x),"
      + " \"clientY\": 5, \(more)}\n"
  }

  @Test func `down, move, up and cancel are touches and nothing else is`() throws {
    let found = try read(
      "{\"format\": \"pointerevents\", \"version\": 1, \"agent\": \"Browser 1\"}\n"
        + event("pointerover", 0, 1) + event("pointerdown", 1.1, 1) + event("pointermove", 2.35, 2)
        + event("pointermove", 2.4, 9, more: "\"predicted\": true") + event("pointerup", 3, 2)
        + event("pointerleave", 3, 2) + event("pointerdown", 4, 1) + event("pointercancel", 5, 1))
    #expect(found.touches.map(\.phase) == [.began, .moved, .ended, .began, .cancelled])
    #expect(found.touches.map(\.time.nanoseconds).prefix(3) == [0, 1_250_000, 1_900_000])
    #expect(found.touches.map(\.contact) == [0, 0, 0, 1, 1])
    #expect(found.device == "Browser 1")
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
  }

  @Test func `a mouse that hovers is no touch and a mouse that drags is`() throws {
    let mouse = "\"pointerType\": \"mouse\""
    let found = try read(
      event("pointermove", 0, 1, more: mouse) + event("pointerdown", 1, 1, more: mouse)
        + event("pointermove", 2, 2, more: mouse) + event("pointerup", 3, 2, more: mouse)
        + event("pointermove", 4, 3, more: mouse))
    #expect(found.touches.map(\.phase) == [.began, .moved, .ended])
  }

  @Test func `lines that do not fit are losses with their lines`() throws {
    let found = try read(
      event("pointerdown", 1, 1) + "{\"type\": \"pointermove\", \"timeStamp\": 2}\n[]\n{\"type\"\n"
        + event("pointermove", 1e300, 1) + event("pointerup", 3, 1) + "{\"type\": \"point")
    #expect(found.touches.count == 2)
    #expect(
      found.losses == [
        "Line 2: The event has no position. It was left out.",
        "Line 4: The file ends within the JSON value that begins here. Its whole parts were read.",
        "Line 5: The position has no time that can be read. It was left out.",
        "Line 7: The file ends within the JSON value that begins here. Its whole parts were read.",
      ])
  }

  @Test func `a drawing's strokes are contacts, if each position has a time`() throws {
    let found = try read(
      "{\"word\": \"line\", \"drawing\": [[[1, 2.5, 4], [9, 8, 7], [0, 12, 25]], [[5, 6], [1, 2], [90, 101]]]}\n"
    )
    #expect(found.touches.map(\.contact) == [0, 0, 0, 1, 1])
    #expect(found.touches.map(\.phase) == [.began, .moved, .ended, .began, .ended])
    #expect(found.touches.map(\.position.x) == [1, 2.5, 4, 5, 6])
    #expect(found.touches.map(\.position.y) == [9, 8, 7, 1, 2])
    #expect(found.touches.map(\.time.nanoseconds) == [0, 12, 25, 90, 101].map { $0 * 1_000_000 })
    for drawing in ["[[[1, 2], [3, 4]]]", "[[[1, 2], [3], [0, 8]]]", "[[1, 2, 3]]", "[]", "[[]]"] {
      #expect(throws: GestureError.self) { try read("{\"drawing\": \(drawing)}\n") }
    }
  }

  @Test func `another format or version is refused`() {
    #expect(throws: GestureError.self) {
      try read("{\"format\": \"pointerevents\", \"version\": 2}\n" + event("pointerdown", 1, 1))
    }
  }
}

/// Twelve positions of one finger and its lift, as each shape of JSON writes them.
private let reports: [(time: Int, x: Int, y: Int)] =
  (0..<12).map { ($0 * 12, 400 - 2 * $0, 900 - 18 * $0) } + [(144, 378, 702)]

private enum Part { case start, move, end }

/// The reports, each written by a function.
private func list(
  _ separator: String = ",", _ event: (Part, Int, Int, Int) -> String
) -> String {
  reports.enumerated().map { index, report in
    event(index == 0 ? .start : index == 12 ? .end : .move, report.time, report.x, report.y)
  }.joined(separator: separator)
}

/// What is read of ``reports``.
private let contact = reports.enumerated().map { index, report in
  "\(report.time) 0 \(index == 0 ? "began" : index == 12 ? "ended" : "moved") \(report.x),\(report.y)"
}

private func word(_ part: Part, _ start: String, _ move: String, _ end: String) -> String {
  switch part {
  case .start: start
  case .move: move
  case .end: end
  }
}

private func refusal(_ text: String) -> String? {
  do throws(GestureError) {
    _ = try readGesture(Array(text.utf8), format: nil, name: "test")
    return nil
  } catch {
    return error.message
  }
}

struct JSONEventTests {
  @Test(arguments: [
    // A list at any depth.
    "{\"data\": {\"session\": {\"events\": ["
      + list { part, time, x, y in
        #"{"type": "\#(word(part, "mousedown", "mousemove", "mouseup"))", "timeStamp": \#(time + 500), "clientX": \#(x), "clientY": \#(y), "screenX": 1, "screenY": 2}"#
      } + "]}}}",
    // Lines of a log.
    list("\n") { part, time, x, y in
      #"I/app ( 123): [touch] {"type": "touch\#(word(part, "start", "move", "end"))", "timeStamp": \#(time), "touches": [\#(part == .end ? "" : #"{"identifier": 4, "pageX": \#(x), "pageY": \#(y)}"#)], "changedTouches": [{"identifier": 4, "pageX": \#(x), "pageY": \#(y)}]}"#
    },
    // An object for a list of touches, as browsers write it.
    "["
      + list { part, time, x, y in
        #"{"type": "touch\#(word(part, "start", "move", "end"))", "timeStamp": \#(time), "changedTouches": {"0": {"identifier": 0, "pageX": \#(x), "pageY": \#(y)}, "length": 1}, "touches": {"length": 0}}"#
      } + "]",
    // The DevTools protocol, in the order of kymo export cdp.
    list("\n") { part, time, x, y in
      #"{"t_ns": \#(time * 1_000_000), "method": "Input.dispatchTouchEvent", "params": {"type": "\#(word(part, "touchStart", "touchMove", "touchEnd"))", "touchPoints": [{"x": \#(x), "y": \#(y), "id": 0}]}}"#
    },
    // React Native's gesture handler, whose states are numbers of its own.
    list("\n") { part, time, x, y in
      #"{"time_ms": \#(time), "nativeEvent": {"x": \#(x), "y": \#(y), "translationX": 1, "velocityY": 2, "state": \#(word(part, "2", "4", "5")), "handlerTag": 3}}"#
    },
    // Android, with times as text.
    "["
      + list { part, time, x, y in
        #"{"event": "ACTION_\#(word(part, "DOWN", "MOVE", "UP"))", "time": "2024-05-01T10:00:00.\#(String(1000 + time).dropFirst())Z", "rawX": "\#(x)", "rawY": "\#(y)"}"#
      } + "]",
    // Flutter's positions.
    "["
      + list { part, time, x, y in
        #"{"phase": "\#(word(part, "start", "update", "end"))", "timeStamp": "0:00:01.\#(String(1000 + time).dropFirst())000", "globalPosition": "Offset(\#(x).0, \#(y).0)", "delta": "Offset(-2.0, -18.0)"}"#
      } + "]",
    // A program's source in JavaScript.
    "const events = [\n"
      + list(",\n") { part, time, x, y in
        "  { type: 'pointer\(word(part, "down", "move", "up"))', timeStamp: \(time), pointerId: 1, x: \(x), y: \(y), target: undefined }"
      } + ",\n];\n",
    // Python's notation, and a flag for the phases.
    list("\n") { part, time, x, y in
      "{'t_ms': \(time), 'pos': [\(x), \(y)], 'pressed': \(part == .end ? "False" : "True")}"
    },
    // The element under the finger has a rectangle.
    list("\n") { part, time, x, y in
      #"{"type": "touch\#(word(part, "start", "move", "end"))", "time_ms": \#(time), "target": {"x": 1, "y": 2}, "box": {"x": 0, "y": 1, "width": 5, "height": 6}, "point": {"x": \#(x), "y": \#(y)}}"#
    },
    // Several events in a batch with a time of its own.
    "["
      + list { part, time, x, y in
        #"{"received_us": \#((time + 7) * 1000), "events": [{"type": "Pointer\#(word(part, "Down", "Move", "Up"))Event", "timestamp_us": \#(time * 1000), "pointer": 1, "position": [\#(x), \#(y)], "down": \#(part != .end)}]}"#
      } + "]",
  ])
  func `one finger is found wherever it stands`(text: String) throws {
    let found = try read(text)
    #expect(found.format == .json)
    #expect(lines(found) == contact)
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
  }

  @Test func `lists of contacts alone say who is down`() throws {
    let found = try read(
      #"{"frames": [{"t_ms": 0, "touches": [{"id": 5, "x": 1, "y": 2}]}, "#
        + #"{"t_ms": 10, "touches": [{"id": 5, "x": 1, "y": 3}, {"id": 6, "x": 8, "y": 9}]}, "#
        + #"{"t_ms": 20, "touches": [{"id": 6, "x": 8, "y": 8}]}, {"t_ms": 30, "touches": []}]}"#)
    #expect(
      lines(found) == [
        "0 0 began 1,2", "10 0 moved 1,3", "10 1 began 8,9", "20 1 moved 8,8", "20 0 ended 1,3",
        "30 1 ended 8,8",
      ])
  }

  @Test func `an event about one of two contacts leaves the other as it was`() throws {
    let found = try read(
      #"[{"actionMasked": 0, "eventTime_ms": 0, "pointers": [{"id": 0, "x": 1, "y": 2}]}, "#
        + #"{"actionMasked": 5, "actionIndex": 1, "eventTime_ms": 10, "pointers": [{"id": 0, "x": 1, "y": 2}, {"id": 1, "x": 8, "y": 9}]}, "#
        + #"{"actionMasked": 2, "eventTime_ms": 20, "pointers": [{"id": 0, "x": 1, "y": 3}, {"id": 1, "x": 8, "y": 8}]}, "#
        + #"{"actionMasked": 6, "actionIndex": 0, "eventTime_ms": 30, "pointers": [{"id": 0, "x": 1, "y": 3}, {"id": 1, "x": 8, "y": 8}]}, "#
        + #"{"actionMasked": 1, "eventTime_ms": 40, "pointers": [{"id": 1, "x": 8, "y": 8}]}]"#)
    #expect(
      lines(found) == [
        "0 0 began 1,2", "10 1 began 8,9", "20 0 moved 1,3", "20 1 moved 8,8", "30 0 ended 1,3",
        "40 1 ended 8,8",
      ])
  }

  @Test func `contacts without names are those that are nearest`() throws {
    let found = try read(
      #"[{"t_ms": 0, "touches": [{"x": 0, "y": 0}, {"x": 100, "y": 0}]}, "#
        + #"{"t_ms": 10, "touches": [{"x": 1, "y": 0}, {"x": 101, "y": 0}]}, "#
        + #"{"t_ms": 20, "touches": [{"x": 102, "y": 0}]}, {"t_ms": 30, "touches": []}]"#)
    #expect(found.touches.filter { $0.contact == 0 }.map(\.position.x) == [0, 1, 1])
    #expect(found.touches.filter { $0.contact == 1 }.map(\.position.x) == [100, 101, 102, 102])
  }

  @Test func `events of pointers, touches and the mouse of one finger are contacts of their own`()
    throws
  {
    let found = try read(
      list("\n") { part, time, x, y in
        let pointer =
          #"{"type": "pointer\#(word(part, "down", "move", "up"))", "timeStamp": \#(time), "pointerId": 0, "x": \#(x), "y": \#(y)}"#
        let touch =
          #"{"type": "touch\#(word(part, "start", "move", "end"))", "timeStamp": \#(time), "changedTouches": [{"identifier": 0, "clientX": \#(x), "clientY": \#(y)}]}"#
        return pointer + "\n" + touch
      })
    #expect(Set(found.touches.map(\.contact)) == [0, 1])
    #expect(lines(found).filter { $0.contains(" 0 ") } == contact)
    #expect(found.losses.isEmpty)
  }

  @Test func `strokes without names are contacts of their own`() throws {
    let stroke = { (start: Int) in
      #"{"color": "black", "points": ["#
        + (0..<4).map { #"{"time": \#(start + $0 * 10), "x": \#($0), "y": 5}"# }.joined(
          separator: ",")
        + "]}"
    }
    let found = try read("[\(stroke(0)),\(stroke(1000))]")
    #expect(found.touches.map(\.contact) == [0, 0, 0, 0, 1, 1, 1, 1])
  }

  @Test func `a mouse that moves without a button is no contact`() {
    #expect(
      refusal(
        #"[{"type": "mousemove", "timeStamp": 1, "x": 1, "y": 2, "buttons": 0}, {"type": "mousemove", "timeStamp": 9, "x": 2, "y": 2, "buttons": 0}]"#
      )
        != nil)
  }

  @Test func `a cut file gives its whole events`() throws {
    let found = try read(
      #"{"events": [{"t_ms": 0, "x": 1, "y": 2}, {"t_ms": 9, "x": 1, "y": 3}, {"t_ms": 18, "x""#)
    #expect(lines(found).count == 2)
    #expect(found.losses.count == 1)
  }

  @Test func `columns and rows of numbers are tables too`() throws {
    let columns = try read(#"{"t_ms": [0, 12], "x": [1, 2], "y": [3, 4]}"#)
    #expect(lines(columns) == ["0 0 began 1,3", "12 0 ended 2,4"])
    let rows = try read(#"{"columns": ["t_ms", "x", "y"], "data": [[0, 1, 3], [12, 2, 4]]}"#)
    #expect(lines(rows) == lines(columns))
    let header = try read(#"[["t_ms", "x", "y"], [0, 1, 3], [12, 2, 4]]"#)
    #expect(lines(header) == lines(columns))
  }

  @Test func `a pointer that only hovers is told so`() {
    #expect(
      refusal(
        #"[{"t": 1, "x": 1, "y": 2, "event": "mousemove"}, {"t": 13, "x": 2, "y": 2, "event": "mousemove"}]"#
      )?
      .hasPrefix("The pointer only moves without a touch or a button") == true)
  }

  @Test func `fields without a position are named in the refusal`() {
    #expect(refusal(#"[{"t": 1, "speed": 4}]"#)?.contains("its fields are 'speed', 't'") == true)
  }

  @Test func `two lists of positions are refused with their names`() {
    let points = #"[{"t_ms": 0, "x": 1, "y": 2}, {"t_ms": 9, "x": 1, "y": 3}]"#
    #expect(
      refusal(#"{"raw": \#(points), "smooth": \#(points)}"#)
        == "The JSON has positions in 'raw' and in 'smooth'. Save one of these lists in a file of its own."
    )
  }

  @Test func `positions without times are refused`() {
    #expect(refusal(#"[{"x": 1, "y": 2}, {"x": 1, "y": 3}]"#)?.contains("no times") == true)
  }

  @Test func `the numbers of events are no names of contacts`() throws {
    let found = try read(
      #"[{"id": 31, "t_ms": 0, "x": 1, "y": 2}, {"id": 32, "t_ms": 9, "x": 1, "y": 3}, {"id": 33, "t_ms": 18, "x": 1, "y": 4}]"#
    )
    #expect(found.touches.map(\.contact) == [0, 0, 0])
  }
}

struct KnownJSONTests {
  @Test func `actions of a WebDriver move evenly over their durations`() throws {
    let found = try read(
      #"{"actions": [{"type": "pointer", "id": "f", "actions": [{"type": "pointerMove", "duration": 50, "x": 100, "y": 500}, {"type": "pointerDown"}, {"type": "pause", "duration": 20}, {"type": "pointerMove", "duration": 100, "x": 0, "y": -200, "origin": "pointer"}, {"type": "pointerUp"}]}]}"#
    )
    #expect(
      found.touches.map(\.phase) == [
        .began, .moved, .moved, .moved, .moved, .moved, .moved, .ended,
      ])
    #expect(found.touches[0].position == Point2D(x: 100, y: 500))
    for touch in found.touches.dropFirst() {
      let passed = Double(touch.time.nanoseconds - 20_000_000) / 1e8
      #expect(abs(touch.position.y - (500 - 200 * passed)) < 1e-9)
    }
    #expect(found.touches.last?.time.nanoseconds == 120_000_000)
    #expect(found.warnings.count == 1)
  }

  @Test func `actions that begin at an element are refused`() {
    #expect(
      refusal(
        #"{"actions": [{"type": "pointer", "id": "f", "actions": [{"type": "pointerMove", "x": 0, "y": 0, "origin": {"element-1": "a"}}, {"type": "pointerDown"}]}]}"#
      )?
      .contains("element") == true)
  }

  @Test func `actions of two fingers run in the same ticks`() throws {
    let finger = { (name: String, y: Int) in
      #"{"type": "pointer", "id": "\#(name)", "actions": [{"type": "pointerMove", "x": 1, "y": 500}, {"type": "pointerDown"}, {"type": "pointerMove", "duration": 30, "x": 1, "y": \#(y)}, {"type": "pointerUp"}]}"#
    }
    let found = try read(#"{"actions": [\#(finger("a", 400)), \#(finger("b", 600))]}"#)
    #expect(found.warnings.count == 1)
    #expect(found.touches.filter { $0.contact == 0 }.last?.position.y == 400)
    #expect(found.touches.filter { $0.contact == 1 }.last?.position.y == 600)
    #expect(found.touches.last?.time.nanoseconds == 30_000_000)
  }

  @Test func `rrweb sends moves after the lift, and their times say when they were`() throws {
    let found = try read(
      #"[{"type": 2, "timestamp": 900, "data": {"node": {"x": 1, "y": 2}}}, "#
        + #"{"type": 3, "timestamp": 1000, "data": {"source": 2, "type": 7, "id": 9, "x": 10, "y": 20}}, "#
        + #"{"type": 3, "timestamp": 1040, "data": {"source": 2, "type": 9, "id": 9, "x": 10, "y": 0}}, "#
        + #"{"type": 3, "timestamp": 1500, "data": {"source": 6, "positions": [{"x": 10, "y": 15, "id": 9, "timeOffset": -490}, {"x": 10, "y": 5, "id": 9, "timeOffset": -470}]}}, "#
        + #"{"type": 3, "timestamp": 1600, "data": {"source": 1, "positions": [{"x": 1, "y": 1, "id": 9, "timeOffset": 0}]}}, "#
        + #"{"type": 3, "timestamp": 1700, "data": {"source": 3, "id": 1, "x": 0, "y": 300}}]"#)
    #expect(
      lines(found) == ["0 0 began 10,20", "10 0 moved 10,15", "30 0 moved 10,5", "40 0 ended 10,0"])
  }

  @Test func `a trace is read if its events have positions`() throws {
    let event = { (name: String, time: Int, arguments: String) in
      #"{"cat": "input", "name": "\#(name)", "ph": "X", "ts": \#(time), "args": {\#(arguments)}}"#
    }
    let found = try read(
      #"{"traceEvents": [\#(event("TouchMove", 12000, #""data": {"x": 1, "y": 3}"#)), \#(event("TouchStart", 0, #""data": {"x": 1, "y": 2}"#)), \#(event("TouchEnd", 24000, ""))]}"#
    )
    #expect(lines(found) == ["0 0 began 1,2", "12 0 moved 1,3", "24 0 ended 1,3"])
    #expect(
      refusal(
        #"{"traceEvents": [\#(event("TouchMove", 12000, #""data": {"type": "touchmove"}"#))]}"#)?
        .contains("trace") == true)
  }

  @Test func `steps of a recorder are refused`() {
    #expect(
      refusal(
        #"{"title": "a", "steps": [{"type": "click", "selectors": [["b"]], "offsetX": 1, "offsetY": 2}]}"#
      )?
      .contains("kymo web-recorder") == true)
  }
}

struct HostileJSONTests {
  @Test(arguments: [
    String(repeating: "[", count: 200_000), String(repeating: "{\"a\":", count: 50_000),
    String(repeating: "{\"x\":1,", count: 50_000),
    "{\"x\": \"" + String(repeating: "\\", count: 100_001),
    "[" + String(repeating: "{\"t\":1,\"x\":1},", count: 20_000),
    String(repeating: "[]{}", count: 50_000),
  ])
  func `a long line of brackets is refused`(text: String) {
    #expect(throws: GestureError.self) { try read(text) }
  }
}
