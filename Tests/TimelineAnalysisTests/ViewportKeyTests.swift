import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineSession
import TimelineStore
import TransitionEngine

@testable import MotionJudgement
@testable import RunStudies

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
            contentOffset: Point2D(x: 0, y: offset(frame)),
            contentSize: Size2D(width: 320, height: size)))
        recorder.record(
          Pose(center: Point2D(x: 50, y: 50), size: Size2D(width: 20, height: 20)), of: item,
          at: ItemIndexPath(section: 0, item: 0))
        recorder.endFrame()
      }
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, rules: String? = nil, key: String? = nil
  ) throws -> RunComparison {
    var options = RunComparison.Options()
    options.keyNames = key.map { [$0] }
    options.tolerances = try rules.map {
      try Tolerances(json: Array("{\"version\": 1, \"rules\": [\($0)]}".utf8))
    }
    return try RunComparison.compare(
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
      #expect(found.keys[0].unit == "pt")
      #expect(!found.keys[0].isSame)
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
      near.keys[0].verdicts.filter { $0.grade == .fail }.map(\.measure) == ["final_value"])
    let noise = try run("d.kymo", offset: scroll(to: 4000.2), size: 1000.2)
    #expect(try compare(a, noise).isSame)
  }

  @Test func `insets are those of the events, held until the next`() throws {
    func inset(_ time: Int64, _ top: Double) -> TimelineEvent {
      TimelineEvent(
        time: at(time), kind: .inset,
        fields: EventField.list([
          "contentInset": FieldValue(ContentInsets(top: top, left: 0, bottom: 0, right: 0))
        ]))
    }
    let a = try run("a.kymo", also: { $0.record(inset(100, 40)) })
    let b = try run("b.kymo", also: { $0.record(inset(100, 20)) })
    let found = try compare(a, b)
    #expect(found.keys.map(\.name) == ["viewport.contentInset.top"])
    #expect(!found.isSame)
    let curve = try #require(
      try SessionData(FileSource(a.sessionRecord(1), in: a), reading: .allKeys()).tracks.all.first {
        $0.record.name.hasSuffix("Inset.top")
      })
    #expect(curve.curve.value(at: at(90)) == 0)
    #expect(curve.curve.value(at: at(100)) == 40)
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
    #expect(named.isSame)
    #expect(named.keys.map(\.name) == ["viewport.contentSize.width"])
    #expect(named.allVerdicts.contains { $0.rule?.index == 0 })
    #expect(try compare(a, a, rules: rule("*", 1)).keys.isEmpty)
    #expect(try compare(a, a, key: "viewport.contentOffset.x").keys.count == 1)
  }

  @Test func `what is learned from runs that scroll is a rule`() throws {
    let readers = try [100.0, 101].enumerated().map {
      try run("\($0.offset).kymo", offset: scroll(to: $0.element))
    }
    let learned = try Calibration.learn(try readers.map { (try $0.sessionRecord(1), $0) })
    let rule = try #require(
      learned.tolerances.rules.first {
        if case .key("viewport.contentOffset.y", _) = $0.subject { true } else { false }
      })
    guard case .key(_, let ladder) = rule.subject else { return }
    #expect(ladder.maxAbs?.warn == 1)
  }

  @Test func `a bench tells how the offset moved, and nothing of what stands still`() throws {
    func runs(_ end: Double) throws -> [GroupRun] {
      try (0..<2).map { number in
        let reader = try run("\(end).\(number).kymo", offset: scroll(to: end))
        return try GroupRun(reader.sessionRecord(1), in: reader)
      }
    }
    let found = try GroupComparison(runs(0), runs(100))
    let rows = found.rows.filter { $0.key?.hasPrefix("viewport.") == true }
    #expect(Set(rows.map(\.key)) == ["viewport.contentOffset.y"])
    #expect(rows.first { $0.name == .peakVelocity }?.base.median == 0)
  }

  @Test func `without frames there is none, and a recorded key of the name stands for itself`()
    throws
  {
    let plain = try made.session(into: "plain.kymo") { $0.values(of: "x", [(0, 1), (10, 2)]) }
    let plainData = try SessionData(
      FileSource(plain.sessionRecord(1), in: plain), reading: .allKeys())
    #expect(plainData.tracks.all.map(\.name) == ["x"])
    let own = try run("own.kymo", also: { $0.values(of: "viewport.contentOffset.y", [(0, 7)]) })
    let keys = try SessionData(
      FileSource(own.sessionRecord(1), in: own), reading: .allKeys()
    ).tracks.all
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
    var keys = ViewportKeys(try made.session().sessionRecord(1))
    #expect(keys.keys(besides: []).isEmpty)
    for (time, y) in [(0, 0), (10, 0), (20, 0), (20, 9), (30, 9), (40, 9), (15, 3), (50, .nan)]
      as [(Int64, Double)]
    {
      keys.add(
        FrameState(
          time: at(time), phase: .idle, progress: nil, contentOffset: Point2D(x: 0, y: y),
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
