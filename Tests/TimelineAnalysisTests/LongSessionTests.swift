import JSONText
import MotionMeasures
import MotionPhysics
import SQLiteAccess
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore

@testable import MotionJudgement

/// What is read of a long session in parts says the same as all of it.
@Suite struct LongSessionTests {
  let hand: HandMade

  init() throws { hand = try HandMade() }

  /// A minute of gestures, one every six seconds, in which five keys move, sealed in parts of ten seconds; `late`
  /// milliseconds later and a little larger where that is asked for.
  private func minute(
    _ file: String, late: Int64 = 0, gain: Double = 1, isSealed: Bool = true, frames: Bool = false,
    seldom: Bool = true
  ) throws -> RecordingReader {
    let reader = try hand.session(into: file) { recorder in
      let names: [(String, KeyRole, String)] = [
        ("progress", .progress, "1"), ("x", .animated, "pt"), ("switch", .custom, "1"),
        ("ramp", .custom, "1"), ("still", .custom, "pt"), ("once", .custom, "pt"),
        ("seldom", .custom, "pt"),
      ]
      let keys = names.map { recorder.keyHandle(for: $0.0, role: $0.1, unit: $0.2) }
      for step in 0..<6_000 {
        let time = Int64(step) * 10 + late
        let (gesture, own) = step.quotientAndRemainder(dividingBy: 600)
        let phase: MotionPhase = own < 60 ? .driving : own < 120 ? .settling : .idle
        let way =
          own < 60 ? 0.8 * Double(own * own) / 3_600 : own < 120 ? 1 - 12 / Double(own) : 1
        let values = [
          way, 300 * gain * way + Double(step * 7_919 % 31) / 10, Double(gesture % 3),
          own == 30 ? 0.5 : Double(gesture % 2), 7,
        ]
        // Not every key is set in each frame, so that keys have clocks of their own.
        for (number, value) in values.enumerated()
        where number < 2 || step % (number + 1) == 0 {
          recorder.record(value, for: keys[number], at: at(time), phase: phase)
        }
        if seldom, step == 11 { recorder.record(5, for: keys[5], at: at(time), phase: phase) }
        if seldom, step % 490 == 7 {
          recorder.record(Double(step), for: keys[6], at: at(time), phase: phase)
        }
        if frames {
          recorder.frame(at: time, way)
        }
        if own < 60 {
          recorder.record(
            TouchSample(
              time: at(time), contact: gesture, phase: own == 0 ? .began : .moved,
              position: Point2D(x: way * 100, y: 0)))
        }
        if own == 60 {
          recorder.record(
            TouchSample(time: at(time), contact: gesture, phase: .ended, position: .zero))
          recorder.decision(.finish, at: time, progress: way, transition: gesture)
        }
      }
    }
    if isSealed {
      let editor = try RecordingEditor(path: reader.path)
      #expect(try editor.seal(session: 1).rows > 10_000)
      #expect(try reader.canReadByKey(reader.sessionRecord(1), from: 0))
    }
    return try RecordingReader(path: reader.path)
  }

  private func compared(
    _ a: RecordingReader, _ b: RecordingReader, _ options: RunComparison.Options,
    apartFrom count: Int64
  ) throws -> RunComparison {
    var options = options
    options.apartCount = count
    return try RunComparison.compare(
      a.sessionRecord(1), in: a, with: b.sessionRecord(1), in: b, options: options)
  }

  @Test(
    "Keys that are compared one after the other are compared as all of them together",
    arguments: RunComparison.Alignment.allCases)
  func apart(_ alignment: RunComparison.Alignment) throws {
    let (a, b) = (try minute("a.kymo"), try minute("b.kymo", late: 30, gain: 1.1))
    let plain = try minute("plain.kymo", late: 30, gain: 1.1, isSealed: false)
    var options = RunComparison.Options()
    options.alignment = alignment
    let apart = try compared(a, b, options, apartFrom: 0)
    let whole = try compared(a, b, options, apartFrom: .max)
    #expect(apart == whole)
    #expect(!apart.isSame)
    #expect(apart.keys.count == 7)
    #expect(apart.smoothness.a.intervalCount > 1_000)
    #expect(apart.keys.contains { $0.name == "switch" && $0.comparison?.isStep == true })
    // Only one of them need be long.
    #expect(try compared(a, plain, options, apartFrom: 0) == whole)
  }

  @Test("A check key by key comes to the verdicts of a check of all of them")
  func check() throws {
    let (golden, run) = (try minute("a.kymo"), try minute("b.kymo", late: 30, gain: 1.1))
    let rules = """
      {"version": 1, "rules": [{"key": "*", "rms": {"fail": 0.01}, "max_abs": {"warn": 0.5}},
      {"metric": "release_velocity_per_s", "fail": 1e-9}, {"metric": "warp_ms", "fail": 1},
      {"metric": "decision", "must": "match"}, {"metric": "interval_p95_ms", "fail": 1}]}
      """
    let tolerances = try Tolerances(json: Array(rules.utf8))
    func verdicts(_ count: Int64, alone: Bool) throws -> [Verdict] {
      var options = RunComparison.Options()
      options.apartCount = count
      var check = GoldenCheck(tolerances, options: options)
      if alone {
        try check.add(run.sessionRecord(1), in: run)
      } else {
        try check.add(
          run.sessionRecord(1), in: run, golden: golden.sessionRecord(1), in: golden)
      }
      return check.findings().map(\.verdict)
    }
    for alone in [false, true] {
      let apart = try verdicts(0, alone: alone)
      #expect(try apart == verdicts(.max, alone: alone))
      #expect(apart.contains { $0.grade == .fail })
    }
  }

  @Test("Requirements that read one key after the other find what they find in all of them")
  func requirements() throws {
    let text = """
      {"requirements": 1, "rules": [{"continuous": "*"}, {"monotone": "progress", "from": "release"},
      {"overshoot": "x", "max_percent": 1}, {"overshoot": "progress", "max_percent": 1},
      {"settles_by": "*", "by_ms": 100},
      {"stagger": ["progress", "x"], "step_ms": 40}, {"monotone": "nothing"},
      {"follows": "x", "source": "progress", "gain": 300}, {"hitch": "frames", "longest_ms": 5}]}
      """
    let rules = try Expectations(json: Array(text.utf8)).rules
    for frames in [false, true] {
      let reader = try minute("\(frames).kymo", frames: frames)
      func found(_ count: Int64) throws -> [String] {
        var judge = ExpectationJudge(rules)
        judge.apartCount = count
        return try judge.verdicts(of: reader.sessionRecord(1), in: reader).map {
          "\($0.subject) \($0.measure) \($0.value as Any) \($0.finding.instant as Any) \($0.sentence)"
        }
      }
      let apart = try found(0)
      #expect(try apart == found(.max))
      #expect(apart.count > rules.count)
    }
  }

  @Test("A velocity from the end of a gesture is that of all of it", arguments: [false, true])
  func brief(isSealed: Bool) throws {
    let reader = try minute("run.kymo", isSealed: isSealed)
    let session = try reader.sessionRecord(1)
    let releases = try reader.releases(in: 1)
    let (brief, whole) = (
      try releases.briefEstimates(of: session, in: reader),
      try releases.estimates(of: session, in: reader)
    )
    func told(_ estimates: [ReleaseEstimate]) -> [[Double?]] {
      estimates.map {
        [
          Double($0.transition), $0.time.seconds, Double($0.key.rawValue), $0.value,
          $0.estimate.velocity, $0.estimate.low, $0.estimate.high,
        ]
      }
    }
    #expect(brief.count > 60)
    #expect(told(brief) == told(whole))
    let some = try releases.briefEstimates(of: session, in: reader) { $0.transition == 4 }
    #expect(told(some) == told(whole.filter { $0.transition == 4 }))
  }

  @Test("A velocity from the end of a gesture reads a part of its values")
  func briefReading() throws {
    let path = try minute("run.kymo", isSealed: false, seldom: false).path
    func steps(_ isBrief: Bool) throws -> Int {
      try sqliteSteps {
        let reader = try RecordingReader(path: path)
        let (session, releases) = (try reader.sessionRecord(1), try reader.releases(in: 1))
        let found =
          try isBrief
          ? releases.briefEstimates(of: session, in: reader)
          : releases.estimates(of: session, in: reader)
        #expect(found.count == 50)
      }
    }
    #expect(try Double(steps(true)) < 0.4 * Double(steps(false)))
  }

  @Test("Values around a range give the curve there as all values do")
  func around() throws {
    for isSealed in [false, true] {
      let reader = try minute("\(isSealed).kymo", isSealed: isSealed)
      let source = FileSource(try reader.sessionRecord(1), in: reader)
      let keys = try source.keys()
      let all = try source.tracks(of: keys, around: RecordingReader.allTime)
      for range in [at(20_005)...at(20_995), at(-5)...at(3), at(59_970)...at(90_000)] {
        for (part, whole) in zip(try source.tracks(of: keys, around: range), all) {
          #expect(part.curve.count <= min(110, whole.curve.count))
          #expect(part.phases.count == part.curve.count)
          #expect(part.isStep == whole.isStep)
          for step in 0...500 {
            let time = range.lowerBound.advanced(byNanoseconds: Int64(step) * 2_000_000)
            guard range.contains(time) else { continue }
            #expect(part.curve.value(at: time) == whole.curve.value(at: time))
            #expect(part.curve.heldValue(at: time) == whole.curve.heldValue(at: time))
          }
        }
      }
    }
  }

  @Test("A look back for a key that was set long ago does not unpack the time between")
  func longAgo() throws {
    let reader = try hand.session(into: "ago.kymo") { recorder in
      let keys = ["often", "once"].map { recorder.keyHandle(for: $0, role: .custom, unit: "1") }
      recorder.record(5, for: keys[1], at: at(3), phase: .idle)
      for step in 0..<120_000 {
        recorder.record(
          Double(step), for: keys[0], at: Instant(nanoseconds: Int64(step) * 500_000), phase: .idle)
      }
    }
    _ = try RecordingEditor(path: reader.path).seal(session: 1)
    try Connection(path: reader.path, for: .writing).execute(
      """
      UPDATE sample_segment SET data = zeroblob(length(data))
      WHERE first_ns BETWEEN 10000000000 AND 15000000000
      """)
    let damaged = try RecordingReader(path: reader.path)
    let keys = try damaged.keys(in: 1).map(\.handle)
    let newest = try damaged.newestSamples(of: keys, in: 1, from: at(0)...at(60_000))
    #expect(newest[keys[0]]?.sample.value == 119_999)
    #expect(newest[keys[1]]?.sample.value == 5)
    #expect(try damaged.newestSamples(of: keys, in: 1, from: at(4)...at(60_000)).count == 1)
  }
}
