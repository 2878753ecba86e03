import TimelineModel
import TimelineSession

/// How far two curves are apart at the union of their instants, over the time that both have.
struct CurveDistances {
  /// Seconds since A's first sample, rising strictly.
  let times: [Double]
  /// B minus A at each of them, from then on for a step key. In units of the pair's scale.
  let distances: [Double]
  /// Whether the values hold from one instant to the next.
  let isStep: Bool

  /// Lays B, moved back by `shift` seconds, beside A. `nil` where nothing overlaps.
  init?(_ pair: CurvePair, shift: Double) {
    guard let overlap = pair.overlap(shift: shift) else { return nil }
    isStep = pair.isStep
    let isStep = isStep
    // Each stretch of the walk ends a sample of one of them or the overlap.
    let room = pair.a.count + pair.b.count + 3
    var count = 0
    var found: [Double] = []
    times = Array(unsafeUninitializedCapacity: room) { times, timeCount in
      found = Array(unsafeUninitializedCapacity: room) { distances, distanceCount in
        pair.walk(shift: shift, over: overlap) { time, next, a, b in
          let here = isStep ? time : next
          if count == 0 || times[count - 1] != here { count += 1 }
          precondition(count <= room, "A walk has more stretches than samples.")
          times[count - 1] = here
          distances[count - 1] = isStep ? b.here - a.here : b.there - a.there
          return true
        }
        distanceCount = count
      }
      timeCount = count
    }
    distances = found
  }

  /// How many instants there are. At least one.
  var count: Int { times.count }

  /// Seconds from the first to the last.
  var duration: Double { times[times.count - 1] - times[0] }

  /// B minus A at an instant.
  @inline(__always)
  func distance(_ index: Int) -> Double { distances[index] }

  /// B minus A at the end of the stretch that an instant begins.
  @inline(__always)
  func distanceAtEnd(of index: Int) -> Double { distance(isStep ? index : index + 1) }
}

extension CurveDistances {
  /// The largest distance and its time, means over time, and the 95th percentile, all in the key's unit.
  func difference(of pair: CurvePair) -> CurveDifference {
    var largest = abs(distance(0))
    var position = 0
    var (sum, absoluteSum, squareSum) = (0.0, 0.0, 0.0)
    for index in times.indices {
      if abs(distance(index)) > largest { (largest, position) = (abs(distance(index)), index) }
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
      maximum: pair.unscaled(largest), timeOfMaximum: pair.instant(times[position]),
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

  /// The smallest distance that is not exceeded for a share of the time, by halves: within a stretch B minus A is a
  /// straight line, and what is decided of a stretch is not looked at again. Of long curves
  /// some stretches give two guesses first, between which it most likely is.
  ///
  /// - Complexity: linear for distances that are spread out, some 60 walks at worst.
  func percentile(_ share: Double) -> Double {
    times.withUnsafeBufferPointer { times in
      distances.withUnsafeBufferPointer { values in
        Line(times: times, values: values, isStep: isStep).percentile(share, of: duration)
      }
    }
  }

  /// The root mean square of how differently the two change within a delta, per second: of
  /// (d(t + delta) - d(t)) / delta, d being B minus A, over all instants t for which the overlap holds
  /// t + delta. `nil` where there is no such time. The integral is exact: both ends of the delta are followed
  /// from one instant to the next.
  func incrementRMS(delta: Double) -> Double? {
    let end = times[count - 1] - delta
    guard delta > 0, end > times[0] else { return nil }
    let sum = times.withUnsafeBufferPointer { times in
      distances.withUnsafeBufferPointer { values in
        Line(times: times, values: values, isStep: isStep)
          .squaredIncrements(delta: delta, until: end)
      }
    }
    return (max(0, sum) / (end - times[0])).squareRoot() / delta
  }

  /// B minus A over the instants, in place.
  private struct Line {
    let times: UnsafeBufferPointer<Double>
    let values: UnsafeBufferPointer<Double>
    let isStep: Bool

    /// For how long a stretch has a distance of at most a number. Both ends decide most stretches without a division.
    @inline(__always)
    private func secondsIn(_ stretch: Int, upTo most: Double) -> Double {
      let (start, end) = ends(of: stretch)
      let (low, high) = (min(start, end), max(start, end))
      if low == high { return abs(low) <= most ? length(of: stretch) : 0 }
      if low >= -most, high <= most { return length(of: stretch) }
      if low >= most || high <= -most { return 0 }
      return length(of: stretch) * ((min(high, most) - max(low, -most)) / (high - low))
    }

    @inline(__always)
    private func ends(of stretch: Int) -> (Double, Double) {
      (values[stretch], values[isStep ? stretch : stretch + 1])
    }

    @inline(__always)
    private func length(of stretch: Int) -> Double { times[stretch + 1] - times[stretch] }

    /// The larger distance at the ends of a stretch.
    @inline(__always)
    private func largest(of stretch: Int) -> Double {
      let (start, end) = ends(of: stretch)
      return max(abs(start), abs(end))
    }

    /// The smallest distance within a stretch.
    @inline(__always)
    private func smallest(of stretch: Int) -> Double {
      let (start, end) = ends(of: stretch)
      return (start < 0) == (end < 0) ? min(abs(start), abs(end)) : 0
    }

    /// ``CurveDistances/percentile(_:)``.
    func percentile(_ share: Double, of duration: Double) -> Double {
      // The stretches that are not decided yet, by their numbers, which take a sixth of their ends' room.
      var open: [Int32]
      var (decided, low, high) = (0.0, 0.0, Double.infinity)
      let all = 0..<Int32(clamping: times.count - 1)
      if let (above, below) = guesses(share) {
        var (longer, shorter) = (0.0, 0.0)
        for stretch in all {
          longer += secondsIn(Int(stretch), upTo: above)
          shorter += secondsIn(Int(stretch), upTo: below)
        }
        for (guess, time) in [(above, longer), (below, shorter)] {
          if time >= share * duration { high = min(high, guess) } else { low = max(low, guess) }
        }
        open = []
        for stretch in all {
          if largest(of: Int(stretch)) <= low {
            decided += length(of: Int(stretch))
          } else if smallest(of: Int(stretch)) < high {
            open.append(stretch)
          }
        }
      } else {
        open = Array(all)
      }
      if high == .infinity { high = open.reduce(0) { max($0, largest(of: Int($1))) } }
      func time(upTo most: Double) -> Double {
        open.reduce(decided) { $0 + secondsIn(Int($1), upTo: most) }
      }
      if low == 0, time(upTo: 0) >= share * duration { return 0 }
      while case let middle = low + (high - low) / 2, middle > low, middle < high {
        if time(upTo: middle) >= share * duration { high = middle } else { low = middle }
        let below = open.partition { largest(of: Int($0)) <= low }
        decided += open[below...].reduce(0) { $0 + length(of: Int($1)) }
        open.removeLast(open.count - below)
      }
      return high
    }

    /// The distances between which the percentile of many stretches most likely is, the larger one first.
    private func guesses(_ share: Double) -> (Double, Double)? {
      let (count, margin) = (1024, 0.03)
      let stretches = times.count - 1
      guard stretches > 16 * count else { return nil }
      let some = (0..<count).map { largest(of: $0 * (stretches / count)) }.sorted()
      func guess(_ share: Double) -> Double {
        some[max(0, min(count - 1, Int(share * Double(count))))]
      }
      return (guess(share + margin), guess(share - margin))
    }

    /// The integral of (d(t + delta) - d(t))² from the first instant to an end before the last.
    func squaredIncrements(delta: Double, until end: Double) -> Double {
      var (sum, time) = (0.0, times[0])
      var (near, far) = (0, 0)
      while far + 1 < times.count, times[far + 1] <= time + delta { far += 1 }
      var here = value(at: time + delta, far) - values[0]
      while time < end {
        let nextNear = near + 1 < times.count ? times[near + 1] : .infinity
        let nextFar = far + 1 < times.count ? times[far + 1] - delta : .infinity
        let next = max(time, min(nextNear, nextFar, end))
        let before = here
        if nextNear <= next { near += 1 }
        if nextFar <= next { far += 1 }
        here = value(at: next + delta, far) - value(at: next, near)
        let there = isStep ? before : here
        sum += (next - time) * (before * before + before * there + there * there) / 3
        time = next
      }
      return sum
    }

    /// B minus A at a time between the instant of a number and the next.
    @inline(__always)
    private func value(at time: Double, _ index: Int) -> Double {
      isStep ? values[index] : CurvePair.value(times, values, at: time, index, false)
    }
  }
}

extension CurvePair {
  /// The straight line `offset + gain · A` that lies nearest to B where both have values at a shift of B, and the
  /// root mean square that is left. `nil` where A does not move.
  func gain(shift: Double) -> (gain: Double, offset: Double, residual: Double)? {
    guard let overlap = overlap(shift: shift) else { return nil }
    // About the first values, so that the sums keep their digits far from zero.
    var firsts: (a: Double, b: Double)?
    var (sumA, sumB, sumAA, sumAB, sumBB, duration) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    walk(shift: shift, over: overlap) { time, next, a, b in
      let (a0, b0) = firsts ?? (a.here, b.here)
      if firsts == nil { firsts = (a0, b0) }
      let (p, q, r, s) = (a.here - a0, a.there - a0, b.here - b0, b.there - b0)
      let step = next - time
      duration += step
      sumA += step * (p + q) / 2
      sumB += step * (r + s) / 2
      sumAA += step * (p * p + p * q + q * q) / 3
      sumBB += step * (r * r + r * s + s * s) / 3
      sumAB += step * (2 * p * r + p * s + q * r + 2 * q * s) / 6
      return true
    }
    guard duration > 0, let (a0, b0) = firsts else { return nil }
    let meanA = sumA / duration
    let meanB = sumB / duration
    let varianceB = sumBB / duration - meanB * meanB
    let covariance = sumAB / duration - meanA * meanB
    let varianceA = sumAA / duration - meanA * meanA
    guard varianceA > 0, varianceA > 1e-15 * (sumAA / duration) else { return nil }
    let gain = covariance / varianceA
    let left = max(0, varianceB - gain * covariance)
    guard gain.isFinite, left.isFinite else { return nil }
    return (gain, b0 + meanB - gain * (a0 + meanA), left.squareRoot())
  }

  /// An instant of the times here.
  func instant(_ seconds: Double) -> Instant {
    origin.advanced(byNanoseconds: Instant(seconds: seconds)?.nanoseconds ?? .max)
  }
}
