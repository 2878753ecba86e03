import MotionJudgement
import Testing
import TimelineModel
import TimelineSession

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A swinging settle from 0 to 1, sampled at 120 Hz for 0.8 s, as the comparison's prototype draws it;
/// the noise comes from a plain congruence, so that it is the same every time.
private func settle(
  delay: Double = 0, stiffness: Double = 7, seed: UInt64, noise: Double = 0.002, leavingOut: Int = 0
) -> Curve {
  var state = seed
  func random() -> Double {
    var sum = -6.0
    for _ in 0..<12 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      sum += Double(state >> 11) / Double(1 << 53)
    }
    return sum
  }
  let damping = 0.55
  let frequency = stiffness * 1.8
  let swing = frequency * (1 - damping * damping).squareRoot()
  var samples: [Sample] = []
  for index in 0..<96 {
    let value = random() * noise
    if leavingOut > 0, index % (96 / leavingOut) == 7 { continue }
    let time = Double(index) / 120
    let since = max(0, time - delay)
    let left =
      exp(-damping * frequency * since)
      * (cos(swing * since) + damping * frequency / swing * sin(swing * since))
    samples.append(
      Sample(time: Instant(nanoseconds: Int64((time * 1e9).rounded())), value: 1 - left + value))
  }
  return Curve(samples)
}

@Suite struct CurveComparisonTests {
  @Test func `a curve against itself differs in nothing`() {
    let run = settle(seed: 1)
    let same = CurveComparison(run, run)
    #expect(same.aligned?.maximum == 0)
    #expect(same.aligned?.rootMeanSquare == 0)
    #expect(same.aligned?.meanAbsolute == 0)
    #expect(same.aligned?.bias == 0)
    #expect(same.lagSeconds == 0)
    #expect(!same.lagIsAtLimit)
    #expect(same.residual == 0)
    #expect(same.residualShareOfRange == 0)
    #expect(same.matchedSampleCount == 96)
    #expect(same.onlyInACount == 0)
    #expect(same.onlyInBCount == 0)
    #expect(abs(same.overlapSeconds - 95.0 / 120) < 1e-8)
  }

  @Test func `a value that stays the same differs in nothing on another clock`() {
    func still(every milliseconds: Int64) -> Curve {
      Curve(
        (0...1000 / milliseconds).map {
          Sample(time: Instant(nanoseconds: $0 * milliseconds * 1_000_000), value: 6.1)
        })
    }
    let found = CurveComparison(still(every: 7), still(every: 11))
    #expect(found.aligned?.maximum == 0)
    #expect(found.aligned?.rootMeanSquare == 0)
    #expect(found.residual == 0)
  }

  @Test func `delay and shape are told apart`() throws {
    let run = settle(seed: 1)
    let late = CurveComparison(run, settle(delay: 0.025, seed: 2, leavingOut: 6))
    let stiffer = CurveComparison(run, settle(stiffness: 7.7, seed: 3))
    // As they are, the mere delay looks twice as bad.
    let lateRaw = try #require(late.aligned).rootMeanSquare
    let stifferRaw = try #require(stiffer.aligned).rootMeanSquare
    #expect(abs(lateRaw - 0.067) < 0.006)
    #expect(abs(stifferRaw - 0.033) < 0.003)
    // With the lag taken out, the order is right.
    #expect(abs(late.lagSeconds - 0.025) < 0.0005)
    #expect(try #require(late.residual) < 0.004)
    #expect(abs(try #require(stiffer.residual) - 0.016) < 0.002)
    #expect(stiffer.lagSeconds < 0)
  }

  @Test(arguments: [-0.0437, -0.01, -0.0003, 0.0081, 0.02, 0.0499])
  func `a lag is found between the frames, with its sign`(delay: Double) {
    let early = settle(seed: 1, noise: 0)
    let late = settle(delay: 0, seed: 1, noise: 0).shifted(
      byNanoseconds: Int64((delay * 1e9).rounded()))
    let found = CurveComparison(early, late)
    #expect(abs(found.lagSeconds - delay) < 2e-6)
    #expect((found.residual ?? 1) < 1e-4)
    let mirrored = CurveComparison(late, early)
    #expect(abs(mirrored.lagSeconds + delay) < 2e-6)
  }

  @Test func `a lag beyond the search is marked`() {
    let run = settle(seed: 1, noise: 0)
    let late = run.shifted(byNanoseconds: 90_000_000)
    let found = CurveComparison(run, late)
    #expect(found.lagIsAtLimit)
    #expect(abs(found.lagSeconds - 0.05) < 1e-5)
    #expect(abs(CurveComparison(run, late, lagLimitSeconds: 0.2).lagSeconds - 0.09) < 2e-6)
  }

  @Test func `figures of two crossing lines are those of the integrals`() throws {
    // B - A runs from -1 to 3 in one second: mean 1, mean magnitude (1 + 9) / 8, mean square 7/3.
    let comparison = CurveComparison(
      curve([(0, 1), (500, 1), (1000, 1)]), curve([(0, 0), (1000, 4)]))
    let difference = try #require(comparison.aligned)
    #expect(difference.maximum == 3)
    #expect(difference.timeOfMaximum == Instant(nanoseconds: 1_000_000_000))
    #expect(abs(difference.bias - 1) < 1e-12)
    #expect(abs(difference.meanAbsolute - 1.25) < 1e-12)
    #expect(abs(difference.rootMeanSquare - (7.0 / 3).squareRoot()) < 1e-12)
  }

  @Test func `means are over time, not over samples`() throws {
    // Apart by 1 for the last tenth of the time, where all the samples are.
    let a = curve([(0, 0), (1000, 0)])
    let b = curve([(0, 0), (900, 0), (900, 0)] + (901...1000).map { ($0, 1) })
    let difference = try #require(CurveComparison(a, b).aligned)
    #expect(abs(difference.meanAbsolute - 0.0995) < 1e-12)
    #expect(difference.maximum == 1)
    #expect(difference.timeOfMaximum == Instant(nanoseconds: 901_000_000))
  }

  @Test func `a curve that does not move has no lag`() {
    let flat = curve([(0, 2), (100, 2), (200, 2)])
    let other = curve([(0, 0), (100, 5), (200, 1)])
    for (a, b) in [(flat, other), (other, flat), (flat, flat)] {
      #expect(CurveComparison(a, b).lagSeconds == 0)
    }
    #expect(CurveComparison(flat, other).residualShareOfRange == nil)
    #expect(CurveComparison(flat, flat).residualShareOfRange == 0)
  }

  @Test func `of equally good shifts the smallest is taken`() {
    let ramp = curve((0...20).map { ($0 * 10, Double($0)) })
    let offset = curve((0...20).map { ($0 * 10, Double($0)) })
    #expect(CurveComparison(ramp, offset).lagSeconds == 0)
    let swing = (0...400).map { (Int64($0), sin(Double($0) / 20 * 2 * .pi)) }
    #expect(CurveComparison(curve(swing), curve(swing)).lagSeconds == 0)
    let half = swing.map { ($0.0, -$0.1) }
    let found = CurveComparison(curve(swing), curve(half))
    #expect(abs(abs(found.lagSeconds) - 0.01) < 1e-5)
  }

  @Test func `empty, single and apart are answered, not trapped`() {
    let run = curve([(0, 0), (10, 1), (20, 4)])
    for (a, b) in [(Curve([]), run), (run, Curve([])), (Curve([]), Curve([]))] {
      let nothing = CurveComparison(a, b)
      #expect(nothing.aligned == nil)
      #expect(nothing.residual == nil)
      #expect(nothing.overlapSeconds == 0)
      #expect(nothing.matchedSampleCount == 0)
      #expect(nothing.residualShareOfRange == nil)
      #expect(nothing.onlyInACount == a.count)
      #expect(nothing.onlyInBCount == b.count)
    }
    let single = CurveComparison(run, curve([(10, 3)]))
    #expect(single.aligned?.maximum == 2)
    #expect(single.aligned?.bias == 2)
    #expect(single.aligned?.rootMeanSquare == 2)
    #expect(single.matchedSampleCount == 1)
    #expect(single.onlyInACount == 2)
    let apart = CurveComparison(run, run.shifted(byNanoseconds: 10_000_000_000))
    #expect(apart.aligned == nil)
    #expect(apart.lagSeconds == 0)
    #expect(apart.residual == nil)
  }

  @Test func `ends at rest do not pass for agreement`() {
    // Shifted so far that only the flat ends overlap, the curves would agree perfectly.
    let a = curve([(0, 0), (10, 5), (20, 5), (60, 5)])
    let b = curve([(0, 5), (20, 5), (30, 0), (60, 0)])
    let found = CurveComparison(a, b)
    #expect(abs(found.lagSeconds) <= 0.03 + 1e-9)
    #expect((found.residual ?? 0) > 0)
  }

  @Test func `absurd numbers and times give finite figures`() {
    let huge = Double.greatestFiniteMagnitude
    let a = Curve([
      Sample(time: Instant(nanoseconds: .min), value: -huge), Sample(time: .zero, value: huge),
      Sample(time: Instant(nanoseconds: .max), value: -huge),
    ])
    let b = curve([(0, huge), (1, -huge), (100, huge)])
    for (x, y) in [(a, b), (b, a), (a, a), (b, b), (b, curve([(0, 1e-300), (100, -1e-300)]))] {
      for limit in [0.05, 1e300, .infinity, .nan, -1] {
        let found = CurveComparison(x, y, lagLimitSeconds: limit)
        #expect(found.lagSeconds.isFinite)
        #expect(found.rangeOfA.isFinite)
        #expect(found.residual?.isFinite != false)
        #expect(found.overlapSeconds.isFinite)
        if let difference = found.aligned {
          #expect(difference.maximum.isFinite)
          #expect(difference.rootMeanSquare.isFinite)
          #expect(difference.bias.isFinite)
          #expect(difference.meanAbsolute.isFinite)
        }
      }
    }
  }

  @Test func `tiny values keep their digits`() throws {
    let a = curve([(0, 0), (10, 1e-200)])
    let b = curve([(0, 1e-200), (10, 2e-200)])
    let difference = try #require(CurveComparison(a, b).aligned)
    #expect(abs(difference.rootMeanSquare / 1e-200 - 1) < 1e-12)
  }
}
