import TimelineModel

/// How many held-out samples are looked at at most, evenly spread over the recording: with 400 the
/// share of errors inside a 90 % interval is known to 1.5 percent, and the cost has a bound.
let mostHeldOutSamples = 400

/// How many of the newest steps say how far apart the places lie.
private let newestSteps = 10

/// Places further apart than this, in nanoseconds, are sparse: half way between 60 and 120 a second,
/// where a parabola over 30 ms loses its third place.
private let sparseStep = 12_000_000.0

/// Places of a recording at which every candidate can be compared with the samples after it.
///
/// A place is held out when at least two samples lie before it, at least one within 22 ms after it,
/// and at least three in all within that reach. The candidates see the samples up to the place. The
/// reference, `localQuadraticSlope`, sees those after it too. The newest sample before the lift is
/// never among the places: it is what the estimate itself is about. Samples after the lift are, where
/// there are any. Live there are none.
struct HeldOutSamples {
  /// The samples that count, in strictly rising time. First those up to the lift, then the later.
  let samples: [Sample]
  /// The newest sample up to the lift. `nil` without one.
  let newest: Int?
  /// The places, as positions in `samples`, in rising order.
  let positions: [Int]
  /// The reference at each place, units per second.
  let references: [Double]
  /// The largest magnitude of the references. 1 where all of them are 0. Errors are shares
  /// of it.
  let peakSpeed: Double
  /// The answer of each candidate at each place: candidate by candidate, `positions.count` a piece. No
  /// answer counts as 0, a value at rest.
  let answers: [Double]

  /// Holds places out. Linear in the number of samples. Then the cost is that of at most 400 answers
  /// of each candidate.
  init(
    _ recorded: [Sample], resampled: [Bool], lift: Instant, candidates: [EstimatorCandidate]
  ) {
    var ordered: [Sample] = []
    ordered.reserveCapacity(recorded.count)
    for isAfter in [false, true] {
      for (index, sample) in recorded.enumerated() where (sample.time > lift) == isAfter {
        guard sample.value.isFinite, index >= resampled.count || !resampled[index] else { continue }
        guard let last = ordered.last, last.time >= sample.time else {
          ordered.append(sample)
          continue
        }
        if last.time == sample.time { ordered[ordered.count - 1] = sample }
      }
    }
    samples = ordered
    newest = ordered.lastIndex { $0.time <= lift }

    let reaches = HeldOutSamples.reaches(of: ordered, leavingOut: newest)
    var positions: [Int] = []
    var references: [Double] = []
    for (position, reach) in HeldOutSamples.spread(reaches) {
      guard let slope = localQuadraticSlope(at: position, of: ordered[...], reach: reach) else {
        continue
      }
      positions.append(position)
      references.append(slope)
    }
    self.positions = positions
    self.references = references
    let peak = references.lazy.map(abs).max() ?? 0
    peakSpeed = peak > 0 ? peak : 1
    answers = ordered.withUnsafeBufferPointer { samples in
      candidates.flatMap { candidate in
        positions.map { candidate.velocity(atEndOf: SampleBuffer(rebasing: samples[...$0])) ?? 0 }
      }
    }
  }

  /// The places that can be held out, each with the first and the last sample within reach.
  private static func reaches(
    of samples: [Sample], leavingOut newest: Int?
  ) -> [(position: Int, reach: ClosedRange<Int>)] {
    var found: [(position: Int, reach: ClosedRange<Int>)] = []
    var first = 0
    var last = 0
    for position in samples.indices {
      let time = samples[position].time
      while time.nanoseconds(since: samples[first].time) > referenceReach { first += 1 }
      last = max(last, position)
      while last + 1 < samples.count,
        samples[last + 1].time.nanoseconds(since: time) <= referenceReach
      { last += 1 }
      if position > 1, position != newest, last > position, last - first > 1 {
        found.append((position, first...last))
      }
    }
    return found
  }

  /// At most `mostHeldOutSamples` of them, evenly spread, the first and the last among them.
  private static func spread<Element>(_ elements: [Element]) -> [Element] {
    guard elements.count > mostHeldOutSamples else { return elements }
    return (0..<mostHeldOutSamples).map {
      elements[$0 * (elements.count - 1) / (mostHeldOutSamples - 1)]
    }
  }

  /// Whether the newest samples up to the lift lie more than 12 ms apart, by the median of their last
  /// ten steps. False without a step.
  var areSparse: Bool {
    guard let newest, newest > 0 else { return false }
    let steps = (max(1, newest - newestSteps + 1)...newest).map {
      Double(samples[$0].time.nanoseconds(since: samples[$0 - 1].time))
    }
    return median(steps).map { $0 > sparseStep } ?? false
  }

  /// How far a candidate's answers lie from the reference, place by place, as shares of the peak
  /// speed. An answer too far off to be told apart counts as ten peaks.
  func errors(ofCandidate candidate: Int) -> [Double] {
    references.indices.map { referenceIndex in
      let error =
        abs(answers[candidate * positions.count + referenceIndex] - references[referenceIndex])
        / peakSpeed
      return error < largestError ? error : largestError
    }
  }

  /// How much a candidate's answers change from one place to the next on average, units per second.
  func unsteadiness(ofCandidate candidate: Int) -> Double {
    guard positions.count > 1 else { return 0 }
    let own = answers[(candidate * positions.count)..<((candidate + 1) * positions.count)]
    return zip(own, own.dropFirst()).reduce(0) {
      $0 + abs($1.1 - $1.0) / Double(positions.count - 1)
    }
  }
}

/// The largest error that is reported, in peak speeds. Beyond it all answers are equally useless.
private let largestError = 1000.0
