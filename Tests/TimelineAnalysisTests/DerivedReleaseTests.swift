import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@testable import MotionJudgement
@testable import MotionMeasures

/// Releases of transitions of which no decision was recorded.
@Suite struct DerivedReleaseTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private func releases(
    _ file: String = "run.kymo", _ fill: @escaping (Recorder) -> Void
  ) throws -> SessionReleases {
    try made.session(into: file, fill).releases(in: 1)
  }

  @Test func `the release is at the lift, with the last driven progress, whatever its stamp`()
    throws
  {
    let found = try releases { recorder in
      recorder.event(.start, at: 50)
      recorder.contact(0, from: 0, to: 200)
      recorder.progress([(50, 0), (190, 0.7), (204, 0.8)])
      recorder.event(.finish, at: 206)
      recorder.progress([(220, 0.9), (500, 1)], phase: .settling)
    }
    let release = try #require(found.all.first)
    #expect(found.all.count == 1)
    #expect((release.time, release.derived) == (at(200), .lift))
    #expect((release.outcome, release.decidedBy, release.progress) == (.finish, "app", 0.8))
    #expect(release.recorded == nil)
    #expect(release.origin == "derived from the lift")
  }

  @Test(arguments: [
    (Int64(-2), ReleaseRecord.Derivation.event), (-1, .lift), (0, .lift), (100, .lift),
    (101, .event),
  ])
  func `the event may come a millisecond before the lift or a tenth of a second after it`(
    distance: Int64, derived: ReleaseRecord.Derivation
  ) throws {
    let found = try releases { recorder in
      recorder.event(.start, at: 0)
      recorder.contact(0, from: 0, to: 300)
      recorder.event(.cancel, at: 300 + distance)
    }
    let release = try #require(found.all.first)
    #expect(release.derived == derived)
    #expect(release.time == (derived == .lift ? at(300) : at(300 + distance)))
    #expect((release.outcome, release.progress) == (.cancel, nil))
  }

  @Test func `without contacts the phases tell, and without phases the event`() throws {
    let settled = try releases { recorder in
      recorder.event(.start, at: 0)
      recorder.progress([(0, 0), (100, 0.4)])
      recorder.event(.finish, at: 110)
      recorder.progress([(120, 0.5)], phase: .settling)
    }
    #expect(settled.all.map(\.derived) == [.phase])
    #expect(settled.all.map(\.time) == [at(100)])
    let plain = try releases("plain.kymo") { recorder in
      recorder.event(.start, at: 0)
      recorder.progress([(0, 0), (100, 0.4), (110, 0.5), (900, 1)])
      recorder.event(.finish, at: 110)
    }
    #expect(plain.all.map(\.derived) == [.event])
    #expect(plain.all.map(\.time) == [at(110)])
    // Settling values that the app calls driving come after the event.
    #expect(plain.all.map(\.progress) == [0.5])
  }

  @Test func `the progress is the last value at or before the event, whatever its phase`() throws {
    let early = try releases { recorder in
      recorder.event(.start, at: 0)
      recorder.progress([(0, 0), (50, 0.3), (67, 0.4)])
      recorder.event(.cancel, at: 65)
      recorder.progress([(83, 0.2)], phase: .settling)
    }
    #expect(early.all.map(\.derived) == [.event])
    #expect(early.all.map(\.time) == [at(65)])
    #expect(early.all.map(\.progress) == [0.3])
    let late = try made.session(into: "late.kymo") { recorder in
      recorder.event(.start, at: 0)
      recorder.contact(0, from: 0, to: 100)
      recorder.progress(track(10, every: 10) { $0 / 20 })
      recorder.progress(track(10, every: 10, from: 110) { 0.5 + $0 / 40 }, phase: .settling)
      recorder.event(.finish, at: 205)
    }
    let release = try #require(
      try VelocityReport(of: late.sessionRecord(1), in: late).releases.first)
    #expect(release.decision?.derived == .event)
    #expect(release.decision?.progress == 0.725)
    #expect(release.motions.first?.value == 0.725)
    #expect(release.phases == [.settling])
    var question = VelocityQuestion()
    question.moment = at(151)
    let moment = try VelocityReport(of: late.sessionRecord(1), in: late, asking: question).releases[
      0]
    #expect(moment.motions.first?.value == 0.6)
    #expect(moment.phases == [.driving, .settling])
  }

  @Test func `the contacts of the gesture count, and none that lands after the event`() throws {
    let found = try releases { recorder in
      recorder.contact(7, from: 0, to: 20)
      recorder.event(.start, at: 50)
      recorder.contact(0, from: 30, to: 180)
      recorder.contact(1, from: 40, to: 200)
      recorder.event(.finish, at: 210)
      recorder.contact(0, from: 400, to: 450, .cancelled)
      recorder.event(.start, at: 500)
      recorder.event(.cancel, at: 600)
    }
    #expect(found.all.map(\.derived) == [.lift, .event])
    #expect(found.all.map(\.time) == [at(200), at(600)])
    #expect(found.warnings == [])
  }

  @Test func `what was cancelled and yet finished has no release, and is warned of`() throws {
    let reader = try made.session { recorder in
      recorder.event(.start, at: 50)
      recorder.contact(0, from: 0, to: 200, .cancelled)
      recorder.event(.finish, at: 210)
    }
    let found = try reader.releases(in: 1)
    #expect(found.all == [])
    #expect(found.warnings.count == 1)
    #expect(found.warnings[0].contains("cancelled at 0.2 s, and finish was asked for at 0.21 s"))
    #expect(
      try SessionOverview(reader.sessionRecord(1), in: reader).remarks.contains(found.warnings[0]))
    var whatIf = WhatIf()
    try whatIf.add(reader.sessionRecord(1), in: reader, file: "f", asking: VelocityQuestion())
    #expect(whatIf.gestures.isEmpty)
    #expect(whatIf.warnings.count == 1)
    // A contact that the system takes away is cancelled rightly, and nobody decided.
    let agreed = try made.session(into: "agreed.kymo") { recorder in
      recorder.event(.start, at: 50)
      recorder.progress([(50, 0), (190, 0.7)])
      recorder.contact(0, from: 0, to: 200, .cancelled)
      recorder.event(.cancel, at: 210)
    }
    #expect(try agreed.releases(in: 1).all.map(\.wasTakenAway) == [true])
    try whatIf.add(agreed.sessionRecord(1), in: agreed, file: "f", asking: VelocityQuestion())
    #expect(whatIf.gestures.isEmpty)
  }

  @Test func `a decision is never overruled, and transitions are told apart`() throws {
    let found = try releases { recorder in
      recorder.event(.start, at: 0)
      recorder.event(.finish, at: 100)
      recorder.event(.start, at: 200)
      recorder.event(.cancel, at: 300)
      recorder.decision(.cancel, at: 300, progress: 0.2)
      // Two ends are not one; and what was not ended is not released.
      recorder.event(.start, at: 400)
      recorder.event(.finish, at: 500)
      recorder.event(.cancel, at: 510)
      recorder.event(.start, at: 600)
      // At one instant a decision is of the transition that has its number.
      recorder.event(.start, at: 700, 9)
      recorder.event(.finish, at: 800, 9)
      recorder.event(.start, at: 800, 10)
      recorder.decision(.finish, at: 800, progress: 0.9, transition: 9)
      recorder.event(.finish, at: 900, 10)
    }
    #expect(found.all.map(\.time) == [at(100), at(300), at(800), at(900)])
    #expect(found.all.map(\.derived) == [.event, nil, nil, .event])
    #expect(found.all.map(\.transition) == [0, 0, 9, 10])
  }

  @Test
  func `what comes before the first start is a transition, as in a ring without its beginning`()
    throws
  {
    let found = try releases { recorder in
      recorder.touch(.moved, at: 0)
      recorder.touch(.ended, at: 100)
      recorder.event(.finish, at: 105)
      recorder.event(.start, at: 300)
      recorder.event(.cancel, at: 400)
    }
    #expect(found.all.map(\.transition) == [0, 1])
    #expect(found.all.map(\.derived) == [.lift, .event])
    #expect(try releases("none.kymo") { $0.event(.start, at: 0) }.all == [])
  }

  @Test func `velocities are told of a derived release, and a rule only where one is asked about`()
    throws
  {
    let reader = try gestures([0.8], decided: false)
    let twin = try gestures([0.8], decided: true)
    let session = try reader.sessionRecord(1)
    let release = try #require(try VelocityReport(of: session, in: reader).releases.first)
    let decided = try #require(
      try VelocityReport(of: twin.sessionRecord(1), in: twin).releases.first)
    #expect((release.time, release.decision?.derived) == (at(200), .lift))
    #expect(release.decisions.isEmpty)
    #expect(release.motions == decided.motions)
    var question = VelocityQuestion()
    question.rule.threshold = 0.9
    let asked = try VelocityReport(of: session, in: reader, asking: question)
    #expect(asked.releases.first?.ruleDecision?.outcome == .cancel)
    question.derivesReleases = false
    #expect(
      try VelocityReport(of: session, in: reader, asking: question).releases[0].decision == nil)
  }

  @Test func `gestures are decided again, compared and measured by their derived releases`() throws
  {
    let reader = try gestures([0.8, 0.4], decided: false)
    var whatIf = WhatIf()
    var question = VelocityQuestion()
    question.rule.threshold = 0.3
    try whatIf.add(reader.sessionRecord(1), in: reader, file: "f", asking: question)
    #expect(whatIf.gestures.map(\.decision.derived) == [.lift, .lift])
    #expect(whatIf.flips.map(\.decision.transition) == [1])
    let session = try reader.sessionRecord(1)
    #expect(try SessionMetrics(session, in: reader).value(.decision, transition: 1) == 0)
    let other = try gestures([0.4, 0.4], decided: false)
    let comparison = try RunComparison.compare(
      session, in: reader, with: other.sessionRecord(1), in: other, alignment: .release)
    #expect(comparison.anchorOfA == at(200))
    #expect(comparison.outcomesOfA.map(\.decision?.outcome) == [.finish, .cancel])
    #expect(!comparison.decisionsAreEqual)
  }

  @Test func `a check derives releases only where its tolerances ask`() throws {
    let reader = try gestures([0.8], decided: false)
    let other = try gestures([0.4], decided: false)
    let away = Tolerances.Rule(.key("*", Tolerances.Ladder()), level: .off)
    var check = GoldenCheck(Tolerances(rules: [away]))
    try check.add(other.sessionRecord(1), in: other, golden: reader.sessionRecord(1), in: reader)
    #expect(check.passes)
    #expect(check.runs[0].comparison?.outcomesOfA.isEmpty == true)
    let rule = Tolerances.Rule(
      .metric(.decision, of: nil, Tolerances.Bound(), mustMatch: true))
    check = GoldenCheck(Tolerances(rules: [away, rule]))
    try check.add(other.sessionRecord(1), in: other, golden: reader.sessionRecord(1), in: reader)
    #expect(check.failures.map(\.measure) == ["decision"])
  }

  @Test func `what is known at a release is estimated where nothing was stored`() throws {
    for decided in [false, true] {
      let reader = try gestures([0.8, 0.4], decided: decided)
      let session = try reader.sessionRecord(1)
      let known = try reader.releases(in: 1).estimates(of: session, in: reader)
      let told = try VelocityReport(of: session, in: reader).releases.flatMap(\.motions)
      #expect(known.map(\.estimate) == told.filter { $0.target != nil }.map(\.estimate))
      #expect(known.map(\.time) == [at(200), at(1200)])
      #expect(known.allSatisfy { abs(($0.estimate.velocity ?? 0)) > 1 })
    }
  }

  @Test func `SQL has a view of all releases, of every session`() throws {
    let reader = try made.session { recorder in
      recorder.event(.start, at: 0)
      recorder.decision(.cancel, at: 100, progress: 0.25)
      recorder.event(.cancel, at: 100)
    }
    try made.session { recorder in
      recorder.event(.start, at: 0)
      recorder.progress([(90, 1)])
      recorder.event(.finish, at: 100)
    }
    let rows = try reader.query(
      "SELECT session, t_ns, transition, outcome, decided_by, progress, derived, rule FROM releases"
    ).rest()
    #expect(
      rows == [
        [
          .integer(1), .integer(100_000_000), .integer(0), .text("cancel"), .text("rule"),
          .real(0.25), .null, .text("progress"),
        ],
        [
          .integer(2), .integer(100_000_000), .integer(0), .text("finish"), .text("app"), .real(1),
          .text("event"), .null,
        ],
      ])
    #expect(
      try reader.query("SELECT count(*) FROM releases WHERE session = 2 AND t_ns > 5").rest()
        == [[.integer(1)]])
    #expect(try reader.query("SELECT count(*) FROM decisions").rest() == [[.integer(1)]])
  }

  /// Drags a second apart, each 0.2 s long, up to a progress.
  private func gestures(_ ends: [Double], decided: Bool) throws -> RecordingReader {
    try made.session(into: "\(ends)\(decided).kymo") { recorder in
      for (index, end) in ends.enumerated() {
        let start = Int64(index) * 1000
        recorder.event(.start, at: start)
        recorder.contact(0, from: start, to: start + 200)
        recorder.progress(track(20, every: 10, from: start + 10) { $0 * end / 19 })
        recorder.event(end > 0.5 ? .finish : .cancel, at: start + 210)
        if decided {
          recorder.decision(
            end > 0.5 ? .finish : .cancel, at: start + 200, progress: end, transition: index)
        }
        recorder.progress([(start + 220, end), (start + 400, 1)], phase: .settling)
      }
    }
  }
}

extension Recorder {
  fileprivate func event(_ kind: TimelineEvent.Kind, at milliseconds: Int64, _ number: Int64? = nil)
  {
    record(
      TimelineEvent(
        time: at(milliseconds), kind: kind,
        fields: number.map { EventField.list(["transition": FieldValue.integer($0)]) } ?? []))
  }

  fileprivate func touch(_ phase: TouchPhase, at milliseconds: Int64, _ contact: Int = 0) {
    record(
      TouchSample(
        time: at(milliseconds), contact: contact, phase: phase,
        position: Point2D(x: Double(milliseconds), y: 0)))
  }

  fileprivate func contact(
    _ number: Int, from: Int64, to end: Int64, _ phase: TouchPhase = .ended
  ) {
    touch(.began, at: from, number)
    touch(phase, at: end, number)
  }

  fileprivate func progress(_ values: Track, phase: MotionPhase = .driving) {
    self.values(of: progressKeyName, role: .progress, unit: "1", values, phase: phase)
  }
}
