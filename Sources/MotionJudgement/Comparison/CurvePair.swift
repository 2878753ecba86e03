import TimelineModel
import TimelineSession

/// Two curves in plain numbers, ready to be laid over each other at many shifts.
struct CurvePair {
  /// A's first instant: the zero of the times here.
  let origin: Instant
  /// Seconds since `origin`, and values in units of `scale`.
  let a: Track
  var b: Track
  /// What the values were divided by, so that no square overflows or vanishes.
  let scale: Double
  /// Whether the values hold between samples instead of going straight to the next.
  let isStep: Bool

  /// One curve's numbers.
  struct Track {
    var times: [Double]
    var values: [Double]

    /// - Parameter known: The track of a curve that may have the same instants, which both have in one memory then.
    init(
      _ curve: Curve, origin: Instant, scale: Double,
      like known: (curve: Curve, track: Track)? = nil
    ) {
      if let known, known.curve.times == curve.times {
        times = known.track.times
      } else {
        times = curve.seconds(since: origin)
      }
      values = scale == 1 ? curve.values : curve.values.map { $0 / scale }
    }

    var count: Int { times.count }
    var first: Double { times[0] }
    var last: Double { times[times.count - 1] }

    /// The last sample at or before a time; the first if there is none.
    func index(atOrBefore time: Double) -> Int {
      max(0, times.partitioningIndex { $0 > time } - 1)
    }
  }

  /// Values whose largest lies outside these are divided by it before anything is squared.
  private static let plainMagnitudes = 1e-100...1e100

  /// Pairs two curves; nil when one has no sample.
  init?(_ a: Curve, _ b: Curve, isStep: Bool = false) {
    guard let origin = a.times.first, !b.times.isEmpty else { return nil }
    let ends = [a.valueRange, b.valueRange].compactMap { $0 }
    let largest = ends.map { max(abs($0.lowerBound), abs($0.upperBound)) }.max() ?? 0
    scale = largest == 0 || CurvePair.plainMagnitudes.contains(largest) ? 1 : largest
    self.origin = origin
    self.isStep = isStep
    self.a = Track(a, origin: origin, scale: scale)
    self.b = Track(b, origin: origin, scale: scale, like: (a, self.a))
  }

  /// Whether both curves have the same samples.
  var isOfEqualCurves: Bool { a.times == b.times && a.values == b.values }

  /// The stretch of A's time, in seconds since its first sample, in which B moved back by `shift`
  /// seconds has values too; nil without one.
  func overlap(shift: Double) -> ClosedRange<Double>? {
    let start = max(a.first, b.first - shift)
    let end = min(a.last, b.last - shift)
    return start <= end ? start...end : nil
  }

  /// Durations of A and B, in seconds.
  var durations: (a: Double, b: Double) { (a.last - a.first, b.last - b.first) }

  /// Walks over the union of both curves' instants within their overlap at a shift of B, and hands on the
  /// stretch between two of them with the values at its ends: those of A, then those of B. The first
  /// stretch has no length. Between samples a step key keeps the value that it had. It ends where the body says
  /// that it needs no more.
  @inline(__always)
  func walk(
    shift: Double, over overlap: ClosedRange<Double>,
    _ body: (
      _ time: Double, _ next: Double, _ a: (here: Double, there: Double),
      _ b: (here: Double, there: Double)
    ) -> Bool
  ) {
    let (isStep, end) = (isStep, overlap.upperBound)
    a.times.withUnsafeBufferPointer { aTimes in
      a.values.withUnsafeBufferPointer { aValues in
        b.times.withUnsafeBufferPointer { bTimes in
          b.values.withUnsafeBufferPointer { bValues in
            var time = overlap.lowerBound
            var i = a.index(atOrBefore: time)
            var j = b.index(atOrBefore: time + shift)
            var hereA = CurvePair.value(aTimes, aValues, at: time, i, isStep)
            var hereB = CurvePair.value(bTimes, bValues, at: time + shift, j, isStep)
            var goesOn = body(time, time, (hereA, hereA), (hereB, hereB))
            while goesOn, time < end {
              let nextA = i + 1 < aTimes.count ? aTimes[i + 1] : .infinity
              let nextB = j + 1 < bTimes.count ? bTimes[j + 1] - shift : .infinity
              let next = min(nextA, nextB, end)
              let endsA = nextA <= next
              let endsB = nextB <= next
              let thereA =
                endsA ? aValues[i + 1] : CurvePair.value(aTimes, aValues, at: next, i, isStep)
              let thereB =
                endsB
                ? bValues[j + 1] : CurvePair.value(bTimes, bValues, at: next + shift, j, isStep)
              let later = max(time, next)
              if isStep {
                goesOn = body(time, later, (hereA, hereA), (hereB, hereB))
                // What is held from the end on belongs to no stretch, and is a value all the same.
                if later >= end { _ = body(later, later, (thereA, thereA), (thereB, thereB)) }
              } else {
                goesOn = body(time, later, (hereA, thereA), (hereB, thereB))
              }
              if endsA { i += 1 }
              if endsB { j += 1 }
              (time, hereA, hereB) = (later, thereA, thereB)
            }
          }
        }
      }
    }
  }

  /// The value at a time between the sample `index` and the next.
  @inline(__always)
  static func value(
    _ times: UnsafeBufferPointer<Double>, _ values: UnsafeBufferPointer<Double>, at time: Double,
    _ index: Int, _ isStep: Bool
  ) -> Double {
    guard index + 1 < times.count, time > times[index] else { return values[index] }
    if time >= times[index + 1] { return values[index + 1] }
    if isStep { return values[index] }
    let (here, there) = (values[index], values[index + 1])
    // The sum below may round to a neighbour of what stays the same.
    if here == there { return here }
    let share = (time - times[index]) / (times[index + 1] - times[index])
    return (1 - share) * here + share * there
  }

  /// The mean of the squared distance at a shift, in squared units of `scale`; nil without an overlap.
  /// One walk over the samples of both, which ends with nil once the mean is above a limit.
  func meanSquare(shift: Double, limit: Double = .infinity) -> Double? {
    guard let overlap = overlap(shift: shift) else { return nil }
    let duration = overlap.upperBound - overlap.lowerBound
    let most = limit * duration
    var sum = 0.0
    var latest = 0.0
    walk(shift: shift, over: overlap) { time, next, a, b in
      let here = b.here - a.here
      let there = b.there - a.there
      latest = there
      sum += (next - time) * (here * here + here * there + there * there) / 3
      return !(sum > most)
    }
    guard !(duration > 0 && sum > most) else { return nil }
    return duration > 0 ? max(0, sum / duration) : latest * latest
  }

  /// A number in the key's own unit again, kept finite.
  func unscaled(_ number: Double) -> Double { clampedToFinite(number * scale) }
}

extension Curve {
  /// The instants in seconds since another instant.
  fileprivate func seconds(since origin: Instant) -> [Double] {
    let start = origin.nanoseconds
    // Times rise, so that no distance overflows if neither the first nor the last one does.
    guard let first = times.first, let last = times.last else {
      return times.map { $0.seconds(since: origin) }
    }
    guard !first.nanoseconds.subtractingReportingOverflow(start).overflow,
      !last.nanoseconds.subtractingReportingOverflow(start).overflow
    else { return times.map { $0.seconds(since: origin) } }
    return Array(unsafeUninitializedCapacity: times.count) { room, count in
      times.withUnsafeBufferPointer { times in
        for index in times.indices {
          room[index] = Double(times[index].nanoseconds &- start) / 1e9
        }
      }
      count = times.count
    }
  }
}
