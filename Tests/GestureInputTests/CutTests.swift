import GestureInput
import Testing
import TimelineModel

/// One small recording in every format, each cut off at every byte.
struct CutTests {
  /// The kernel's events of one finger that lands, moves twice and lifts: microseconds, type, code, value.
  private static let events: [(Int, Int, Int, Int)] = [
    (1, 3, 0x39, 7), (1, 3, 0x35, 100), (1, 3, 0x36, 200), (1, 1, 0x14a, 1), (1, 0, 0, 0),
    (8001, 3, 0x35, 110), (8001, 0, 0, 0), (16_001, 3, 0x36, 230), (16_001, 0, 0, 0),
    (20_001, 3, 0x39, -1), (20_001, 1, 0x14a, 0), (20_001, 0, 0, 0),
  ]

  private static func text(_ line: (String, Int, Int, Int) -> String) -> [UInt8] {
    Array(
      events.map { microseconds, type, code, value in
        let digits = String(microseconds)
        return line(String(repeating: "0", count: 6 - digits.count) + digits, type, code, value)
          + "\n"
      }.joined().utf8)
  }

  private static func bytes(_ abi: EvdevABI) -> [UInt8] {
    events.flatMap { microseconds, type, code, value in
      func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian, Array.init)
      }
      let time =
        abi == .records64
        ? little(Int64(5)) + little(Int64(microseconds))
        : little(Int32(5)) + little(Int32(microseconds))
      return time + little(UInt16(type)) + little(UInt16(code)) + little(Int32(value))
    }
  }

  static let samples: [(GestureFormat, [UInt8])] = [
    (.evemu, text { "E: 0.\($0) \(String($1, radix: 16)) \(String($2, radix: 16)) \($3)" }),
    (
      .getevent,
      text { time, type, code, value in
        func hexadecimal(_ number: Int, _ digits: Int) -> String {
          let text = String(UInt32(truncatingIfNeeded: number), radix: 16)
          return String(repeating: "0", count: digits - text.count) + text
        }
        return
          "[ 0.\(time)] \(hexadecimal(type, 4)) \(hexadecimal(code, 4)) \(hexadecimal(value, 8))"
      }
    ),
    (
      .libinputRecord,
      Array("# libinput record\nversion: 1\ndevices:\n- node: /dev/input/event2\n  events:\n".utf8)
        + text { "    - [  0, \(Int($0)!), \($1), \($2), \($3)] # what" }
    ),
    (
      .evtest,
      text { time, type, code, value in
        type == 0
          ? "Event: time 5.\(time), -------------- SYN_REPORT ------------"
          : "Event: time 5.\(time), type \(type) (EV), code \(code) (ABS), value \(value)"
      }
    ),
    (.evdev, bytes(.records64)), (.evdev, bytes(.records32)),
    (
      .libinputEvents,
      Array(
        """
         event5   GESTURE_SWIPE_BEGIN +2.151s	3
         event5   GESTURE_SWIPE_UPDATE +2.151s	3  0.09/ 0.45 ( 0.29/ 1.42 unaccelerated)
         event5   GESTURE_SWIPE_UPDATE 2 +2.158s	3 -1.00/ 0.09 (-2.99/ 0.26 unaccelerated)
         event5   GESTURE_SWIPE_END +2.206s	3
         event5   GESTURE_PINCH_BEGIN +3.000s	2
         event5   GESTURE_PINCH_UPDATE +3.000s	2 -1.00/ 0.09 (-2.99/ 0.26 unaccelerated)  1.07 @ 10.41
         event5   GESTURE_PINCH_END +3.048s	2
         event5   POINTER_SCROLL_FINGER +4.000s	vert 1.25/0.0* horiz 0.00/0.0 (finger)
         event5   POINTER_SCROLL_FINGER +4.010s	vert 0.00/0.0* horiz 0.00/0.0* (finger)

        """.utf8)
    ),
    (
      .table,
      Array("t_ns,id,phase,x,y\n0,0,began,1,2\n9000000,0,moved,3,4\n9500000,0,ended,3,4\n".utf8)
    ),
    (
      .json,
      Array(
        """
        {"type":"pointerdown","timeStamp":1.5,"pointerId":7,"clientX":1,"clientY":2}
        {"type":"pointermove","timeStamp":9,"pointerId":7,"clientX":3,"clientY":2}
        {"type":"pointerup","timeStamp":9.5,"pointerId":7,"clientX":3,"clientY":2}

        """.utf8)
    ),
    (
      .inkML,
      Array(
        """
        <ink><traceFormat><channel name="X"/><channel name="Y"/><channel name="T" units="ms"/></traceFormat>
        <trace>100 200 0, 110 200 8, 110 230 16</trace></ink>

        """.utf8)
    ),
    (
      .gestureXML,
      Array(
        """
        <log><touch action="down" t_ms="0" x="1" y="2"/>
        <touch action="move" t_ms="8" x="1" y="3"/><touch action="up" t_ms="16" x="1" y="3"/></log>

        """.utf8)
    ),
  ]

  @Test func `every format is here, is recognised and gives the touches that were written`() throws
  {
    // Shapes of log lines have their own tests.
    let shapes = TextShape.all.map(\.format) + [.namedValues]
    #expect(Set(CutTests.samples.map(\.0)) == Set(GestureFormat.allCases).subtracting(shapes))
    for (format, bytes) in CutTests.samples {
      let found = try readGesture(bytes, format: nil, name: "f")
      #expect(found.format == format)
      #expect(found.losses.isEmpty, "\(format): \(found.losses)")
      #expect(!found.openContacts, "\(format): \(found.losses)")
      #expect(try readGesture(bytes, format: format, name: "f") == found)
      guard ![.table, .json, .libinputEvents, .inkML, .gestureXML].contains(format) else {
        continue
      }
      #expect(
        lines(found) == [
          "0 0 began 100,200", "8 0 moved 110,200", "16 0 moved 110,230", "20 0 ended 110,230",
        ])
    }
  }

  @Test(arguments: samples.indices)
  func `a file cut off at any byte gives a beginning and says so, or is refused`(index: Int) throws
  {
    let (format, bytes) = CutTests.samples[index]
    let whole = try readGesture(bytes, format: nil, name: "f")
    for length in 0..<bytes.count {
      for asked in [nil, format] {
        do throws(GestureError) {
          let cut = try readGesture(Array(bytes[..<length]), format: asked, name: "f")
          #expect(cut.format == format, "\(length)")
          // A trace says nothing of a lift, so its last position ends it.
          let count = cut.touches.count - (format == .inkML ? 1 : 0)
          #expect(cut.touches.prefix(count) == whole.touches.prefix(count), "\(length)")
          // What is missing is said, unless it is nothing: a line end, or lines that say nothing of touches.
          #expect(!cut.losses.isEmpty || !cut.openContacts, "\(length)")
        } catch {
          #expect(!error.message.isEmpty)
        }
      }
    }
  }

  /// Numbers that a reader might count, index or multiply by.
  private static let hostile = [
    "-1", "99999999999999999999", "9223372036854775807", "-9223372036854775808", "2147483648",
    "1e400",
    "nan", "0x7fffffff", "", "4294967295",
  ]

  @Test(arguments: samples.indices)
  func `no number in it makes a reader crash, or a place that is not finite`(index: Int) throws {
    let (format, bytes) = CutTests.samples[index]
    let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    var start = 0
    while start < bytes.count {
      guard isDigit(bytes[start]) || format == .evdev else {
        start += 1
        continue
      }
      var end = start + 1
      while end < bytes.count, format != .evdev, isDigit(bytes[end]) { end += 1 }
      for number in CutTests.hostile {
        var changed = bytes
        if format == .evdev {
          changed[start] = UInt8(truncatingIfNeeded: number.utf8.count * 23)
        } else {
          changed.replaceSubrange(start..<end, with: number.utf8)
        }
        for asked in [nil, format] {
          guard let found = try? readGesture(changed, format: asked, name: "f") else { continue }
          #expect(found.touches.allSatisfy { $0.position.isFinite }, "\(start): \(number)")
        }
      }
      start = end
    }
  }
}
