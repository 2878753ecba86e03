import Testing
import TimelineModel
@testable import TimelineQuery
import TimelineRecorder
import TimelineStore

@Suite struct RunComparisonTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// A run whose start, values and release all come later by some milliseconds.
  private func run(
    _ file: String, late: Int64 = 0, startLate: Int64? = nil, scale: Double = 1,
    outcome: ReleaseOutcome? = .finish
  ) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      recorder.record(Event(time: at(startLate ?? late), kind: .start))
      recorder.values(
        of: "progress", role: .progress, unit: "1",
        (0...40).map { step in
          let x = Double(step) / 40
          return (Int64(step) * 10 + late, x * x * (3 - 2 * x) * scale)
        })
      if let outcome { recorder.decision(outcome, at: 400 + late, progress: 1) }
      recorder.values(
        of: "progress", role: .progress, [(410 + late, scale), (450 + late, scale)],
        phase: .settling)
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, _ alignment: RunComparison.Alignment = .start,
    _ tolerance: RunComparison.Tolerance = RunComparison.Tolerance()
  ) throws -> RunComparison {
    try RunComparison(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      alignment: alignment, tolerance: tolerance)
  }

  @Test func `a run is itself under every alignment`() throws {
    let a = try run("a.kymo")
    for alignment in RunComparison.Alignment.allCases {
      let comparison = try compare(a, a, alignment)
      #expect(comparison.isSame)
      #expect(comparison.keys.map(\.comparison?.aligned?.maximum) == [0])
      #expect(comparison.outcomesOfA.map(\.settleTimeSeconds) == [0.05])
    }
  }

  @Test func `the alignment says what a delay means`() throws {
    let a = try run("a.kymo")
    let b = try run("b.kymo", late: 30)
    let none = try compare(a, b, .none)
    #expect(!none.isSame)
    #expect(none.keys[0].comparison.map { abs($0.lagSeconds - 0.03) < 0.0005 } == true)
    #expect(none.anchorOfB == .zero)
    let start = try compare(a, b, .start)
    #expect(start.isSame)
    #expect(start.anchorOfB == at(30))
    #expect(start.keys[0].comparison?.aligned?.maximum == 0)
    // The start came at 0 in both, the rest later in one: only the release lays them on each other.
    let slow = try run("c.kymo", late: 30, startLate: 0)
    #expect(try !compare(a, slow, .start).isSame)
    let release = try compare(a, slow, .release)
    #expect(release.isSame)
    #expect(release.anchorOfA == at(400))
    #expect(release.anchorOfB == at(430))
  }

  @Test func `a lag of one frame is the same, one of more is not, unless it is allowed`() throws {
    let a = try run("a.kymo")
    #expect(try compare(a, run("b.kymo", late: 9), .none).isSame)
    let late = try run("c.kymo", late: 12)
    #expect(try !compare(a, late, .none).isSame)
    var tolerance = RunComparison.Tolerance()
    tolerance.lagSeconds = 0.02
    let allowed = try compare(a, late, .none, tolerance)
    #expect(allowed.isSame)
    #expect(allowed.lagLimitSeconds == 0.02)
  }

  @Test func `another shape is told by its residual`() throws {
    let a = try run("a.kymo")
    let b = try run("b.kymo", scale: 0.9)
    let comparison = try compare(a, b)
    #expect(!comparison.isSame)
    #expect(comparison.decisionsAreEqual)
    #expect((comparison.keys[0].comparison?.residualShareOfRange ?? 0) > 0.005)
    var tolerance = RunComparison.Tolerance()
    tolerance.residualShare = 0.2
    tolerance.lagSeconds = 0.05
    #expect(try compare(a, b, .start, tolerance).isSame)
  }

  @Test func `another decision differs, also where the curves do not`() throws {
    let a = try run("a.kymo")
    for outcome in [ReleaseOutcome.cancel, nil] {
      let comparison = try compare(a, run("\(outcome?.rawValue ?? "none").kymo", outcome: outcome))
      #expect(!comparison.decisionsAreEqual)
      #expect(!comparison.isSame)
      #expect(comparison.keys.allSatisfy { $0.isSame })
    }
  }

  @Test func `keys of one name and two roles are two keys, and the worst comes first`() throws {
    let a = try made.session(into: "a.kymo") { recorder in
      recorder.values(of: "x", role: .animated, [(0, 0), (100, 1)])
      recorder.values(of: "x", role: .custom, [(0, 0), (100, 2)])
      recorder.values(of: "only", [(0, 1)])
    }
    let b = try made.session(into: "b.kymo") { recorder in
      recorder.values(of: "x", role: .animated, [(0, 0), (100, 1)])
      recorder.values(of: "x", role: .custom, [(0, 0), (100, 8)])
      recorder.values(of: "never", [])
    }
    let comparison = try compare(a, b)
    #expect(comparison.keys.map(\.name) == ["never", "only", "x", "x"])
    #expect(comparison.keys.map(\.onlyIn) == ["B", "A", nil, nil])
    #expect(comparison.keys.map(\.isSame) == [false, false, false, true])
  }

  @Test func `empty runs are the same, and one value is compared with itself`() throws {
    let empty = try made.session(into: "a.kymo")
    #expect(try compare(empty, empty).isSame)
    let constant = try made.session(into: "b.kymo") { $0.values(of: "x", [(0, 5), (90, 5)]) }
    #expect(try compare(constant, constant).isSame)
    let single = try made.session(into: "c.kymo") { $0.values(of: "x", [(0, 5)]) }
    #expect(try compare(single, single).isSame)
    let other = try made.session(into: "d.kymo") { $0.values(of: "x", [(0, 5), (90, 6)]) }
    #expect(try !compare(constant, other).isSame)
  }

  @Test func `times at the ends of 64 bits do not trap`() throws {
    let far = try made.session(into: "a.kymo") { recorder in
      let key = recorder.keyHandle(for: "x", role: .custom, unit: "1")
      for time in [Int64.min, 0, Int64.max] {
        recorder.record(Double(time), for: key, at: Instant(nanoseconds: time), phase: .idle)
      }
      recorder.record(Event(time: Instant(nanoseconds: .min), kind: .start))
    }
    _ = try compare(far, far)
    _ = try compare(far, run("b.kymo"))
  }
}
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import TimelineQuery

/// What frames say of the viewport, compared as keys are.
@Suite struct ViewportKeyTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// Frames every 10 ms for a third of a second, with an element that stands still in the content.
  private func run(
    _ file: String, also fill: (Recorder) -> Void = { _ in },
    offset: (Int) -> Double = { _ in 0 }, size: Double = 1000
  ) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      fill(recorder)
      let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "a"))
      for frame in 0..<33 {
        recorder.beginFrame(
          FrameState(
            time: at(Int64(frame) * 10), phase: .driving, progress: nil,
            contentOffset: Point(x: 0, y: offset(frame)),
            contentSize: Size(width: 320, height: size)))
        recorder.record(
          Pose(center: Point(x: 50, y: 50), size: Size(width: 20, height: 20)), of: item,
          at: IndexPath(section: 0, item: 0))
        recorder.endFrame()
      }
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, rules: String? = nil, key: String? = nil
  ) throws -> RunComparison {
    var options = RunComparison.Options()
    options.keyName = key
    options.tolerances = try rules.map {
      try Tolerances(json: Array("{\"version\": 1, \"rules\": [\($0)]}".utf8))
    }
    return try RunComparison(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      options: options)
  }

  private func scroll(to end: Double) -> (Int) -> Double {
    { min(1, Double($0) / 20) * end }
  }

  @Test func `runs that are equal but for a scroll differ`() throws {
    let still = try run("still.kymo")
    let scrolled = try run("scrolled.kymo", offset: scroll(to: 140))
    for (a, b) in [(still, scrolled), (scrolled, still)] {
      let found = try compare(a, b)
      #expect(!found.isSame)
      #expect(found.keys.map(\.name) == ["viewport.contentOffset.y"])
      #expect(found.keys[0].unit == "pt" && !found.keys[0].isSame)
      #expect(found.keys[0].comparison?.aligned?.maximum == 140)
      // Elements stand in the content, and there nothing differs.
      #expect(found.layout?.isSame == true)
    }
    #expect(try compare(scrolled, scrolled).isSame)
    // Both stand still, each elsewhere.
    let away = try run("away.kymo", offset: { _ in 30 })
    #expect(try !compare(still, away).isSame)
  }

  @Test func `the size of the content and where both come to rest count too`() throws {
    let a = try run("a.kymo", offset: scroll(to: 4000))
    let sized = try compare(a, run("b.kymo", offset: scroll(to: 4000), size: 1001))
    #expect(!sized.isSame)
    #expect(sized.keys.first { !$0.isSame }?.name == "viewport.contentSize.height")
    // Three points of 4000 are little on the way, and are seen at the end.
    let near = try compare(a, run("c.kymo", offset: scroll(to: 4003)))
    #expect(
      near.keys[0].judgements.filter { $0.finding == .fail }.map(\.measure) == ["final_value"])
    let noise = try run("d.kymo", offset: scroll(to: 4000.2), size: 1000.2)
    #expect(try compare(a, noise).isSame)
  }

  @Test func `insets are those of the events, held until the next`() throws {
    func inset(_ time: Int64, _ top: Double) -> Event {
      Event(
        time: at(time), kind: .inset,
        fields: [
          Field("contentInset", FieldValue(EdgeInsets(top: top, left: 0, bottom: 0, right: 0)))
        ])
    }
    let a = try run("a.kymo", also: { $0.record(inset(100, 40)) })
    let b = try run("b.kymo", also: { $0.record(inset(100, 20)) })
    let found = try compare(a, b)
    #expect(found.keys.map(\.name) == ["viewport.contentInset.top"] && !found.isSame)
    let curve = try #require(
      try SessionCurves(a.session(1), in: a).keys.first { $0.record.name.hasSuffix("Inset.top") })
    #expect(curve.curve.value(at: at(90)) == 0 && curve.curve.value(at: at(100)) == 40)
    #expect(curve.curve.value(at: at(320)) == 40)
  }

  @Test func `rules are about them as about any key`() throws {
    let a = try run("a.kymo")
    let b = try run("b.kymo", offset: scroll(to: 140))
    func rule(_ name: String, _ limit: Double) -> String {
      "{\"key\": \"\(name)\", \"max_abs\": {\"fail\": \(limit)}}"
    }
    #expect(try compare(a, b, rules: rule("viewport.contentOffset.y", 150)).isSame)
    #expect(try !compare(a, b, rules: rule("viewport.contentOffset.y", 100)).isSame)
    #expect(try compare(a, b, rules: rule("viewport.contentOffset.*", 150)).isSame)
    #expect(try compare(a, b, rules: "{\"key\": \"viewport.*\", \"level\": \"off\"}").isSame)
    let metric = "{\"metric\": \"final_value\", \"key\": \"viewport.contentOffset.y\", \"fail\": 1}"
    #expect(try !compare(a, b, rules: rule("*", 150) + "," + metric).isSame)
    // A rule that names what stands still has judged it.
    let named = try compare(a, a, rules: rule("viewport.contentSize.width", 1))
    #expect(named.isSame && named.keys.map(\.name) == ["viewport.contentSize.width"])
    #expect(named.allJudgements.contains { $0.rule == 0 })
    #expect(try compare(a, a, rules: rule("*", 1)).keys.isEmpty)
    #expect(try compare(a, a, key: "viewport.contentOffset.x").keys.count == 1)
  }

  @Test func `what is learned from runs that scroll is a rule`() throws {
    let readers = try [100.0, 101].enumerated().map {
      try run("\($0.offset).kymo", offset: scroll(to: $0.element))
    }
    let learned = try Calibration(try readers.map { (try $0.session(1), $0) })
    let rule = try #require(
      learned.tolerances.rules.first {
        if case .key("viewport.contentOffset.y", _) = $0.subject { true } else { false }
      })
    guard case .key(_, let ladder) = rule.subject else { return }
    #expect(ladder.maxAbs?.warn == 1)
  }

  @Test func `a bench tells how the offset moved, and nothing of what stands still`() throws {
    func runs(_ end: Double) throws -> [BenchRun] {
      try (0..<2).map { number in
        let reader = try run("\(end).\(number).kymo", offset: scroll(to: end))
        return try BenchRun(reader.session(1), in: reader)
      }
    }
    let found = try BenchComparison(runs(0), runs(100))
    let rows = found.rows.filter { $0.key?.hasPrefix("viewport.") == true }
    #expect(Set(rows.map(\.key)) == ["viewport.contentOffset.y"])
    #expect(rows.first { $0.name == .peakVelocity }?.base.median == 0)
  }

  @Test func `without frames there is none, and a recorded key of the name stands for itself`()
    throws
  {
    let plain = try made.session(into: "plain.kymo") { $0.values(of: "x", [(0, 1), (10, 2)]) }
    #expect(try SessionCurves(plain.session(1), in: plain).keys.map(\.record.name) == ["x"])
    let own = try run("own.kymo", also: { $0.values(of: "viewport.contentOffset.y", [(0, 7)]) })
    let keys = try SessionCurves(own.session(1), in: own).keys
    let named = keys.filter { $0.record.name == "viewport.contentOffset.y" }
    #expect(named.map(\.curve.values) == [[7]])
    #expect(keys.count == 8)
    // One run with frames and one without: the keys of the viewport are no keys that are missing.
    #expect(try compare(plain, own).keys.allSatisfy { !$0.name.hasSuffix("contentSize.width") })
  }

  @Test
  func
    `a value that stands still takes two samples, and frames of one instant or back in time none`()
    throws
  {
    var keys = ViewportKeys(try made.session().session(1))
    #expect(keys.keys(besides: []).isEmpty)
    for (time, y) in [(0, 0), (10, 0), (20, 0), (20, 9), (30, 9), (40, 9), (15, 3), (50, .nan)]
      as [(Int64, Double)]
    {
      keys.add(
        FrameState(
          time: at(time), phase: .idle, progress: nil, contentOffset: Point(x: 0, y: y),
          contentSize: .zero))
    }
    let found = keys.keys(besides: [])
    #expect(found.map(\.record.name) == ViewportKeys.names)
    #expect(found[1].curve.values == [0, 0, 9, 9])
    #expect(found[1].curve.times == [0, 10, 20, 40].map(at))
    #expect(found.allSatisfy { $0.phases.count == $0.curve.count })
    #expect(found[0].curve.count == 2)
  }
}
