import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A description with a fixed identity, so that two recordings can be compared byte by byte.
func fixedDescription(_ number: Int = 1) -> SessionDescription {
  var description = SessionDescription(software: "tests 1", clock: "virtual", name: "run")
  let digits = String(number)
  description.uuid =
    "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  description.wallClockStartNanoseconds = 1_700_000_000_000_000_000
  return description
}

@Suite struct RoundTripTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  @Test func `everything that a session description says comes back`() throws {
    var description = fixedDescription()
    description.refreshRate = 120
    description.viewport = Size2D(width: 320, height: 480.5)
    description.scenario = "{\"scenario\": 1, \"name\": \"Ünïcode\\u0000 \u{0}\"}"
    description.gestureSource = "pinch.evemu (evemu)"
    description.device = "a pad"
    description.engineVersion = "0.1"
    description.transition = "{}"
    description.settle = "{\"mass\":1}"
    description.release = ""
    description.layouts = [
      LayoutDescription(name: "b", type: "flow", parameters: "{}"),
      LayoutDescription(name: "a", type: "fixed", parameters: "[1]"),
    ]
    let recorder = try Recorder(path: path, session: description, policy: .wait)
    try recorder.finish(at: Instant(nanoseconds: 7), outcome: .cancelled)
    let sessions = try RecordingReader(path: path).sessionRecords()
    #expect(sessions.count == 1)
    #expect(sessions[0].description == description)
    #expect(sessions[0].isClean)
    #expect(sessions[0].end == Instant(nanoseconds: 7))
    #expect(sessions[0].outcome == .cancelled)
    #expect(sessions[0].counts == RecordCounts())
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["run.kymo"])
  }

  @Test func `values come back bit for bit, in the order of time and of arrival`() throws {
    let numbers: [Double] = [
      -0.0, 0.0, 1, .leastNonzeroMagnitude, -.leastNormalMagnitude, .greatestFiniteMagnitude,
      0.1, 1.0 / 3, 4_503_599_627_370_497, -1e-300,
    ]
    let times: [Int64] = [0, 5, 5, 5, .max, .min, 3, 5, -1, .max - 1]
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let key = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
    let other = recorder.keyHandle(for: "x", role: .custom, unit: "1")
    #expect(key != other)
    #expect(recorder.keyHandle(for: "x", role: .animated, unit: "ignored") == key)
    for (time, number) in zip(times, numbers) {
      recorder.record(number, for: key, at: Instant(nanoseconds: time), phase: .driving)
    }
    try recorder.finish(at: .zero, outcome: .none)
    let reader = try RecordingReader(path: path)
    let rows = try reader.samples(of: key, in: 1).rest()
    let expected = zip(times, numbers).enumerated()
      .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element)
    #expect(rows.map(\.sample.time.nanoseconds) == expected.map(\.0))
    #expect(rows.map(\.sample.value.bitPattern) == expected.map(\.1.bitPattern))
    #expect(rows.filter { $0.sample.time.nanoseconds == 5 }.map(\.ordinal) == [0, 1, 2, 3])
    #expect(try reader.samples(of: other, in: 1).next() == nil)
    #expect(try reader.samples(in: 1).rest() == rows)
    let summary = try #require(try reader.keySummaries(in: 1).first)
    #expect(summary.sampleCount == 10)
    #expect(summary.first.time.nanoseconds == .min)
    #expect(summary.last.time.nanoseconds == .max)
    #expect(summary.largest == .greatestFiniteMagnitude)
  }

  @Test func `touches, events, decisions and estimates come back as given`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let key = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
    let touches = [
      TouchSample(
        time: Instant(nanoseconds: 9), contact: 0, slot: 3, trackingID: -5, phase: .began,
        position: Point2D(x: -0.0, y: 2)),
      TouchSample(
        time: Instant(nanoseconds: 1), contact: .max, phase: .cancelled,
        position: Point2D(x: 1, y: 2), isResampled: true),
    ]
    for touch in touches { recorder.record(touch) }
    recorder.record(
      TimelineEvent(
        time: Instant(nanoseconds: 4), kind: .start,
        fields: EventField.list(["transition": 0, "to": "a\"b"])))
    let decision = ReleaseDecision(
      transition: 0, time: Instant(nanoseconds: 5), outcome: .finish, decidedBy: "rule",
      rule: "progress", ruleOutcome: .cancel, threshold: 0.5, progress: 1.25,
      progressVelocity: nil, marginProgress: -0.0)
    recorder.record(decision)
    let estimate = ReleaseEstimate(
      transition: 0, time: Instant(nanoseconds: 5), key: key, value: 3,
      estimate: VelocityEstimate(
        estimator: "lsq2", velocity: 7.5, low: nil, high: 9, sampleCount: 4,
        liftGapNanoseconds: 12), target: 1, remaining: -2, relativeVelocity: 0.1,
      settleTimeSeconds: nil)
    recorder.record(estimate)
    try recorder.finish(at: Instant(nanoseconds: 9), outcome: .finished)
    let reader = try RecordingReader(path: path)
    #expect(try reader.touches(in: 1).rest() == touches)
    let event = try #require(try reader.events(in: 1).next())
    #expect(event.kind == .start)
    #expect(event.fieldsJSON == #"{"transition":0,"to":"a\"b"}"#)
    #expect(try reader.decisions(in: 1) == [decision])
    #expect(try reader.decisions(in: 1)[0].marginProgress?.sign == .minus)
    #expect(try reader.estimates(in: 1) == [estimate])
    #expect(try reader.losses(in: 1).isEmpty)
  }

  /// Numbers that a store may round, and no number.
  private static let numbers: [Double?] = [
    -0.0, .greatestFiniteMagnitude, nil, .leastNonzeroMagnitude, 1.0 / 3, -1,
  ]

  /// The bits of a decision's numbers: 0 and -0 are equal, and not the same.
  private func bits(_ decision: ReleaseDecision) -> [UInt64?] {
    [
      decision.threshold, decision.progress, decision.progressVelocity,
      decision.progressStandardError, decision.marginProgress, decision.marginVelocity,
      decision.marginThreshold, decision.marginSigma, decision.flipVelocity, decision.flipProgress,
      decision.projectedProgress,
    ].map { $0?.bitPattern }
  }

  private func bits(_ record: ReleaseEstimate) -> [UInt64?] {
    let estimate = record.estimate
    return [
      record.value, record.target, record.remaining, record.relativeVelocity,
      record.settleTimeSeconds, estimate.velocity, estimate.low, estimate.high,
      estimate.standardError, estimate.leaveOneOutLow, estimate.leaveOneOutHigh,
      estimate.confidence, estimate.clampedVelocity,
    ].map { $0?.bitPattern }
  }

  @Test func `every number of a decision comes back bit for bit`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    var decisions: [ReleaseDecision] = []
    for turn in 0..<Self.numbers.count {
      func number(_ place: Int) -> Double? { Self.numbers[(turn + place) % Self.numbers.count] }
      decisions.append(
        ReleaseDecision(
          transition: turn, time: Instant(nanoseconds: 5), outcome: .finish, decidedBy: "rule",
          rule: "velocity", ruleParameters: turn == 0 ? nil : "{\"threshold\":0.5}",
          ruleOutcome: .cancel, threshold: number(0) ?? 0, progress: number(1) ?? 0,
          progressVelocity: number(2), progressStandardError: number(3), marginProgress: number(4),
          marginVelocity: number(5), marginThreshold: number(6), marginSigma: number(7),
          flipVelocity: number(8), flipProgress: number(9), projectedProgress: number(10)))
      recorder.record(decisions[turn])
    }
    try recorder.finish(at: .zero, outcome: .finished)
    let read = try RecordingReader(path: path).decisions(in: 1)
    #expect(read == decisions)
    #expect(read.map(bits) == decisions.map(bits))
  }

  @Test func `what an estimate rests on comes back bit for bit`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let key = recorder.keyHandle(for: "x", role: .animated, unit: "pt")
    var records: [ReleaseEstimate] = []
    for turn in 0..<Self.numbers.count {
      func number(_ place: Int) -> Double? { Self.numbers[(turn + place) % Self.numbers.count] }
      var leftOut = LeftOutSamples()
      for (index, reason) in LeftOutSamples.Reason.allCases.enumerated() {
        leftOut[reason] = turn == 0 ? Int(Int32.max) : index * turn
      }
      records.append(
        ReleaseEstimate(
          transition: turn, time: .zero, key: key, value: number(0) ?? 0,
          estimate: VelocityEstimate(
            estimator: "auto", velocity: number(1), low: number(2), high: number(3),
            standardError: number(4), leaveOneOutLow: number(5), leaveOneOutHigh: number(6),
            confidence: number(7), clampedVelocity: number(8),
            chosen: turn % 2 == 0 ? nil : "lsq1 30 ms", sampleCount: turn, leftOut: leftOut,
            liftGapNanoseconds: .max, opposesDisplacement: turn % 2 == 0,
            liftArtefactSuspected: turn % 3 == 0),
          target: number(9), remaining: number(10), relativeVelocity: number(11),
          settleTimeSeconds: number(12)))
      recorder.record(records[turn])
    }
    try recorder.finish(at: .zero, outcome: .finished)
    let reader = try RecordingReader(path: path)
    let read = try reader.estimates(in: 1)
    #expect(read == records)
    #expect(read.map(bits) == records.map(bits))
    let reasons = try reader.query(
      """
      SELECT left_out_age, left_out_gap, left_out_duplicate, left_out_backward, left_out_resampled,
        left_out_history, left_out_not_finite FROM estimates WHERE transition = 1
      """
    ).rest()
    #expect(reasons == [(0..<7).map { SQLValue.integer($0) }])
  }

  @Test func `numbers of a decision that are not finite are as good as none`() throws {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    let given = ReleaseDecision(
      transition: 0, time: .zero, outcome: .finish, decidedBy: "rule", rule: "velocity",
      ruleOutcome: .finish, threshold: 0.5, progress: 1, progressVelocity: .nan,
      progressStandardError: .infinity, marginProgress: .nan, marginVelocity: -.infinity,
      marginThreshold: .infinity, marginSigma: .infinity, flipVelocity: .nan, flipProgress: .nan,
      projectedProgress: .signalingNaN)
    recorder.record(given)
    try recorder.finish(at: .zero, outcome: .finished)
    let kept = try #require(try RecordingReader(path: path).decisions(in: 1).first)
    #expect(bits(kept).dropFirst(2).allSatisfy { $0 == nil })
    #expect(kept.threshold == 0.5)
    #expect(kept.progress == 1)
  }
}
