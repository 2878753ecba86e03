package import MotionPhysics
package import TimelineModel
import TimelineSession
import TimelineStore

extension VelocitySource {
  /// The decisions of a rule about the swipe before a moment, one for each estimator that the rule accepts; empty if no
  /// contact was down since the release before, or if nobody knows how many points a progress of 1 is.
  ///
  /// The distance of the swipe is in points, and ``ReleaseRule/distance`` of them are a progress of 1.
  ///
  /// - Parameter release: The release, whose recorded rule is asked if the question names none; nil at another moment.
  func swipeDecisions(
    of release: ReleaseRecord?, at moment: Instant
  ) -> [ReleaseRule.Decision] {
    let recorded = release?.recorded.flatMap(ReleaseRule.init(of:))
    let rule = question.rule.applied(to: recorded ?? parameters.release.rule)
    guard rule.distance != nil || rule.kind.definition.usual.distance != nil,
      let swipe = swipe(before: moment)
    else { return [] }
    let taken = estimators.filter(rule.kind.definition.accepts)
    let own = rule.kind.definition.preset.map { [$0.estimator] } ?? Array(estimators.prefix(1))
    return (taken.isEmpty ? own : taken).compactMap {
      decision(about: swipe, by: rule, $0, at: moment)
    }
  }

  /// The velocity of the swipe before a moment by the first estimator, whatever the rule accepts.
  package func swipeVelocity(by rule: ReleaseRule, at moment: Instant) -> Double? {
    let plain = RuleChange.toProgress.applied(to: rule)
    return swipe(before: moment).flatMap {
      decision(about: $0, by: plain, estimators[0], at: moment)?.velocity
    }
  }

  /// The progress of the swipe before a moment as each rule has it that keeps an account of the reports.
  package func swipeProgressByRule(
    _ rule: ReleaseRule, at moment: Instant
  ) -> [ReleaseRule.Kind: Double] {
    guard let swipe = swipe(before: moment) else { return [:] }
    var progressByRule: [ReleaseRule.Kind: Double] = [:]
    for kind in ReleaseRule.Kind.allCases where kind.definition.account != nil {
      var change = RuleChange()
      change.kind = kind
      progressByRule[kind] =
        decision(about: swipe, by: change.applied(to: rule), estimators[0], at: moment)?.progress
    }
    return progressByRule
  }

  private func decision(
    about swipe: Swipe, by rule: ReleaseRule, _ estimator: Estimator, at moment: Instant
  ) -> ReleaseRule.Decision? {
    let lift = min(moment, swipe.lift)
    return swipe.decision(
      by: rule, along: question.course.axis ?? swipe.mainAxis(at: lift), question.course,
      estimator: estimator, window: window(for: estimator, pointsPerUnit: 1), at: lift)
  }

  /// The last swipe that began before a moment and did not end before the release before it, in points.
  private func swipe(before moment: Instant) -> Swipe? {
    let start = afterRelease(before: moment)
    let down = data.contacts.all.compactMap { contact -> Swipe.Contact? in
      guard contact.lift.map({ $0 >= start }) ?? true,
        let track = contact.track(at: min(moment, contact.lift ?? moment))
      else { return nil }
      return Swipe.Contact(
        number: contact.number, x: track.x, y: track.y, resampled: track.resampled,
        lift: contact.lift ?? moment, isCancelled: contact.isCancelled)
    }
    return Swipe.all(of: down).last
  }
}

extension VelocitySource {
  /// Why a swipe has no decision, the end of a sentence.
  static let withoutSwipe =
    "no contact was down before the release, or the distance of a progress of 1 is not known. Give it with --set "
    + "release.distance=POINTS"
}

extension RuleChange {
  /// Asks about the progress alone, of the same distance.
  fileprivate static var toProgress: RuleChange {
    var change = RuleChange()
    change.kind = .progress
    return change
  }
}
