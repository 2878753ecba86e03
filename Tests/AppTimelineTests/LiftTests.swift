import AppTimeline
import MotionMeasures
import MotionPhysics
import Testing
import TimelineModel
import TimelineStore

/// What is stored at a lift is what a reader of the file computes, bit for bit.
@Suite struct LiftTests {
  let app: SimulatedApp

  init() throws { app = try SimulatedApp() }

  /// Compares the stored estimates with those of `kymo velocity`, key by key, and returns how many there are.
  @discardableResult
  private func compare(_ reader: RecordingReader) throws -> Int {
    let report = try VelocityReport(of: reader.sessionRecord(1), in: reader)
    var computed: [ReleaseEstimate] = []
    for release in report.releases {
      for motion in release.motions {
        guard case .key(let key) = motion.subject else { continue }
        computed.append(
          ReleaseEstimate(
            transition: try #require(release.transition), time: release.time, key: key.handle,
            value: motion.value, estimate: motion.estimate, target: motion.target,
            remaining: motion.remaining, relativeVelocity: motion.relativeVelocity,
            // How long the app's own settle takes was not known then.
            settleTimeSeconds: nil))
      }
    }
    let stored = try reader.estimates(in: 1)
    #expect(stored == computed)
    return stored.count
  }

  @Test func `every key's estimate at a derived release is the one that velocity tells`() throws {
    app.drag(keys: ["dim", "radius"])
    app.wait(0.5)
    app.drag(frames: 17, appFirst: true, finish: false, keys: ["radius"])
    let reader = try app.finish()
    #expect(try reader.decisions(in: 1).isEmpty)
    let releases = try reader.releases(in: 1).all
    #expect(releases.map(\.derived) == [.lift, .lift])
    #expect(try compare(reader) == 5)
    let first = try #require(try reader.estimates(in: 1).first { $0.target != nil })
    #expect(first.estimate.estimator == "lsq2")
    #expect(first.target == 1)
    #expect(try #require(first.estimate.velocity) > 1)
  }

  @Test
  func
    `a widget that tells its decision at its completion has the same release as an app that decides`()
    throws
  {
    app.drag(isDecidedLater: true, keys: ["dim"])
    app.wait(0.5)
    app.drag(frames: 17, finish: false, isDecidedLater: true, keys: ["dim"])
    app.wait(0.5)
    app.drag(isRecordingTouches: false, isDecidedLater: true)
    let reader = try app.finish()
    #expect(try reader.releases(in: 1).all.map(\.outcome) == [.finish, .cancel, .finish])
    #expect(try compare(reader) == 5)

    let decided = try SimulatedApp()
    decided.drag(keys: ["dim"])
    let other = try decided.finish()
    #expect(try other.estimates(in: 1) == Array(reader.estimates(in: 1).prefix(2)))
    // The event has the time of the lift, and stands where it was told.
    let finish = try #require(try reader.events(in: 1).rest().first { $0.kind == .finish })
    #expect(try other.events(in: 1).rest().first { $0.kind == .finish }?.time == finish.time)
  }

  @Test func `a widget that never tells its decision has no release`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    for progress in [0.1, 0.2, 0.3] { app.drive(progress) }
    app.timeline.release(finish: nil, at: app.now)
    app.timeline.release(finish: true, at: app.now)
    app.drive(0.4)
    app.timeline.start(from: "b", to: "a", at: app.now)
    app.timeline.release(finish: nil, at: app.now)
    let reader = try app.finish()
    #expect(try reader.estimates(in: 1).isEmpty && reader.releases(in: 1).all.isEmpty)
    #expect(
      try reader.eventNames() == [
        "start", "error released-twice", "warning start-during-transition", "completion", "start",
      ])
  }

  @Test func `so are those of releases without touches, at rest, at the call, and long after`()
    throws
  {
    app.drag(isRecordingTouches: false)
    // Nothing moves after the call: it is the release.
    app.timeline.start(from: "a", to: "b", at: app.now)
    for progress in [0.1, 0.2, 0.3] { app.drive(progress) }
    app.wait(0.02)
    app.timeline.release(finish: true, at: app.now)
    app.timeline.complete(completed: true, finished: true, at: app.now)
    while app.timeline.needsFrame { app.show() }
    // A key that was silent for two minutes.
    app.wait(0.01)
    app.timeline.setValue(3, forKey: "dim", at: app.now)
    app.wait(120)
    app.timeline.start(from: "b", to: "a", at: app.now)
    app.drive(0.4)
    app.timeline.release(finish: false, at: app.now)
    app.rest(from: 0.4, to: 0)
    let reader = try app.finish()
    #expect(try reader.releases(in: 1).all.map(\.derived) == [.phase, .event, .phase])
    #expect(try compare(reader) == 4)
  }

  @Test func `what the system takes away has no velocity`() throws {
    app.drag(finish: false, end: .cancelled)
    let reader = try app.finish()
    #expect(try compare(reader) == 1)
    #expect(try reader.estimates(in: 1)[0].estimate.velocity == nil)
    // Cancelled and finished all the same: no release is known.
    let odd = try SimulatedApp()
    odd.drag(finish: true, end: .cancelled)
    let other = try odd.finish()
    #expect(try other.releases(in: 1).all.isEmpty && other.estimates(in: 1).isEmpty)
  }

  @Test(arguments: ReleaseRule.Kind.allCases)
  func `where the app says its rule there is a decision, equal to what velocity asks it`(
    kind: ReleaseRule.Kind
  ) throws {
    app.timeline.rule = ReleaseRule(kind: kind)
    app.drag(keys: ["dim"])
    app.drag(frames: 9, appFirst: true, finish: false)
    app.drag(isRecordingTouches: false)
    app.drag(finish: false, end: .cancelled)
    let reader = try app.finish()
    #expect(try compare(reader) == 5)
    let decisions = try reader.decisions(in: 1)
    #expect(decisions.map(\.outcome) == [.finish, .cancel, .finish, .cancel])
    #expect(decisions.map(\.decidedBy) == ["app", "app", "app", "touch"])
    let report = try VelocityReport(of: reader.sessionRecord(1), in: reader)
    for (decision, release) in zip(decisions, report.releases) {
      let asked = try #require(release.decisions.first)
      let sign = decision.outcome == asked.outcome ? 1.0 : -1
      #expect(decision.time == release.time)
      #expect(decision.ruleOutcome == asked.outcome)
      #expect(decision.progress == asked.progress)
      #expect(decision.progressVelocity == asked.velocity)
      #expect(decision.progressStandardError == asked.standardError)
      #expect(decision.marginProgress == asked.marginProgress.map { $0 * sign })
      #expect(decision.marginVelocity == asked.marginVelocity.map { $0 * sign })
      #expect(decision.marginSigma == asked.marginSigma.map { $0 * sign })
      #expect(decision.flipVelocity == asked.flipVelocity)
      #expect(decision.projectedProgress == asked.projectedProgress)
      #expect(asked.rule.kind == kind)
      #expect(asked.rule.distance == 390)
    }
  }

  @Test func `a redaction hides names and leaves the numbers`() throws {
    let redacted = try SimulatedApp(redaction: Redaction(hashesItems: true, salt: "s"))
    for app in [app, redacted] {
      app.timeline.rule = ReleaseRule()
      app.drag(keys: ["dim"])
    }
    let (plain, hidden) = (try app.finish(), try redacted.finish())
    #expect(try compare(hidden) == 2)
    #expect(try hidden.estimates(in: 1) == plain.estimates(in: 1))
    #expect(try hidden.decisions(in: 1) == plain.decisions(in: 1))
    let names = try hidden.keys(in: 1).map(\.name) + hidden.items(in: 1).map(\.identity.id)
    #expect(names.contains("progress"))
    #expect(!names.contains { $0 == "dim" || $0.contains("photo") })
    #expect(try plain.touches(in: 1).rest() == hidden.touches(in: 1).rest())
  }

  @Test func `a second finger that stays down is waited for`() throws {
    let (one, two) = (Finger(), Finger())
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.touch(one, .began, y: 1)
    app.touch(two, .began, y: 500)
    for progress in [0.1, 0.2, 0.3, 0.4] { app.drive(progress) }
    app.touch(one, .ended, y: 1)
    app.timeline.release(finish: true, at: app.now)
    app.show()
    app.rest(from: 0.4, to: 0.9)
    app.touch(two, .ended, y: 500)
    let reader = try app.finish()
    #expect(try reader.releases(in: 1).all.map(\.derived) == [.event])
    #expect(try compare(reader) == 1)
  }
}
