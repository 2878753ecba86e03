import GestureInput

/// One report of a finger that moves from (300, 700) by (-3, -20) each 11 ms, and lifts 11 ms after its last position.
struct SwipeReport {
  /// Milliseconds since the finger landed.
  let time: Int
  let x: Int
  let y: Int
  /// 0 lands, 1 moves, 2 lifts.
  let phase: Int

  /// Milliseconds on a clock that runs for longer.
  var uptime: Int { 81_440_000 + time }
  var seconds: String { "\(81_440 + time / 1000).\(SwipeReport.padded(time % 1000))" }
  var clock: String { "09:31:12.\(SwipeReport.padded(time + 100))" }

  func word(_ words: String) -> String { String(words.split(separator: "|")[phase]) }

  static func padded(_ number: Int) -> String {
    String(repeating: "0", count: 3 - String(number).count) + String(number)
  }

  static let all: [SwipeReport] =
    (0..<6).map {
      SwipeReport(time: 11 * $0, x: 300 - 3 * $0, y: 700 - 20 * $0, phase: $0 == 0 ? 0 : 1)
    }
    + [SwipeReport(time: 66, x: 285, y: 600, phase: 2)]

  /// The touches of the swipe, as `lines` writes them.
  static let touches = all.map { "\($0.time) 0 \($0.word("began|moved|ended")) \($0.x),\($0.y)" }
}

/// The swipe as programs print it, by the names of the shapes.
enum ShapeFixtures {
  /// The text of a shape. `nil` if there is none.
  static func text(_ name: String) -> String? {
    if let lines = touchLines[name] {
      return SwipeReport.all.map { lines($0) + "\n" }.joined()
    }
    return kernelLines[name].map { line in kernelEvents.map { line($0) + "\n" }.joined() }
  }

  private typealias Lines = @Sendable (SwipeReport) -> String

  static func motionEvent(_ report: SwipeReport, dx: Int = 0) -> String {
    "MotionEvent { action=ACTION_\(report.word("DOWN|MOVE|UP")), actionButton=0, id[0]=0, x[0]=\(report.x + dx).0, "
      + "y[0]=\(report.y).0, toolType[0]=TOOL_TYPE_FINGER, buttonState=0, pointerCount=1, historySize=0, "
      + "eventTime=\(report.uptime), downTime=81440000, deviceId=3, source=0x1002, displayId=0 }"
  }

  private static let touchLines: [String: Lines] = [
    "motionevent": { motionEvent($0) },
    "motionevent-native": {
      "MotionEvent(deviceId=2, eventTime=\($0.uptime)000000, source=TOUCHSCREEN, action=\($0.word("DOWN|MOVE|UP")), "
        + "flags=0x00000000, pointers=[0: (\($0.x).0, \($0.y).0)]), policyFlags=0x62000000"
    },
    "monkey-script": {
      "DispatchPointer(81440000, \($0.uptime), \($0.word("0|2|1")), \($0.x).0, \($0.y).0, 1.0, 1.0, 0, 1.0, 1.0, 0, 0)"
    },
    "compose": {
      "PointerInputChange(id=PointerId(value=4), uptimeMillis=\($0.uptime), position=Offset(\($0.x).0, \($0.y).0), "
        + "pressed=\($0.word("true|true|false")), pressure=1.0, previousUptimeMillis=1, "
        + "previousPosition=Offset(1.0, 2.0), previousPressed=true, isConsumed=false)"
    },
    "uitouch": {
      "2026-09-14 \($0.clock)001+0800 App[15:38] <UITouch: 0x12df> phase: \($0.word("Began|Moved|Ended")) tap count: 1 "
        + "window: <UIWindow: 0x12b; frame = (0 0; 375 812)> location in window: {\($0.x), \($0.y)} "
        + "previous location in window: {1, 2} location in view: {3, 4} previous location in view: {5, 6}"
    },
    "nsevent": {
      "NSEvent: type=\($0.word("LMouseDown|LMouseDragged|LMouseUp")) loc=(\($0.x),\($0.y)) time=\($0.seconds) flags=0x100"
    },
    "pynput": {
      "2026-09-14 09:31:12,\(SwipeReport.padded($0.time + 100)) - INFO - "
        + "\($0.word("Pressed at|Pointer moved to|Released at")) (\($0.x), \($0.y))"
    },
    "flutter-pointer": {
      "flutter: Pointer\($0.word("Down|Move|Up"))Event#5c6(position: Offset(\($0.x).0, \($0.y).0), localPosition: "
        + "Offset(6.3, 7.0), delta: Offset(0.0, 0.3), timeStamp: 22:37:20.\(SwipeReport.padded($0.time))000, pointer: 15)"
    },
    "flutter-drag": { report in
      let detail =
        switch report.phase {
        case 0: "DragStartDetails(Offset(\(report.x).0, \(report.y).0))"
        case 1: "DragUpdateDetails(Offset(-3.0, -20.0))"
        default: "DragEndDetails(Velocity(0.0, 0.0))"
        }
      return "09-14 \(report.clock) I/flutter ( 1234): \(detail)"
    },
    "godot": { report in
      let event =
        report.phase == 1
        ? "InputEventScreenDrag: index=0, position=((\(report.x), \(report.y))), relative=((-3, -20))"
        : "InputEventScreenTouch: index=0, pressed=\(report.phase == 0), canceled=false, position=((\(report.x), "
          + "\(report.y))), double_tap=false"
      return "[\(report.clock)] \(event)"
    },
    "qt-touch": {
      "QTouchEvent(\($0.word("TouchBegin|TouchUpdate|TouchEnd")) device: \"\", 1 points: (QEventPoint(id=1 ts=\($0.uptime)"
        + " pos=0,0 scn=\($0.x),\($0.y) gbl=7,8 \($0.word("Pressed|Updated|Released")) pressure=1 vel=0,0)))"
    },
    "qt5-touch": {
      "\($0.clock) QTouchEvent(\($0.word("TouchBegin|TouchUpdate|TouchEnd")) device: \"\", 1 points: (TouchPoint(2 "
        + "(\($0.x),\($0.y)) TouchPoint\($0.word("Pressed|Moved|Released")) pressure 1 vel (0,0) start (1,2)))"
    },
    "qt-mouse": {
      "\($0.clock) QMouseEvent(\($0.word("MouseButtonPress|MouseMove|MouseButtonRelease")) LeftButton "
        + "pos=\($0.x),\($0.y) scn=\($0.x),\($0.y) gbl=1,2)"
    },
    "awt": {
      "\($0.clock) java.awt.event.MouseEvent[MOUSE_\($0.word("PRESSED|DRAGGED|RELEASED")),(\($0.x),\($0.y)),"
        + "absolute(9,9),button=1,modifiers=Button1,clickCount=1] on frame0"
    },
    "sdl-finger": {
      "INFO: SDL EVENT: SDL_EVENT_FINGER_\($0.word("DOWN|MOTION|UP")) (timestamp=\($0.uptime)000000 touchid=2 fingerid=7 "
        + "x=\($0.x) y=\($0.y) dx=0.0 dy=0.0 pressure=1.0)"
    },
    "sdl2-finger": {
      "INFO: SDL EVENT: SDL_FINGER\($0.word("DOWN|MOTION|UP")) (timestamp=\($0.uptime) touchid=2 fingerid=7 x=\($0.x) "
        + "y=\($0.y) dx=0.0 dy=0.0 pressure=1.0)"
    },
    "sdl-mouse": {
      "SDL_EVENT_MOUSE_\($0.word("BUTTON_DOWN|MOTION|BUTTON_UP")) (timestamp=\($0.uptime)000000 windowid=1 which=0 "
        + "x=\($0.x) y=\($0.y) xrel=-3 yrel=-20)"
    },
    "sdl2-mouse": {
      "SDL_MOUSE\($0.word("BUTTONDOWN|MOTION|BUTTONUP")) (timestamp=\($0.uptime) windowid=1 which=0 x=\($0.x) y=\($0.y))"
    },
    "wayland-touch": { report in
      let event =
        switch report.phase {
        case 0: "down(4, \(report.uptime), wl_surface@31, 0, \(report.x).0, \(report.y).0)"
        case 1: "motion(\(report.uptime), 0, \(report.x).0, \(report.y).0)"
        default: "up(5, \(report.uptime), 0)"
        }
      return "[3536863.998] wl_touch@25.\(event)\n[3536864.038] wl_touch@25.frame()"
    },
    "wayland-pointer": { report in
      let motion = "[1.5] wl_pointer#18.motion(\(report.uptime), \(report.x).0, \(report.y).0)"
      guard report.phase != 1 else { return motion }
      let enter =
        report.phase == 0 ? "[1.4] wl_pointer#18.enter(3, wl_surface#3, 300.0, 700.0)\n" : ""
      return enter
        + "[1.5] {Default Queue} wl_pointer#18.button(5, \(report.uptime), 272, \(report.phase == 0 ? 1 : 0))"
    },
    "wayland-swipe": { report in
      let event =
        switch report.phase {
        case 0: "begin(12, \(report.uptime), wl_surface@3, 3)"
        case 1: "update(\(report.uptime), -3.00000000, -20.00000000)"
        default: "end(13, \(report.uptime), 0)"
        }
      return "[1.5] zwp_pointer_gesture_swipe_v1@31.\(event)"
    },
    "wev-touch": {
      let place = $0.phase == 2 ? "" : "; x, y: \($0.x).000000, \($0.y).000000"
      return "[15:        wl_touch] \($0.word("down|motion|up")): time: \($0.uptime); id: 0\(place)"
    },
    "wev-pointer": { report in
      let button = "button: serial: 9; time: \(report.uptime); button: 272 (left), state: "
      let motion = "motion: time: \(report.uptime); x, y: \(report.x).000000, \(report.y).000000"
      let enter =
        "[14:      wl_pointer] enter: serial: 8; surface: 3, x, y: 300.000000, 700.000000\n"
      switch report.phase {
      case 0: return enter + "[14:      wl_pointer] \(button)1 (pressed)"
      case 1: return "[14:      wl_pointer] \(motion)"
      default: return "[14:      wl_pointer] \(button)0 (released)"
      }
    },
    "libinput-touch": {
      let place = $0.phase == 2 ? "" : " 12.00/34.00 (\($0.x).00/\($0.y).00mm)"
      return
        " event7   TOUCH_\($0.word("DOWN|MOTION|UP"))   +8.\(SwipeReport.padded($0.time))s\t0 (0)\(place)"
    },
    "xinput-touch": { report in
      ["8 (8)", "2 (8)"].map { device in
        """
        EVENT type 18 (Touch\(report.word("Begin|Update|End")))
            device: \(device)
            time: \(report.uptime)
            detail: 5
            flags:
            root: \(report.x).00/\(report.y).00
            event: 1.00/2.00
            valuators:
                0: 28385.00
                1: 4290.00

        """
      }.joined(separator: "\n")
    },
    "xinput-raw-touch": {
      """
      EVENT type 22 (RawTouch\($0.word("Begin|Update|End")))
          device: 2 (8)
          time: \($0.uptime)
          detail: 5
          valuators:
                0: \($0.x).00 (\($0.x).00)
                1: \($0.y).00 (\($0.y).00)

      """
    },
    "xinput-pointer": {
      """
      EVENT type \($0.word("4 (ButtonPress)|6 (Motion)|5 (ButtonRelease)"))
          device: 8 (8)
          time: \($0.uptime)
          detail: 1
          root: \($0.x).00/\($0.y).00
          event: 1.00/2.00

      """
    },
    "xev": {
      """
      \($0.word("ButtonPress|MotionNotify|ButtonRelease")) event, serial 36, synthetic NO, window 0x6600001,
          root 0x783, subw 0x6600002, time \($0.uptime), (\($0.x),\($0.y)), root:(658,344),
          state 0x0, button 1, same_screen YES

      """
    },
    "tslib": { "\($0.seconds)000: \($0.x)    \($0.y)    \($0.phase == 2 ? 0 : 255)" },
    "named-values": {
      "touch \($0.word("down|move|up")) x=\($0.x), y: \($0.y), t_ms=\($0.uptime)"
    },
  ]

  /// An event of the kernel: its time, its names and numbers, and its value.
  private struct KernelLine {
    let time: String
    let type: (name: String, number: Int)
    let code: (name: String, number: Int)
    let value: Int
  }

  private static let kernelEvents: [KernelLine] = SwipeReport.all.flatMap { report in
    let time = "1789380127.\(SwipeReport.padded(report.time + 200))000"
    func event(_ code: (String, Int), _ value: Int) -> KernelLine {
      let type =
        code.0.hasPrefix("ABS")
        ? ("EV_ABS", 3) : code.0.hasPrefix("BTN") ? ("EV_KEY", 1) : ("EV_SYN", 0)
      return KernelLine(time: time, type: type, code: code, value: value)
    }
    let place = [
      event(("ABS_MT_POSITION_X", 53), report.x), event(("ABS_MT_POSITION_Y", 54), report.y),
    ]
    let end = event(("SYN_REPORT", 0), 0)
    switch report.phase {
    case 0:
      return [event(("ABS_MT_TRACKING_ID", 57), 9), event(("BTN_TOUCH", 330), 1)] + place + [end]
    case 1: return place + [end]
    default: return [event(("ABS_MT_TRACKING_ID", 57), -1), event(("BTN_TOUCH", 330), 0), end]
    }
  }

  private static let kernelLines: [String: @Sendable (KernelLine) -> String] = [
    "koreader": {
      "09/14/26-10:02:07 DEBUG input event => type: \($0.type.number) (\($0.type.name)), code: \($0.code.number) "
        + "(\($0.code.name)), value: \($0.value), time: \($0.time)"
    },
    "python-evdev": {
      "event at \($0.time), code \($0.code.number), type \($0.type.number), val \($0.value)"
    },
    "kernel-words": { "\($0.time) - \($0.type.name)    \($0.code.name)   \($0.value)" },
  ]
}
