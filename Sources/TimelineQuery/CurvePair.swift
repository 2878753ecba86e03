import TimelineModel

/// Two curves in plain numbers, ready to be laid over each other at many shifts.
struct CurvePair {
  /// A's first instant: the zero of the times here.
  private let origin: Instant
  /// Seconds since `origin`, and values in units of `scale`.
  private let a: Track
  private let b: Track
  /// What the values were divided by, so that no square overflows or vanishes.
  private let scale: Double

  /// One curve's numbers.
  private struct Track {
    var times: [Double]
    var values: [Double]

    init(_ curve: Curve, origin: Instant, scale: Double) {
      times = curve.times.map { $0.seconds(since: origin) }
      values = scale == 1 ? curve.values : curve.values.map { $0 / scale }
    }

    /// The last sample at or before a time that lies within the curve.
    func index(atOrBefore time: Double) -> Int {
      var low = 0
      var high = times.count
      while low < high {
        let middle = low + (high - low) / 2
        if times[middle] <= time { low = middle + 1 } else { high = middle }
      }
      return max(0, low - 1)
    }

    /// The value at a time between the sample `index` and the next.
    func value(at time: Double, index: Int) -> Double {
      guard index + 1 < times.count, time > times[index] else { return values[index] }
      if time >= times[index + 1] { return values[index + 1] }
      let share = (time - times[index]) / (times[index + 1] - times[index])
      return (1 - share) * values[index] + share * values[index + 1]
    }
  }

  /// Values whose largest lies outside these are divided by it before anything is squared.
  private static let plainMagnitudes = 1e-100...1e100

  /// Pairs two curves; nil when one has no sample.
  init?(_ a: Curve, _ b: Curve) {
    guard let origin = a.times.first, !b.times.isEmpty else { return nil }
    let largest = max(
      a.values.lazy.map(abs).max() ?? 0, b.values.lazy.map(abs).max() ?? 0)
    scale = largest == 0 || CurvePair.plainMagnitudes.contains(largest) ? 1 : largest
    self.origin = origin
    self.a = Track(a, origin: origin, scale: scale)
    self.b = Track(b, origin: origin, scale: scale)
  }

  /// The stretch of A's time, in seconds since its first sample, in which B moved back by `shift`
  /// seconds has values too; nil without one.
  func overlap(shift: Double) -> ClosedRange<Double>? {
    let start = max(a.times[0], b.times[0] - shift)
    let end = min(a.times[a.times.count - 1], b.times[b.times.count - 1] - shift)
    return start <= end ? start...end : nil
  }

  /// The difference between B, moved back by `shift` seconds, and A over their overlap; nil without
  /// one. One walk over the samples of both.
  func difference(shift: Double) -> CurveDifference? {
    guard let overlap = overlap(shift: shift) else { return nil }
    var time = overlap.lowerBound
    var i = a.index(atOrBefore: time)
    var j = b.index(atOrBefore: time + shift)
    var here = b.value(at: time + shift, index: j) - a.value(at: time, index: i)
    var largest = abs(here)
    var timeOfLargest = time
    var (sum, absoluteSum, squareSum) = (0.0, 0.0, 0.0)
    while time < overlap.upperBound {
      let nextA = i + 1 < a.times.count ? a.times[i + 1] : .infinity
      let nextB = j + 1 < b.times.count ? b.times[j + 1] - shift : .infinity
      let next = min(nextA, nextB, overlap.upperBound)
      let there =
        b.value(at: nextB <= next ? b.times[j + 1] : next + shift, index: j)
        - a.value(at: next, index: i)
      if next > time {
        let step = next - time
        sum += step * (here + there) / 2
        absoluteSum += step * meanMagnitude(here, there)
        squareSum += step * (here * here + here * there + there * there) / 3
      }
      if abs(there) > largest {
        largest = abs(there)
        timeOfLargest = next
      }
      if nextA <= next { i += 1 }
      if nextB <= next { j += 1 }
      time = max(time, next)
      here = there
    }
    let duration = overlap.upperBound - overlap.lowerBound
    let isInstant = duration <= 0
    return CurveDifference(
      maximum: unscaled(largest),
      timeOfMaximum: origin.advanced(
        byNanoseconds: Instant(seconds: timeOfLargest)?.nanoseconds ?? .max),
      meanAbsolute: unscaled(isInstant ? abs(here) : absoluteSum / duration),
      rootMeanSquare: unscaled(
        isInstant ? abs(here) : max(0, squareSum / duration).squareRoot()),
      bias: unscaled(isInstant ? here : sum / duration))
  }

  /// The mean magnitude of a straight line from one number to another.
  private func meanMagnitude(_ start: Double, _ end: Double) -> Double {
    if start * end >= 0 { return abs(start + end) / 2 }
    return (start * start + end * end) / (2 * (abs(start) + abs(end)))
  }

  private func unscaled(_ number: Double) -> Double {
    let largest = Double.greatestFiniteMagnitude
    return max(-largest, min(largest, number * scale))
  }

  /// Durations of A and B, in seconds.
  var durations: (a: Double, b: Double) {
    (a.times[a.times.count - 1] - a.times[0], b.times[b.times.count - 1] - b.times[0])
  }
}
