extension TextShape {
  /// All shapes. An entry has at most ten lines.
  package static let all: [TextShape] = [
    // Android
    TextShape(
      name: "motionevent", title: "MotionEvent.toString()",
      example:
        "MotionEvent { action=ACTION_MOVE, id[0]=0, x[0]=400.0, y[0]=882.0, …, eventTime=21155605, … }",
      lines: ["MotionEvent { action={phase},", "MotionEvent{{…} action={phase} "],
      fields: [
        "eventTime={t:ms}", "id[{n}]={id}", "x[{n}]={x}", "y[{n}]={y}", " x={x} y={y}", " id={id}",
      ],
      phases: ["0": .began, "1": .ended, "2": .moved, "3": .cancelled, "ACTION_OUTSIDE": .hovers]),
    TextShape(
      name: "motionevent-native", title: "MotionEvent of dumpsys input",
      example:
        "MotionEvent(deviceId=2, eventTime=21155605000000, …, action=MOVE, …, pointers=[0: (400.0, 882.0)])",
      lines: ["MotionEvent("],
      fields: [
        "eventTime={t:ns}", " action={phase},", "pointers=[{n}: ({x}, {y})", "), {n}: ({x}, {y})",
      ]),
    TextShape(
      name: "monkey-script", title: "a script of Android's monkey",
      example: "DispatchPointer(21155593, 21155605, 2, 400.0, 882.0, 1.0, 1.0, 0, 1.0, 1.0, 0, 0)",
      lines: ["DispatchPointer({…}, {t:ms}, {phase}, {x}, {y},"],
      phases: ["0": .began, "1": .ended, "2": .moved, "3": .cancelled]),
    TextShape(
      name: "compose", title: "PointerInputChange of Jetpack Compose",
      example:
        "PointerInputChange(id=PointerId(value=0), uptimeMillis=21155605, position=Offset(400.0, 882.0), pressed=true, …)",
      lines: ["PointerInputChange(id=PointerId(value={id})"],
      fields: ["uptimeMillis={t:ms}", "position=Offset({x}, {y})", "pressed={down}"]),
    // Apple
    TextShape(
      name: "uitouch", title: "UITouch",
      example:
        "<UITouch: 0x12df01920> phase: Moved tap count: 1 … location in window: {400, 882} …",
      lines: ["<UITouchesEvent: {…}> timestamp: {t:s}", "<UITouch: {id}>"],
      fields: ["phase: {phase}", " location in window: {{x}, {y}}", " timestamp: {t:s}"]),
    TextShape(
      name: "nsevent", title: "NSEvent",
      example: "NSEvent: type=LMouseDragged loc=(400,882) time=35298.312 flags=0x100 …",
      lines: ["NSEvent: type={phase} loc=({x},{y}) time={t:s}"],
      phases: [
        "LMouseDown": .began, "LMouseDragged": .moved, "LMouseUp": .ended, "MouseMoved": .hovers,
      ]),
    // Scripts
    TextShape(
      name: "pynput", title: "pynput's mouse listener",
      example: "2026-11-29 10:00:00,012 INFO Pointer moved to (398, 882)",
      lines: [
        "Pressed at ({x}, {y}){down:1}", "Pointer moved to ({x}, {y})",
        "Mouse moved to ({x}, {y})", "Released at ({x}, {y}){down:0}",
      ]),
    // Toolkits
    TextShape(
      name: "flutter-pointer", title: "Flutter's PointerEvent",
      example:
        "PointerMoveEvent#1d2d6(position: Offset(400.0, 882.0), …, timeStamp: 0:00:01.012000, pointer: 1, …)",
      lines: ["Pointer{phase}Event#{…}(", "Pointer{phase}Event("],
      fields: ["position: Offset({x}, {y})", "timeStamp: {t}", "pointer: {id}"],
      phases: ["Added": .hovers, "Removed": .hovers], instead: ["flutter-drag"]),
    TextShape(
      name: "flutter-drag", title: "Flutter's DragUpdateDetails",
      example: "DragUpdateDetails(Offset(-1.8, -18.0))",
      lines: [
        "DragStartDetails(Offset({x}, {y}){phase:began}",
        "DragUpdateDetails(Offset({dx}, {dy}){phase:moved}",
        "DragEndDetails({phase:ended}", "Drag{phase}Details#{…}(", "Drag{phase}Details(",
      ],
      fields: ["globalPosition: Offset({x}, {y})", "sourceTimeStamp: {t}"]),
    TextShape(
      name: "godot", title: "Godot's InputEventScreenDrag",
      example: "InputEventScreenDrag: index=0, position=((400, 882)), relative=((-1.8, -18)), …",
      lines: [
        "InputEventScreenTouch{…}: index={id}, pressed={down},{…} canceled=true{phase:cancelled}",
        "InputEventScreenTouch{…}: index={id}, pressed={down}",
        "InputEventScreenDrag{…}: index={id}{down:1}",
      ],
      fields: ["position=(({x}, {y})", "position=({x}, {y})"]),
    TextShape(
      name: "qt-touch", title: "Qt 6's QTouchEvent",
      example:
        "QTouchEvent(TouchUpdate …, 1 points: (QEventPoint(id=1 ts=1012 pos=0,0 scn=400,882 gbl=400,882 Updated …)))",
      lines: ["QEventPoint(id={id} ts={t:ms} pos={…} scn={x},{y} gbl={…},{…} {phase} "],
      instead: ["qt-mouse"]),
    TextShape(
      name: "qt5-touch", title: "Qt 5's QTouchEvent",
      example:
        "QTouchEvent(TouchUpdate …, 1 points: (TouchPoint(1 (400,882) TouchPointMoved pressure 1 …)))",
      lines: ["TouchPoint({id} ({x},{y}) TouchPoint{phase} "], instead: ["qt-mouse"]),
    TextShape(
      name: "qt-mouse", title: "QMouseEvent",
      example: "QMouseEvent(MouseMove LeftButton pos=400,882 scn=400,882 gbl=400,882)",
      lines: [
        "QMouseEvent(MouseButtonPress{down:1}", "QMouseEvent(MouseButtonRelease{down:0}",
        "QMouseEvent(MouseMove",
      ],
      fields: ["os=({x},{y})", "os=QPointF({x},{y})", "os={x},{y}"]),
    TextShape(
      name: "awt", title: "Java's MouseEvent",
      example:
        "java.awt.event.MouseEvent[MOUSE_DRAGGED,(400,882),absolute(400,882),button=1,…] on frame0",
      lines: ["MouseEvent[MOUSE_{phase},({x},{y}),"],
      phases: ["MOVED": .hovers, "CLICKED": .hovers]),
    TextShape(
      name: "sdl-finger", title: "SDL 3's SDL_EVENT_FINGER_MOTION",
      example:
        "SDL EVENT: SDL_EVENT_FINGER_MOTION (timestamp=3448284004 touchid=2 fingerid=7 x=0.400 y=0.882 …)",
      lines: ["SDL_EVENT_FINGER_{phase} (timestamp={t:ns} {…}fingerid={id} x={x} y={y}"],
      instead: ["sdl-mouse"]),
    TextShape(
      name: "sdl2-finger", title: "SDL 2's SDL_FINGERMOTION",
      example:
        "SDL EVENT: SDL_FINGERMOTION (timestamp=3448 touchid=2 fingerid=7 x=0.400 y=0.882 …)",
      lines: ["SDL_FINGER{phase} (timestamp={t:ms} {…}fingerid={id} x={x} y={y}"],
      instead: ["sdl2-mouse"]),
    TextShape(
      name: "sdl-mouse", title: "SDL 3's SDL_EVENT_MOUSE_MOTION",
      example:
        "SDL EVENT: SDL_EVENT_MOUSE_MOTION (timestamp=3448284004 windowid=1 which=0 state=1 x=400 y=882 …)",
      lines: [
        "SDL_EVENT_MOUSE_BUTTON_{down} (timestamp={t:ns}",
        "SDL_EVENT_MOUSE_MOTION (timestamp={t:ns}",
      ],
      fields: [" x={x} y={y}"]),
    TextShape(
      name: "sdl2-mouse", title: "SDL 2's SDL_MOUSEMOTION",
      example:
        "SDL EVENT: SDL_MOUSEMOTION (timestamp=3448 windowid=1 which=0 state=1 x=400 y=882 …)",
      lines: ["SDL_MOUSEBUTTON{down} (timestamp={t:ms}", "SDL_MOUSEMOTION (timestamp={t:ms}"],
      fields: [" x={x} y={y}"]),
    // Wayland, X11 and libinput
    TextShape(
      name: "wayland-touch", title: "wl_touch of WAYLAND_DEBUG",
      example: "[3536875.998] wl_touch@25.motion(965466174, 0, 400.00000000, 882.00000000)",
      lines: [
        "wl_touch{…}.down({…}, {t:ms}, {…}, {id}, {x}, {y}){phase:began}",
        "wl_touch{…}.motion({t:ms}, {id}, {x}, {y}){phase:moved}",
        "wl_touch{…}.up({…}, {t:ms}, {id}){phase:ended}",
      ], instead: ["wayland-pointer"]),
    TextShape(
      name: "wayland-pointer", title: "wl_pointer of WAYLAND_DEBUG",
      example: "[3536875.998] wl_pointer@18.motion(965466174, 400.00000000, 882.00000000)",
      lines: [
        "wl_pointer{…}.enter({…}, {…}, {x}, {y})", "wl_pointer{…}.motion({t:ms}, {x}, {y})",
        "wl_pointer{…}.button({…}, {t:ms}, {…}, {down})",
      ]),
    TextShape(
      name: "wayland-swipe", title: "zwp_pointer_gesture_swipe_v1 of WAYLAND_DEBUG",
      example:
        "[3536875.998] zwp_pointer_gesture_swipe_v1@31.update(965466174, -1.80078125, -18.00000000)",
      lines: [
        "pointer_gesture_swipe_v1{…}.begin({…}, {t:ms}, {phase:began}",
        "pointer_gesture_swipe_v1{…}.update({t:ms}, {dx}, {dy}){phase:moved}",
        "pointer_gesture_swipe_v1{…}.end({…}, {t:ms}, 0){phase:ended}",
        "pointer_gesture_swipe_v1{…}.end({…}, {t:ms}, 1){phase:cancelled}",
      ], instead: ["wayland-pointer"]),
    TextShape(
      name: "wev-touch", title: "wl_touch of wev",
      example: "[15:        wl_touch] motion: time: 965466174; id: 0; x, y: 400.000000, 882.000000",
      lines: ["wl_touch] {phase}:"], fields: ["time: {t:ms}", " id: {id}", "x, y: {x}, {y}"],
      instead: ["wev-pointer"]),
    TextShape(
      name: "wev-pointer", title: "wl_pointer of wev",
      example: "[14:      wl_pointer] motion: time: 965466174; x, y: 400.000000, 882.000000",
      lines: ["wl_pointer] enter:", "wl_pointer] motion:", "wl_pointer] button:"],
      fields: ["time: {t:ms}", "x, y: {x}, {y}", "state: {down} ("]),
    TextShape(
      name: "libinput-touch", title: "TOUCH_MOTION of libinput debug-events",
      example: "event7   TOUCH_MOTION   +1.012s\t0 (0) 40.00/88.20 (400.00/882.00mm)",
      lines: [
        "TOUCH_{phase} {…}+{t:s}s {id} ({…}) {…}({x}/{y}mm)", "TOUCH_{phase} {…}+{t:s}s {id} (",
      ]),
    TextShape(
      name: "xinput-touch", title: "TouchUpdate of xinput test-xi2",
      example:
        "EVENT type 19 (TouchUpdate), then detail: 5, time: 21155605, root: 400.00/882.00 on lines of their own",
      lines: ["EVENT type {…} (Touch{phase})"],
      fields: ["time: {t:ms}", "detail: {id}", "root: {x}/{y}"],
      isSpread: true, instead: ["xinput-raw-touch", "xinput-pointer"]),
    TextShape(
      name: "xinput-raw-touch", title: "RawTouchUpdate of xinput test-xi2",
      example:
        "EVENT type 23 (RawTouchUpdate), then detail: 5, time: 21155605, valuators: on lines of their own",
      lines: ["EVENT type {…} (RawTouch{phase})"],
      fields: ["time: {t:ms}", "detail: {id}", " 0: {x} (", " 1: {y} ("], isSpread: true,
      instead: ["xinput-pointer"]),
    TextShape(
      name: "xinput-pointer", title: "Motion of xinput test-xi2",
      example:
        "EVENT type 6 (Motion), then time: 21155605, root: 400.00/882.00 on lines of their own",
      lines: [
        "EVENT type 4 (ButtonPress){down:1}", "EVENT type 5 (ButtonRelease){down:0}",
        "EVENT type 6 (Motion)",
      ],
      fields: ["time: {t:ms}", "root: {x}/{y}"], isSpread: true),
    TextShape(
      name: "xev", title: "xev",
      example: "MotionNotify event, serial 36, …, time 21155605, (400,882), root:(658,1344)",
      lines: [
        "ButtonPress event, serial{down:1}", "ButtonRelease event, serial{down:0}",
        "MotionNotify event, serial",
      ],
      fields: [" time {t:ms}, ({x},{y})"]),
    // The kernel's events in other words
    TextShape(
      name: "koreader", title: "the input events of KOReader's log",
      example:
        "DEBUG input event => type: 3 (EV_ABS), code: 53 (ABS_MT_POSITION_X), value: 400, time: 1789380127.200000",
      lines: ["type: {type} {…}code: {code} {…}value: {value}, time: {t:s}"]),
    TextShape(
      name: "python-evdev", title: "events as python-evdev prints them",
      example: "event at 1789380127.200000, code 53, type 03, val 400",
      lines: ["event at {t:s}, code {code}, type {type}, val {value}"]),
    TextShape(
      name: "kernel-words", title: "time, type, code and value of the kernel's events",
      example: "1789380127.200000 - EV_ABS ABS_MT_POSITION_X 400",
      lines: ["{t:s} - {type} {code} {value}", "{t:s} {type} {code} {value}"]),
    TextShape(
      name: "tslib", title: "ts_print of tslib",
      example: "1789380127.200000:    400    882    255",
      lines: ["{t:s}: (slot {id}) {x} {y} {down}", "{t:s}: {x} {y} {down}"]),
    // No touches in them
    TextShape(
      name: "hid-recorder", title: "hid-recorder", example: "E: 000001.586497 44 04 03 d0 02 …",
      lines: ["E: {t:s} {…} {…} {…} {…} {…} {…} {…}"],
      refusal:
        "The reports of a HID device are bytes that only its driver understands. Record with libinput record."
    ),
    TextShape(
      name: "sendevent", title: "sendevent", example: "sendevent /dev/input/event2 3 53 400",
      lines: ["sendevent /dev/input/"],
      refusal: "The calls of sendevent have positions and no times. Record with getevent -lt."),
    TextShape(
      name: "touchegg", title: "touchégg's log", example: "Gesture update detected (60.5%)",
      lines: ["Gesture begin detected", "Gesture update detected"],
      refusal:
        "The log of touchégg has percentages, without positions and times. Record with libinput record."
    ),
    TextShape(
      name: "libinput-states", title: "libinput's debug log",
      example: "gesture: [3fg] event GESTURE_STATE_SWIPE → GESTURE_EVENT_END → GESTURE_STATE_NONE",
      lines: ["event GESTURE_STATE_", "tap state TAP_STATE_", "event GESTURE_EVENT_"],
      refusal:
        "The log of libinput's states has neither positions nor times. Record with libinput record."
    ),
  ]
}
