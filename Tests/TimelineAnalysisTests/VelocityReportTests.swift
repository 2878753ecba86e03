import MotionMeasures
import MotionPhysics
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct VelocityReportTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private func report(
    _ reader: RecordingReader, estimators: [Estimator] = [], at moment: Instant? = nil
  ) throws -> VelocityReport {
    var question = VelocityQuestion()
    question.estimators = estimators
    question.moment = moment
    return try VelocityReport(
      of: reader.session(selectedBy: "last"), in: reader, asking: question)
  }

  /// Two units per second, a sample every 10 ms.
  private static let steady = (0...10).map { (Int64($0) * 10, Double($0) * 0.02) }

  @Test func `a session without anything has no release`() throws {
    #expect(try report(made.session()).releases == [])
  }

  @Test func `every release has its keys, with target, way left and settling time`() throws {
    let reader = try made.session { recorder in
      recorder.values(of: "progress", role: .progress, unit: "1", Self.steady)
      let key = recorder.values(of: "x", role: .animated, [(80, 3), (90, 4), (100, 5)])
      recorder.values(of: "idle", role: .animated, [(90, 1), (100, 1)])
      recorder.decision(.cancel, at: 100, progress: 0.2)
      recorder.record(
        ReleaseEstimate(
          transition: 0, time: at(100), key: key, value: 5,
          estimate: VelocityEstimate(estimator: "lsq2", velocity: 100, sampleCount: 3),
          target: 25, remaining: 20, relativeVelocity: 5, settleTimeSeconds: 1))
    }
    let release = try #require(try report(reader).releases.first)
    #expect(release.time == at(100))
    #expect(release.transition == 0)
    #expect(release.ruleDecision?.outcome == .cancel)
    #expect(release.ruleDecision?.marginProgress == 0.3)
    #expect(release.motions.count == 3)
    let progress = release.motions[0]
    #expect(progress.value == 0.2)
    #expect(progress.target == 0)
    #expect(progress.remaining == -0.2)
    #expect(progress.estimate.velocity.map { abs($0 - 2) < 1e-9 } == true)
    #expect(progress.relativeVelocity == progress.estimate.velocity.map { $0 / -0.2 })
    let x = release.motions[1]
    #expect(x.target == 25)
    #expect(x.remaining == 20)
    // No spring was recorded, and no settle was seen.
    #expect(x.settleTimeSeconds == nil)
    // What has no recorded target freezes.
    #expect(release.motions[2].target == nil)
    #expect(release.motions[2].settleTimeSeconds == nil)
    #expect(release.motions[2].estimate.velocity == 0)
  }

  @Test(arguments: [TouchPhase.ended, .cancelled])
  func `a contact that was taken away has no velocity, and neither has what it moved`(
    last: TouchPhase
  ) throws {
    let reader = try made.session { recorder in
      recorder.values(of: "progress", role: .progress, unit: "1", Self.steady)
      for (time, place) in Self.steady {
        let phase = time == 0 ? TouchPhase.began : .moved
        for contact in [0, 1] {
          recorder.record(
            TouchSample(
              time: at(time), contact: contact, phase: phase, position: Point2D(x: place, y: 0)))
        }
      }
      recorder.record(
        TouchSample(time: at(100), contact: 0, phase: last, position: Point2D(x: 1, y: 0)))
      recorder.decision(
        .cancel, at: 100, progress: 0.2, by: last == .cancelled ? "touch" : "rule")
    }
    var question = VelocityQuestion()
    question.estimators = Estimator.allCases
    question.preset = .flutter
    for moment in [nil, at(100), at(90)] {
      question.moment = moment
      let report = try VelocityReport(
        of: reader.session(selectedBy: "last"), in: reader, asking: question)
      let release = try #require(report.releases.first)
      let isGone = last == .cancelled && moment != at(90)
      let count = Estimator.allCases.count
      #expect(release.motions.count == 5 * count)
      for motion in release.motions {
        // The other finger is still down.
        let other =
          motion.subject == .pointer(contact: 1, axis: "x")
          || motion.subject == .pointer(contact: 1, axis: "y")
        #expect(motion.isCancelled == (isGone && !other))
        #expect((motion.estimate.velocity == nil) == (isGone && !other))
        #expect(motion.settleTimeSeconds.map(\.isFinite) != false)
      }
      #expect(release.decisions.allSatisfy { ($0.velocity == nil) == isGone })
    }
  }

  @Test func `a cancelled contact of an app leaves no velocity where nothing was decided`() throws {
    let reader = try made.session { recorder in
      recorder.values(of: "progress", role: .progress, unit: "1", Self.steady)
      for (time, place) in Self.steady {
        recorder.record(
          TouchSample(
            time: at(time), contact: 3, phase: time == 0 ? .began : .moved,
            position: Point2D(x: place, y: 0)))
      }
      recorder.record(
        TouchSample(time: at(100), contact: 3, phase: .cancelled, position: Point2D(x: 1, y: 0)))
    }
    let release = try #require(try report(reader).releases.first)
    #expect(release.motions.count == 3)
    #expect(release.motions.allSatisfy { $0.isCancelled && $0.estimate.velocity == nil })
    let before = try #require(try report(reader, at: at(99)).releases.first)
    #expect(before.motions.allSatisfy { !$0.isCancelled && $0.estimate.velocity != nil })
  }

  @Test func `samples of a settle and of a transition before have no say`() throws {
    let reader = try made.session { recorder in
      recorder.values(of: "progress", role: .progress, Self.steady)
      recorder.decision(.cancel, at: 100, progress: 0.2)
      recorder.values(of: "progress", role: .progress, [(110, 0.1), (120, 0)], phase: .settling)
      recorder.values(of: "progress", role: .progress, [(130, 0.9)])
      recorder.decision(.finish, at: 130, progress: 0.9, transition: 1)
    }
    let releases = try report(reader).releases
    #expect(releases.map(\.transition) == [0, 1])
    #expect(releases[1].motions[0].value == 0.9)
    #expect(releases[1].motions[0].estimate.sampleCount == 1)
    #expect(releases[1].motions[0].estimate.velocity == nil)
    #expect(releases[1].motions[0].target == 1)
  }

  @Test func `the session's own estimator and threshold answer, or those that are asked`() throws {
    let reader = try made.session(
      release: "{\"estimator\":\"impulse\",\"rule\":\"progress\",\"threshold\":0.1}",
      settle: "{\"stiffness\":400,\"damping\":40,\"mass\":1,\"overshoot\":false}"
    ) { recorder in
      recorder.values(of: "progress", role: .progress, Self.steady)
    }
    let own = try #require(try report(reader).releases.first)
    #expect(own.motions.map(\.estimate.estimator) == ["impulse"])
    // Nothing was released, so nothing is decided; asked about a moment, the rule answers.
    #expect(own.ruleDecision == nil)
    #expect(own.decision == nil)
    #expect(try report(reader, at: at(100)).releases[0].ruleDecision?.outcome == .finish)
    let all = try report(reader, estimators: Estimator.allCases)
    #expect(
      all.releases[0].motions.map(\.estimate.estimator)
        == Estimator.allCases.map { EstimatorName($0) })
    let parameters = SessionParameters(try reader.session(selectedBy: "last"))
    #expect(parameters.settle.spring.stiffness == 400)
    #expect(parameters.settle.overshoot == false)
  }

  @Test func `more values than a window looks at change nothing about the newest`() throws {
    let long = (0..<1000 as Range<Int64>).map { ($0, Double($0) * 0.001) }
    let reader = try made.session { recorder in
      recorder.values(of: "progress", role: .progress, long)
    }
    let motion = try #require(report(reader).releases.first?.motions.first)
    #expect(motion.value == 0.999)
    let window = EstimationPreset.android.window(for: .lsqSpan)
    let direct = Estimator.lsqSpan.estimate(
      long.map { Sample(time: at($0.0), value: $0.1) }, lift: at(999), window: window)
    // The report reads no further back than a window can reach, so it counts fewer left out.
    var estimate = motion.estimate
    estimate.leftOut = direct.leftOut
    #expect(estimate == direct)
    #expect(motion.estimate.sampleCount == 101)
  }

  @Test func `parameters that nobody knows leave the defaults`() throws {
    for text in [
      nil, "", "nonsense", "[]", "{\"estimator\":\"tomorrow\",\"rule\":7,\"threshold\":\"x\"}",
    ] {
      let reader = try made.session(release: text, settle: text)
      let parameters = SessionParameters(try reader.session(selectedBy: "last"))
      #expect(parameters.release.estimator == .lsqSpan)
      #expect(parameters.release.window == EstimationPreset.android.window(for: .lsqSpan))
      #expect(parameters.release.rule == ReleaseRule())
      #expect(parameters.settle == SettleParameters())
    }
  }

  @Test func `at a moment only what came before it counts`() throws {
    let reader = try made.session { recorder in
      recorder.values(of: "progress", role: .progress, Self.steady)
      recorder.decision(.cancel, at: 100, progress: 0.2)
    }
    let middle = try report(reader, at: at(50)).releases[0]
    #expect(middle.motions[0].value == 0.1)
    #expect(middle.motions[0].estimate.sampleCount == 6)
    #expect(middle.decision == nil)
    #expect(middle.ruleDecision?.outcome == .cancel)
    #expect(try report(reader, at: at(-1)).releases[0].motions == [])
    #expect(try report(reader, at: at(100)) == report(reader))
    for moment in [Int64.min, Int64.max] {
      _ = try report(reader, at: Instant(nanoseconds: moment))
    }
  }

  @Test func `a contact number that is used again is another contact`() throws {
    let reader = try made.session { recorder in
      for landing in [0, 1000] as [Int64] {
        for step in 0...5 as ClosedRange<Int64> {
          recorder.record(
            TouchSample(
              time: at(landing + step * 10), contact: 0, phase: step == 0 ? .began : .moved,
              position: Point2D(x: Double(landing + step), y: 0)))
        }
        recorder.record(
          TouchSample(
            time: at(landing + 50), contact: 0, phase: .ended,
            position: Point2D(x: Double(landing + 5), y: 0)))
      }
    }
    let motions = try report(reader).releases[0].motions
    #expect(motions.map(\.value) == [1005, 0])
    #expect(motions[0].estimate.sampleCount == 6)
  }

  @Test func `a lift elsewhere is a place of the contact, and so is that of one taken away`() throws
  {
    for phase in [TouchPhase.ended, .cancelled] {
      let reader = try made.session { recorder in
        for (step, x) in [0.0, 10, 20, 30].enumerated() {
          recorder.record(
            TouchSample(
              time: at(Int64(step) * 10), contact: 0,
              phase: step == 0 ? .began : step == 3 ? phase : .moved, position: Point2D(x: x, y: 0))
          )
        }
      }
      let motion = try report(reader).releases[0].motions[0]
      #expect(motion.value == 30)
      #expect(motion.isCancelled == (phase == .cancelled))
      #expect(phase == .cancelled || motion.estimate.sampleCount == 4)
    }
  }

  @Test func `the window that a session was estimated with counts again`() throws {
    let reader = try made.session(
      release: """
        {"estimator":"lsq2","window":"mine","horizon_ns":30000000,"stopGap_ns":40000000,"history":3}
        """
    ) { recorder in
      recorder.values(of: "progress", role: .progress, Self.steady)
    }
    #expect(try report(reader).releases[0].motions[0].estimate.sampleCount == 3)
  }

  @Test func `a contact has a row for each axis as long as it is down`() throws {
    let reader = try made.session { recorder in
      for step in 0...5 {
        recorder.record(
          TouchSample(
            time: at(Int64(step) * 10), contact: 0, phase: step == 0 ? .began : .moved,
            position: Point2D(x: Double(step), y: -2 * Double(step))))
      }
      recorder.record(
        TouchSample(time: at(50), contact: 0, phase: .ended, position: Point2D(x: 5, y: -10)))
    }
    let motions = try report(reader).releases[0].motions
    #expect(
      motions.map(\.subject) == [.pointer(contact: 0, axis: "x"), .pointer(contact: 0, axis: "y")])
    let velocities = motions.compactMap(\.estimate.velocity)
    #expect(abs(velocities[0] - 100) < 1e-9)
    #expect(abs(velocities[1] + 200) < 1e-9)
    #expect(try report(reader, at: at(51)).releases[0].motions == [])
  }
}
