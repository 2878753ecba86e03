import Testing
import TimelineModel
import TimelineSession

@testable import MotionMeasures

/// A curve from milliseconds and values by turns.
private func motion(
  _ points: [(Int64, Double)], release: Int64? = nil, unit: String = "1", isStep: Bool = false
) throws -> MotionMetrics {
  let stretch = MotionStretch(
    start: MotionStretch.everything.start, end: MotionStretch.everything.end,
    release: release.map(at))
  return try #require(MotionMetrics(curve(points), in: stretch, unit: unit, isStep: isStep))
}

@Suite struct MotionMetricsTests {
  @Test func `a straight way rises for eight tenths of its time`() throws {
    let found = try motion([(0, 10), (1000, 20)])
    #expect(found.firstValue == 10)
    #expect(found.finalValue == 20)
    #expect(found.extent == 10)
    #expect(found.riseSeconds == 0.8)
    #expect(found.settle2Seconds == 0.98)
    #expect(found.settle5Seconds == 0.95)
    #expect(found.overshootPercent == 0)
    #expect(found.undershootPercent == 0)
    #expect(found.turnCount == 0)
    #expect(found.peakVelocity == 10)
    #expect(found.peakTime == at(500))
  }

  @Test func `downwards is the same as upwards`() throws {
    let up = try motion([(0, 0), (100, -0.5), (400, 12), (500, 9), (700, 10)])
    let down = try motion([(0, 0), (100, 0.5), (400, -12), (500, -9), (700, -10)])
    #expect(up.overshootPercent == 20)
    #expect(down.overshootPercent == 20)
    #expect(up.undershootPercent == 5)
    #expect(down.undershootPercent == 5)
    #expect(up.riseSeconds == down.riseSeconds)
    #expect(up.settle2Seconds == down.settle2Seconds)
    #expect(up.turnCount == 3)
    #expect(down.turnCount == 3)
    #expect(up.peakVelocity == 12.5 / 0.3)
    #expect(down.peakVelocity == -12.5 / 0.3)
    // Within 2 % of 10 from 9.8 on, a tenth of the way from 9 at 500 ms to 10 at 700 ms before the end.
    #expect(up.settle2Seconds == 0.66)
  }

  @Test func `settling counts from the release`() throws {
    #expect(try motion([(0, 0), (1000, 100)], release: 600).settle5Seconds == 0.35)
    #expect(try motion([(0, 0), (1000, 100)], release: 990).settle5Seconds == 0)
  }

  @Test func `what came back has no rise, and settles by its extent`() throws {
    let found = try motion([(0, 0), (300, 0.6), (600, 0)], release: 300)
    #expect(found.riseSeconds == nil)
    #expect(found.overshootPercent == 0)
    #expect(found.undershootPercent == 0)
    #expect(found.turnCount == 1)
    #expect(found.settle5Seconds == 0.285)
  }

  @Test func `nothing, one value and a constant are answered`() throws {
    #expect(MotionMetrics(Curve([]), unit: "1") == nil)
    let one = try motion([(5, 7)])
    #expect(one.finalValue == 7)
    #expect(one.settle2Seconds == nil)
    #expect(one.peakVelocity == nil)
    #expect(one.turnCount == 0)
    #expect(one.riseSeconds == nil)
    let flat = try motion([(0, 3), (10, 3), (20, 3)])
    #expect(flat.settle2Seconds == 0)
    #expect(flat.riseSeconds == nil)
    #expect(flat.peakVelocity == 0)
    #expect(flat.turnCount == 0)
    #expect(flat.extent == 0)
  }

  @Test func `what came back overshoots by its way from the release on`() throws {
    let points = curve([(0, 0), (100, 0.5), (200, -0.1), (300, 0.05), (400, 0)])
    func found(release: Int64?) throws -> MotionMetrics {
      var stretch = MotionStretch.everything
      stretch.release = release.map(at)
      return try #require(MotionMetrics(points, in: stretch, unit: "1"))
    }
    #expect(try found(release: nil).overshootPercent == nil)
    let cancel = try found(release: 100)
    #expect(cancel.overshootPercent.map { abs($0 - 20) < 1e-9 } == true)
    #expect(cancel.overshootTime == at(200))
    #expect(cancel.undershootPercent == 0)
    #expect(cancel.riseSeconds == nil)
  }

  @Test func `two values set within a moment are no speed`() throws {
    // 1 unit in a microsecond, but no more than a step within a stretch of frames.
    let points = Curve([
      Sample(time: at(0), value: 0), Sample(time: at(10), value: 1),
      Sample(time: Instant(nanoseconds: 10_001_000), value: 2), Sample(time: at(20), value: 3),
    ])
    let found = try #require(MotionMetrics(points, unit: "1"))
    #expect(abs(try #require(found.peakVelocity)) < 210)
    // Shorter than a secant altogether.
    let short = try #require(
      MotionMetrics(
        Curve([
          Sample(time: at(0), value: 0), Sample(time: Instant(nanoseconds: 1_000_000), value: 1),
        ]), unit: "1"))
    #expect(short.peakVelocity == 1000)
  }

  @Test func `a step key changes at its samples`() throws {
    let found = try motion([(0, 0), (400, 1), (900, 2), (1000, 2)], isStep: true)
    #expect(found.peakVelocity == nil)
    #expect(found.riseSeconds == 0.5)
    #expect(found.settle2Seconds == 0.9)
  }

  @Test func `small turns are noise`() throws {
    let wobble = (0...100).map {
      (Int64($0) * 10, Double($0) + ($0.isMultiple(of: 2) ? 0.1 : -0.1))
    }
    #expect(try motion(wobble).turnCount == 0)
    #expect(try motion([(0, 0), (10, 100), (20, 99), (30, 100)]).turnCount == 2)
  }

  @Test func `absurd numbers give finite figures or none`() throws {
    let huge = Double.greatestFiniteMagnitude
    let points = Curve([
      Sample(time: Instant(nanoseconds: .min), value: -huge), Sample(time: .zero, value: huge),
      Sample(time: Instant(nanoseconds: 1), value: -huge),
      Sample(time: Instant(nanoseconds: .max), value: huge),
    ])
    let found = try #require(MotionMetrics(points, unit: "1"))
    for figure in [
      found.extent, found.riseSeconds, found.settle2Seconds, found.overshootPercent,
      found.undershootPercent, found.peakVelocity,
    ] {
      #expect(figure?.isFinite != false)
    }
  }
}

@Suite struct SmoothnessMetricsTests {
  private func clock(
    _ milliseconds: [Int64], rate: Double? = 100, resting: Set<Int> = []
  ) -> Frames {
    Frames(
      source: .frames, times: milliseconds.map(at),
      isMoving: milliseconds.indices.map { !resting.contains($0) }, refreshRate: rate)
  }

  @Test func `an even clock has no hitch`() {
    let found = FrameMetrics(clock((0...100).map { $0 * 10 }))
    #expect(found.frameCount == 101)
    #expect(found.intervalCount == 100)
    #expect(found.hitchRatio == 0)
    #expect(found.jankPercent == 0)
    #expect(found.growthCount == 0)
    #expect(found.intervals?.p50 == 0.01)
    #expect(found.intervals?.longest == 0.01)
    #expect(found.band == .good)
    #expect(found.expectedSeconds == 0.01)
    #expect(found.motionSeconds > 0.999999)
    #expect(found.motionSeconds < 1.000001)
  }

  @Test func `a missing frame is a hitch, two are jank`() throws {
    // 10, 10, 20 (one missing), 10, 40 (three missing), 40 again.
    let found = FrameMetrics(clock([0, 10, 20, 40, 50, 90, 130]))
    let (hitchRatio, jankPercent): (Double, Double) = (70.0 / 130 * 1000, 100.0 * 2 / 6)
    #expect(abs(try #require(found.hitchRatio) - hitchRatio) < 1e-9)
    #expect(found.jankPercent == jankPercent)
    #expect(found.growthCount == 2)
    #expect(found.band == .critical)
    #expect(found.intervals?.p50 == 0.01)
    #expect(found.intervals?.p95 == 0.04)
    #expect(
      FrameMetrics(clock([0, 10, 20, 40, 50, 90, 130]), jankMultiple: 5).jankPercent == 0)
  }

  @Test func `bands are those of the hitch time ratio`() {
    // So many missing frames in 20 seconds.
    func band(_ missing: Int) -> HitchBand? {
      let times = (0...2000).filter { $0 == 0 || $0 % 50 != 0 || $0 / 50 > missing }
      return FrameMetrics(clock(times.map { Int64($0) * 10 })).band
    }
    #expect([0, 9, 10, 20, 21].map(band) == [.good, .good, .warning, .warning, .critical])
  }

  @Test func `rest is not judged, unless nothing ever moves`() {
    let found = FrameMetrics(clock([0, 10, 500, 510, 520], resting: [1]))
    #expect(found.intervalCount == 3)
    #expect(found.hitchRatio == 0)
    let idle = FrameMetrics(clock([0, 10, 50], resting: [0, 1, 2]))
    #expect(idle.intervalCount == 2)
    #expect(idle.hitchRatio == 600)
  }

  @Test func `doubled and backward frames are counted and no interval`() {
    let found = FrameMetrics(clock([0, 10, 10, 20, 15, 25]))
    #expect(found.duplicateCount == 1)
    #expect(found.backwardCount == 1)
    #expect(found.intervalCount == 3)
  }

  @Test func `without a refresh rate the median interval is expected`() {
    let found = FrameMetrics(clock([0, 16, 32, 48, 96], rate: nil))
    #expect(found.expectedSeconds == 0.016)
    #expect(found.expectedFrom == .median)
    let hitchRatio: Double = 32.0 / 96 * 1000
    #expect(found.hitchRatio == hitchRatio)
    for times in [[], [5]] as [[Int64]] {
      let none = FrameMetrics(clock(times, rate: nil))
      #expect(none.hitchRatio == nil)
      #expect(none.expectedSeconds == nil)
      #expect(none.band == nil)
    }
  }

  /// A clock of intervals in milliseconds.
  private func clock(intervals: [Double], rate: Double? = 120) -> Frames {
    var times = [Instant.zero]
    for interval in intervals {
      let nanoseconds = Int64((interval * 1e6).rounded())
      times.append(times[times.count - 1].advanced(byNanoseconds: nanoseconds))
    }
    return Frames(
      source: .frames, times: times, isMoving: times.map { _ in true }, refreshRate: rate)
  }

  private let fast = Array(repeating: 1000 / 120.0, count: 60)
  private let slow = Array(repeating: 1000 / 60.0, count: 60)
  /// One frame that was missed at 120 Hz.
  private let missed = [1000 / 60.0]

  @Test(arguments: [120, nil] as [Double?])
  func `a display that changes its rate misses no frame`(rate: Double?) throws {
    for intervals in [fast + slow, slow + fast, fast + slow + fast, slow] {
      let found = FrameMetrics(clock(intervals: intervals, rate: rate))
      #expect(found.hitchRatio == 0)
      #expect(found.lateFrames == [])
      #expect(found.jankPercent == 0)
      #expect(found.band == .good)
      #expect(found.growthCount == 0)
    }
    let changed = FrameMetrics(clock(intervals: fast + slow, rate: rate))
    #expect(changed.expectedFrom == .steadyRates)
    // A first interval between the two is held against the nearer one.
    #expect(FrameMetrics(clock(intervals: fast + [19.5] + slow)).hitchRatio == 0)
  }

  @Test(arguments: [120, nil] as [Double?])
  func `a frame that is missed is counted beside whatever other rate`(rate: Double?) {
    for intervals in [fast + missed + fast, slow + fast + missed + fast + slow] {
      let found = FrameMetrics(clock(intervals: intervals, rate: rate))
      #expect(found.lateFrames.count == 1)
      #expect(abs((found.hitchRatio ?? 0) * found.motionSeconds - 1000 / 120.0) < 1e-4)
    }
    // Five in a row are no rate of their own.
    let few = FrameMetrics(
      clock(intervals: fast + Array(repeating: missed[0], count: 5) + fast, rate: rate))
    #expect(few.lateFrames == Array(61...65))
  }

  @Test func `every second frame that is missed is counted`() {
    let alternating = (0..<60).map { $0 % 2 == 0 ? fast[0] : missed[0] }
    #expect(FrameMetrics(clock(intervals: alternating)).lateFrames.count == 30)
    #expect(FrameMetrics(clock(intervals: alternating, rate: nil)).lateFrames.count == 30)
    for rate in [120, nil] as [Double?] {
      let found = FrameMetrics(clock(intervals: fast + alternating + fast, rate: rate))
      #expect(found.lateFrames.count == 30)
      #expect(found.band == .critical)
    }
  }

  @Test func `what the display says of its interval is what counts`() {
    var told = clock(intervals: fast + slow)
    // No stretch of three frames is steady by itself.
    let pulsing = clock(intervals: (0..<60).map { $0 / 3 % 2 == 0 ? fast[0] : missed[0] })
    #expect(FrameMetrics(pulsing).lateFrames.count == 30)
    for (ofBegin, clock) in [(true, pulsing), (false, pulsing)] {
      var recorded = clock
      let intervals = zip(clock.times, clock.times.dropFirst())
      recorded.displayInterval = Curve(
        intervals.map { begin, end in
          Sample(time: ofBegin ? begin : end, value: end.seconds(since: begin))
        })
      let found = FrameMetrics(recorded)
      #expect(found.hitchRatio == 0)
      #expect(found.expectedFrom == .displayInterval)
    }
    // It is held until the next one; what is no time says nothing.
    told.displayInterval = Curve([Sample(time: .zero, value: 1 / 120.0)])
    #expect(FrameMetrics(told).lateFrames.count == 60)
    told.displayInterval = Curve([Sample(time: .zero, value: -1)])
    #expect(FrameMetrics(told).lateFrames.isEmpty)
  }
}
