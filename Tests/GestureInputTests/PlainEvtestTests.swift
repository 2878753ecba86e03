import GestureInput
import Testing
import TimelineModel

/// Output of evtest as the program writes it is read piece by piece, with the touches of the reader of pasted lines.
@Suite struct PlainEvtestTests {
  /// Swipes of two fingers and of one, with events of no use between them.
  private static let text: String = {
    var text = """
      Input driver version is 1.0.1
      Input device ID: bus 0x18 vendor 0x0 product 0x0 version 0x100
      Input device name: "panel"
      Supported events:
        Event type 3 (EV_ABS)
          Event code 53 (ABS_MT_POSITION_X)
            Value      0
            Resolution  16
          Event code 54 (ABS_MT_POSITION_Y)
            Resolution  15
      Testing ... (interrupt to exit)

      """
    func event(_ time: Int, _ type: Int, _ code: Int, _ value: Int) {
      let stamp = "17000.\(String(1_000_000 + time % 1_000_000).dropFirst())"
      text +=
        type == 0
        ? "Event: time \(stamp), -------------- SYN_REPORT ------------\n"
        : "Event: time \(stamp), type \(type) (EV_X), code \(code) (NAME_\(code)), value \(value)\n"
    }
    for swipe in 0..<2 {
      for report in 0..<8 {
        let time = swipe * 190_000 + report * 8000
        for slot in 0...(swipe % 2) {
          event(time, 3, 47, slot)
          if report == 0 { event(time, 3, 57, 2 * swipe + slot) }
          event(time, 3, 53, 100 + 7 * report + slot)
          event(time, 3, 54, 900 - 11 * report)
          event(time, 4, 5, 1)
          if report == 7 { event(time, 3, 57, -1) }
        }
        event(time, 0, 0, 0)
      }
    }
    return text
  }()

  private func read(_ text: String, piecesOf count: Int) -> GestureRecording? {
    let bytes = Array(text.utf8)
    return readPlainEvtest(as: GestureReading(), name: "it", byteCount: bytes.count) { take in
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + count)
        guard bytes[start..<end].withUnsafeBufferPointer({ take($0) }) else { return }
        start = end
      }
    }
  }

  /// A mark of quotation leaves the text to the reader of pasted lines.
  private func pasted(_ text: String) throws -> GestureRecording {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let quoted = lines.map { $0.isEmpty ? "" : "> \($0)" }.joined(separator: "\n")
    #expect(read(quoted, piecesOf: 1000) == nil)
    var recording = try readGesture(Array(quoted.utf8), as: GestureReading(), name: "it")
    recording.saysItsFormat = true
    return recording
  }

  @Test(arguments: [1, 7, 64, 1000, 1 << 20])
  func `pieces of any length give the touches of pasted lines`(count: Int) throws {
    let found = try #require(read(Self.text, piecesOf: count))
    #expect(found.touches.count == 3 * 8)
    #expect(found.device == "panel")
    #expect(found.resolution == DeviceResolution(x: 16, y: 15))
    #expect(found == (try pasted(Self.text)))
  }

  @Test func `a file that is cut anywhere has the same touches and losses`() throws {
    let start = Self.text.utf8.count - 700
    for end in stride(from: start, to: Self.text.utf8.count, by: 17) {
      let cut = String(decoding: Self.text.utf8.prefix(end), as: UTF8.self)
      let whole = try readGesture(Array(cut.utf8), as: GestureReading(), name: "it")
      #expect(whole == (try pasted(cut)), "\(end)")
    }
  }

  @Test(arguments: [
    "hello\n", "> Event: time 1.0, type 3 (EV_ABS), code 53 (ABS_MT_POSITION_X), value 5\n",
    "Event: time 1.0, type 3 (EV_ABS), code\n", "[ 1961.191409] usb 1-1: reset\n",
  ])
  func `any other line between the events leaves the file to the reader of pasted lines`(
    line: String
  ) {
    let end = "Event: time 17000.990000, -------------- SYN_REPORT ------------\n"
    #expect(read(Self.text + end, piecesOf: 100) != nil)
    #expect(read(Self.text + line + end, piecesOf: 100) == nil)
  }

  @Test func `flags about other texts, and files of other formats, are left to their readers`() {
    let bytes = Array(Self.text.utf8)
    func read(_ reading: GestureReading) -> GestureRecording? {
      readPlainEvtest(as: reading, name: "it", byteCount: bytes.count) { take in
        _ = bytes.withUnsafeBufferPointer { take($0) }
      }
    }
    #expect(read(GestureReading(format: .evtest)) != nil)
    #expect(read(GestureReading(format: .evemu)) == nil)
    #expect(read(GestureReading(timeUnit: .seconds)) == nil)
    #expect(read(GestureReading(columns: "t=a")) == nil)
    #expect(self.read("", piecesOf: 1) == nil)
    #expect(self.read("t_ns,id,phase,x,y\n", piecesOf: 1) == nil)
  }
}
