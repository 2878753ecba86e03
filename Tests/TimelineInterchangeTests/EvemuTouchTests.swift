import Foundation
import GestureInput
import TestSupport
import Testing
import TimelineModel

@testable import TimelineInterchange

/// Touches as recordings of evemu.
struct EvemuTouchTests {
  private func touch(
    _ milliseconds: Double, _ contact: Int, _ phase: TouchPhase, _ x: Double, _ y: Double,
    slot: Int? = nil
  ) -> TouchSample {
    TouchSample(
      time: Instant(nanoseconds: Int64(milliseconds * 1e6)), contact: contact, slot: slot,
      trackingID: nil,
      phase: phase, position: Point2D(x: x, y: y), isResampled: false)
  }

  private func write(
    _ touches: [TouchSample], _ map: PositionMap = .init(), panel: Size2D? = nil
  ) throws -> (text: String, losses: [String]) {
    var bytes: [UInt8] = []
    let losses = try EvemuTouches.write(touches, map: map, panel: panel) { bytes += $0 }
    return (String(decoding: bytes, as: UTF8.self), losses)
  }

  private func read(_ text: String) throws -> GestureRecording {
    try readGesture(Array(text.utf8), format: nil, name: "test")
  }

  /// What a player needs of a touch: all but the numbers that a file of the format counts anew.
  private func facts(_ touches: [TouchSample]) -> [[Double]] {
    touches.map { touch in
      [
        Double(touch.time.nanoseconds), Double(touch.contact),
        Double(TouchPhase.allCases.firstIndex(of: touch.phase)!), touch.position.x,
        touch.position.y,
      ]
    }
  }

  @Test func `a drag becomes the events that a touch screen reports`() throws {
    let (text, losses) = try write([
      touch(5, 3, .began, 10, 20), touch(13, 3, .moved, 10, 30), touch(20, 3, .ended, 10, 30),
    ])
    #expect(losses.isEmpty)
    #expect(
      text.split(separator: "\n").filter { $0.hasPrefix("E:") } == [
        "E: 0.000001 0003 0039 1", "E: 0.000001 0003 0035 10", "E: 0.000001 0003 0036 20",
        "E: 0.000001 0001 014a 1", "E: 0.000001 0000 0000 0", "E: 0.008001 0003 0035 10",
        "E: 0.008001 0003 0036 30", "E: 0.008001 0000 0000 0", "E: 0.015001 0003 0039 -1",
        "E: 0.015001 0001 014a 0", "E: 0.015001 0000 0000 0",
      ])
    #expect(text.hasPrefix("# EVEMU 1.3\n"))
    #expect(text.contains("\nN: kymograph touch screen\n"))
    let bits = text.split(separator: "\n").filter { $0.hasPrefix("B:") }
    #expect(bits.count == 15)
    #expect(bits[0] == "B: 00 0b 00 00 00 00 00 00 00")
    #expect(bits[6] == "B: 01 00 04 00 00 00 00 00 00")
    #expect(bits[14] == "B: 03 03 00 00 00 00 80 60 02")
    #expect(text.contains("\nA: 35 0 10 0 0 0\nA: 36 0 30 0 0 0\n"))
  }

  @Test func `what is written is read back as the same touches`() throws {
    let touches = [
      // Two land at once, one of them in a slot behind the other's.
      touch(0, 0, .began, 1, 1, slot: 4), touch(0, 1, .began, 5, 5, slot: 2),
      // Twice at one time, and once at an earlier place of the order.
      touch(8, 0, .moved, 2, 1), touch(8, 0, .moved, 3, 1), touch(8, 1, .moved, 5, 6),
      // A lift elsewhere, and a landing at the same instant.
      touch(16, 1, .ended, 7, 8), touch(16, 2, .began, -9, 9, slot: 2),
      touch(24, 0, .ended, 3, 1), touch(2_000_000, 2, .ended, -9, 9),
    ]
    let (text, losses) = try write(touches)
    #expect(losses.isEmpty)
    let found = try read(text)
    #expect(facts(found.touches) == facts(touches))
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
    #expect(found.touches.map(\.slot) == [4, 2, 4, 4, 2, 2, 2, 4, 2])
    #expect(text.contains("A: 35 -9 7 0 0 0"))
  }

  /// The fixtures, and real recordings where they lie beside the package.
  private static let recordings: [URL] = {
    let shared = packageFolder.deletingLastPathComponent().appending(path: "shared/gestures")
    return [packageFolder.appending(path: "Tests/Fixtures/gestures"), shared].flatMap { folder in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        .filter { $0.hasSuffix(".evemu") || $0.hasSuffix(".events") }
        .map { folder.appending(path: $0) }
    }
  }()

  @Test(arguments: recordings)
  func `a recording of evemu comes back as it was`(url: URL) throws {
    let original = try readGesture(
      [UInt8](Data(contentsOf: url)), format: .evemu, name: url.lastPathComponent)
    let (text, losses) = try write(original.touches)
    #expect(losses.isEmpty)
    let found = try read(text)
    #expect(facts(found.touches) == facts(original.touches))
    #expect(found.losses.isEmpty)
    #expect(found.warnings.isEmpty)
    #expect(!found.openContacts)
    if original.touches.allSatisfy({ $0.slot != nil }) {
      #expect(found.touches == original.touches)
    }
    // A second time it has the same bytes.
    #expect(try write(found.touches).text == text)
  }

  @Test func `rounded places and times are said, with how much`() throws {
    let touches = [
      TouchSample(
        time: Instant(nanoseconds: 0), contact: 0, slot: nil, trackingID: nil, phase: .began,
        position: Point2D(x: 1.25, y: 2), isResampled: false),
      TouchSample(
        time: Instant(nanoseconds: 8_000_400), contact: 0, slot: nil, trackingID: nil,
        phase: .moved,
        position: Point2D(x: 3, y: 2.4), isResampled: false),
      touch(9, 0, .ended, 3, 2.4),
    ]
    let (text, losses) = try write(touches)
    #expect(
      losses == [
        "2 positions of 3 were rounded to whole units, by up to 0.4. A larger scale loses less",
        "1 time of 3 was rounded to whole microseconds, by up to 400 ns",
      ])
    #expect(try read(text).touches.map(\.time.nanoseconds) == [0, 8_000_000, 9_000_000])
    #expect(try write(touches, PositionMap(scale: 20)).losses.count == 1)
    let mapped = try read(
      write(touches, PositionMap(scale: 20, offset: Point2D(x: 5, y: -40))).text)
    #expect(mapped.touches[0].position == Point2D(x: 30, y: 0))
  }

  @Test func `what a panel cannot report is said`() throws {
    func losses(_ touches: [TouchSample], panel: Size2D? = nil) throws -> [String] {
      try write(touches, panel: panel).losses
    }
    let (landing, lift) = (touch(0, 0, .began, 1, 1), touch(9, 0, .ended, 1, 1))
    #expect(try losses([landing, lift], panel: Size2D(width: 2, height: 2)) == [])
    #expect(
      try losses([landing, touch(5, 0, .moved, 2, 1), lift], panel: Size2D(width: 2, height: 2))
        == [
          "1 position is outside the panel, and a player may refuse them"
        ])
    #expect(
      try losses([landing, touch(9, 0, .cancelled, 1, 1)]) == [
        "1 contact was cancelled. evemu has no cancel, so a lift was written"
      ])
    #expect(
      try losses([landing]) == ["1 contact stays down at the end, pressed"])
    var computed = touch(5, 0, .moved, 1, 1)
    computed.isResampled = true
    #expect(
      try losses([landing, computed, lift]) == [
        "1 touch was computed between two measured ones and left out"
      ])
    for place in [Double.nan, .infinity, 1e300, 2_147_483_648] {
      #expect(
        try losses([landing, touch(5, 0, .moved, place, 1), lift]) == [
          "1 position is not finite or beyond 32 bits, and left out"
        ])
    }
    let many = (0..<300).map { touch(Double($0), $0, .began, 1, 1) }
    #expect(
      try losses(many).contains("44 touches were left out, as more than 256 contacts are down"))
  }

  @Test
  func
    `a contact that never landed lands, one that lands again lifts first, one that is gone stays so`()
    throws
  {
    let (text, losses) = try write([
      touch(0, 0, .moved, 1, 1), touch(5, 0, .began, 2, 2), touch(6, 9, .ended, 4, 4),
      touch(9, 0, .ended, 2, 2), touch(9.5, 0, .ended, 2, 2),
    ])
    #expect(losses.isEmpty)
    let found = try read(text)
    #expect(
      facts(found.touches)
        == facts([
          touch(0, 0, .began, 1, 1), touch(5, 0, .ended, 1, 1), touch(5, 1, .began, 2, 2),
          touch(9, 1, .ended, 2, 2),
        ]))
    #expect(text.split(separator: "\n").count { $0.contains(" 0001 014a ") } == 4)
  }

  @Test func `a contact whose times run backwards stays one contact, in its order`() throws {
    let (text, losses) = try write([
      touch(10, 0, .moved, 1, 1), touch(5, 0, .moved, 2, 1), touch(4, 0, .moved, 3, 1),
      touch(20, 0, .ended, 3, 1),
    ])
    #expect(
      losses == [
        "2 touches are earlier than the touch before of the same contact, and were written at its time"
      ])
    let found = try read(text)
    #expect(
      facts(found.touches)
        == facts([
          touch(0, 0, .began, 1, 1), touch(0, 0, .moved, 2, 1), touch(0, 0, .moved, 3, 1),
          touch(10, 0, .ended, 3, 1),
        ]))
    // The update that stood before its beginning was two contacts once.
    let early = try write([
      touch(10, 0, .began, 1, 1), touch(5, 0, .moved, 2, 1), touch(20, 0, .ended, 2, 1),
    ])
    #expect(try read(early.text).touches.map(\.phase) == [.began, .moved, .ended])
    // One contact behind another in the file is only another order.
    let rows = [
      touch(0, 0, .began, 1, 1), touch(9, 0, .ended, 1, 1), touch(5, 1, .began, 7, 7),
      touch(12, 1, .ended, 7, 7),
    ]
    let ordered = try write(rows)
    #expect(ordered.losses.isEmpty)
    #expect(
      try read(ordered.text).touches.map(\.time.nanoseconds) == [
        0, 5_000_000, 9_000_000, 12_000_000,
      ])
  }

  @Test func `nothing becomes a device without events`() throws {
    let (text, losses) = try write([])
    #expect(losses.isEmpty)
    #expect(!text.contains("E:"))
    #expect(text.contains("A: 35 0 0 0 0 0"))
  }
}
