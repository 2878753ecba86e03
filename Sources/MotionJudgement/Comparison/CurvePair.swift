import KymographCLibrary
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

    /// The last sample at or before a time. The first if there is none.
    func index(atOrBefore time: Double) -> Int {
      max(0, times.partitioningIndex { $0 > time } - 1)
    }
  }

  /// Values whose largest lies outside these are divided by it before anything is squared.
  private static let plainMagnitudes = 1e-100...1e100

  /// Pairs two curves. `nil` when one has no sample.
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
  /// seconds has values too. `nil` without one.
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

  /// The mean of the squared distance at a shift, in squared units of `scale`. `nil` without an overlap.
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

/// By how much one curve is later than another.
struct Lag {
  /// Seconds. Positive where B is later than A.
  var seconds: Double
  /// The root mean square that is left at this shift. `nil` where the curves never overlap.
  var residual: Double?
  /// Whether the best shift is at the end of the search, so that the true one may lie beyond.
  var isAtLimit: Bool
}

/// How far the search for a lag goes each way by default, in seconds: three frames at 60 Hz.
public let defaultLagLimitSeconds = 0.05

/// The least overlap at a shift, as a share of the shorter curve: with less, two ends at rest would
/// pass for agreement. No unit.
private let smallestOverlapShare = 0.5

/// By how much a larger shift must be better than a smaller one, as a share of A's range. No unit.
/// Below that it is rounding, and the smaller shift stands.
let smallestLagGain = 1e-12

/// Curves of so many samples together are searched through as they are. Longer ones through some of their
/// instants first. A walk over so many takes about 20 µs.
private let longestPlainSearch = 4096

/// How far apart the shifts are at which the mean square is taken to find its lowest point once the search
/// is near it, in seconds: a parabola through three of them then tells it to a microsecond.
private let parabolaStep = 1e-4

extension CurvePair {
  /// The shift of B within the limit that makes the root mean square smallest: an even grid from 0
  /// outwards, then golden section around the best of it (``ShiftSearch``). Where several shifts are
  /// equally good, the smallest is taken.
  ///
  /// Of long curves the grid looks at ``ShiftSampler/nodeCount`` instants only, more of them where there is
  /// movement. The best shift is then told anew from all samples by a parabola through three shifts.
  ///
  /// - Parameters:
  ///   - limitSeconds: How far to search each way. Below 0, or no number, counts as 0.
  ///   - range: A's extent, by which gains are judged.
  ///   - distance: The root mean square without a shift.
  /// - Complexity: linear in the samples, whatever they are.
  func lag(limitSeconds: Double, range: Double, distance: Double?) -> Lag {
    let search = ShiftSearch(limitSeconds: limitSeconds)
    let still = Lag(
      seconds: 0, residual: hasEnoughOverlap(shift: 0) ? distance : nil, isAtLimit: false)
    let gain = smallestLagGain * range
    guard (still.residual ?? .infinity) > gain else { return still }
    guard a.count + b.count > longestPlainSearch else {
      let found = search.best(gain: gain) { residual(shift: $0, limit: $1) }
      return Lag(
        seconds: found.shift, residual: found.value, isAtLimit: search.isAtLimit(found.shift))
    }
    let sampler = ShiftSampler(self)
    let rough = search.best(gain: gain) { shift, _ in
      hasEnoughOverlap(shift: shift)
        ? sampler.meanSquare(shift: shift).map { unscaled($0.squareRoot()) } : nil
    }
    var best = still
    func consider(_ shift: Double) -> Double? {
      guard abs(shift) <= search.limit, let value = residual(shift: shift) else { return nil }
      let isBetter = best.residual.map { value < $0 - gain } ?? true
      if isBetter { best = Lag(seconds: shift, residual: value, isAtLimit: false) }
      return value
    }
    if let middle = consider(rough.shift), middle > gain,
      let left = consider(rough.shift - parabolaStep),
      let right = consider(rough.shift + parabolaStep)
    {
      let (l, m, r) = (left * left, middle * middle, right * right)
      let bend = l - 2 * m + r
      if bend > 0 { _ = consider(rough.shift + parabolaStep * (l - r) / (2 * bend)) }
    }
    best.isAtLimit = search.isAtLimit(best.seconds)
    return best
  }

  /// Whether as much of the curves overlaps at a shift that their agreement means something.
  func hasEnoughOverlap(shift: Double) -> Bool {
    guard let overlap = overlap(shift: shift) else { return false }
    let shorter = min(durations.a, durations.b)
    return overlap.upperBound - overlap.lowerBound >= smallestOverlapShare * shorter
  }

  /// The root mean square at a shift. `nil` where too little of the curves overlaps, and where it is known to be
  /// above a limit before the walk is over.
  func residual(shift: Double, limit: Double = .infinity) -> Double? {
    guard hasEnoughOverlap(shift: shift) else { return nil }
    // A bit more than its square: what is rounded must not be taken for more than the limit.
    let most = limit / scale * (limit / scale) * 1.000_001
    return meanSquare(shift: shift, limit: most).map { unscaled($0.squareRoot()) }
  }

  /// The same without a unit and squared, quickly: what the common shift of several keys is told by.
  func quickMeanSquare() -> (Double) -> Double? {
    guard a.count + b.count > longestPlainSearch else {
      return { hasEnoughOverlap(shift: $0) ? meanSquare(shift: $0) : nil }
    }
    let sampler = ShiftSampler(self)
    return { hasEnoughOverlap(shift: $0) ? sampler.meanSquare(shift: $0) : nil }
  }
}

/// Time scales are searched for from half to twice as long: beyond that it is another motion. No unit, ours.
private let largestTimeScale = 2.0

/// Scales tried each way before the best is narrowed down. Each is 1.4 % from the next, below which two
/// neighbours of a curve of a second differ by less than a frame.
private let timeScaleCount = 50

/// A root mean square of less than this share of A's range is agreement: a fifth of what `kymo compare` lets pass.
private let agreementShare = 0.001

/// Curves of more samples together are not searched: it takes a hundred walks through both.
private let longestScaledSearch = 4096

extension CurvePair {
  /// The factor of B's time, counted from an instant, that makes the root mean square smallest: an even grid of
  /// its logarithm, then golden section (``ShiftSearch`` does the same for a shift).
  ///
  /// Curves that agree as they are have the factor 1.
  ///
  /// - Parameters:
  ///   - zero: The instant that stays where it is, in seconds since A's first sample.
  ///   - range: A's extent, by which agreement is judged.
  /// - Returns: nil for long curves, and where nothing overlaps.
  /// - Complexity: a hundred walks through both curves, of at most 4,096 samples together.
  func timeScale(about zero: Double, range: Double) -> CurveComparison.TimeScale? {
    guard a.count + b.count <= longestScaledSearch else { return nil }
    var best: CurveComparison.TimeScale?
    func residual(_ exponent: Double, limit: Double = .infinity) -> Double {
      let factor = exp2(exponent)
      var scaled = self
      scaled.b.times = b.times.map { zero + ($0 - zero) / factor }
      guard let value = scaled.residual(shift: 0, limit: limit) else { return .infinity }
      if value < best?.residual ?? .infinity {
        best = CurveComparison.TimeScale(factor: factor, residual: value)
      }
      return value
    }
    var center = (exponent: 0.0, value: residual(0))
    guard center.value > agreementShare * range else { return best }
    let step = log2(largestTimeScale) / Double(timeScaleCount)
    for index in 1...timeScaleCount {
      for exponent in [Double(index) * step, -Double(index) * step] {
        let value = residual(exponent, limit: center.value)
        if value < center.value { center = (exponent, value) }
      }
    }
    let golden = (Double(5).squareRoot() - 1) / 2
    var (low, high) = (center.exponent - step, center.exponent + step)
    for _ in 0..<timeScaleNarrowings {
      let (left, right) = (high - golden * (high - low), low + golden * (high - low))
      if residual(left) <= residual(right) { high = right } else { low = left }
    }
    return best
  }
}

/// Each makes the stretch 0.6 times as long: after 20 it is a millionth of an octave.
private let timeScaleNarrowings = 20
