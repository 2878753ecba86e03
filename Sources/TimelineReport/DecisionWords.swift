package import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineStore

/// The note beside every velocity per report.
package var reportRateNote: String {
  "Velocities per report depend on the device's report rate."
}

/// One line under the table: what was decided, why, and how far that was from the other outcome.
package func decisionText(_ release: VelocityReport.Release, _ question: VelocityQuestion) -> String
{
  let time = "\(NumberText.decimals(release.time.seconds, most: 3)) s"
  var lines: [String] = []
  if let decision = release.decision,
    !question.asksRule || decision.derived != nil || release.decisions.isEmpty
  {
    let by = "\(decision.outcome.rawValue), \(decision.origin)"
    if decision.derived == nil, let again = release.decisions.first {
      var line = "At \(time): \(by): \(reasonText(again))"
      if decision.outcome != again.outcome {
        line += " The rule would have decided \(again.outcome.rawValue)."
      }
      lines.append(line + flipText(again))
    } else {
      let recorded = decision.recorded.map { ": " + DisplayText.harmless($0.asRecorded) }
      let hint = !question.asksRule ? " No rule is recorded. Ask one with --rule progress." : ""
      lines.append("At \(time): \(by)\(recorded ?? ".\(hint)")")
    }
  } else if release.decision == nil, !question.asksRule {
    lines.append("At \(time): no release.")
  }
  let isAsked = release.decision == nil || question.asksRule
  if release.decisions.count > 1 {
    lines.append("At \(time): \(agreementText(release.decisions))")
  } else if isAsked, let again = release.decisions.first {
    lines.append(
      "At \(time): \(again.outcome.rawValue) by the rule \(again.rule.kind.rawValue)"
        + (again.direction.map { ", towards \($0.rawValue)" } ?? "") + ": "
        + reasonText(again) + flipText(again))
  }
  if release.phases.contains(.settling) {
    let phases = release.phases.map(\.rawValue).joined(separator: " and ")
    lines.append("The samples of the window are \(phases).")
  }
  if release.motions.contains(where: \.isCancelled) {
    lines.append("A contact was cancelled then. It and the keys that it moved have no velocity.")
  }
  return "\n" + lines.joined(separator: "\n") + "\n"
}

/// What the rule says by many estimators: the outcome of most of them, who differs, who is nearest to it.
private func agreementText(_ decisions: [ReleaseRule.Decision]) -> String {
  let finishes = decisions.filter { $0.outcome == .finish }
  let cancels = decisions.filter { $0.outcome == .cancel }
  let (most, others) = finishes.count >= cancels.count ? (finishes, cancels) : (cancels, finishes)
  var text =
    "\(most[0].outcome.rawValue) by the rule \(most[0].rule.kind.rawValue) with \(most.count) of "
    + "\(decisions.count) estimators"
  if let other = others.first {
    text +=
      ", and \(other.outcome.rawValue) with \(others.compactMap(\.estimator?.rawValue).joined(separator: ", "))"
  }
  let nearest = most.compactMap { decision in
    decision.marginSigma.map {
      (sigma: abs($0), name: decision.estimator?.rawValue ?? "")
    }
  }.min { $0.sigma < $1.sigma }
  if let nearest {
    text += ". The nearest to the other outcome is \(nearest.name), \(sigmaText(nearest.sigma))"
  }
  return text + "."
}

/// How sure an outcome is, by its velocity: beyond 100 standard errors their number says nothing.
package func sigmaText(_ sigma: Double) -> String {
  sigma > 100 ? "certain" : "\(NumberText.decimals(sigma, most: 3)) sigma away"
}

/// What a rule looked at, and what it was held against.
private func reasonText(_ decision: ReleaseRule.Decision) -> String {
  let progress = "progress \(NumberText.decimals(decision.progress, most: 3))"
  switch decision.criterion {
  case .progress:
    let margin =
      decision.marginProgress.map { "; margin \(NumberText.decimals($0, most: 3))" } ?? ""
    return "\(progress) is \(borderText(decision))\(margin)."
  case .velocity:
    let by = decision.rule.kind.definition.velocityUnit
    let speed =
      "\(progress) at \(NumberText.decimals(decision.velocity ?? 0, most: 3))\(by)"
    guard let limit = decision.rule.velocityThreshold,
      let unit = decision.rule.kind.definition.usual.speed?.unit.rawValue
    else { return "\(speed)." }
    if unit == "1/s" {
      return "\(speed) is past the speed \(NumberText.decimals(limit, most: 3))/s."
    }
    let distance = decision.rule.points
    return
      "\(speed) of \(NumberText.decimals(distance, most: 3)) points is past the speed \(NumberText.decimals(limit, most: 3)) \(unit)."
  case .projection:
    let restPosition = decision.projectedProgress ?? decision.progress
    return
      "\(progress) at \(NumberText.decimals(decision.velocity ?? 0, most: 3))/s comes to rest at \(NumberText.decimals(restPosition, most: 3)), "
      + "\(thresholdText(decision, of: restPosition))."
  }
}

/// On which side of the rule's threshold a progress was.
private func thresholdText(
  _ decision: ReleaseRule.Decision, of index: Double
) -> String {
  let threshold = decision.rule.threshold
  var side = decision.outcome == .finish ? "above" : "not above"
  // Some rules finish at the threshold itself.
  if side == "above", index == threshold { side = "at" }
  return "\(side) the threshold \(NumberText.decimals(threshold, most: 3))"
}

/// On which side the progress was of the number that decided. That is not always the threshold.
private func borderText(_ decision: ReleaseRule.Decision) -> String {
  let (rule, progress) = (decision.rule, decision.progress)
  let border = rule.progressBorder(progress: progress, velocity: decision.velocity)
  guard border != rule.threshold else { return thresholdText(decision, of: progress) }
  let side = progress == border ? "at" : progress < border ? "below" : "above"
  return
    "\(side) \(NumberText.decimals(border, most: 3)), at which the rule \(rule.kind.rawValue) flips"
}

/// What had to be different for the other outcome.
private func flipText(_ decision: ReleaseRule.Decision) -> String {
  let other = decision.outcome == .finish ? "cancelled" : "finished"
  var ways: [String] = []
  if let flip = decision.flipVelocity {
    let side = flip < decision.velocity ?? 0 ? "below" : "above"
    let sigma = decision.marginSigma.map { "; \(sigmaText(abs($0)))" } ?? ""
    ways.append(
      "\(side) \(NumberText.decimals(flip, most: 3))\(decision.rule.kind.definition.velocityUnit)\(sigma)"
    )
  }
  if let flip = decision.flipProgress, decision.flipVelocity != nil {
    let side = flip < decision.progress ? "at or below" : "above"
    ways.append("\(side) the progress \(NumberText.decimals(flip, most: 3))")
  }
  if let thresholds = thresholdFlipText(decision) { ways.append(thresholds) }
  let rate =
    decision.rule.kind.definition.velocity == .ofReports ? " " + reportRateNote : ""
  if ways.isEmpty { return rate }
  return " It would have \(other) \(ways.joined(separator: ", or ")).\(rate)"
}

/// The thresholds with which the rule would have decided the other outcome. `nil` if no progress is such a threshold.
private func thresholdFlipText(_ decision: ReleaseRule.Decision) -> String? {
  let step = decision.rule.thresholdStep(
    progress: decision.progress, velocity: decision.velocity)
  guard let border = step.border, (0...1).contains(border) else { return nil }
  let otherFinishes = decision.outcome == .cancel
  let side = step.finishesBelow == otherFinishes ? "below" : "above"
  let at = step.finishesAtBorder == otherFinishes ? "at or " : ""
  return
    "with a threshold \(at)\(side) \(NumberText.limit(border, rounded: side == "below" ? .down : .up))"
}
