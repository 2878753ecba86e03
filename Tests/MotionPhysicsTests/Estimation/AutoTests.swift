import MotionPhysics
import Testing
import TimelineModel

@Suite struct AutoTests {
  @Test func `the answer is the chosen candidate's, with its name`() throws {
    for way in [quickening, noisySine, slowDrag] {
      for index in stride(from: 4, to: way.count, by: way.count / 4) {
        let lift = way[index].time
        let ranking = EstimatorRanking(way, lift: lift)
        let estimate = Estimator.auto.estimate(way, lift: lift)
        let chosen = ranking.chosen
        let own = chosen.estimator.estimate(way, lift: lift, window: chosen.window)
        #expect(estimate.estimator == "auto")
        #expect(estimate.chosen == chosen.name)
        #expect(estimate.velocity?.bitPattern == own.velocity?.bitPattern)
        #expect(estimate.sampleCount == own.sampleCount)
        #expect(estimate.leftOut == own.leftOut)
        #expect(estimate.confidence == own.confidence)
        let velocity = try #require(estimate.velocity)
        let low = try #require(estimate.low)
        let high = try #require(estimate.high)
        #expect(low <= velocity)
        #expect(velocity <= high)
        let error = try #require(estimate.standardError)
        #expect(abs((high - low) / 2 - 1.6448536 * error) <= 1e-6 * (high - low))
        #expect(Estimator.auto.velocity(way, lift: lift)?.bitPattern == velocity.bitPattern)
      }
    }
  }

  @Test func `samples after the lift change the choice at most, never the window`() {
    let lift = quickening[9].time
    var bent = quickening
    for index in 10..<16 { bent[index].value = -50_000 }
    let estimate = Estimator.auto.estimate(bent, lift: lift)
    let chosen = EstimatorRanking(bent, lift: lift).chosen
    let cut = chosen.estimator.velocity(
      Array(quickening.prefix(10)), lift: lift, window: chosen.window)
    #expect(estimate.velocity?.bitPattern == cut?.bitPattern)
  }

  @Test func `most of the reference lies in the interval`() {
    var held = 0
    var asked = 0
    for index in 10..<158 {
      let lift = noisySine[index].time
      let estimate = Estimator.auto.estimate(Array(noisySine.prefix(160)), lift: lift)
      // The slope of a parabola through five evenly spaced places: (2, 1, 0, -1, -2)/10.
      let value = { noisySine[index + $0].value }
      let slope = (2 * (value(2) - value(-2)) + value(1) - value(-1)) / 10 / 0.01
      guard let low = estimate.low, let high = estimate.high else { continue }
      asked += 1
      if low <= slope, slope <= high { held += 1 }
    }
    #expect(asked == 148)
    #expect((0.85...0.95).contains(Double(held) / Double(asked)), "\(held) of \(asked)")
  }

  @Test func `steady motion leaves almost no doubt`() throws {
    let way = recording(count: 120, every: 8) { 125 * $0 }
    let estimate = Estimator.auto.estimate(way, lift: way[119].time)
    #expect(abs(try #require(estimate.velocity) - 125) < 1e-6)
    #expect(try #require(estimate.high) - (try #require(estimate.low)) < 1e-3)
    let still = recording(count: 120, every: 8) { _ in 7 }
    let resting = Estimator.auto.estimate(still, lift: still[119].time)
    #expect(resting.velocity == 0)
    #expect(resting.low == 0)
    #expect(resting.high == 0)
  }

  @Test func `no sample and one sample give no velocity, a pause gives 0`() {
    for way in [[], samples([(0, 5)])] {
      let estimate = Estimator.auto.estimate(way, lift: instant(milliseconds: 10))
      #expect(estimate.velocity == nil)
      #expect(estimate.low == nil)
      #expect(estimate.high == nil)
      #expect(estimate.sampleCount == way.count)
      #expect(estimate.chosen != nil)
    }
    let lift = quickening[15].time.advanced(byNanoseconds: 40_000_001)
    let stopped = Estimator.auto.estimate(quickening, lift: lift)
    #expect(stopped.velocity == 0)
    #expect(stopped.sampleCount == 0)
    #expect(stopped.low == nil)
    #expect(stopped.high == nil)
  }

  @Test func `two samples give the difference with a wide interval`() throws {
    let estimate = Estimator.auto.estimate(
      samples([(0, 0), (10, 5)]), lift: instant(milliseconds: 10))
    #expect(abs(try #require(estimate.velocity) - 500) < 1e-9)
    #expect(try #require(estimate.low) < 450)
    #expect(try #require(estimate.high) > 550)
  }

  @Test func `doubled, backward and unusable samples do not matter`() throws {
    var disturbed = quickening
    disturbed.insert(Sample(time: quickening[3].time, value: 900), at: 7)
    disturbed.insert(Sample(time: quickening[4].time, value: .nan), at: 5)
    disturbed.insert(Sample(time: quickening[9].time, value: 900), at: 11)
    let lift = quickening[15].time
    let estimate = Estimator.auto.estimate(disturbed, lift: lift)
    let plain = Estimator.auto.estimate(quickening, lift: lift)
    #expect(estimate.velocity == plain.velocity)
    #expect(estimate.low == plain.low)
    #expect(estimate.chosen == plain.chosen)
    #expect(estimate.leftOut[.notFinite] == 1)
    #expect(estimate.leftOut[.backward] == 1)
    #expect(estimate.leftOut[.duplicate] == 1)
  }

  @Test func `no number is too large or too small`() {
    for scale in [1e-300, 1e150, 1e300, 1.7e308] {
      for way in [quickening, slowDrag] {
        let scaled = way.map { Sample(time: $0.time, value: $0.value / 3000 * scale) }
        let estimate = Estimator.auto.estimate(scaled, lift: way[12].time)
        let numbers = [estimate.velocity, estimate.low, estimate.high, estimate.standardError]
        #expect(numbers.allSatisfy { $0?.isFinite ?? true })
      }
    }
    let extreme = [Int64.min, -1, 0, 1, .max].map {
      Sample(time: Instant(nanoseconds: $0), value: Double($0) * 1e290)
    }
    for time in [Int64.min, 0, .max] {
      let estimate = Estimator.auto.estimate(extreme, lift: Instant(nanoseconds: time))
      #expect(estimate.velocity?.isFinite ?? true)
    }
  }
}
