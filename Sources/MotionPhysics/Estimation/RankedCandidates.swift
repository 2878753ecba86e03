import KymographCLibrary
import TimelineModel

/// With fewer held-out samples than this the recording has no say: the order of five errors is mostly
/// chance (`Tests/Oracles/auto.py`).
private let fewestHeldOut = 5

/// The number of places for which the knowledge of typical motion counts. On generated flings 10 to 40 differ
/// by less than 2 percent in the error of the choice (`Tests/Oracles/auto.py`).
private let weightOfExperience = 15.0

/// The number that is added to an error before its logarithm is taken, as a share of the peak speed: errors far
/// below the resolution of any device do not count as differences.
private let errorFloor = 0.001

/// Scores closer to the best than this are ties: 3 percent, a third of what `auto` may lose against
/// the best single estimator.
private let tiedScore = 0.03

/// With fewer places than this there are no ties, since steadiness cannot be told either.
private let fewestHeldOutForTies = 50

/// The candidates of a recording in their order, with the places they were compared at.
struct RankedCandidates {
  /// The candidates in the order of the window's list.
  let candidates: [EstimatorCandidate]
  /// Where they were compared.
  let heldOut: HeldOutSamples
  /// The position in `candidates` of the answer.
  let chosen: Int
  /// The answer of each candidate at the lift.
  let answersAtLift: [Double?]
  /// Its printed values.
  let ranking: EstimatorRanking

  init(_ samples: [Sample], resampled: [Bool], lift: Instant, window: EstimationWindow) {
    let candidates = window.candidates()
    let heldOut = HeldOutSamples(samples, resampled: resampled, lift: lift, candidates: candidates)
    let answersAtLift = candidates.map {
      $0.estimator.velocity(samples, resampled: resampled, lift: lift, window: $0.window)
    }
    let errors = candidates.indices.map { heldOut.errors(ofCandidate: $0) }
    let count = heldOut.positions.count
    let isFallback = count < fewestHeldOut
    let scores =
      isFallback
      ? candidates.map { $0.experience.flings(areSparse: heldOut.areSparse).mean }
      : RankedCandidates.scores(of: errors, candidates, areSparse: heldOut.areSparse)
    let order = RankedCandidates.order(scores, heldOut: heldOut)
    let chosen = order.first { answersAtLift[$0] != nil } ?? order[0]
    let entries = candidates.indices.map { index in
      EstimatorRanking.Entry(
        name: candidates[index].name, estimator: candidates[index].estimator,
        window: candidates[index].window, medianError: median(errors[index]), heldOutCount: count,
        score: scores[index])
    }
    ranking = EstimatorRanking(
      entries: order.map { entries[$0] }, chosen: entries[chosen], isFallback: isFallback,
      note: RankedCandidates.note(on: entries[chosen], isFallback: isFallback))
    self.candidates = candidates
    self.heldOut = heldOut
    self.chosen = chosen
    self.answersAtLift = answersAtLift
  }

  /// The errors, drawn towards what typical motion of the same kind lets one expect.
  private static func scores(
    of errors: [[Double]], _ candidates: [EstimatorCandidate], areSparse: Bool
  ) -> [Double] {
    let count = Double(errors.first?.count ?? 0)
    let logarithms = errors.map { errors in
      let meanRoot = errors.reduce(0) { $0 + $1.squareRoot() / count }
      return log(meanRoot * meanRoot + errorFloor)
    }
    let mean = logarithms.reduce(0) { $0 + $1 / Double(logarithms.count) }
    let found = logarithms.map { $0 - mean }
    let shares = EstimatorExperience.sharesOfKinds(
      found, candidates, heldOutCount: count, areSparse: areSparse)
    return candidates.indices.map { index in
      let expected = candidates[index].experience.expectation(shares)
      return (count * found[index] + weightOfExperience * expected) / (count + weightOfExperience)
    }
  }

  /// Best first. Of equal scores the one earlier in the list. The leading ties go by steadiness.
  private static func order(_ scores: [Double], heldOut: HeldOutSamples) -> [Int] {
    let sorted = scores.indices.sorted { (scores[$0], $0) < (scores[$1], $1) }
    guard heldOut.positions.count >= fewestHeldOutForTies, let best = sorted.first else {
      return sorted
    }
    let tied = sorted.prefix { scores[$0] <= scores[best] + tiedScore }
    let unsteadiness = tied.map { (heldOut.unsteadiness(ofCandidate: $0), $0) }
    return unsteadiness.sorted { $0 < $1 }.map(\.1) + sorted.dropFirst(tied.count)
  }

  private static func note(on chosen: EstimatorRanking.Entry, isFallback: Bool) -> String {
    let noun = chosen.heldOutCount == 1 ? "sample" : "samples"
    guard !isFallback, let error = chosen.medianError else {
      return
        "Only \(chosen.heldOutCount) held-out \(noun), and at least \(fewestHeldOut) are needed: "
        + "used \(chosen.name), which suits short gestures."
    }
    let percent = (error * 1000).rounded() / 10
    return "Chose \(chosen.name) by \(chosen.heldOutCount) held-out \(noun): median error "
      + "\(percent) % of their peak speed."
  }
}

/// The middle value, or the mean of the two in the middle. `nil` of nothing.
func median(_ values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
