import MotionJudgement
import MotionMeasures
import MotionPhysics
import RunStudies
import TimelineModel
import TimelineSession
import TimelineStore

// What workers send to their parent, a list of fields for each type.

extension Estimator: WireValue {}
extension GestureMeaning: WireValue {}
extension KeyRole: WireValue {}
extension Measure: WireValue {}
extension MotionExpectation.Kind: WireValue {}
extension ReleaseOutcome: WireValue {}
extension ReleaseRecord.Derivation: WireValue {}
extension ReleaseRule.Decision.Criterion: WireValue {}
extension ReleaseRule.Kind: WireValue {}
extension Verdict.Grade: WireValue {}

/// A session as rows and sentences of many files name it, not its scenario, its layouts and its counts.
extension SessionRecord: WireRecord {
  static let blank = SessionRecord(
    number: 0, uuid: "", description: SessionDescription(), schemaVersion: 0, end: nil)
  static let wire = WireField<Self>.list(
    \.number, \.uuid, \.description.uuid, \.description.name, \.description.software,
    \.description.device, \.description.refreshRate, \.schemaVersion, \.end)
}

extension WorkFailure: WireRecord {
  static let blank = WorkFailure(step: nil, name: "", exit: 0, why: "")
  static let wire = WireField<Self>.list(\.step, \.name, \.exit, \.why, \.path)
}

extension ReleaseRule: WireRecord {
  static let blank = ReleaseRule()
  static let wire = WireField<Self>.list(
    \.kind, \.threshold, \.velocityThreshold, \.decelerationRate, \.distance, \.minimumVelocity,
    \.maximumVelocity, \.crossVelocity, \.outputLength)
}

extension ReleaseRule.Decision: WireRecord {
  static let blank = ReleaseRule.blank.decide(progress: 0, velocity: nil)
  static let wire = WireField<Self>.list(
    \.rule, \.progress, \.velocity, \.standardError, \.estimator, \.directionName, \.outcome,
    \.criterion, \.flipProgress, \.flipVelocity, \.marginProgress, \.marginVelocity,
    \.marginThreshold, \.marginSigma, \.projectedProgress)
}

extension ReleaseRecord: WireRecord {
  static let blank = ReleaseRecord(
    transition: 0, time: .zero, outcome: .finish, wasTakenAway: false)
  static let wire = WireField<Self>.list(
    \.transition, \.time, \.outcome, \.decidedBy, \.progress, \.derived, \.wasTakenAway)
}

extension DecisionSource: WireValue {
  func put(to bytes: inout [UInt8]) { description.put(to: &bytes) }
  init(from bytes: inout WireBytes) throws { self.init(try String(from: &bytes)) }
}

extension WhatIf: WireRecord {
  static let blank = WhatIf()
  static let wire = WireField<Self>.list(\.gestures, \.warnings, \.withoutProgress)
}

extension WhatIf.Gesture: WireRecord {
  static let blank = WhatIf.Gesture(
    file: "", session: .blank, decision: .blank, again: .blank)
  static let wire = WireField<Self>.list(
    \.file, \.session, \.decision, \.again, \.meaning, \.isUndecided, \.readAs)
}

extension GroupRun: WireRecord {
  static let blank = GroupRun(file: "", session: .blank, metrics: SessionMetrics(blocks: []))
  static let wire = WireField<Self>.list(\.file, \.session, \.metrics.blocks)
}

extension SessionMetrics.Block: WireRecord {
  static let blank = SessionMetrics.Block(
    key: nil, role: nil, firstTransition: 0, columns: [], values: [])
  static let wire = WireField<Self>.list(
    \.key, \.role, \.firstTransition, \.columns, \.values)
}

extension SessionMetrics.Block.Column: WireRecord {
  static let blank = SessionMetrics.Block.Column(name: .duration, unit: "")
  static let wire = WireField<Self>.list(\.name, \.unit)
}

extension OptionalNumber: WireValue {
  func put(to bytes: inout [UInt8]) { (value ?? .nan).put(to: &bytes) }
  init(from bytes: inout WireBytes) throws { self.init(try Double(from: &bytes)) }
}

/// What was judged of a run and what a review shows beside it, not the comparison.
extension ReviewedRun: WireRecord {
  static let blank = ReviewedRun(
    run: GoldenCheck.Run(path: "", session: .blank, golden: nil, comparison: nil, verdicts: []),
    figures: ReviewedRun.Figures())
  static let wire = WireField<Self>.list(
    \.run.path, \.run.session, \.run.golden, \.run.isJudged, \.run.verdicts, \.figures.isFlipped,
    \.figures.release, \.figures.hitchRatio, \.figures.thumbnail)
}

extension ReviewedRun.Release: WireRecord {
  static let blank = ReviewedRun.Release(
    transition: 0, outcome: nil, goldenOutcome: nil, margin: nil, velocity: nil)
  static let wire = WireField<Self>.list(
    \.transition, \.outcome, \.goldenOutcome, \.margin, \.velocity)
}

extension CurveThumbnail: WireRecord {
  static let blank = CurveThumbnail(key: "", low: 0, high: 0, seconds: 0, golden: [], run: [])
  static let wire = WireField<Self>.list(
    \.key, \.low, \.high, \.seconds, \.golden, \.run)
}

extension Finding: WireRecord {
  static let blank = Finding(subject: "", measure: "")
  static let wire = WireField<Self>.list(
    \.subject, \.measure, \.value, \.interval, \.isOfPictures, \.instant, \.step, \.note)
}

extension Verdict: WireRecord {
  static let blank = Verdict(subject: "", measure: "", grade: .pass)
  static let wire = WireField<Self>.list(
    \.finding, \.limit, \.margin, \.source, \.grade, \.isUndecided, \.isSkipped, \.difference,
    \.offset, \.isOfGolden)
}

extension Verdict.Source: WireValue {
  func put(to bytes: inout [UInt8]) {
    switch self {
    case .usual: UInt8(0).put(to: &bytes)
    case .tolerance(let rule):
      UInt8(1).put(to: &bytes)
      rule.put(to: &bytes)
    case .requirement(let requirement):
      UInt8(2).put(to: &bytes)
      requirement.put(to: &bytes)
    }
  }

  init(from bytes: inout WireBytes) throws {
    switch try UInt8(from: &bytes) {
    case 0: self = .usual
    case 1: self = .tolerance(try Tolerances.RuleReference(from: &bytes))
    case 2: self = .requirement(try Verdict.Requirement(from: &bytes))
    default: throw WireBytes.isBroken
    }
  }
}

extension Tolerances.RuleReference: WireRecord {
  static let blank = Tolerances.RuleReference(index: 0, name: "", id: nil)
  static let wire = WireField<Self>.list(\.index, \.name, \.id)
}

extension Verdict.Requirement: WireRecord {
  static let blank = Verdict.Requirement(index: 0, kind: .follows, id: nil)
  static let wire = WireField<Self>.list(\.index, \.kind, \.id)
}

extension Calibration.Differences: WireRecord {
  static let blank = Calibration.Differences()
  static let wire = WireField<Self>.list(\.isEmpty, \.keys, \.missingItems, \.measured)
}

extension Calibration.Differences.Key: WireRecord {
  static let blank = Calibration.Differences.Key()
  static let wire = WireField<Self>.list(\.name, \.range, \.measured)
}

extension LabelledGestures: WireRecord {
  static let blank = LabelledGestures()
  static let wire = WireField<Self>.list(
    \.counts.releases, \.counts.unsure, \.counts.unlabelled, \.counts.withoutProgress,
    \.counts.withoutRelease, \.counts.strays, \.gestures)
}

extension LabelledGestures.Gesture: WireRecord {
  static let blank = LabelledGestures.Gesture(
    file: "", session: 0, uuid: "", transition: 0, time: .zero,
    numbers: TuningGesture(
      isMeantToFinish: false, progress: 0, velocities: [], own: ReleaseParameters(),
      finishesNow: false))
  static let wire = WireField<Self>.list(
    \.file, \.session, \.uuid, \.transition, \.time, \.numbers.isMeantToFinish,
    \.numbers.progress, \.numbers.progressByRule, \.numbers.velocities, \.numbers.own,
    \.numbers.finishesNow, \.numbers.group)
}

extension ReleaseParameters: WireValue {
  func put(to bytes: inout [UInt8]) { FieldValue.object(fields).json.put(to: &bytes) }
  init(from bytes: inout WireBytes) throws { self.init(recorded: try String(from: &bytes)) }
}

/// The rules in their order, so that equal values are equal bytes.
extension [ReleaseRule.Kind: Double]: WireValue {
  func put(to bytes: inout [UInt8]) { ReleaseRule.Kind.allCases.map { self[$0] }.put(to: &bytes) }

  init(from bytes: inout WireBytes) throws {
    self.init()
    for (kind, value) in zip(ReleaseRule.Kind.allCases, try [Double?](from: &bytes)) {
      self[kind] = value
    }
  }
}
