import MotionPhysics
import SQLiteAccess
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import MotionMeasures

/// The recorded decision as the one outcome of a session, and rules that nobody can decide by again.
@Suite struct RecordedOutcomeTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private func event(_ recorder: Recorder, _ kind: TimelineEvent.Kind, _ milliseconds: Int64) {
    recorder.record(TimelineEvent(time: at(milliseconds), kind: kind))
  }

  private func decision(
    _ rule: RuleName, threshold: Double, velocity: Double? = nil, parameters: String? = nil
  ) -> ReleaseDecision {
    ReleaseDecision(
      transition: 0, time: at(100), outcome: .cancel, decidedBy: "rule", rule: rule,
      ruleParameters: parameters, ruleOutcome: .cancel, threshold: threshold, progress: 0.42,
      progressVelocity: velocity, marginProgress: nil)
  }

  private func sql(_ reader: RecordingReader, _ text: String) throws -> [[SQLValue]] {
    try reader.query(text).rest()
  }

  @Test(arguments: [true, false])
  func `a decision ends a session that has no event of its end`(starts: Bool) throws {
    let reader = try made.session(outcome: .open) { recorder in
      if starts { event(recorder, .start, 0) }
      recorder.decision(.finish, at: 100, progress: 0.6)
    }
    #expect(try reader.sessionRecord(1).outcome == .finished)
    #expect(try reader.sessionRecords()[0].outcome == .finished)
    #expect(
      try SessionOverview(reader.sessionRecord(1), in: reader).remarks.allSatisfy {
        !$0.contains("undecided")
      })
    #expect(try sql(reader, "SELECT outcome FROM sessions") == [[.text("finished")]])
    // A reader of the schema's own views sees what was written.
    let connection = try Connection(path: made.folder.path("run.kymo"), for: .reading)
    let row = try connection.prepare("SELECT outcome FROM sessions")
    #expect(try row.step() && row.text(at: 0) == "finished")
  }

  @Test func `an earlier decision does not end the transition behind it`() throws {
    let reader = try made.session { recorder in
      event(recorder, .start, 0)
      recorder.decision(.finish, at: 100, progress: 0.6)
      event(recorder, .start, 200)
    }
    #expect(try reader.sessionRecord(1).outcome == .open)
  }

  @Test func `where an event contradicts the decision, that holds and both are named`() throws {
    let reader = try made.session { recorder in
      event(recorder, .start, 0)
      recorder.decision(.finish, at: 100, progress: 0.6)
      event(recorder, .cancel, 150)
    }
    #expect(try reader.sessionRecord(1).outcome == .finished)
    #expect(try reader.transitions(in: 1).map(\.outcome) == [.finish])
    #expect(try sql(reader, "SELECT outcome FROM transitions") == [[.text("finish")]])
    let warnings = try reader.releases(in: 1).warnings
    #expect(
      warnings == [
        "transition 0: finish was decided at 0.1 s, and an event says cancel at 0.15 s, and the decision holds"
      ])
    #expect(try SessionOverview(reader.sessionRecord(1), in: reader).remarks.contains(warnings[0]))
  }

  @Test func `a file in which an older program believed the event is read alike`() throws {
    let path = made.folder.path("run.kymo")
    try made.session { recorder in
      event(recorder, .start, 0)
      recorder.decision(.finish, at: 100, progress: 0.6)
      event(recorder, .cancel, 150)
      recorder.values(of: "progress", [(0, 0), (100, 0.6)])
    }
    do {
      let writer = try Connection(path: path, for: .writing)
      try writer.execute("UPDATE transition SET outcome = 'cancel'")
      try writer.execute("UPDATE session SET outcome = 'open'")
      try writer.execute("UPDATE key SET role = 'custom'")
    }
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecord(1).outcome == .finished)
    #expect(try reader.transitions(in: 1).map(\.outcome) == [.finish])
    #expect(try reader.keys(in: 1).map(\.role) == [.progress])
    #expect(
      try sql(
        reader,
        "SELECT s.outcome, t.outcome, k.role FROM sessions s, transitions t, key k"
      ) == [[.text("finished"), .text("finish"), .text("progress")]])
  }

  @Test func `a settle that turns round ends otherwise than it was decided`() throws {
    let reader = try made.session { recorder in
      event(recorder, .start, 0)
      recorder.decision(.finish, at: 100, progress: 0.6)
      event(recorder, .finish, 100)
      recorder.record(
        TimelineEvent(
          time: at(150), kind: .retarget, fields: EventField.list(["outcome": "cancel"])))
      recorder.record(
        TimelineEvent(
          time: at(300), kind: .completion, fields: EventField.list(["finished": false])))
    }
    #expect(try reader.transitions(in: 1).map(\.outcome) == [.cancel])
    #expect(try reader.sessionRecord(1).outcome == .cancelled)
    #expect(try reader.releases(in: 1).warnings == [])
  }

  @Test(arguments: [
    ("scale", 1.8, nil, "this program does not know the rule"),
    ("velocity", 0.5, nil, "not all numbers of the rule are recorded"),
    ("gnome", 0.5, #"{"rule": "gnome", "velocityThreshold": 0.3}"#, "not all numbers"),
  ])
  func `a rule that nobody can decide by again is told as recorded`(
    rule: RuleName, threshold: Double, parameters: String?, why: String
  ) throws {
    let reader = try made.session { recorder in
      event(recorder, .start, 0)
      recorder.values(of: "progress", track(11, every: 10) { $0 / 20 })
      recorder.record(decision(rule, threshold: threshold, parameters: parameters))
    }
    let session = try reader.sessionRecord(1)
    let release = try VelocityReport(of: session, in: reader).releases[0]
    #expect(release.decisions.isEmpty)
    let told = try #require(release.decision?.recorded).asRecorded
    #expect(told.hasPrefix("rule \(rule), threshold \(threshold), progress 0.42, as recorded"))
    #expect(told.contains(why))
    var whatIf = WhatIf()
    try whatIf.add(session, in: reader, file: "f", asking: VelocityQuestion())
    #expect(whatIf.gestures.isEmpty)
    #expect(whatIf.warnings.count == 1)
    // By a rule that is named it can be decided.
    var question = VelocityQuestion()
    question.rule.kind = .progress
    try whatIf.add(session, in: reader, file: "f", asking: question)
    #expect(whatIf.gestures.map(\.again.outcome) == [.cancel])
  }

  @Test func `a known rule is explained by the velocity that was recorded`() throws {
    let reader = try made.session { recorder in
      event(recorder, .start, 0)
      recorder.values(of: "progress", track(11, every: 10) { $0 / 20 })
      recorder.record(
        decision(
          "velocity", threshold: 0.5, velocity: -2.25, parameters: #"{"velocityThreshold": 1.5}"#))
    }
    let release = try VelocityReport(of: reader.sessionRecord(1), in: reader).releases[0]
    #expect(release.decisions.map(\.velocity) == [-2.25])
    #expect(release.decisions.map(\.rule.velocityThreshold) == [1.5])
    #expect(release.ruleDecision?.outcome == .cancel)
  }

  @Test func `a threshold is about the progress, or about the key that a rule is named as`() throws
  {
    let keys = [("progress", KeyRole.progress), ("scale", .custom)].enumerated().map {
      KeyRecord(
        handle: KeyHandle(rawValue: Int32($0)), name: $1.0, role: $1.1, unit: "1")
    }
    #expect(decision("progress", threshold: 0.5).thresholdKey(among: keys) == "progress")
    #expect(decision("scale", threshold: 1.8).thresholdKey(among: keys) == "scale")
    #expect(decision("scale", threshold: 1.8).thresholdKey(among: [keys[0]]) == nil)
    #expect(decision("velocity", threshold: 0.5).thresholdKey(among: keys) == nil)
  }

  @Test func `a decision by touch without a cancelled contact is not explained by one`() throws {
    for phase in [TouchPhase.ended, .cancelled] {
      let reader = try made.session(into: "\(phase).kymo") { recorder in
        event(recorder, .start, 0)
        for (time, phase) in [(Int64(0), TouchPhase.began), (100, phase)] {
          recorder.record(
            TouchSample(time: at(time), contact: 0, phase: phase, position: Point2D(x: 0, y: 0)))
        }
        recorder.values(of: "progress", track(11, every: 10) { $0 / 20 })
        recorder.decision(.cancel, at: 100, progress: 0.5, by: "touch")
      }
      #expect(try reader.releases(in: 1).all.map(\.wasTakenAway) == [phase == .cancelled])
      let release = try VelocityReport(of: reader.sessionRecord(1), in: reader).releases[0]
      #expect(release.motions.contains(where: \.isCancelled) == (phase == .cancelled))
    }
  }

  @Test func `the name progress is the progress in every door`() throws {
    let reader = try made.session { recorder in
      let key = recorder.key("progress", unit: "1")
      key.record(0.7, at: at(90), phase: .driving)
      event(recorder, .finish, 100)
    }
    #expect(try reader.keys(in: 1).map(\.role) == [.progress])
    #expect(try reader.releases(in: 1).all.map(\.progress) == [0.7])
  }

  @Test func `a progress of another spelling is named and refused`() throws {
    let reader = try made.session { recorder in
      recorder.values(of: "Progress", [(0, 0), (90, 0.7)])
      event(recorder, .finish, 100)
    }
    var (question, whatIf) = (VelocityQuestion(), WhatIf())
    _ = try VelocityReport(of: reader.sessionRecord(1), in: reader, asking: question)
    #expect(throws: QueryError.self) {
      try whatIf.add(reader.sessionRecord(1), in: reader, file: "f", asking: question)
    }
    question.rule.kind = .progress
    let thrown = #expect(throws: QueryError.self) {
      try VelocityReport(of: reader.sessionRecord(1), in: reader, asking: question)
    }
    #expect(thrown?.message.contains("has the key 'Progress' but no key 'progress'") == true)
  }
}
