import TimelineModel

extension RuleTuning {
  /// What the tuning comes to, in sentences for a person. The most important first.
  package var sentences: [String] {
    var sentences = refusals.map(\.sentence)
    guard let found else { return sentences }
    let expected = found.expected
    if refusals.isEmpty { sentences.append(verdict(found)) }
    let share = RuleTuning.percent(expected.errorShare)
    let interval =
      expected.isOfCost
      ? "a cost of \(NumberText.short(expected.cost)) (90 %, approximate: \(NumberText.short(expected.low)) to "
        + "\(NumberText.short(expected.high)))"
      : "90 %\(expected.groupCount.map { " over \($0) groups, approximate" } ?? ""): "
        + "\(RuleTuning.percent(expected.low)) to \(RuleTuning.percent(expected.high))"
    sentences.append(
      "On new gestures: \(share) wrong"
        + (expected.isOfCost ? ", \(interval)" : " (\(interval))")
        + (expected.method == .leaveOneOut
          ? ". Each gesture was decided with the setting found without it."
          : ". Each gesture was decided with the setting found without its fold, one of \(expected.foldCount) "
            + "(seed \(expected.seed))."))
    for region in found.regions {
      let ends = region.range
      sentences.append(
        ends.lowerBound == ends.upperBound
          ? "\(region.number.rawValue): no other value is about as good."
          : "\(region.number.rawValue): \(NumberText.short(ends.lowerBound)) to "
            + "\(NumberText.short(ends.upperBound)) is about as good.")
    }
    for region in found.timeRegions {
      let ends = region.nanoseconds
      func ms(_ nanoseconds: Int64) -> String { NumberText.short(Double(nanoseconds) / 1e6) }
      sentences.append(
        ends.lowerBound == ends.upperBound
          ? "\(region.name): of the times that were tried only \(ms(ends.lowerBound)) ms is about as good."
          : "\(region.name): \(ms(ends.lowerBound)) to \(ms(ends.upperBound)) ms is about as good.")
    }
    for number in found.atEnds {
      sentences.append(
        "The region of the best \(number.rawValue) reaches an end of the searched range. A better value may be beyond it."
      )
    }
    sentences.append(
      "About \(found.moreToHalve) more labels would halve a region."
        + (isClaimed
          ? ""
          : found.moreToClaim.map {
            $0 == 0 ? "" : " About \($0) more would show that it is better, at the rate so far."
          } ?? " Nothing indicates that it is better, so more labels would not show that."))
    return sentences
  }

  /// Whether it is better than what is in use.
  private func verdict(_ found: Found) -> String {
    let better = found.better
    let counts =
      "of the gestures left out, \(better.b) are right only with it and \(better.c) only with the current setting (p "
      + RuleTuning.probability(better.p) + ")."
    return better.claim
      ? "Better than the current setting: \(counts)"
      : "No evidence that it is better than the current setting: \(counts)"
  }

  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return NumberText.short(percent < 10 ? (percent * 10).rounded() / 10 : percent.rounded()) + " %"
  }

  private static func probability(_ p: Double) -> String {
    p < 0.0001 ? "< 0.0001" : NumberText.short((p * 1e4).rounded() / 1e4)
  }
}

extension RuleTuning.Refusal {
  /// Why there is no answer, and what to do.
  package var sentence: String {
    let fewest = RuleTuning.Options.fewestLabels
    switch self {
    case .fewLabels(let finish, let cancel):
      return
        "Too few labels: \(finish) meant to finish and \(cancel) meant to cancel. Label at least \(fewest) of each."
    case .oneGroup:
      return
        "All gestures belong to one group, so none is left to learn from. Label gestures of another group."
    case .wideRegion(let number, let region, let range):
      return
        "The labels do not determine \(number.rawValue): \(NumberText.short(region.lowerBound)) to "
        + "\(NumberText.short(region.upperBound)) is about as good, more than half of "
        + "\(NumberText.short(range.lowerBound)) to \(NumberText.short(range.upperBound)). Label more gestures, "
        + "or keep the current value."
    }
  }
}
