import TestSupport
import Testing
import TimelineModel
import TimelineSession

@testable import MotionMeasures

/// A motion whose release is at one of its samples.
private func settle(
  _ points: [(Int64, Double)], release: Int, target: Double? = nil, unit: String = "pt",
  isStep: Bool = false
) throws -> Settle {
  let found = curve(points)
  return try #require(
    Settle(
      times: found.times[...], values: found.values[...], held: release, first: release,
      target: target, unit: unit, isStep: isStep))
}

@Suite struct SettleTests {
  /// 380 of 400 points by hand, the rest by itself.
  private let dragged: [(Int64, Double)] = [
    (0, 0), (100, 380), (200, 408), (300, 404), (400, 400.2), (500, 400),
  ]

  @Test func `the band is a share of the way left at the release`() throws {
    let found = try settle(dragged, release: 1)
    #expect(found.reach == 20)
    #expect(found.band(within: 5) == 1)
    // Within 1 point of 400 on the line from 404 at 300 ms to 400.2 at 400 ms.
    let rest = try #require(found.rest(within: 5))
    #expect(abs(rest.time.seconds - (0.3 + 0.1 * 3 / 3.8)) < 1e-9)
    #expect(rest.sample == 4)
  }

  @Test func `the band of a length is at least half a point`() throws {
    #expect(try settle(dragged, release: 1).band(within: 2) == 0.5)
    #expect(try settle(dragged, release: 1, unit: "px").band(within: 2) == 0.5)
    #expect(try settle(dragged, release: 1, unit: "1").band(within: 2) == 0.4)
  }

  @Test func `without a release the whole motion counts`() throws {
    let found = try settle(dragged, release: 0)
    #expect(found.reach == 400)
    #expect(found.band(within: 2) == 8)
    let rest = try #require(found.rest(within: 2)).time.seconds
    #expect(abs(rest - (0.1 + 0.1 * 12 / 28)) < 1e-9)
  }

  @Test func `an overshoot is a share of the longer of two ways`() throws {
    let found = try settle(dragged, release: 1)
    #expect(found.beyond == 8)
    #expect(found.overshootPercent == 2)
    #expect(found.overshootTime == at(200))
    // Taken back from 100 to 0, with the release in mid-way.
    let back = try settle([(0, 0), (100, 100), (200, -10), (300, 0)], release: 1)
    #expect(back.overshootPercent == 10)
    #expect(back.undershootPercent == 0)
  }

  @Test func `what ends where it began, and was not moved at its release, has no overshoot`() throws
  {
    let found = try settle([(0, 0), (100, 40), (200, 0)], release: 0)
    #expect(found.beyond == nil)
    #expect(found.overshootPercent == nil)
    #expect(found.reach == 40)
  }

  @Test func `what never comes near its target never rests`() throws {
    #expect(try settle(dragged, release: 1, target: 500).rest(within: 2) == nil)
  }

  @Test func `what is near its target all the time rests at its release`() throws {
    let found = try settle([(0, 0), (100, 7), (200, 7), (300, 7)], release: 1)
    #expect(found.rest(within: 2) == Settle.Rest(time: at(100), sample: 1))
  }

  @Test func `a step key rests with its last step`() throws {
    let found = try settle(
      [(0, 0), (100, 1), (200, 3), (300, 3)], release: 0, unit: "1", isStep: true)
    #expect(found.rest(within: 2) == Settle.Rest(time: at(200), sample: 2))
  }

  @Test(arguments: 0..<(TestRounds.asked ?? 60))
  func `a plain twin finds the same`(_ seed: Int) throws {
    var dice = SplitMix(seed: UInt64(seed))
    let frequency = Double.random(in: 8...30, using: &dice)
    let ratio = Double.random(in: 0.2...1.4, using: &dice)
    let rate: Double = [60, 90, 120].randomElement(using: &dice) ?? 60
    let way = Double.random(in: -400...400, using: &dice)
    let release = Int.random(in: 1...30, using: &dice)
    let share = Double.random(in: 0...1.1, using: &dice)
    func place(_ index: Int) -> Double {
      guard index > release else { return way * share * Double(index) / Double(release) }
      let time = Double(index - release) / rate
      return way + spring(frequency, ratio, way * (share - 1), 0, time)
    }
    let points: [(Int64, Double)] = (0..<(release + Int(rate))).map { index in
      (Int64((Double(index) * 1000 / rate).rounded()), place(index))
    }
    let (percent, unit) = (
      Double.random(in: 0.5...10, using: &dice), Bool.random(using: &dice) ? "pt" : "1"
    )
    let found = try settle(points, release: release, unit: unit)
    let values = points.map(\.1)
    let end = try #require(values.last)
    let left = values[release...].map { abs($0 - end) }.max() ?? 0
    let band = max(left * percent / 100, unit == "pt" ? 0.5 : 0)
    #expect(abs(found.band(within: percent) - band) < 1e-9)
    // Each millisecond is looked at, from the end backwards.
    let times = points.map { Double($0.0) }
    func value(_ time: Double) -> Double {
      let behind = times.firstIndex { $0 > time } ?? times.count - 1
      let part = (time - times[behind - 1]) / (times[behind] - times[behind - 1])
      return values[behind - 1] + part * (values[behind] - values[behind - 1])
    }
    var time = times[times.count - 1]
    while time > times[release], abs(value(time - 0.01) - end) <= band { time -= 0.01 }
    let rest = try #require(found.rest(within: percent)).time.seconds * 1000
    #expect(abs(rest - max(time, times[release])) < 0.03)
    let whole = abs(end - values[0])
    let further =
      values[release...].map { ($0 - end) * ((end - values[0]) < 0 ? -1 : 1) }.max() ?? 0
    if whole >= abs(end - values[release]), whole > 0.2 * left, whole > 1 {
      #expect(abs(try #require(found.overshootPercent) - max(0, further) / whole * 100) < 1e-6)
    }
  }
}
