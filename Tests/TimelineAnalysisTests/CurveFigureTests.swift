import TestSupport
import Testing
import TimelineModel
import TimelineSession

@testable import MotionJudgement

@Suite struct CurveFigureTests {
  @Test
  func `a walk that ends at its limit says only what is below it, and the lag stays the same`()
    throws
  {
    let a = curve(track(200, every: 8) { $0 * $0 / 400 })
    let b = curve(
      track(200, every: 8, from: 20) { $0 * $0 / 400 + $0.remainder(dividingBy: 3) / 50 })
    let pair = try #require(CurvePair(a, b))
    for step in -25...25 {
      let shift = Double(step) / 500
      let whole = try #require(pair.residual(shift: shift))
      for share in [0.5, 0.999, 1, 1.001, 2] {
        let part = pair.residual(shift: shift, limit: whole * share)
        #expect(part == (share < 1 ? nil : whole), "\(shift) \(share)")
      }
    }
    let found = pair.lag(limitSeconds: 0.05, range: 100, distance: pair.residual(shift: 0))
    let plain = ShiftSearch(limitSeconds: 0.05).best(gain: 1e-10) { shift, _ in
      pair.residual(shift: shift)
    }
    #expect((found.seconds, found.residual) == (plain.shift, plain.value))
  }

  @Test func `a step key holds from sample to sample`() throws {
    // A is 0 until 500 and 1 after it; B changes 100 ms later.
    let a = curve([(0, 0), (500, 1), (1000, 1)])
    let b = curve([(0, 0), (600, 1), (1000, 1)])
    let held = try #require(CurveComparison(a, b, isStep: true).aligned)
    #expect(held.maximum == 1)
    #expect(held.timeOfMaximum == at(500))
    #expect(abs(held.meanAbsolute - 0.1) < 1e-12)
    #expect(abs(held.rootMeanSquare - 0.1.squareRoot()) < 1e-12)
    #expect(abs(held.bias + 0.1) < 1e-12)
    #expect(CurveComparison(a, b).aligned.map { $0.maximum < 1 } == true)
    // The last value counts although it lasts no time.
    let last = try #require(
      CurveComparison(curve([(0, 0), (10, 0)]), curve([(0, 0), (10, 5)]), isStep: true).aligned)
    #expect(last.maximum == 5)
    #expect(last.meanAbsolute == 0)
  }

  @Test func `95 percent of the time is over time, not over samples`() throws {
    // Apart by 1 for 4 % of the time, in which most samples are.
    let flat = curve([(0, 0), (1000, 0)])
    func apart(_ milliseconds: Int64) -> Curve {
      var points: Track = [(0, 0), (100, 0)]
      points += track(Int(milliseconds), every: 1, from: 101) { _ in 1 }
      points += [(101 + milliseconds, 0), (1000, 0)]
      return curve(points)
    }
    #expect(CurveComparison(flat, apart(40)).aligned?.percentile95 == 0)
    #expect(CurveComparison(flat, apart(60)).aligned?.percentile95 == 1)
  }

  @Test func `a curve that is only faster is told from one of another shape`() throws {
    func swing(_ speed: Double, power: Double = 1) -> Curve {
      curve(
        track(100, every: 10) { step in
          let time = min(1, Double(step) / 60 * speed)
          return time * time * (3 - 2 * time) * (1 + power * time * (1 - time))
        })
    }
    for (speed, factor) in [(1.3, 1 / 1.3), (0.7, 1 / 0.7), (1, 1)] {
      let scale = try #require(CurveComparison(swing(1), swing(speed)).timeScale)
      #expect(abs(scale.factor - factor) < 2e-3, "\(speed)")
      #expect(scale.residual < 2e-3, "\(speed)")
    }
    let other = CurveComparison(swing(1), swing(1, power: -2))
    #expect(try #require(other.timeScale).residual > 0.02)
    #expect(CurveComparison(swing(1), curve([(0, 1), (990, 1)])).timeScale == nil)
    #expect(
      CurveComparison(
        curve(track(3000, every: 1) { Double($0) }), curve(track(3000, every: 1) { Double($0) })
      ).timeScale == nil)
  }

  /// How far a track is from zero, read so often in each of its stretches, the smallest first.
  private func distances(along track: Track, inEachStretch count: Int) -> [Double] {
    zip(track, track.dropFirst()).flatMap { from, to in
      (0..<count).map { abs(from.1 + (to.1 - from.1) * (Double($0) + 0.5) / Double(count)) }
    }.sorted()
  }

  @Test func `the 95th percentile is by time, also within a stretch`() throws {
    func p95(_ b: Track, isStep: Bool = false) throws -> Double {
      try #require(CurveComparison(curve([(0, 0), (1000, 0)]), curve(b), isStep: isStep).aligned)
        .percentile95
    }
    // A straight line is above 0.95 for a twentieth of its time, in one stretch as in many.
    #expect(abs(try p95([(0, 0), (1000, 1)]) - 0.95) < 1e-12)
    #expect(abs(try p95(track(101, every: 10) { $0 / 100 }) - 0.95) < 1e-12)
    #expect(abs(try p95([(0, -1), (1000, 1)]) - 0.95) < 1e-12)
    #expect(try p95([(0, 0.3), (1000, 0.3)]) == 0.3)
    #expect(try p95([(0, 0), (1000, 0)]) == 0)
    #expect(try p95([(0, 0), (940, 0.7), (1000, 0.7)], isStep: true) == 0.7)
    #expect(try p95([(0, 0), (960, 0.7), (1000, 0.7)], isStep: true) == 0)
    // Against dense sampling.
    var random = SplitMix(seed: 5)
    for count in [3, 40, 400] {
      let b = track(count, every: 10) { _ in Double(random.next() % 2000) / 1000 - 1 }
      let zero = curve([(0, 0), (Int64(count) * 10, 0)])
      let found = try #require(CurveComparison(zero, curve(b)).aligned).percentile95
      let distances = distances(along: b, inEachStretch: 1000)
      #expect(abs(found - distances[distances.count * 95 / 100]) < 0.002, "\(count)")
    }
  }

  @Test func `the 95th percentile of a long curve is found, whatever some of its stretches say`()
    throws
  {
    let count = 20_000
    var random = SplitMix(seed: 6)
    let curves: [(String, (Int) -> Double)] = [
      ("spread out", { _ in Double(random.next() % 2000) / 1000 - 1 }),
      ("mostly at rest", { $0 % 100 == 50 ? 1 : 0 }),
      // Every nineteenth stretch is looked at first.
      ("lower where it is looked at", { [0, 1].contains($0 % 19) ? 1 : 10 + Double($0 % 7) }),
      ("higher where it is looked at", { [0, 1].contains($0 % 19) && $0 % 3 == 0 ? 10 : 1 }),
    ]
    for (name, value) in curves {
      let b = (0...count).map { (Int64($0) * 10, value($0)) }
      let zero = curve([(0, 0), (Int64(count) * 10, 0)])
      let found = try #require(CurveComparison(zero, curve(b)).aligned).percentile95
      let distances = distances(along: b, inEachStretch: 20)
      let places = [0.949, 0.951].map { Int(Double(distances.count) * $0) }
      #expect(found >= distances[places[0]] - 0.05, "\(name)")
      #expect(found <= distances[places[1]] + 0.05, "\(name)")
    }
  }

  @Test func `increments know no drift`() throws {
    // B drifts away by one unit a second: that is what increments tell, over any delta.
    let a = curve(track(101, every: 10) { $0.truncatingRemainder(dividingBy: 7) })
    let b = curve(
      track(101, every: 10) { $0.truncatingRemainder(dividingBy: 7) + $0 / 100 })
    let found = CurveComparison(a, b, frameSeconds: 0.01)
    #expect(abs(try #require(found.frameIncrement) - 1) < 1e-9)
    #expect(abs(try #require(found.longIncrement) - 1) < 1e-9)
    #expect(CurveComparison(a, a).frameIncrement == 0)
    let short = CurveComparison(curve([(0, 0), (50, 1)]), curve([(0, 0), (50, 1)]))
    #expect(short.longIncrement == nil)
  }

  @Test func `a curve that goes further has a gain and no residual after it`() throws {
    let a = curve(track(51, every: 10) { 100 + $0 * $0 })
    let b = curve(track(51, every: 10) { 30 + 0.5 * $0 * $0 })
    let found = CurveComparison(a, b, lagLimitSeconds: 0)
    let fit = try #require(found.fit)
    #expect(abs(fit.gain - 0.5) < 1e-9)
    #expect(abs(fit.offset + 20) < 1e-7)
    #expect(fit.residual < 1e-5)
    #expect(CurveComparison(a, curve([(0, 3), (500, 3)])).fit == nil)
  }

  @Test func `warping takes out an uneven delay and tells how large it was`() throws {
    // The middle of B is 30 ms late, its ends are not.
    let a = curve(track(201, every: 5) { smoothstep($0 / 200) })
    var points: Track = []
    for step in 0...200 {
      let delay = 30 * (1 - abs(Double(step) - 100) / 100)
      points.append((Int64(step * 5) + Int64(delay), smoothstep(Double(step) / 200)))
    }
    let b = curve(points)
    let found = CurveComparison(a, b)
    let warp = try #require(found.warp)
    #expect(warp.meanCost < 0.25 * (found.aligned?.meanAbsolute ?? 0))
    #expect(abs(warp.largestSeconds - 0.03) <= 2 * warp.stepSeconds)
    #expect(warp.stepSeconds == defaultLagLimitSeconds / 8)
    let same = try #require(CurveComparison(a, a).warp)
    #expect(same.meanCost == 0)
    #expect(same.largestSeconds == 0)
  }

  @Test func `the band holds the warp`() {
    // Small enough to try every path.
    func slow(_ a: [Double], _ b: [Double], band: Int) -> Double {
      func cost(_ i: Int, _ j: Int) -> Double {
        guard i >= 0, j >= 0, abs(i - j) <= band else { return .infinity }
        let here = abs(a[i] - b[j])
        if i == 0, j == 0 { return here }
        return here + min(cost(i - 1, j - 1), cost(i - 1, j), cost(i, j - 1))
      }
      return cost(a.count - 1, b.count - 1)
    }
    var random = SplitMix(seed: 9)
    for count in 1...7 {
      for band in 0...3 {
        let a = (0..<count).map { _ in Double(random.next() % 10) }
        let b = (0..<count).map { _ in Double(random.next() % 10) }
        let found = warpedDistance(a, b, band: band)
        #expect(found.sum == slow(a, b, band: band), "\(a) \(b) \(band)")
        #expect(found.farthest <= band)
      }
    }
    #expect(warpedDistance([], [], band: 2).sum == 0)
  }

  @Test func `curves of one sample and of doubled times are compared`() throws {
    let one = CurveComparison(curve([(10, 1)]), curve([(10, 3)]))
    #expect(one.aligned?.percentile95 == 2)
    #expect(one.warp == nil)
    #expect(one.frameIncrement == nil)
    let doubled = curve([(0, 0), (10, 5), (10, 6), (20, 7)])
    #expect(CurveComparison(doubled, doubled).aligned?.maximum == 0)
    let backward = curve([(0, 0), (20, 2), (10, 1), (30, 3)])
    #expect(backward.leftOutCount == 1)
    #expect(CurveComparison(backward, backward).aligned?.maximum == 0)
  }
}

private func smoothstep(_ x: Double) -> Double { x * x * (3 - 2 * x) }
