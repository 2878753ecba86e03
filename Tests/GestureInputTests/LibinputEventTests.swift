import GestureInput
import Testing
import TimelineModel

/// What `libinput debug-events` prints in its versions, and what becomes of it in logs and mails.
struct LibinputEventTests {
  private func read(_ text: String, _ deltas: DeltaKind = .accelerated) throws -> GestureRecording {
    try readGesture(Array(text.utf8), as: GestureReading(deltas: deltas), name: "test")
  }

  private let sums =
    "Positions are sums of the accelerated deltas since the start of each gesture."
  private let swipe = """
    -event5   DEVICE_ADDED     SynPS/2 Synaptics TouchPad        seat0 default group1  cap:pg
     event5   GESTURE_SWIPE_BEGIN  +9.530s	4
     event5   GESTURE_SWIPE_UPDATE  +9.530s	4  0.10/26.33 ( 0.00/53.60 unaccelerated)
     event5   GESTURE_SWIPE_UPDATE  +9.540s	4 -6.30/-0.03 (-16.86/91.79 unaccelerated)
     event5   GESTURE_SWIPE_END  +9.588s	4

    """
  private let touches = [
    "0 0 began 0,0", "0 0 moved 0.1,26.33", "10 0 moved -6.2,26.3", "58 0 ended -6.2,26.3",
  ]

  @Test func `a swipe is one contact at the exact sum of its distances`() throws {
    let found = try read(swipe)
    #expect(found.format == .libinputEvents)
    #expect(found.deltas == .accelerated)
    #expect(found.device == "SynPS/2 Synaptics TouchPad")
    #expect(lines(found) == touches)
    #expect(found.losses.isEmpty)
    #expect(found.warnings == [sums])
    #expect(!found.openContacts)
    let raw = try read(swipe, .unaccelerated)
    #expect(raw.deltas == .unaccelerated)
    #expect(lines(raw)[2...] == ["10 0 moved -16.86,145.39", "58 0 ended -16.86,145.39"])
  }

  @Test(arguments: [
    // Repetitions are counted from 1.28 on.
    ("+9.540s\t4", "7 +9.540s\t4"), ("UPDATE  +9", "UPDATE      2  +9"),
    // Tabs become spaces, or space goes.
    ("\t", "    "), ("  +9", " + 9"), (" event5", "event5"), (" event5", "-event5"),
    // A mail breaks lines and quotes them; so do narrow terminals.
    (" unaccelerated", "\nunaccelerated"), (" unaccelerated", "\n> unaccelerated"), ("\t", "\n> "),
    ("-0.03 (", "-0.03\n("), (" event5", "> event5"),
    // It also breaks them behind a minus sign, which is no part of a word for it.
    ("/-0.03", "/-\n0.03"), ("/-0.03", "/-\n> 0.03"), ("(-16", "(-\n16"), ("4 -6.30", "4 -\n6.30"),
    (" ", "\u{A0}"), ("\n", "\r\n"), ("\n", "\r"),
    // The kernel speaks between the parts, and before the lines.
    ("/-0.03", "/-\n[ 1961.191409] usb 1-1: reset\n[ 1961.19] again\n0.03"),
    ("-event5   DEVICE", "[ 1961.191409] usb 1-1: new device\n-event5   DEVICE"),
    // A log has a beginning and an end of its own.
    (" event5", "[2024-01-01 10:00:00]  event5"),
    (
      " event5",
      "D, [2019-10-20T18:55:52.0 #29847] DEBUG -- : {:input_event=>time: 2019, record:  event5"
    ),
    ("unaccelerated)", "unaccelerated)}"), ("\t4\n", "\t4}\n"),
    // The device, and with it the name, may be missing.
    (" event5   GESTURE", "GESTURE"),
  ])
  func `the same is read from every version, paste and log`(old: String, new: String) throws {
    let text = swipe.replacing(old, with: new)
    try #require(text != swipe)
    let found = try read(text)
    #expect(lines(found) == touches, "\(text)")
    #expect(found.losses.isEmpty, "\(found.losses)")
    #expect(found.warnings == [sums], "\(found.losses)")
  }

  @Test func `a pinch is two contacts about the centre, as far apart and as turned as it says`()
    throws
  {
    let found = try read(
      """
      event12  GESTURE_PINCH_BEGIN          +0.247s	2
      event12  GESTURE_PINCH_UPDATE         +0.253s	2  1.00/ 2.00 ( 1.32/ 0.00 unaccelerated)  1.50 @ 30.00
      event12  GESTURE_PINCH_UPDATE      2  +0.260s	2  1.00/ 0.00 ( 1.76/ 0.00 unaccelerated)  0.50 @ 60.00
      event12  GESTURE_PINCH_END            +0.308s	2 cancelled

      """)
    #expect(found.touches.map(\.contact) == [0, 1, 0, 1, 0, 1, 0, 1])
    #expect(
      found.touches.map(\.phase) == [
        .began, .began, .moved, .moved, .moved, .moved, .cancelled, .cancelled,
      ])
    #expect(lines(found)[0...1] == ["0 0 began 50,0", "0 1 began -50,0"])
    let half = 75 * 0.5
    let high = 75 * 3.0.squareRoot() / 2
    for (touch, place) in zip(
      found.touches[2...],
      [
        (1 + high, 2 + half), (1 - high, 2 - half), (2, 27), (2, -23), (2, 27), (2, -23),
      ] as [(Double, Double)])
    {
      #expect(abs(touch.position.x - place.0) < 1e-9)
      #expect(abs(touch.position.y - place.1) < 1e-9)
    }
  }

  @Test(arguments: [
    ("POINTER_SCROLL_FINGER", "/0.0", " (finger)"), ("POINTER_AXIS", "/0", " (finger)"),
    ("POINTER_AXIS", "", " (finger)"), ("POINTER_AXIS", "", ""),
  ])
  func `a scroll of two fingers is a contact, from (0, 0) at its first distance to its 0`(
    name: String, clicks: String, source: String
  ) throws {
    func line(_ time: Int, _ y: String, _ x: String) -> String {
      "event13\t\(name)      +3.\(time)s\tvert \(y)\(clicks)* horiz \(x)\(clicks)\(source)\n"
    }
    let found = try read(
      line(500, "0.00", "0.00") + line(540, "0.00", "-14.09") + line(560, "-0.29", "-24.58")
        + line(580, "0.00", "0.00") + line(900, "1.00", "0.00") + line(910, "0.00", "0.00"))
    #expect(
      lines(found) == [
        "0 0 began 0,0", "0 0 moved -14.09,0", "20 0 moved -38.67,-0.29",
        "40 0 ended -38.67,-0.29", "360 1 began 0,0", "360 1 moved 0,1", "370 1 ended 0,1",
      ])
    #expect(found.losses.isEmpty)
  }

  @Test func `wheels, holds, pointers and keys are no touches, and are not missed`() throws {
    let found = try read(
      swipe + """
         event4   POINTER_MOTION  +10.00s	  1.00/  0.00 ( +1.00/ +0.00)
         event4   POINTER_AXIS      +10.40s	vert 15.00/1* horiz 0.00/0 (wheel)
         event4   POINTER_SCROLL_WHEEL  +10.40s	vert 15.00/120.0* horiz 0.00/0.0 (wheel)
         event5   GESTURE_HOLD_BEGIN  +10.500s	3
         event5   GESTURE_HOLD_END    +10.900s	3 cancelled
         event3   KEYBOARD_KEY  +11.00s	*** (-1) pressed

        """)
    #expect(lines(found) == touches, "\(found.losses)")
    #expect(found.losses.isEmpty, "\(found.losses)")
  }

  @Test func `a sign behind which a mail broke the line belongs to the number of the next one`()
    throws
  {
    let whole = """
       event5  GESTURE_PINCH_BEGIN   +1.000s	2
       event5  GESTURE_PINCH_UPDATE  +1.010s	2 -1.00/-2.00 (-3.00/-4.00 unaccelerated)  0.50 @ -5.00
       event5  GESTURE_PINCH_END     +1.060s	2

      """
    let found = try read(whole)
    for number in ["-1.00", "-2.00", "-3.00", "-4.00", "-5.00"] {
      let broken = whole.replacing(number, with: "-\n\(number.dropFirst())")
      #expect(try read(broken).touches == found.touches, "\(number)")
      #expect(try read(broken).losses.isEmpty)
    }
  }

  @Test(arguments: ["3 cancelled", "3\ncancelled", "3\n> cancelled", "\n3\ncancelled"])
  func `a cancel on the next line is a cancel`(end: String) throws {
    let found = try read(
      "event5 GESTURE_SWIPE_BEGIN +1.000s\t3\nevent5 GESTURE_SWIPE_END +1.060s \(end)\n"
        + "event5 GESTURE_SWIPE_BEGIN +2.000s\t3\nevent5 GESTURE_SWIPE_END +2.060s\t3\n")
    #expect(
      lines(found) == [
        "0 0 began 0,0", "60 0 cancelled 0,0", "1000 1 began 0,0", "1060 1 ended 0,0",
      ])
  }

  @Test func `a wheel that a mail put on the next line is no scroll of fingers`() throws {
    let found = try read(
      swipe + "event4 POINTER_AXIS +10.400s\tvert 15.00/1* horiz 0.00/0\n(wheel)\n")
    #expect(lines(found) == touches)
    #expect(found.losses.isEmpty)
  }

  @Test func `a touch screen's lines are left out and counted`() throws {
    let found = try read(
      swipe + " event7   TOUCH_DOWN  +10.000s\t0 (0) 48.06/57.04 (145.78/90.20mm)\n"
        + " event7   TOUCH_UP  +10.100s\t0 (0)\n")
    #expect(lines(found) == touches)
    #expect(
      found.losses == [
        "Line 6: The 2 lines of a touch screen were left out. Read them with --gesture-format libinput-touch."
      ])
  }

  @Test func `an update without a beginning begins at (0, 0), as every gesture does`() throws {
    let found = try read(
      """
      event16  GESTURE_SWIPE_UPDATE        +110.022s	3 -1.47/-1.23 (-1.58/-1.31 unaccelerated)
      event16  GESTURE_SWIPE_UPDATE      2 +110.030s	3 -1.47/-0.49 (-1.58/-0.53 unaccelerated)
      event16  GESTURE_SWIPE_END           +110.079s	3

      """)
    #expect(
      lines(found) == [
        "0 0 began 0,0", "0 0 moved -1.47,-1.23", "8 0 moved -2.94,-1.72", "57 0 ended -2.94,-1.72",
      ])
    #expect(
      found.warnings.contains(
        "The swipe of event16 moves in line 1 before it began. It begins there."))
    #expect(found.losses.isEmpty)
  }

  @Test func `two devices move at once without meeting`() throws {
    let found = try read(
      """
      event1  GESTURE_SWIPE_BEGIN +1.000s	3
      event2  GESTURE_SWIPE_BEGIN +1.001s	3
      event1  GESTURE_SWIPE_UPDATE +1.002s	3  1.00/ 0.00 ( 1.00/ 0.00 unaccelerated)
      event2  GESTURE_SWIPE_UPDATE +1.003s	3  0.00/ 2.00 ( 1.00/ 0.00 unaccelerated)
      event1  GESTURE_SWIPE_END +1.004s	3
      event2  GESTURE_SWIPE_END +1.005s	3 cancelled

      """)
    #expect(
      lines(found) == [
        "0 0 began 0,0", "1 1 began 0,0", "2 0 moved 1,0", "3 1 moved 0,2", "4 0 ended 1,0",
        "5 1 cancelled 0,2",
      ])
  }

  @Test func `times of two digits are a loss that names their step`() throws {
    let found = try read(swipe.replacing("0s\t", with: "s\t").replacing("+9.588", with: "+9.59"))
    #expect(lines(found) == touches.dropLast() + ["60 0 ended -6.2,26.3"])
    #expect(
      found.losses == [
        "Line 2: Times have 2 digits, steps of 10 ms. The program that wrote the file rounded them."
      ])
  }

  @Test(arguments: [
    "4 -6.3/-0.03 (-16.86/91.79 unaccelerated)", "4 -6.30 (-16.86/91.79 unaccelerated)",
    "4 nan/-0.03 (-16.86/91.79 unaccelerated)", "4 -6.30/-0.03",
    "x -6.30/-0.03 (-16.86/91.79 unaccelerated)",
    "4 99999999999.00/-0.03 (-16.86/91.79 unaccelerated)",
    "4 1000000000.00/-0.03 (1.00/1.00 unaccelerated)",
  ])
  func `a distance that is no number, or leads nowhere, is left out`(rest: String) throws {
    let found = try read(
      swipe.replacing("4 -6.30/-0.03 (-16.86/91.79 unaccelerated)", with: rest))
    #expect(lines(found) == ["0 0 began 0,0", "0 0 moved 0.1,26.33", "58 0 ended 0.1,26.33"])
    #expect(found.losses.count == 1, "\(found.losses)")
    #expect(found.losses[0].hasPrefix("Line 4: "), "\(found.losses)")
  }
}
