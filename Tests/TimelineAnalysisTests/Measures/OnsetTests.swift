import TestSupport
import Testing
import TimelineModel
import TimelineSession

@testable import MotionMeasures

@Suite struct OnsetTests {
  private func onset(_ points: [(Int64, Double)], unit: String = "pt", beyond: Double? = nil)
    -> Double?
  {
    let found = curve(points)
    return Onset.instant(found.times, [found.values], unit: unit, beyond: beyond)?.seconds
  }

  @Test func `what moves sets off at 2 % of its extent, between two samples`() throws {
    // 2 of 100 points, on the line from 1 point at 100 ms to 6 points at 200 ms.
    let found = try #require(onset([(0, 0), (100, 1), (200, 6), (300, 50), (400, 100)]))
    #expect(abs(found - 0.12) < 1e-9)
  }

  @Test func `a given distance takes the place of the share`() throws {
    let found = try #require(onset([(0, 0), (100, 1), (200, 6), (300, 100)], beyond: 3.5))
    #expect(abs(found - 0.15) < 1e-9)
  }

  @Test func `what jumps at once sets off with the sample that shows it`() {
    #expect(onset([(0, 0), (100, 0), (200, 60), (300, 100)]) == 0.2)
  }

  @Test func `rounding of a length is no motion`() {
    #expect(onset([(0, 0), (100, 0.02), (200, 0.04)]) == nil)
    #expect(onset([(0, 0), (100, 0.02), (200, 0.04)], unit: "1") == 0.1)
    #expect(onset([(0, 3), (100, 3)], unit: "1") == nil)
    #expect(onset([]) == nil)
  }

  @Test(arguments: 0..<(TestRounds.asked ?? 40))
  func `a plain twin finds the same, and unlike motions start together`(_ seed: Int) throws {
    var dice = SplitMix(seed: UInt64(seed))
    let rate = Double.random(in: 50...130, using: &dice)
    let (begin, length) = (
      Double.random(in: 0.1...0.3, using: &dice), Double.random(in: 0.2...0.6, using: &dice)
    )
    let phase = Double.random(in: 0...1, using: &dice)
    func samples(_ way: Double, from start: Double) -> (times: [Instant], values: [Double]) {
      let times = (0..<Int(rate)).compactMap { Instant(seconds: (Double($0) + phase) / rate) }
      return (
        times,
        times.map { time in
          let share = max(0, min(1, (time.seconds - start) / length))
          return way * share * share * (3 - 2 * share)
        }
      )
    }
    let gap = 0.04
    let (one, other) = (samples(40, from: begin), samples(-400, from: begin + gap))
    let first = try #require(Onset.instant(one.times, [one.values], unit: "pt"))
    let second = try #require(Onset.instant(other.times, [other.values], unit: "pt"))
    #expect(abs(second.seconds(since: first) - gap) < 0.003)
    // The line between the samples about the crossing, walked in small steps.
    let index = try #require(one.values.firstIndex { $0 > 0.8 })
    let (low, high) = (one.times[index - 1].seconds, one.times[index].seconds)
    let (before, after) = (one.values[index - 1], one.values[index])
    let shares = (0...10_000).map { Double($0) / 10_000 }
    let share = try #require(shares.first { before + $0 * (after - before) > 0.8 })
    #expect(abs(first.seconds - (low + share * (high - low))) < 1e-5)
  }
}
