import MotionPhysics
import Testing
import TimelineModel

/// A short fling with uneven times; the expectations were computed in exact fractions.
let fling: [Sample] = zip(
  [0, 8_133_000, 16_420_000, 24_555_000, 33_100_000, 41_002_000, 49_871_000] as [Int64],
  [98.25, 101.5, 109.75, 122, 140.5, 163.25, 190]
).map { Sample(time: Instant(nanoseconds: $0), value: $1) }

/// Whether two numbers agree to a share of the larger.
func agree(_ left: Double?, _ right: Double, within share: Double = 1e-9) -> Bool {
  guard let left else { return false }
  return abs(left - right) <= share * max(abs(left), abs(right), 1e-300)
}

@Suite struct LeastSquaresTests {
  private func estimate(_ way: [Sample]) -> VelocityEstimate {
    Estimator.lsq2.estimate(way, lift: way.last?.time ?? .zero)
  }

  @Test func `a fling has the slope and the interval of the textbook parabola`() {
    let result = estimate(fling)
    #expect(agree(result.velocity, 3555.6408585461268))
    #expect(agree(result.low, 3408.8645831141316, within: 1e-9))
    #expect(agree(result.high, 3702.417133978122, within: 1e-9))
    #expect(result.sampleCount == 7)
  }

  @Test func `three samples give their parabola without an interval`() {
    let result = estimate(Array(fling.suffix(3)))
    #expect(agree(result.velocity, 3088.6290694891445))
    #expect(result.low == nil)
    #expect(result.high == nil)
  }

  @Test func `two samples give their line without an interval`() {
    let result = estimate(Array(fling.suffix(2)))
    #expect(agree(result.velocity, 3016.1235765024244))
    #expect(result.low == nil)
    #expect(result.high == nil)
    #expect(result.sampleCount == 2)
  }

  @Test func `abrupt braking turns the sign, and the interval says how unsure that is`() {
    let result = estimate(samples([(0, 98), (8, 247), (16, 310), (24, 324)]))
    #expect(agree(result.velocity, -3393.75))
    #expect(agree(result.low, -13614.135264380217))
    #expect(agree(result.high, 6826.6352643802165))
  }

  @Test(arguments: [2, 3, 4, 5, 12, 20])
  func `an exact parabola is found exactly`(count: Int) {
    for (speed, acceleration) in [(0.0, 0.0), (250, 0), (-3, 40), (1e6, -2e7)] {
      let way = (0..<count).map { index in
        let seconds = Double(index) * 0.005
        return Sample(
          time: instant(milliseconds: Int64(index) * 5),
          value: 7 + speed * seconds + acceleration / 2 * seconds * seconds)
      }
      let end = Double(count - 1) * 0.005
      let slope =
        count > 2 ? speed + acceleration * end : speed + acceleration / 2 * end
      let found = estimate(way).velocity ?? .nan
      #expect(abs(found - slope) <= 1e-9 * max(1, abs(slope)))
    }
  }

  @Test func `a late hour changes no bit`() {
    let late = fling.map {
      Sample(time: $0.time.advanced(byNanoseconds: 1_000_000_000_000_000), value: $0.value)
    }
    var first = estimate(fling)
    var second = estimate(late)
    first.liftGapNanoseconds = nil
    second.liftGapNanoseconds = nil
    #expect(first == second)
  }

  @Test func `the mirrored way has the mirrored velocity`() {
    let mirrored = estimate(fling.map { Sample(time: $0.time, value: -$0.value) })
    let plain = estimate(fling)
    #expect(mirrored.velocity == plain.velocity.map { -$0 })
    #expect(mirrored.low == plain.high.map { -$0 })
    #expect(mirrored.high == plain.low.map { -$0 })
  }

  @Test func `equal values are at rest without doubt, where there are enough of them`() {
    let many = estimate(samples([(0, 3), (8, 3), (16, 3), (24, 3)]))
    #expect(many.velocity == 0)
    #expect(many.low == 0)
    #expect(many.high == 0)
    let few = estimate(samples([(0, 3), (8, 3), (16, 3)]))
    #expect(few.velocity == 0)
    #expect(few.low == nil)
    #expect(few.high == nil)
  }

  @Test func `samples a nanosecond apart stay finite`() {
    let way = [0, 1, 30_000_000].map { Sample(time: Instant(nanoseconds: $0), value: Double($0)) }
    let result = estimate(way)
    #expect(result.velocity?.isFinite == true)
    let burst = (0..<6).map {
      Sample(time: Instant(nanoseconds: Int64($0)), value: Double($0) * 2)
    }
    #expect(agree(estimate(burst).velocity, 2e9))
  }

  @Test func `absurdly large values give no velocity instead of infinity`() {
    let huge = Double.greatestFiniteMagnitude
    #expect(estimate(samples([(0, -huge), (8, huge), (16, -huge)])).velocity == nil)
    #expect(estimate(samples([(0, 0), (8, huge), (16, 0)])).velocity == nil)
    let tiny = Double.leastNonzeroMagnitude
    #expect(estimate(samples([(0, 0), (8, tiny), (16, 0)])).velocity?.isFinite == true)
  }

  @Test func `a large offset costs no digits`() {
    let shifted = fling.map { Sample(time: $0.time, value: $0.value + 4_294_967_296) }
    #expect(agree(estimate(shifted).velocity, 3555.6408585461268))
  }
}
