import Testing
import TimelineModel
import TransitionEngine

@Suite struct DisplayClockTests {
  static let known: [(Double, [Int64])] = [
    (60, [0, 16_666_667, 33_333_333, 50_000_000]),
    (90, [0, 11_111_111, 22_222_222, 33_333_333]),
    (120, [0, 8_333_333, 16_666_667, 25_000_000]),
    (59.94, [0, 16_683_350, 33_366_700, 50_050_050]),
    (0.5, [0, 2_000_000_000, 4_000_000_000, 6_000_000_000]),
    (100_000, [0, 10_000, 20_000, 30_000]),
  ]

  @Test(arguments: known)
  func `frame k is at k seconds over the rate, rounded once`(rate: Double, times: [Int64]) throws {
    let clock = try DisplayClock(refreshRate: rate)
    for (number, time) in times.enumerated() {
      #expect(clock.instant(ofFrame: Int64(number)) == Instant(nanoseconds: time))
    }
  }

  @Test func `nothing drifts: after a million seconds 60 frames have 60 times of their own`() throws
  {
    let clock = try DisplayClock(refreshRate: 60)
    let frames = (0...60).compactMap { clock.instant(ofFrame: 60_000_000 + $0)?.nanoseconds }
    #expect(frames[0] == 1_000_000_000_000_000)
    #expect(frames[60] == 1_000_001_000_000_000)
    #expect(Set(frames).count == 61)
    // 9·10^9 s at 60 Hz: the numbers no longer fit a double's whole ones.
    #expect(
      clock.instant(ofFrame: 9_000_000_000 * 60 + 1)?.nanoseconds == 9_000_000_000_016_666_667)
  }

  @Test func `beyond 64 bits of nanoseconds there is no frame`() throws {
    let clock = try DisplayClock(refreshRate: 60)
    #expect(clock.instant(ofFrame: .max) == nil)
    #expect(clock.instant(ofFrame: -1) == nil)
    let slow = try DisplayClock(refreshRate: Double.leastNonzeroMagnitude)
    #expect(slow.instant(ofFrame: 0) == .zero)
    #expect(slow.instant(ofFrame: 1) == nil)
    slow.advance(through: Instant(nanoseconds: .max))
    #expect(slow.now == Instant(nanoseconds: .max))
  }

  @Test(arguments: [0, -60, .nan, .infinity, 100_001])
  func `a rate that no display can have is refused`(rate: Double) {
    #expect(throws: TransitionError.self) { try DisplayClock(refreshRate: rate) }
  }

  @Test func `a stretch that no one lives to see is shown at its beginning and its end`() throws {
    let clock = try DisplayClock(refreshRate: 60)
    var (frames, skipped): (Int64, Int64) = (0, 0)
    var last = Instant.zero
    clock.onFrame { time in
      frames += 1
      last = time
    }
    clock.onSkip { count, _ in skipped += count }
    clock.advance(through: instant(600))
    #expect(frames == 36_001)
    #expect(skipped == 0)
    clock.advance(before: Instant(nanoseconds: .max))
    #expect(frames == 36_001 + 36_001)
    #expect(last.nanoseconds > .max - 16_666_667)
    #expect(clock.now == Instant(nanoseconds: .max))
    #expect(clock.frameCount(before: clock.now) == 0)
    #expect(frames + skipped == 553_402_322_212)
  }

  @Test func `advancing before a time leaves the frame at that time for later`() throws {
    let clock = try DisplayClock(refreshRate: 100)
    var frames: [Int64] = []
    clock.onFrame { frames.append($0.nanoseconds / 1_000_000) }
    clock.advance(before: .zero)
    #expect(frames.isEmpty)
    clock.advance(before: instant(0.02))
    #expect(frames == [0, 10])
    #expect(clock.now == instant(0.02))
    clock.advance(through: instant(0.02))
    #expect(frames == [0, 10, 20])
    clock.advance(through: instant(0.01))
    #expect(frames == [0, 10, 20])
    #expect(clock.now == instant(0.02))
    #expect(clock.advanceToNextFrame() == instant(0.03))
    #expect(clock.nextFrameInstant == instant(0.04))
    #expect(clock.now == instant(0.03))
    #expect(clock.frameCount(before: instant(0.04)) == 0)
    #expect(clock.frameCount(before: instant(1)) == 96)
    #expect(clock.frameCount(before: Instant(nanoseconds: .max)) == 922_337_203_686 - 4)
  }
}
