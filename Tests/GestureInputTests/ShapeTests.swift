// More than 400 lines: one suite reads all shapes, with what logs, mails and people put around them.

import GestureInput
import Testing
import TimelineModel

/// The shapes of log lines, and what is before and behind them.
struct ShapeTests {
  /// The shapes with touches in them.
  static let shapes = TextShape.all.filter { $0.refusal == nil }

  private func read(_ text: String, pattern: String) throws -> GestureRecording {
    try readGesture(Array(text.utf8), as: GestureReading(pattern: pattern), name: "test")
  }

  private func error(_ text: String, _ reading: GestureReading = GestureReading()) -> GestureError?
  {
    do throws(GestureError) {
      _ = try readGesture(Array(text.utf8), as: reading, name: "test")
      return nil
    } catch {
      return error
    }
  }

  private func swipe(_ line: (SwipeReport) -> String) -> String {
    SwipeReport.all.map { line($0) + "\n" }.joined()
  }

  // MARK: The list

  @Test(arguments: shapes.map(\.name) + ["named-values"])
  func `a shape reads its fixture, and no other shape does`(name: String) throws {
    let text = try #require(ShapeFixtures.text(name), "The shape \(name) has no fixture.")
    let found = try GestureInputTests.read(text)
    #expect(found.format.rawValue == name)
    // Steps begin at 0.
    let expected =
      name == "wayland-swipe"
      ? SwipeReport.all.map {
        "\($0.time) 0 \($0.word("began|moved|ended")) \($0.x - 300),\($0.y - 700)"
      }
      : SwipeReport.touches
    #expect(lines(found) == expected)
    #expect(found.losses.isEmpty)
    #expect(!found.openContacts)
    #expect(try GestureInputTests.read(text, as: found.format) == found)
    for other in ShapeTests.shapes where other.name != name {
      let reading = GestureReading(format: other.format)
      if name == "flutter-pointer", other.name == "flutter-drag" { continue }
      #expect(error(text, reading) != nil, "\(other.name) reads it as well.")
    }
  }

  @Test func `all shapes have names, titles and examples of their own`() {
    #expect(Set(TextShape.all.map(\.name)).count == TextShape.all.count)
    #expect(Set(TextShape.all.map(\.title)).count == TextShape.all.count)
    #expect(TextShape.faults.isEmpty)
    #expect(TextShape.all.allSatisfy { !$0.example.isEmpty })
  }

  @Test func `lines without touches in them name the program that records some`() {
    for (text, tool) in [
      ("Gesture begin detected\nGesture update detected (60.5%)\n", "libinput record"),
      ("sendevent /dev/input/event2 3 53 400\nsendevent /dev/input/event2 0 0 0\n", "getevent -lt"),
      (
        "E: 000001.586497 12 44 04 03 d0 02 cf 02 7d\nE: 000001.596497 12 44 04 03 d0 02 cf 02 7d\n",
        "libinput record"
      ),
      (
        "event9 - tap: touch 0 (TOUCH_BEGIN), tap state TAP_STATE_IDLE → TAP_STATE_TOUCH\n",
        "libinput record"
      ),
    ] {
      #expect(error(text)?.message.contains("Record with \(tool)") == true, "\(text)")
    }
  }

  // MARK: Pointers, repetitions and steps

  @Test
  func `two fingers of an Android event are two contacts, and one that lifts leaves the other`()
    throws
  {
    func event(_ action: String, _ time: Int, _ places: [(Int, Int)]) -> String {
      let pointers = places.enumerated().map { index, place in
        "id[\(index)]=\(index + 3), x[\(index)]=\(place.0).0, y[\(index)]=\(place.1).0, "
      }.joined()
      return
        "D/App ( 12): MotionEvent { action=\(action), \(pointers)pointerCount=\(places.count), eventTime=\(time), downTime=1 }\n"
    }
    let found = try GestureInputTests.read(
      event("ACTION_DOWN", 1000, [(1, 2)])
        + event("ACTION_POINTER_DOWN(1)", 1004, [(1, 2), (50, 60)])
        + event("ACTION_MOVE", 1010, [(3, 4), (52, 62)])
        + event("ACTION_POINTER_UP(0)", 1020, [(3, 4), (52, 62)])
        + event("ACTION_UP", 1030, [(52, 62)]).replacing("id[0]=3", with: "id[0]=4"))
    #expect(
      lines(found) == [
        "0 0 began 1,2", "4 1 began 50,60", "10 0 moved 3,4", "10 1 moved 52,62", "20 0 ended 3,4",
        "30 1 ended 52,62",
      ])
  }

  @Test func `a line that a program prints twice is one report`() throws {
    let found = try GestureInputTests.read(
      swipe { "before \(ShapeFixtures.motionEvent($0))\nbehind \(ShapeFixtures.motionEvent($0))" })
    #expect(lines(found) == SwipeReport.touches)
    #expect(found.warnings.isEmpty)
  }

  @Test func `two views that tell other positions of one finger are refused`() {
    let text = swipe {
      "a \(ShapeFixtures.motionEvent($0))\nb \(ShapeFixtures.motionEvent($0, dx: 40))"
    }
    #expect(error(text)?.message.contains("Keep the lines of one view") == true)
  }

  @Test func `steps of a gesture are summed up from where it began`() throws {
    let found = try GestureInputTests.read(try #require(ShapeFixtures.text("wayland-swipe")))
    #expect(found.deltas == .accelerated)
    #expect(found.warnings == ["Positions are sums of the deltas since the start of each gesture."])
  }

  @Test(arguments: [
    ("wayland-pointer", "[9.9] wl_pointer#18.motion(81440900, 1.0, 2.0)"),
    ("pynput", "2026-09-14 09:31:19,000 - INFO - Pointer moved to (1, 2)"),
  ])
  func `a pointer that moves without a button is not a touch`(name: String, move: String) throws {
    let text = try #require(ShapeFixtures.text(name))
    let found = try GestureInputTests.read(text + move + "\n")
    #expect(lines(found) == SwipeReport.touches)
  }

  // MARK: What logs, mails and Markdown add

  static let prefixes: [(String, @Sendable (SwipeReport) -> String)] = [
    ("brief", { _ in "D/App     (11770): " }), ("time", { "09-14 \($0.clock) D/App(11770): " }),
    ("threadtime", { "09-14 \($0.clock)  1234  1234 D App     : " }),
    ("year", { "2026-09-14 \($0.clock)  1234  1234 D App: " }),
    ("epoch", { "1789380127.\(SwipeReport.padded($0.time))  1234  1234 D App: " }),
    ("long", { "[ 09-14 \($0.clock)  1234: 1234 D/App ]\n" }),
    ("studio", { "2026-09-14 \($0.clock)  1234-1234  App   com.example.app   D  " }),
    ("journal", { "Sep 14 \($0.clock)000 host app[123]: " }),
    ("journal iso", { "2026-09-14T\($0.clock)000+0200 host app[123]: " }),
    ("iso", { "2026-09-14T\($0.clock)Z " }),
    ("brackets", { "[\($0.clock)] [22538:0000580a] [INFO] " }),
    ("NSLog", { "2026-09-14 \($0.clock)000+0800 App[15:381] " }),
    ("console", { "\($0.clock) app.js:12 " }),
    ("docker", { "web_1  | 2026-09-14T\($0.clock)000000Z " }),
    ("python", { "2026-09-14 \($0.clock.replacing(".", with: ",")) - app - INFO - " }),
    ("level", { _ in "DEBUG: " }),
    ("glog", { "I0914 \($0.clock)123  1234 main.cc:12] " }),
    (
      "Chromium",
      { "[1234:5678:0914/093112.\(SwipeReport.padded($0.time + 100))123:INFO:main.cc(12)] " }
    ),
    ("flutter", { _ in "I/flutter (24815): " }), ("quotation", { _ in "> > " }),
    ("colour", { _ in "\u{1B}[32m" }),
  ]

  @Test(arguments: prefixes.indices)
  func `words that a log puts before lines do not change the touches`(index: Int) throws {
    let (name, prefix) = ShapeTests.prefixes[index]
    let event = try GestureInputTests.read(swipe { prefix($0) + ShapeFixtures.motionEvent($0) })
    #expect(lines(event) == SwipeReport.touches, "\(name)")
    // A format of the kernel, event by event, behind the same words.
    let kernel = try #require(ShapeFixtures.text("kernel-words"))
    let devices = kernel.split(separator: "\n").map { line in
      let words = line.split(separator: " ").map(String.init)
      let value = UInt32(bitPattern: Int32(words[4]) ?? 0)
      let digits = String(value, radix: 16)
      return prefix(SwipeReport.all[0])
        + "[ \(words[0])] /dev/input/event2: \(words[2]) \(words[3]) "
        + String(repeating: "0", count: 8 - digits.count) + digits
    }.joined(separator: "\n")
    let found = try GestureInputTests.read(devices + "\n")
    #expect(found.format == .getevent, "\(name)")
    #expect(lines(found) == SwipeReport.touches, "\(name)")
  }

  @Test(arguments: [
    "time", "threadtime", "epoch", "long", "studio", "journal", "iso", "brackets", "NSLog",
    "console",
  ])
  func `the time of a log is used if the lines have none`(name: String) throws {
    let prefix = try #require(ShapeTests.prefixes.first { $0.0 == name }?.1)
    let found = try GestureInputTests.read(
      swipe {
        prefix($0)
          + "_TransformedPointer\($0.word("Down|Move|Up"))Event#6c6(position: Offset(\($0.x).0, \($0.y).0))"
      })
    #expect(found.format.rawValue == "flutter-pointer")
    #expect(lines(found) == SwipeReport.touches)
  }

  @Test func `Markdown's signs, notes behind a line and broken lines do no harm`() throws {
    let escaped = swipe {
      ShapeFixtures.motionEvent($0).replacing("_", with: "\\_").replacing("[", with: "\\[")
    }
    #expect(try lines(GestureInputTests.read("```text\n\(escaped)```\n")) == SwipeReport.touches)
    let eaten = swipe { ShapeFixtures.motionEvent($0).replacing("_", with: "") + "  <-- here" }
    #expect(try lines(GestureInputTests.read(eaten)) == SwipeReport.touches)
    let broken = swipe {
      ShapeFixtures.motionEvent($0).replacing(", y[0]", with: ",\n> y[0]").replacing(
        " historySize", with: "\n> historySize")
    }
    #expect(try lines(GestureInputTests.read(broken)) == SwipeReport.touches)
  }

  @Test func `underscores that Markdown took from a kernel's names are not missed`() throws {
    let text = """
      [ 1.000000] /dev/input/event2: EVABS ABSMTTRACKINGID 00000007
      [ 1.000000] /dev/input/event2: EVABS ABSMTPOSITIONX 00000064
      [ 1.000000] /dev/input/event2: EVABS ABSMTPOSITIONY 000000c8
      [ 1.000000] /dev/input/event2: EVSYN SYNREPORT 00000000
      [ 1.009000] /dev/input/event2: EVABS ABSMTTRACKINGID ffffffff
      [ 1.009000] /dev/input/event2: EVSYN SYNREPORT 00000000

      """
    #expect(try lines(GestureInputTests.read(text)) == ["0 0 began 100,200", "9 0 ended 100,200"])
  }

  @Test func `a log that does not carry its milliseconds over is read as it counts them`() throws {
    let found = try GestureInputTests.read(
      swipe {
        "2026-09-14 09:31:12.\($0.time + 970) touch \($0.word("down|move|up")) x=\($0.x) y=\($0.y)"
      })
    #expect(lines(found) == SwipeReport.touches)
    #expect(found.warnings.count == 1)
  }

  // MARK: Lines with named values

  @Test(arguments: [
    "Touch fingerId: 0 phase: PHASE position: (X.0, Y.0) time: SEC",
    "onTouchPHASE {x: X, y: Y} pointerId=2 timeStamp=UPms",
    "pos=(X, Y) t [ms]: UP action=ACTION_PHASE",
    "PointerEvent { event_type: PHASE, timestamp: UP000, x: X, y: Y, movement_x: 38 }",
    "WM_POINTERPHASE id=1 x=X y=Y time=UP", "touch PHASE: id 0, x X.0, y Y.0, time UP",
  ])
  func `values with names are read in any order`(form: String) throws {
    let found = try GestureInputTests.read(
      swipe {
        form.replacing("PHASE", with: $0.word("Down|Move|Up")).replacing("UP", with: "\($0.uptime)")
          .replacing("X", with: "\($0.x)").replacing("Y", with: "\($0.y)").replacing(
            "SEC", with: $0.seconds)
      })
    #expect(found.format == .namedValues)
    #expect(lines(found) == SwipeReport.touches)
  }

  @Test(arguments: [
    ("onTouchMove x: X y: Y", "--pattern '{phase} x: {x} y: {y}'"),
    ("touchmove 0 X,Y @UP", "--pattern '{phase} {…} {…},{…} @{…}'"),
    ("2026-09-14 10:02:07 touch x=X y=Y", "no times that have a name"),
    ("2026-09-14 10:02:07,012: Dragged to (X, Y)", "--pattern '{phase} to ({x}, {y})'"),
  ])
  func `lines whose time or position has no name are refused with a pattern to fill in`(
    form: String, part: String
  ) {
    let text = swipe {
      form.replacing("UP", with: "\($0.uptime)").replacing("X", with: "\($0.x)").replacing(
        "Y", with: "\($0.y)")
    }
    #expect(error(text)?.message.contains(part) == true, "\(error(text)?.message ?? "")")
  }

  @Test(arguments: [
    "accelerometer x=X y=Y t_ms=UP", "velocity x=X y=Y t_ms=UP", "touch velocity x=X y=Y t_ms=UP",
    "size x=X y=Y t_ms=UP", "touch move x=X y=Y t=N",
  ])
  func `numbers that are not positions, or not times, are refused`(form: String) {
    let text = swipe {
      form.replacing("UP", with: "\($0.uptime)").replacing("X", with: "\($0.x)").replacing(
        "Y", with: "\($0.y)"
      )
      .replacing("N", with: "\($0.time / 11)")
    }
    #expect(error(text) != nil)
  }

  @Test func `a phase before braces is not lost`() throws {
    let text = swipe {
      "Finger\($0.word("Down|Motion|Up")) { timestamp: \($0.uptime), finger_id: 0, x: \($0.x), y: \($0.y), dx: 1 }"
    }
    #expect(try lines(GestureInputTests.read(text)) == SwipeReport.touches)
  }

  @Test func `two loggers of the same words are refused`() {
    let text = swipe { report in
      ["A", "B"].map { "09-14 \(report.clock) 1 1 D \($0): touch move x=\(report.x) y=\(report.y)" }
        .joined(separator: "\n")
    }
    #expect(error(text)?.message.contains("Lines of several kinds") == true)
  }

  @Test func `lines of two places in a program are refused`() {
    let text = swipe {
      "touch x=\($0.x) y=\($0.y) t=\($0.uptime)\ncursor at x=\($0.y) y=\($0.x) t=\($0.uptime)"
    }
    #expect(error(text)?.message.contains("Lines of several kinds") == true)
  }

  // MARK: Two shapes

  @Test func `two shapes that tell different touches are refused with both names`() throws {
    let text =
      swipe { ShapeFixtures.motionEvent($0) }
      + (ShapeFixtures.text("sdl2-finger") ?? "").replacing("x=2", with: "x=9")
    let found = try #require(error(text))
    #expect(found.message.contains("--gesture-format motionevent"))
    #expect(found.message.contains("--gesture-format sdl2-finger"))
    let chosen = GestureReading(format: TextShape.all.first { $0.name == "motionevent" }?.format)
    #expect(
      try lines(readGesture(Array(text.utf8), as: chosen, name: "test")) == SwipeReport.touches)
  }

  @Test func `a shape beside a device's events is refused, and stray lines are not`() throws {
    let device = evemu([(0, "39=1 35=1 36=2"), (9, "35=3"), (18, "35=5"), (27, "39=-1")])
    let stray = ShapeFixtures.motionEvent(SwipeReport.all[0]) + "\n"
    #expect(try GestureInputTests.read(device + stray).format == .evemu)
    #expect(
      error(device + swipe { ShapeFixtures.motionEvent($0) })?.message.contains("evemu-record")
        == true)
  }

  @Test func `a number before a report is its time, unless it may count frames`() throws {
    func event(_ before: String, _ report: SwipeReport) -> String {
      "\(before) InputEventScreenDrag: index=0, position=((\(report.x), \(report.y))), relative=((0, 0))\n"
    }
    let milliseconds = SwipeReport.all.map { event("[\($0.uptime)]", $0) }.joined()
    let found = try GestureInputTests.read(milliseconds)
    #expect(found.timeUnit == .milliseconds)
    #expect(found.touches.last?.time.nanoseconds == 66_000_000)
    let frames = SwipeReport.all.map { event("\($0.time / 11)", $0) }.joined()
    #expect(error(frames)?.message.contains("cannot be told") == true)
    #expect(error(frames, GestureReading(timeUnit: .milliseconds)) == nil)
  }

  // MARK: --pattern

  @Test func `a pattern of one's own reads any lines`() throws {
    let text = swipe {
      "frob <\($0.word("down|move|up"))> \($0.x);\($0.y) after \($0.time) of 7 (x=1)"
    }
    let found = try read(text, pattern: "<{phase}> {x};{y} after {t:ms} of {id}")
    #expect(lines(found) == SwipeReport.touches)
    #expect(found.format == .pattern)
  }

  @Test func `a pattern without a unit takes the one that fits the steps`() throws {
    let text = swipe { "\($0.uptime)000 p \($0.x) \($0.y)" }
    #expect(try read(text, pattern: "{t} p {x} {y}").timeUnit == .microseconds)
  }

  @Test(arguments: [
    ("{t:ms} {x}", "no holes for a position"), ("{x}{y}", "No text stands before {y}"),
    ("{x} {y} {z}", "{z} is not a hole"),
    ("{…}{x} {y}", "No text stands between {…} and {x}"),
    ("{x} {y} {t:h}", "'h' is not a unit of time"), ("", "no holes"),
    ("{x} {y} {phase:green}", "'green' is not a phase"),
    ("{x:1} {y}", "takes nothing after its colon"),
  ])
  func `a pattern that cannot be one is refused with the reason`(pattern: String, part: String) {
    let found = error("1 2 3\n", GestureReading(pattern: pattern))
    #expect(found?.code == .badPattern)
    #expect(found?.message.contains(part) == true, "\(found?.message ?? "")")
  }

  // MARK: Refusals

  @Test func `positions without times are refused, and so are times in whole seconds`() {
    let bare = swipe { ShapeFixtures.motionEvent($0).replacing("eventTime", with: "e") }
    #expect(error(bare)?.message.contains("no times (MotionEvent.toString())") == true)
    let seconds = swipe {
      "2026-09-14 10:02:07 " + ShapeFixtures.motionEvent($0).replacing("eventTime", with: "e")
    }
    #expect(error(seconds)?.message.contains("no times") == true)
    let coarse = swipe {
      "NSEvent: type=LMouseDragged loc=(\($0.x),\($0.y)) time=35298.\($0.time / 11)"
    }
    #expect(error(coarse)?.message.contains("steps of 100 ms") == true)
  }

  @Test func `times that run backwards all the time are refused`() {
    let text = SwipeReport.all.reversed().map { ShapeFixtures.motionEvent($0) + "\n" }.joined()
    #expect(error(text)?.message.contains("Times run backwards") == true)
  }

  @Test func `a last line that may be cut off in a number is left out and told`() throws {
    let text = (ShapeFixtures.text("tslib") ?? "").split(separator: "\n").prefix(5).joined(
      separator: "\n")
    let found = try GestureInputTests.read(String(text.dropLast()))
    #expect(lines(found) == Array(SwipeReport.touches.prefix(4)))
    #expect(found.losses.count == 2)
  }

  @Test func `a line of megabytes is refused at once`() {
    let long = String(
      repeating: "MotionEvent { action=ACTION_MOVE, id[0]=0, x[0]=1 ", count: 60_000)
    #expect(error(long) != nil)
    #expect(error(String(repeating: "x=1 y=2 ", count: 400_000)) != nil)
  }
}
