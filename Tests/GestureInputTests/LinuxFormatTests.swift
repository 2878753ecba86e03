import GestureInput
import Testing
import TimelineModel

/// What people paste of `libinput record` and `evtest`, and the bytes of device files.
struct LinuxFormatTests {
  private static let positionEvents = """
    - [  0,      0,   3,  57,    4001] # EV_ABS / ABS_MT_TRACKING_ID    4001
    - [  0,      0,   3,  53,     540] # EV_ABS / ABS_MT_POSITION_X      540 (+12)
    - [  0,      0,   3,  54,     600] # EV_ABS / ABS_MT_POSITION_Y      600 (-3)
    - [  0,      0,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +0ms

    """
  private static let lift = """
    # Current time is 12:34:57
    - evdev:
    - [  1,   8333,   3,  57,      -1] # EV_ABS / ABS_MT_TRACKING_ID      -1
    - [  1,   8333,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +1008ms
                                   # Touch device in neutral state

    """
  private let touches = ["0 0 began 540,600", "1008.333 0 ended 540,600"]

  @Test
  func
    `a recording of libinput is known by its lines, with and without its heading, quoted or not`()
    throws
  {
    for head in [
      "# libinput record\nversion: 1\n", "Recording to 'stdout'.\nversion: 1\nndevices: 1\n",
      "- evdev:\n",
      "", "- node: /dev/input/event5\n  evdev:\n    name: \"pad\"\n  events:\n",
    ] {
      for quotation in ["", "> ", ">>  "] {
        let text = (head + Self.positionEvents + Self.lift).split(separator: "\n")
          .map { quotation + $0 + "\n" }.joined()
        let found = try read(text)
        #expect(found.format == .libinputRecord)
        #expect(lines(found) == touches)
        #expect(found.losses.isEmpty, "\(found.losses)")
        #expect(found.warnings.isEmpty, "\(found.losses)")
      }
    }
  }

  @Test func `of several devices the one that is touched is read, and the others are named`() throws
  {
    let found = try read(
      """
      # libinput record
      version: 1
      ndevices: 2
      libinput:
        version: "1.30.0"
      devices:
      - node: /dev/input/event1
        evdev:
          # Name: keys
          name: "keys"
        events:
        - evdev:
          - [  0,    100,   1,  30,       1] # EV_KEY / KEY_A                 1
          - [  0,    100,   0,   0,       0] # ------------ SYN_REPORT (0) ----------
      - node: /dev/input/event2
        evdev:
          name: "pad of \\"ours\\""
        hid: [
          0x05, 0x01, 0x09
        ]
        events:
        - libinput:
          - {time: 0.000000, type: DEVICE_ADDED, seat: seat0, logical_seat: default}
        ^C
        - hid:
          time: [ 0, 1]
          hidraw0: [0x01, 0x02,
            0x03]

      """ + Self.positionEvents + Self.lift)
    #expect(lines(found) == touches, "\(found.losses)")
    #expect(found.losses.isEmpty, "\(found.losses)")
    #expect(
      found.warnings == [
        "Touches are those of /dev/input/event2. The events of /dev/input/event1 were left out."
      ])
    #expect(found.device?.contains("pad of") == true)
  }

  @Test func `the touches of a second device are missed, and counted`() throws {
    func device(_ number: Int, _ name: String) -> String {
      "- node: /dev/input/event\(number)\n  evdev:\n    name: \"\(name)\"\n  events:\n"
    }
    let found = try read(
      "# libinput record\nversion: 1\nndevices: 2\ndevices:\n" + device(1, "screen")
        + Self.positionEvents
        + Self.lift + device(2, "pad") + Self.positionEvents + Self.lift + Self.positionEvents
        + Self.lift)
    #expect(found.device == "screen")
    #expect(lines(found) == touches)
    #expect(
      found.losses == [
        "Line 22: Touches are those of /dev/input/event1, and 2 contacts of /dev/input/event2 were left out."
          + " Record one device at a time to have both."
      ])
    #expect(found.warnings.isEmpty)
  }

  /// What people have before and between the lines that they copy.
  private static let strays = [
    "[ 1961.191409] usb 1-1: new high-speed USB device number 5",
    "[ 1961.191409@2]- [FTS][fts_ts_interrupt]buffer: 00,00,01",
    "E: Unable to locate package libinput", "N: Is the file there?",
    "I see event5 GESTURE_SWIPE_BEGIN and then nothing:",
    "event5 POINTER_MOTION is all that libinput has for it.", "{\"hello\": 1}", "[",
    "It took a long time 5 - what is that?",
  ]

  @Test(arguments: strays)
  func `a line of something else before the lines does not hide their format`(stray: String) throws
  {
    for (format, text) in [
      (GestureFormat.libinputRecord, "- evdev:\n" + Self.positionEvents + Self.lift),
      (.evtest, Self.evtest("Event: time", "-------------- SYN_REPORT ------------")),
      (
        .libinputEvents,
        "event5 GESTURE_SWIPE_BEGIN +1.000s\t3\nevent5 GESTURE_SWIPE_END +1.060s\t3\n"
      ),
      (.getevent, String(decoding: CutTests.samples[1].1, as: UTF8.self)),
      (.evemu, String(decoding: CutTests.samples[0].1, as: UTF8.self)),
    ] {
      let found = try read(stray + "\n" + text)
      let alone = try read(text)
      #expect(found.format == format, "\(format)")
      #expect(found.touches == alone.touches, "\(format)")
    }
  }

  @Test func `the kernel's messages between the lines, and within one, are passed over`() throws {
    let whole = Self.evtest("Event: time", "-------------- SYN_REPORT ------------")
    for (old, new) in [
      ("\n", "\n[ 1961.191409] usb 1-1: reset\n"),
      (
        "ABS_MT_TRACKING",
        "ABS_MT[ 1961.2] one\n[ 1961.3] two\n[ 1961.4] three\n[ 1961.5] four\n_TRACKING"
      ),
    ] {
      let found = try read(whole.replacing(old, with: new))
      #expect(found.format == .evtest)
      #expect(lines(found) == ["0 0 began 54,-6", "1000 0 ended 54,-6"])
      #expect(found.touches[0].trackingID == 4, "\(found.losses)")
      #expect(found.losses.isEmpty, "\(found.losses)")
    }
  }

  @Test func `a log's time in brackets before every line is passed over`() throws {
    for stamp in ["[2024-01-01 10:00:00] ", "[10:00:00.123] ", "[Mon Jan  1 10:00:00 2024] "] {
      for (format, bytes) in CutTests.samples
      where ![.evdev, .table, .json].contains(format) {
        let text = String(decoding: bytes, as: UTF8.self)
        let logged = text.split(separator: "\n").map { stamp + $0 + "\n" }.joined()
        let found = try read(logged)
        let plain = try read(text)
        #expect(found == plain, "\(format)")
      }
    }
  }

  @Test func `where no format has a touch, the reason of the first one is said`() throws {
    do throws(GestureError) {
      _ = try readGesture(
        Array("# EVEMU 1.3\nE: 0.1 3\n[ 1.5] 0003 0036 00000001\n".utf8), format: nil, name: "f")
      Issue.record("There is no touch in it.")
    } catch {
      #expect(error.message.hasPrefix("No touch can be read as evemu. Line 2: "))
    }
  }

  @Test func `line ends of old systems are read, and text of two bytes a sign is named`() throws {
    for (_, bytes) in CutTests.samples.filter({ $0.0 != .evdev }) {
      let old = bytes.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: "\r") : $0 }
      #expect(
        try readGesture(old, format: nil, name: "f")
          == readGesture(bytes, format: nil, name: "f"))
      for mark: [UInt8] in [[0xFF, 0xFE], [0xFE, 0xFF]] {
        do throws(GestureError) {
          _ = try readGesture(mark + bytes.flatMap { [$0, 0] }, format: nil, name: "f")
          Issue.record("It was read.")
        } catch {
          #expect(error.description == "f: The file is UTF-16 text. Save it as UTF-8.")
        }
      }
    }
  }

  @Test func `another version of libinput's recordings is refused, and a broken event is a loss`()
    throws
  {
    #expect(throws: GestureError.self) {
      try read("# libinput record\nversion: 2\n" + Self.positionEvents)
    }
    do throws(GestureError) {
      _ = try readGesture(
        Array("# libinput record\nversion: 2\n".utf8), format: nil, name: "f")
    } catch {
      #expect(error.code == .unsupported)
      #expect(error.line == 2)
      #expect(error.message.contains("Known: 1."))
    }
    for broken in [
      "- [  0, 1000000, 3, 53, 7]", "- [ 0, 1, 3, 53]", "- [ 0, 1, 3, 53, 7, 8]",
      "- [ 0, 1, 70000, 53, 7]",
      "- [ -1, 1, 3, 53, 7]", "- [ 0, 1, 3, 53, 7", "- [ 9300000000, 1, 3, 53, 7]", "what?",
    ] {
      let found = try read("- evdev:\n" + Self.positionEvents + broken + "\n" + Self.lift)
      #expect(lines(found) == touches, "\(broken)")
      #expect(found.losses.count == 1, "\(found.losses)")
      #expect(found.losses[0].hasPrefix("Line 6: "), "\(found.losses)")
    }
  }

  private static func evtest(_ event: String, _ end: String) -> String {
    [
      "3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value 4",
      "3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 54",
      "3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value -6",
      "4 (EV_MSC), code 4 (MSC_SCAN), value d0042",
    ]
    .map { "\(event) 16.690766, type \($0)\n" }.joined() + "\(event) 16.690766, \(end)\n"
      + "\(event) 17.690766, type 3 (EV_ABS), code 57 (ABS_MT_TRACKING_ID), value -1\n"
      + "\(event) 17.690766, \(end)\n"
  }

  @Test(arguments: [
    "-------------- SYN_REPORT ------------", "-------------- EV_SYN ------------",
    "-------------- Report Sync ------------", "--------- SYN_REPORT --------",
  ])
  func `evtest is read in every spelling of its reports`(end: String) throws {
    for (event, quotation) in [("Event: time", ""), ("time", ""), ("Event: time", "> ")] {
      let text =
        "Input driver version is 1.0.1\nInput device name: \"SynPS/2 TouchPad\"\nTesting ...\n"
        + Self.evtest(event, end) + "^C\n"
      let found = try read(
        text.split(separator: "\n").map { quotation + $0 + "   \n" }.joined())
      #expect(found.format == .evtest)
      #expect(found.device == "SynPS/2 TouchPad")
      #expect(lines(found) == ["0 0 began 54,-6", "1000 0 ended 54,-6"])
      #expect(found.losses.isEmpty, "\(found.losses)")
      #expect(found.warnings.isEmpty, "\(found.losses)")
    }
  }

  @Test func `lists of contacts, dropped events and changed settings are told apart in evtest`()
    throws
  {
    func positionEvents(_ time: Int, _ x: Int) -> String {
      "Event: time \(time).000000, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value \(x)\n"
        + "Event: time \(time).000000, type 3 (EV_ABS), code 54 (ABS_MT_POSITION_Y), value 5\n"
        + "Event: time \(time).000000, ++++++++++++++ SYN_MT_REPORT ++++++++++++\n"
    }
    let end = "-------------- SYN_REPORT ------------\n"
    let found = try read(
      positionEvents(1, 10) + positionEvents(1, 90) + "Event: time 1.000000, \(end)"
        + "Event: time 1.500000, -------------- Config Sync ------------\n"
        + positionEvents(2, 91) + positionEvents(2, 11) + "Event: time 2.000000, \(end)"
        + "Event: time 3.000000, ++++++++++++++ SYN_MT_REPORT ++++++++++++\n"
        + "Event: time 3.000000, \(end)")
    #expect(
      lines(found)
        == [
          "0 0 began 10,5", "0 1 began 90,5", "1000 1 moved 91,5", "1000 0 moved 11,5",
          "2000 1 ended 91,5", "2000 0 ended 11,5",
        ])
    let dropped = try read(
      Self.evtest("Event: time", "-------------- SYN_REPORT ------------")
        + "Event: time 18.000000, >>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<\n"
        + "Event: time 18.000000, \(end)")
    #expect(dropped.losses.count == 1)
    #expect(dropped.losses[0].contains("The kernel dropped events"))
  }

  @Test func `lines that a mail broke are put together`() throws {
    let whole = Self.evtest("Event: time", "-------------- SYN_REPORT ------------")
    let broken = whole.replacing(" (ABS", with: "\n> (ABS").replacing(", value", with: ",\n> value")
    let found = try read(broken)
    #expect(lines(found) == ["0 0 began 54,-6", "1000 0 ended 54,-6"])
    #expect(found.losses.isEmpty, "\(found.losses)")
  }

  @Test func `a device file's bytes need a place, a report behind it and sensible numbers`() throws
  {
    let wide = CutTests.samples.filter { $0.0 == .evdev }.map(\.1)
    #expect(wide.map(\.count) == [12 * 24, 12 * 16])
    func isRefused(_ bytes: [UInt8]) -> Bool {
      (try? readGesture(bytes, format: nil, name: "f")) == nil
    }
    #expect(isRefused(Array(repeating: 0, count: 24 * 16)))
    #expect(isRefused(Array(wide[0].prefix(24 * 4))), "there is no report")
    var late = wide[0]
    late[24 * 3] = 4  // An earlier second after a later one.
    #expect(isRefused(late))
    for (offset, value) in [(10, UInt8(0x10)), (16, 0x20), (19, 3)] {
      var odd = wide[0]
      odd[24 * 2 + offset] = value
      #expect(isRefused(odd), "\(offset)")
      let read = try readGesture(odd, format: .evdev, name: "f")
      #expect(
        read.losses.first == "Record 3: This is not an event of 64 bits. It was left out.")
    }
  }

  @Test func `a device file that was cut is known, and what is missing is said`() throws {
    for (bytes, length) in zip(CutTests.samples.filter { $0.0 == .evdev }.map(\.1), [24, 16]) {
      for missing in 1..<(7 * length) {
        let found = try readGesture(Array(bytes.dropLast(missing)), format: nil, name: "f")
        #expect(found.format == .evdev, "\(missing)")
        #expect(!found.losses.isEmpty, "\(missing)")
        #expect(found.openContacts, "\(missing)")
      }
    }
  }

  @Test func `records that were asked for and are not there are refused`() throws {
    func message(_ bytes: [UInt8], _ abi: EvdevABI) -> String? {
      do throws(GestureError) {
        _ = try readGesture(bytes, as: GestureReading(format: .evdev, abi: abi), name: "f")
        return nil
      } catch {
        return error.message
      }
    }
    let samples = CutTests.samples.filter { $0.0 == .evdev }.map(\.1)
    #expect(message(samples[0], .records32) == "The records have 64 bits, not 32.")
    #expect(message(samples[1], .records64) == "The records have 32 bits, not 64.")
    #expect(
      message(samples[0] + Array(repeating: 255, count: 24 * 40), .records64)
        == "40 of 52 records are not events of 64 bits. The file is of another kind, or its records have another length."
    )
  }

  @Test func `the length of a damaged file's records is guessed, or said`() throws {
    for (abi, bytes) in zip(
      [EvdevABI.records64, .records32], CutTests.samples.filter { $0.0 == .evdev }.map(\.1))
    {
      let cut = Array(bytes.dropLast(5))
      for asked in [nil, abi] {
        let found = try readGesture(
          cut, as: GestureReading(format: .evdev, abi: asked), name: "f")
        #expect(lines(found).count == 3)
        #expect(found.openContacts)
        #expect(found.losses.contains { $0.contains("The file ends after ") }, "\(found.losses)")
      }
      let other = abi == .records64 ? EvdevABI.records32 : .records64
      #expect(throws: GestureError.self) {
        try readGesture(cut, as: GestureReading(format: .evdev, abi: other), name: "f")
      }
    }
  }
}
