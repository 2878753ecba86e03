import MotionPhysics
import Testing
import TimelineModel

@Suite struct ImpulseTests {
  private func estimate(_ way: [Sample]) -> VelocityEstimate {
    Estimator.impulse.estimate(way, lift: way.last?.time ?? .zero)
  }

  @Test func `a fling has the speed of the work done, with the jackknife's interval`() {
    let result = estimate(fling)
    #expect(agree(result.velocity, 3016.9271345371603))
    #expect(agree(result.low, 2885.7486760700945))
    #expect(agree(result.high, 3148.105593004226))
    #expect(result.sampleCount == 7)
  }

  @Test func `abrupt braking keeps its sign`() {
    let result = estimate(samples([(0, 98), (8, 247), (16, 310), (24, 324)]))
    #expect(agree(result.velocity, 11707.376739549762))
  }

  @Test func `constant speed is found, without any spread`() {
    let result = estimate(samples([(0, 0), (8, 16), (20, 40), (31, 62), (40, 80)]))
    #expect(agree(result.velocity, 2000))
    #expect(agree(result.low, 2000))
    #expect(agree(result.high, 2000))
  }

  @Test func `two samples give the plain difference`() {
    let result = estimate(samples([(0, 1), (8, 3)]))
    #expect(result.velocity == 250)
    #expect(result.low == nil)
    #expect(result.high == nil)
  }

  @Test func `a value that rests first and then moves counts from rest`() {
    // W_0 = 0, W_1 = u|u|, V = sqrt(2) u: the formula as it stands.
    let result = estimate(samples([(0, 0), (10, 0), (20, 10)]))
    #expect(agree(result.velocity, 1000 * Double(2).squareRoot()))
  }

  @Test func `equal values are at rest`() {
    let result = estimate(samples([(0, 3), (8, 3), (16, 3)]))
    #expect(result.velocity == 0)
    #expect(result.low == 0)
    #expect(result.high == 0)
  }

  @Test func `the mirrored way has the mirrored velocity`() {
    let mirrored = estimate(fling.map { Sample(time: $0.time, value: -$0.value) })
    let plain = estimate(fling)
    #expect(mirrored.velocity == plain.velocity.map { -$0 })
    #expect(mirrored.low == plain.high.map { -$0 })
  }

  @Test func `the unit of the key does not matter, up to the largest`() {
    for factor in [0x1p-1000, 0x1p-30, 0x1p900] {
      let scaled = estimate(fling.map { Sample(time: $0.time, value: $0.value * factor) })
      #expect(agree(scaled.velocity, 3016.9271345371603 * factor))
    }
    let huge = Double.greatestFiniteMagnitude
    #expect(estimate(samples([(0, -huge), (8, huge)])).velocity == nil)
  }
}
