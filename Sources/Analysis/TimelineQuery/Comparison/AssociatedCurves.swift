import TimelineModel

/// Two curves side by side at the union of their instants, over the time that both have.
struct AssociatedCurves {
  /// Seconds since A's first sample, rising strictly.
  private(set) var times: [Double] = []
  /// A's value at each of them, from then on for a step key; in units of the pair's scale.
  private(set) var a: [Double] = []
  /// B's.
  private(set) var b: [Double] = []
  /// Whether the values hold from one instant to the next.
  let isStep: Bool

  /// Lays B, moved back by `shift` seconds, beside A; nil where nothing overlaps.
  init?(_ pair: CurvePair, shift: Double) {
    guard let overlap = pair.overlap(shift: shift) else { return nil }
    isStep = pair.isStep
    var (times, a, b): ([Double], [Double], [Double]) = ([], [], [])
    let room = pair.a.count + pair.b.count + 2
    times.reserveCapacity(room)
    a.reserveCapacity(room)
    b.reserveCapacity(room)
    func put(_ time: Double, _ valueOfA: Double, _ valueOfB: Double) {
      if time == times.last {
        a[a.count - 1] = valueOfA
        b[b.count - 1] = valueOfB
      } else {
        times.append(time)
        a.append(valueOfA)
        b.append(valueOfB)
      }
    }
    let isStep = isStep
    pair.walk(shift: shift, over: overlap) { time, next, valuesOfA, valuesOfB in
      if isStep {
        put(time, valuesOfA.here, valuesOfB.here)
      } else {
        put(next, valuesOfA.there, valuesOfB.there)
      }
      return true
    }
    self.times = times
    self.a = a
    self.b = b
  }

  /// How many instants there are; at least one.
  var count: Int { times.count }

  /// Seconds from the first to the last.
  var duration: Double { times[times.count - 1] - times[0] }

  /// B minus A at an instant.
  @inline(__always)
  func distance(_ index: Int) -> Double { b[index] - a[index] }

  /// B minus A at the end of the stretch that an instant begins.
  @inline(__always)
  func distanceAtEnd(of index: Int) -> Double { distance(isStep ? index : index + 1) }
}

extension AssociatedCurves {
  /// The largest distance and its time, means over time, and the 95th percentile, all in the key's unit.
  func difference(of pair: CurvePair) -> CurveDifference {
    var largest = abs(distance(0))
    var place = 0
    var (sum, absoluteSum, squareSum) = (0.0, 0.0, 0.0)
    for index in times.indices {
      if abs(distance(index)) > largest { (largest, place) = (abs(distance(index)), index) }
      guard index + 1 < count else { break }
      let (here, there) = (distance(index), distanceAtEnd(of: index))
      let step = times[index + 1] - times[index]
      sum += step * (here + there) / 2
      absoluteSum += step * meanMagnitude(here, there)
      squareSum += step * (here * here + here * there + there * there) / 3
    }
    let isInstant = duration <= 0
    let only = distance(0)
    return CurveDifference(
      maximum: pair.unscaled(largest), timeOfMaximum: pair.instant(times[place]),
      meanAbsolute: pair.unscaled(isInstant ? abs(only) : absoluteSum / duration),
      rootMeanSquare: pair.unscaled(
        isInstant ? abs(only) : max(0, squareSum / duration).squareRoot()),
      bias: pair.unscaled(isInstant ? only : sum / duration),
      percentile95: pair.unscaled(isInstant ? abs(only) : percentile(0.95)))
  }

  /// The mean magnitude of a straight line from one number to another.
  private func meanMagnitude(_ start: Double, _ end: Double) -> Double {
    if start * end >= 0 { return abs(start + end) / 2 }
    return (start * start + end * end) / (2 * (abs(start) + abs(end)))
  }

  /// The smallest distance that is not exceeded for a share of the time; each stretch counts with the
  /// distance in its middle.
  func percentile(_ share: Double) -> Double {
    var distances: [Double] = []
    var weights: [Double] = []
    distances.reserveCapacity(count)
    weights.reserveCapacity(count)
    for index in 0..<count - 1 {
      distances.append(abs((distance(index) + distanceAtEnd(of: index)) / 2))
      weights.append(times[index + 1] - times[index])
    }
    return weightedPercentile(share, of: distances, weights: weights)
  }

  /// The root mean square of how differently the two change within a delta, per second: of
  /// (d(t + delta) - d(t)) / delta, d being B minus A, over all instants t for which the overlap holds
  /// t + delta; nil where there is no such time. The integral is exact: both ends of the delta are followed
  /// from one instant to the next.
  func incrementRMS(delta: Double) -> Double? {
    let end = times[count - 1] - delta
    guard delta > 0, end > times[0] else { return nil }
    var (sum, time) = (0.0, times[0])
    var (near, far) = (0, 0)
    while far + 1 < count, times[far + 1] <= time + delta { far += 1 }
    var here = distance(at: time + delta, far) - distance(0)
    while time < end {
      let nextNear = near + 1 < count ? times[near + 1] : .infinity
      let nextFar = far + 1 < count ? times[far + 1] - delta : .infinity
      let next = max(time, min(nextNear, nextFar, end))
      let before = here
      if nextNear <= next { near += 1 }
      if nextFar <= next { far += 1 }
      here = distance(at: next + delta, far) - distance(at: next, near)
      let there = isStep ? before : here
      sum += (next - time) * (before * before + before * there + there * there) / 3
      time = next
    }
    return (max(0, sum) / (end - times[0])).squareRoot() / delta
  }

  /// B minus A at a time between the instant of a number and the next.
  @inline(__always)
  private func distance(at time: Double, _ index: Int) -> Double {
    guard !isStep, index + 1 < count, time > times[index] else { return distance(index) }
    let share = min(1, (time - times[index]) / (times[index + 1] - times[index]))
    return (1 - share) * distance(index) + share * distance(index + 1)
  }

  /// The straight line `offset + gain · B` that lies nearest to A, and the root mean square that is left; nil
  /// where B does not move.
  func gain() -> (gain: Double, offset: Double, residual: Double)? {
    guard duration > 0 else { return nil }
    // About the first values, so that the sums keep their digits far from zero.
    let (a0, b0) = (a[0], b[0])
    var (sumA, sumB, sumAA, sumAB, sumBB) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for index in 0..<count - 1 {
      let end = isStep ? index : index + 1
      let (p, q, r, s) = (a[index] - a0, a[end] - a0, b[index] - b0, b[end] - b0)
      let step = times[index + 1] - times[index]
      sumA += step * (p + q) / 2
      sumB += step * (r + s) / 2
      sumAA += step * (p * p + p * q + q * q) / 3
      sumBB += step * (r * r + r * s + s * s) / 3
      sumAB += step * (2 * p * r + p * s + q * r + 2 * q * s) / 6
    }
    let meanA = sumA / duration
    let meanB = sumB / duration
    let varianceB = sumBB / duration - meanB * meanB
    let covariance = sumAB / duration - meanA * meanB
    let varianceA = sumAA / duration - meanA * meanA
    guard varianceB > 0, varianceB > 1e-15 * (sumBB / duration) else { return nil }
    let gain = covariance / varianceB
    let left = max(0, varianceA - gain * covariance)
    guard gain.isFinite, left.isFinite else { return nil }
    return (gain, a0 + meanA - gain * (b0 + meanB), left.squareRoot())
  }
}

extension CurvePair {
  /// An instant of the times here.
  func instant(_ seconds: Double) -> Instant {
    origin.advanced(byNanoseconds: Instant(seconds: seconds)?.nanoseconds ?? .max)
  }
}
