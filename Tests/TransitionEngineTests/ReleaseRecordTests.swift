import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// What a release leaves in the record: decision, estimates, events.
@Suite struct ReleaseRecordTests {
  func release(
    at progress: Double, threshold: Double = 0.5,
    _ call: (CollectionView) throws(TransitionError) -> Void
  ) throws -> ReleaseDecision {
    let stage = try Stage()
    stage.view.release.rule.threshold = threshold
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = progress
    stage.at(0.02)
    try call(stage.view)
    return try #require(stage.timeline.decisions.first)
  }

  @Test func `the rule finishes past the threshold, and its margin says how far past`() throws {
    let finish = try release(at: 0.75) { (view) throws(TransitionError) in
      try view.releaseInteractiveTransition()
    }
    #expect(finish.outcome == .finish)
    #expect(finish.ruleOutcome == .finish)
    #expect(finish.decidedBy == "rule")
    #expect(finish.rule == "progress")
    #expect(finish.threshold == 0.5)
    #expect(finish.marginProgress == 0.25)
    #expect(finish.progress == 0.75)
    #expect(finish.progressVelocity == nil)
    #expect(finish.time == instant(0.02))
    let tie = try release(at: 0.5) { (view) throws(TransitionError) in
      try view.releaseInteractiveTransition()
    }
    #expect(tie.outcome == .cancel)
    #expect(tie.marginProgress == 0)
  }

  @Test func `a key that ends below 1e-9 of its range beside its target is there`() throws {
    func settle(_ last: Double) throws -> (time: Double, estimate: ReleaseEstimate) {
      let stage = try Stage()
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.setTargets(finish: 100, cancel: 0, forAnimatedKey: "reveal")
      for (step, value) in [0.0, 60, 90, 98, last].enumerated() {
        stage.at(Double(step) / 100)
        layout.updateValue(value, forAnimatedKey: "reveal")
        layout.transitionProgress = value / 100
      }
      stage.at(0.3)
      try stage.view.finishInteractiveTransition()
      let event = try #require(stage.timeline.events(.settle).first)
      var time = -1.0
      if case .number(let seconds)? = event.field("settleTime_s") { time = seconds }
      // The progress, with the target 1, is as far.
      return (time, try #require(stage.timeline.estimates.last))
    }
    // The finger had stopped, so that nothing is left to do.
    for last in [100.0, 100 - 1e-12, 100 + 5e-8] {
      let (time, estimate) = try settle(last)
      #expect(time == 0)
      #expect(estimate.remaining == 0)
      #expect(estimate.relativeVelocity == 0)
      #expect(estimate.value == last)
      #expect(estimate.settleTimeSeconds == 0)
    }
    #expect(try settle(100 - 2e-7).time > 0.5)
  }

  @Test
  func `a script that agrees with the rule keeps its margin, one that overrides it negates it`()
    throws
  {
    let agreed = try release(at: 0.25) { (view) throws(TransitionError) in
      try view.cancelInteractiveTransition()
    }
    #expect(agreed.outcome == .cancel)
    #expect(agreed.marginProgress == 0.25)
    let forced = try release(at: 0.25) { (view) throws(TransitionError) in
      try view.finishInteractiveTransition()
    }
    #expect(forced.outcome == .finish)
    #expect(forced.ruleOutcome == .cancel)
    #expect(forced.marginProgress == -0.25)
    #expect(forced.decidedBy == "app")
  }

  @Test
  func `a decision says what its rule was and how far each number was from the other outcome`()
    throws
  {
    let stage = try Stage()
    stage.view.release.rule = ReleaseRule(kind: .compose)
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    for step in 1...8 {
      stage.at(Double(step) * 0.01)
      layout.transitionProgress = Double(step) * 0.03
    }
    try stage.view.releaseInteractiveTransition()
    let decision = try #require(stage.timeline.decisions.first)
    let estimate = try #require(stage.timeline.estimates.first).estimate
    var rule = ReleaseRule(kind: .compose)
    rule.distance = 320
    let ruleDecision = rule.decide(
      progress: 0.24, velocity: estimate.velocity, standardError: estimate.standardError)
    #expect(decision.outcome == .finish)
    #expect(ruleDecision.criterion == .velocity)
    #expect(decision.ruleParameters == FieldValue.object(rule.fields).json)
    #expect(decision.progressVelocity == estimate.velocity)
    #expect(decision.progressStandardError == estimate.standardError)
    #expect(decision.marginProgress == ruleDecision.marginProgress)
    #expect(decision.marginVelocity == ruleDecision.marginVelocity)
    #expect(ruleDecision.marginVelocity != nil)
    #expect(decision.marginThreshold == ruleDecision.marginThreshold)
    #expect(ruleDecision.marginThreshold != nil)
    #expect(decision.marginSigma == ruleDecision.marginSigma)
    #expect(decision.flipVelocity == ruleDecision.flipVelocity)
    #expect(ruleDecision.flipVelocity != nil)
    #expect(decision.flipProgress == ruleDecision.flipProgress)
    let event = try #require(stage.timeline.events.first { $0.kind == .decision })
    #expect(event.field("marginVelocity") == FieldValue(ruleDecision.marginVelocity))
    #expect(event.field("flipVelocity") == FieldValue(ruleDecision.flipVelocity))
    #expect(event.field("marginSigma") == FieldValue(ruleDecision.marginSigma))
    #expect(event.field("ruleParameters") == .object(rule.fields))
  }

  @Test func `a script against the rule negates every margin, and leaves the flips where they are`()
    throws
  {
    func decide(_ call: (CollectionView) throws(TransitionError) -> Void) throws -> ReleaseDecision
    {
      let stage = try Stage()
      stage.view.release.rule = ReleaseRule(kind: .projection)
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      for step in 1...8 {
        stage.at(Double(step) * 0.01)
        layout.transitionProgress = Double(step) * Double(step) * 0.0007
      }
      try call(stage.view)
      return try #require(stage.timeline.decisions.first)
    }
    let own = try decide { (view) throws(TransitionError) in
      try view.releaseInteractiveTransition()
    }
    let forced = try decide { (view) throws(TransitionError) in
      if own.outcome == .finish {
        try view.cancelInteractiveTransition()
      } else {
        try view.finishInteractiveTransition()
      }
    }
    #expect(forced.ruleOutcome == own.outcome)
    #expect(forced.outcome != own.outcome)
    for (other, ours) in [
      (forced.marginProgress, own.marginProgress), (forced.marginVelocity, own.marginVelocity),
      (forced.marginThreshold, own.marginThreshold), (forced.marginSigma, own.marginSigma),
    ] {
      let margin = try #require(ours)
      #expect(margin > 0)
      #expect(other == -margin)
    }
    #expect(forced.flipVelocity == own.flipVelocity)
    #expect(forced.flipProgress == own.flipProgress)
    #expect(forced.projectedProgress == own.projectedProgress)
    #expect(own.projectedProgress != nil)
  }

  @Test func `events come in the order finish, decision, settle, install, completion`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.updateValue(1, forAnimatedKey: "PositionX")
    layout.transitionProgress = 0.75
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(
      stage.timeline.events.map(\.kind) == [
        .start, .finish, .decision, .settle, .install, .completion,
      ])
    let settle = stage.timeline.events[3]
    #expect(settle.field("stiffness") == .number(100))
    #expect(settle.field("overshoot") == .flag(true))
    guard case .list(let keys) = settle.field("keys") else {
      Issue.record("The settle event names no keys.")
      return
    }
    #expect(keys.count == 2)
    #expect(stage.timeline.events[1].field("progress") == .number(0.75))
    #expect(stage.timeline.events[2].field("marginProgress") == .number(0.25))
  }

  @Test func `transitions are numbered through a session`() throws {
    let stage = try Stage()
    for number in 0..<3 {
      let goal = number % 2 == 0 ? stage.to : stage.from
      let layout = try stage.view.startInteractiveTransition(to: goal)
      layout.transitionProgress = 1
      try stage.view.finishInteractiveTransition()
      while stage.view.state != .idle { stage.clock.advanceToNextFrame() }
    }
    #expect(stage.timeline.decisions.map(\.transition) == [0, 1, 2])
    #expect(stage.view.transitionCount == 3)
    #expect(stage.timeline.estimates.map(\.transition) == [0, 1, 2])
    #expect(stage.timeline.keys.count == 1)
  }

  @Test func `a session is open while a transition is under way, and else ended as the last did`()
    throws
  {
    let stage = try Stage()
    #expect(stage.view.sessionOutcome == .none)
    try stage.view.startInteractiveTransition(to: stage.to)
    #expect(stage.view.sessionOutcome == .open)
    try stage.view.cancelInteractiveTransition()
    #expect(stage.view.sessionOutcome == .open)
    stage.through(3)
    #expect(stage.view.sessionOutcome == .cancelled)
    try stage.view.setCollectionViewLayout(stage.to, animated: true)
    stage.through(6)
    #expect(stage.view.sessionOutcome == .finished)
  }

  @Test func `a history begins anew with each transition`() throws {
    let stage = try Stage()
    for _ in 0..<2 {
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.transitionProgress = 0.1
      try stage.view.cancelInteractiveTransition()
      stage.view.interruptTransition()
    }
    #expect(stage.timeline.estimates.map(\.estimate.sampleCount) == [1, 1])
  }
}
