import JSONText
import TestSupport
import Testing
import TimelineModel

@testable import TimelineInterchange

/// Touches as calls of the DevTools protocol.
@Suite struct DevToolsTouchTests {
  private func touch(
    _ time: Int64, _ contact: Int, _ phase: TouchPhase, _ x: Double, _ y: Double,
    isResampled: Bool = false
  ) -> TouchSample {
    TouchSample(
      time: Instant(nanoseconds: time), contact: contact, phase: phase,
      position: Point2D(x: x, y: y), isResampled: isResampled)
  }

  private func write(
    _ touches: [TouchSample], _ map: PositionMap = .init()
  ) throws -> (lines: [String], losses: [String]) {
    var bytes: [UInt8] = []
    let losses = try DevToolsTouches.write(touches, map: map) { bytes += $0 }
    for line in bytes.split(separator: UInt8(ascii: "\n")) { _ = try parseJSON(Array(line)) }
    // What is the same in every line is left out here.
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
      String(line).replacing(
        ",\"method\":\"Input.dispatchTouchEvent\",\"params\":{\"type\":\"", with: " "
      )
      .replacing("\",\"touchPoints\":", with: " ").replacing("}}", with: "}")
      .replacing("]}", with: "]").replacing("{\"t_ns\":", with: "").replacing("\"", with: "")
    }
    return (lines, losses)
  }

  @Test func `one finger lands, moves and lifts at its own times, counted from the landing`() throws
  {
    let (lines, losses) = try write([
      touch(500, 0, .began, 10, 20), touch(8_000_500, 0, .moved, 10.25, 1.0 / 3),
      touch(16_000_500, 0, .ended, 10.25, 1.0 / 3),
    ])
    #expect(
      lines == [
        "0 touchStart [{x:10,y:20,id:0}]",
        "8000000 touchMove [{x:10.25,y:0.3333333333333333,id:0}]", "16000000 touchEnd []",
      ])
    #expect(losses == [])
  }

  @Test func `places are scaled and shifted`() throws {
    let map = PositionMap(scale: 0.5, offset: Point2D(x: 7, y: -1))
    let (lines, losses) = try write(
      [touch(0, 3, .began, 10, 20), touch(1, 3, .ended, 10, 20)], map)
    #expect(lines == ["0 touchStart [{x:12,y:9,id:3}]", "1 touchEnd []"])
    #expect(losses == [])
  }

  @Test
  func
    `all that are down are named, moves of one instant are one call, and a lift names who lifts`()
    throws
  {
    let (lines, losses) = try write([
      touch(0, 0, .began, 1, 1), touch(5, 0, .moved, 2, 2), touch(5, 1, .began, 9, 9),
      touch(6, 0, .moved, 3, 3), touch(6, 1, .moved, 8, 8), touch(7, 0, .ended, 3, 3),
      touch(7, 1, .moved, 7, 7), touch(8, 1, .ended, 7, 7),
    ])
    #expect(
      lines == [
        "0 touchStart [{x:1,y:1,id:0}]", "5 touchMove [{x:2,y:2,id:0}]",
        "5 touchStart [{x:2,y:2,id:0},{x:9,y:9,id:1}]",
        "6 touchMove [{x:3,y:3,id:0},{x:8,y:8,id:1}]", "7 touchEnd [{x:3,y:3,id:0}]",
        "7 touchMove [{x:7,y:7,id:1}]", "8 touchEnd []",
      ])
    #expect(losses == [])
  }

  @Test func `a contact that moves twice in one instant has both places`() throws {
    let (lines, _) = try write([
      touch(0, 0, .began, 1, 1), touch(1, 0, .moved, 2, 2), touch(1, 0, .moved, 3, 3),
      touch(2, 0, .ended, 3, 3),
    ])
    #expect(
      lines[1...2] == ["1 touchMove [{x:2,y:2,id:0}]", "1 touchMove [{x:3,y:3,id:0}]"])
  }

  @Test func `all contacts are cancelled at once; of one that is cancelled alone it is said`()
    throws
  {
    let both = [touch(0, 0, .began, 1, 1), touch(1, 1, .began, 2, 2)]
    let (lines, losses) = try write(
      both + [touch(2, 0, .cancelled, 1, 1), touch(2, 1, .cancelled, 2, 2)])
    #expect(lines.suffix(1) == ["2 touchCancel []"])
    #expect(losses == [])
    let (alone, told) = try write(
      both + [touch(2, 0, .cancelled, 1, 1), touch(3, 1, .ended, 2, 2)])
    #expect(alone.suffix(2) == ["2 touchEnd [{x:1,y:1,id:0}]", "3 touchEnd []"])
    #expect(told.count == 1)
    #expect(told[0].hasPrefix("1 contact was cancelled while others stayed"))
  }

  @Test
  func `what has no landing lands with its first move, and what lifts without one is nothing`()
    throws
  {
    let (lines, losses) = try write([
      touch(0, 4, .ended, 1, 1), touch(1, 5, .moved, 2, 2), touch(2, 5, .moved, 3, 3),
      touch(3, 5, .ended, 3, 3), touch(4, 6, .cancelled, 1, 1),
    ])
    #expect(
      lines == [
        "1 touchStart [{x:2,y:2,id:5}]", "2 touchMove [{x:3,y:3,id:5}]", "3 touchEnd []",
      ])
    #expect(losses == [])
  }

  @Test func `times that run backwards are put in order`() throws {
    let (lines, _) = try write([
      touch(10, 0, .began, 1, 1), touch(30, 0, .moved, 3, 3), touch(20, 0, .moved, 2, 2),
      touch(40, 0, .ended, 3, 3),
    ])
    #expect(
      lines[1...2] == ["10 touchMove [{x:2,y:2,id:0}]", "20 touchMove [{x:3,y:3,id:0}]"])
  }

  @Test func `what cannot be said is told, a sentence each`() throws {
    let (lines, losses) = try write([
      touch(0, 0, .began, 1, 1), touch(1, 0, .moved, 2, 2, isResampled: true),
      touch(2, 0, .moved, .infinity, 2), touch(3, 0, .moved, .nan, 2),
      touch(4, 0, .ended, 1, 1.5), touch(5, 1, .began, 1, 1),
    ])
    #expect(
      lines == [
        "0 touchStart [{x:1,y:1,id:0}]", "4 touchEnd []", "5 touchStart [{x:1,y:1,id:1}]",
      ])
    #expect(losses.count == 4)
    for (loss, words) in zip(
      losses,
      [
        "1 touch was computed", "2 positions are not finite", "1 contact lifts at another position",
        "1 contact stays down at the end",
      ])
    {
      #expect(loss.hasPrefix(words), "\(loss)")
    }
  }
}
