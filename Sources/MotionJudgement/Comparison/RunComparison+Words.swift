import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineStore

extension RunComparison {
  /// Whether the sessions move alike and why not, in a sentence or two, as `kymo compare` begins: names as they were
  /// recorded.
  package var verdictLines: [String] {
    let align = "aligned on \(alignment.rawValue)"
    if isEmpty {
      return ["Nothing to compare: neither session has a key, a decision or an element."]
    }
    if isSame {
      let warnings = count(of: .warn)
      let more = warnings == 0 ? "" : ", \(warnings) \(warnings == 1 ? "warning" : "warnings")"
      let items = layout?.items.count ?? 0
      let what =
        keys.isEmpty && items > 0
        ? counted(items, "element") : counted(keys.count, "key")
      return ["The same: \(what) within tolerance\(more), \(align)."]
    }
    // What was decided and what the sessions consist of first, whichever limit says so.
    let isOfMotion = { (verdict: Verdict) in verdict.grade == .fail && verdict.kind == .motion }
    var reasons = verdicts { $0.grade == .fail && $0.difference != nil && $0.kind < .motion }
      .map(\.sentence)
    if let moved = first(where: isOfMotion)?.difference {
      reasons.append(moved)
    }
    let apart = layout?.endingApart ?? []
    if let first = apart.first {
      let more = apart.count { $0.offIn == first.offIn } - 1
      reasons.append(
        "\(first.identity.id) ends off the screen in \(first.offIn) and on it in "
          + (first.offIn == "A" ? "B" : "A") + RunComparison.so(more))
    }
    reasons += reason(
      "key", differing: keys.count { !$0.isSame && $0.onlyIn == nil },
      of: keys.count { $0.onlyIn == nil },
      onlyIn: keys.compactMap { $0.isSame ? nil : $0.onlyIn })
    let items = layout?.items ?? []
    let moved = items.filter { !$0.isSame }
    reasons += reason(
      "element", differing: moved.count { $0.onlyIn == nil },
      of: items.count { $0.onlyIn == nil }, onlyIn: moved.compactMap(\.onlyIn))
    let rules = verdicts.byImportance.filter {
      $0.grade == .fail && $0.rule != nil && $0.difference == nil
    }
    if let first = rules.first, reasons.isEmpty || moved.isEmpty { reasons.append(first.sentence) }
    return ["Different: " + reasons.joined(separator: ", ") + " (\(align))."]
  }

  /// How many keys or elements differ, and how many only one session has.
  private func reason(
    _ word: String, differing: Int, of all: Int, onlyIn: [String]
  ) -> [String] {
    var reasons: [String] = []
    if differing > 0 {
      reasons.append(
        "\(differing) of \(counted(all, word)) \(differing == 1 ? "differs" : "differ")")
    }
    for side in ["A", "B"] {
      let count = onlyIn.count { $0 == side }
      if count > 0 {
        reasons.append("\(counted(count, word)) \(count == 1 ? "is" : "are") only in \(side)")
      }
    }
    return reasons
  }

  /// Whether the shape is the same and only the delay is not.
  package func isOnlyLate(_ key: Key) -> Bool {
    guard let curve = key.comparison, let share = curve.residualShareOfRange else { return false }
    return abs(curve.lagSeconds) > lagLimitSeconds
      && share <= tolerance.residualShare
  }

  /// What explains the differences or should be looked at, a sentence each.
  ///
  /// - Parameter listsAll: Whether more than the first six are given.
  package func hints(listsAll: Bool) -> [String] {
    let most = listsAll ? Int.max : 6
    var hints: [String] = []
    for key in keys.lazy.prefix(while: { _ in hints.count < most }) where !key.isSame {
      guard let curve = key.comparison else { continue }
      if let missing = key.verdicts.first(where: {
        $0.measure == RunComparison.notShared && $0.grade == .fail
      })?.value {
        let shared = curve.overlapSeconds
        hints.append(
          "\(key.name) is in both sessions for only \(NumberText.cell(thousandth(shared))) s of the "
            + "\(NumberText.cell(thousandth(shared + missing))) s of the longer one.")
      }
      if curve.lagIsAtLimit {
        hints.append(
          "The lag of \(key.name) is beyond \(NumberText.cell(tenth(abs(curve.lagSeconds) * 1000))) ms, the end of "
            + "the search. Try a longer --lag-limit.")
      }
      if let fit = curve.fit, let share = curve.shareOfRange(fit.residual / abs(fit.gain)),
        share <= tolerance.residualShare, !isOnlyLate(key),
        (curve.residualShareOfRange ?? 0) > tolerance.residualShare, fit.gain != 0
      {
        hints.append(
          "\(key.name) has the same shape but goes \(NumberText.cell(hundredth(fit.gain))) "
            + "times as far in B.")
      }
      if let scale = curve.timeScale, let share = curve.shareOfRange(scale.residual),
        share <= tolerance.residualShare, !isOnlyLate(key),
        (curve.residualShareOfRange ?? 0) > tolerance.residualShare
      {
        hints.append(
          "\(key.name) has the same shape but takes \(NumberText.cell(hundredth(scale.factor))) times as "
            + "long in B.")
      }
      if let a = key.rateOfA, let b = key.rateOfB, max(a, b) > 1.5 * min(a, b) {
        hints.append(
          "\(key.name) has \(NumberText.cell(tenth(a))) samples a second in A and "
            + "\(NumberText.cell(tenth(b))) in B.")
      }
    }
    if let bandA = smoothness.a.band, let bandB = smoothness.b.band, bandA != bandB {
      hints.append("Update hitches are \(bandA.rawValue) in A and \(bandB.rawValue) in B.")
    }
    if let flipped = outcomesOfB.first(where: isRecomputedOtherwise)
      ?? outcomesOfA.first(where: isRecomputedOtherwise), let decision = flipped.decision
    {
      hints.append(
        "A release was recorded as \(decision.outcome.rawValue), decided by \(decision.decidedBy.words), and its own rule "
          + "now gives \(flipped.recomputed?.outcome.rawValue ?? "").")
    }
    return Array(hints.prefix(most))
  }

  private func thousandth(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  private func tenth(_ number: Double) -> Double { (number * 10).rounded() / 10 }

  private func hundredth(_ number: Double) -> Double { (number * 100).rounded() / 100 }

  private func isRecomputedOtherwise(_ outcome: RunComparison.Outcome) -> Bool {
    guard let decision = outcome.decision, let recomputed = outcome.recomputed else { return false }
    return decision.outcome != recomputed.outcome
  }
}
