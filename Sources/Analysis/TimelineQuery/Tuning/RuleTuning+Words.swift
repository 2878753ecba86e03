import TimelineModel

extension RuleTuning {
  /// What the tuning comes to, in sentences for a person; the most important first.
  package var sentences: [String] {
    var sentences = refusals.map(\.sentence)
    guard let found else { return sentences }
    let expected = found.expected
    if refusals.isEmpty { sentences.append(verdict(found)) }
    let share = RuleTuning.percent(expected.errorShare)
    let interval =
      expected.isOfCost
      ? "a cost of \(RuleTuning.digits(expected.cost)) (90 %, approximate: \(RuleTuning.digits(expected.low)) to "
        + "\(RuleTuning.digits(expected.high)))"
      : "90 %\(expected.groupCount.map { " over \($0) groups, approximate" } ?? ""): "
        + "\(RuleTuning.percent(expected.low)) to \(RuleTuning.percent(expected.high))"
    sentences.append(
      "On new gestures: \(share) wrong"
        + (expected.isOfCost ? ", \(interval)" : " (\(interval))")
        + "; every gesture was decided by what the search finds without it"
        + (expected.method == .leaveOneOut
          ? "." : ", in \(expected.foldCount) folds (seed \(expected.seed))."))
    for region in found.regions {
      let ends = region.range
      sentences.append(
        ends.lowerBound == ends.upperBound
          ? "\(region.number.rawValue): no other value is about as good."
          : "\(region.number.rawValue): \(RuleTuning.digits(ends.lowerBound)) to "
            + "\(RuleTuning.digits(ends.upperBound)) is about as good.")
    }
    for region in found.timeRegions {
      let ends = region.nanoseconds
      func ms(_ nanoseconds: Int64) -> String { RuleTuning.digits(Double(nanoseconds) / 1e6) }
      sentences.append(
        ends.lowerBound == ends.upperBound
          ? "\(region.name): of the times that were tried only \(ms(ends.lowerBound)) ms is about as good."
          : "\(region.name): \(ms(ends.lowerBound)) to \(ms(ends.upperBound)) ms is about as good.")
    }
    for number in found.atEnds {
      sentences.append(
        "The best \(number.rawValue) is at an end of the range that was searched; a better one may lie beyond it."
      )
    }
    sentences.append(
      "About \(found.moreToHalve) more labels halve a region"
        + (isClaimed
          ? "."
          : found.moreToClaim.map {
            "; about \($0) more show that it is better, if it goes on like this."
          } ?? "; nothing points to it being better, so no number of labels would show that."))
    return sentences
  }

  /// Whether it is better than what is in use.
  private func verdict(_ found: Found) -> String {
    let better = found.better
    let counts =
      "of the gestures left out, only it gets \(better.b) right and only the present one \(better.c) (p "
      + RuleTuning.probability(better.p) + ")."
    return better.claim
      ? "Better than what is in use: \(counts)"
      : "No evidence that it is better than what is in use: \(counts)"
  }

  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return digits(percent < 10 ? (percent * 10).rounded() / 10 : percent.rounded()) + " %"
  }

  private static func probability(_ p: Double) -> String {
    p < 0.0001 ? "< 0.0001" : digits((p * 1e4).rounded() / 1e4)
  }

  /// A number with four significant digits.
  package static func digits(_ value: Double) -> String {
    guard value != 0, value.isFinite else { return "0" }
    var scale = 1.0
    while abs(value) * scale < 1000, scale < 1e12 { scale *= 10 }
    return FieldValue.jsonNumber((value * scale).rounded() / scale)
  }
}

extension RuleTuning.Refusal {
  /// Why there is no answer, and what to do.
  package var sentence: String {
    let fewest = RuleTuning.Options.fewestLabels
    switch self {
    case .fewLabels(let finish, let cancel):
      return
        "Too few labels: \(finish) meant to finish and \(cancel) meant to cancel; it takes \(fewest) of each."
    case .oneGroup:
      return
        "All gestures belong to one group, so that none is left to learn from; label another group's."
    case .wideRegion(let number, let region, let range):
      return
        "The labels do not settle \(number.rawValue): from \(RuleTuning.digits(region.lowerBound)) to "
        + "\(RuleTuning.digits(region.upperBound)) it makes no difference that counts, over half of "
        + "\(RuleTuning.digits(range.lowerBound)) to \(RuleTuning.digits(range.upperBound)); label more gestures, "
        + "or leave it as it is."
    }
  }
}
