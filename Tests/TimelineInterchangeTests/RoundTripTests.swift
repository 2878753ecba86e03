import Foundation
import GestureInput
import JSONText
import TestSupport
import Testing
import TimelineInterchange
import TimelineModel
import TimelineRecorder
import TimelineStore
import TransitionScenarios

/// What `export ndjson` writes and `record --from-ndjson` reads: the same rows again, bit for bit.
@Suite struct RoundTripTests {
  let folder: TemporaryFolder
  private static let uuid = "123e4567-e89b-42d3-a456-426614174000"

  init() throws { folder = try TemporaryFolder() }

  /// The names of all scenarios of the gallery.
  static let gallery =
    ((try? FileManager.default.contentsOfDirectory(atPath: fixture("gallery"))) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  /// `KYMO_TEST_ROUNDS` asks for more rounds than the usual few.
  static let rounds = UInt64(TestRounds.asked ?? 12)

  private func lines(_ name: String) throws -> String {
    let reader = try RecordingReader(path: folder.path(name))
    let session = try #require(try reader.lastSessionRecord())
    var bytes: [UInt8] = []
    let report = try SessionExport(session, in: reader).write(.ndjson) { bytes += $0 }
    #expect(report.losses.isEmpty)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Records a session, exports it, records the lines again, and compares what both are exported as.
  private func goRound(
    _ description: SessionDescription, name: String,
    _ fill: (Recorder) throws -> (end: Instant, outcome: SessionOutcome)
  ) throws {
    var description = description
    description.uuid = Self.uuid
    description.wallClockStartNanoseconds = 7
    let recorder = try Recorder(path: folder.path("a.kymo"), session: description, policy: .wait)
    let (end, outcome) = try fill(recorder)
    try recorder.finish(at: end, outcome: outcome)
    let first = try lines("a.kymo")
    var rows = first.split(separator: "\n").map { Array($0.utf8) }
    let header = try NDJSONReader.Header(
      JSONReader(try parseJSON(rows.removeFirst())), software: "tests")
    var again = header.session
    again.uuid = Self.uuid
    let second = try Recorder(path: folder.path("b.kymo"), session: again, policy: .wait)
    var taken = NDJSONReader(sink: second)
    for row in rows { try taken.take(JSONReader(try parseJSON(row)), bytes: row) }
    taken.end(as: header.recorded)
    try second.finish(at: taken.end, outcome: taken.outcome)
    let back = try lines("b.kymo")
    if back != first {
      let pair = zip(first.split(separator: "\n"), back.split(separator: "\n")).first { $0 != $1 }
      Issue.record("\(name): \(pair?.0 ?? "fewer lines") came back as \(pair?.1 ?? "")")
    }
    for file in ["a.kymo", "b.kymo"] {
      try FileManager.default.removeItem(atPath: folder.path(file))
    }
  }

  private func goRound(scenario text: String, name: String) throws {
    let scenario = try Scenario.read(Array(text.utf8), name: name)
    let gesture = try readGesture(
      Array(Data(contentsOf: URL(fileURLWithPath: fixture("gestures/pinch-open.evemu")))),
      format: nil, name: "gesture")
    try goRound(scenario.sessionDescription(software: "tests 1", text: text), name: name) {
      let run = ScenarioRun.perform(
        scenario, touches: scenario.gesture == nil ? [] : gesture.touches, into: $0)
      return (run.end, run.outcome)
    }
  }

  @Test(arguments: RoundTripTests.gallery)
  func `every session of the gallery comes back as it was`(name: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: fixture("gallery/\(name)")))
    try goRound(scenario: String(decoding: bytes, as: UTF8.self), name: name)
  }

  @Test func `random scenarios come back as they were`() throws {
    for seed in 1...Self.rounds {
      var dice = SplitMix(seed: seed)
      try goRound(scenario: randomScenario(&dice), name: "seed \(seed)")
    }
  }

  @Test func `random rows of every kind, at every extreme, come back as they were`() throws {
    for seed in 1...Self.rounds {
      var dice = SplitMix(seed: 1000 + seed)
      var description = SessionDescription(
        software: dice.text, clock: dice.text, name: dice.maybe ? dice.text : nil)
      description.refreshRate = dice.maybe ? dice.number : nil
      description.viewport = dice.maybe ? Size2D(width: dice.number, height: dice.number) : nil
      description.device = dice.text
      description.layouts = [LayoutDescription(name: dice.text, type: "flow", parameters: "{}")]
      try goRound(description, name: "seed \(seed)") { recorder in
        for _ in 0..<60 { recorder.recordRandomRow(&dice) }
        return (dice.time, SessionOutcome.allCases.randomElement(using: &dice) ?? .none)
      }
    }
  }

  /// A spring that goes far beyond its end, changes of data and insets, and whatever else comes.
  private func randomScenario(_ dice: inout SplitMix) -> String {
    func layout(_ dice: inout SplitMix) -> String {
      let size =
        "[\(Int.random(in: 1...300, using: &dice)), \(Int.random(in: 1...300, using: &dice))]"
      let type = ["flow", "line", "stack", "circle"].randomElement(using: &dice) ?? "flow"
      return "{\"type\": \"\(type)\", \"itemSize\": \(size)}"
    }
    var steps: [String] = []
    for index in 0..<6 {
      let step =
        [
          "\"do\": \"start\", \"to\": \"\(dice.maybe ? "a" : "b")\"",
          "\"do\": \"progress\", \"value\": \(Double.random(in: -0.5...1.5, using: &dice))",
          dice.maybe ? "\"do\": \"finish\"" : "\"do\": \"cancel\"",
          "\"do\": \"setLayout\", \"to\": \"b\", \"animated\": true",
          "\"do\": \"contentInset\", \"to\": [\(Int.random(in: 0...90, using: &dice)), 0, 0, 0]",
          "\"do\": \"update\", \"operations\": [{\"delete\": [0, \(Int.random(in: 0...3, using: &dice))]}]",
          "\"do\": \"mark\", \"text\": \"\(index)\"",
        ].randomElement(using: &dice) ?? ""
      steps.append("{\"at\": \(Double(index) * 0.07), \(step)}")
    }
    return """
      {"scenario": 1, "viewport": [320, 480], "sections": [{"id": "s", "items": 9}],
       "layouts": {"a": \(layout(&dice)), "b": \(layout(&dice))}, "initialLayout": "a",
       "settle": {"type": "spring", "mass": 1, "stiffness": 300, "damping": 2},
       "script": [\(steps.joined(separator: ", "))]}
      """
  }
}

extension SplitMix {
  fileprivate var maybe: Bool { mutating get { Bool.random(using: &self) } }

  /// A finite number, of whatever size and sign.
  fileprivate var number: Double {
    mutating get {
      let odd = [-0.0, 0, 1e16, -1e300, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, -3]
      return maybe
        ? odd.randomElement(using: &self) ?? 0 : Double.random(in: -1e4...1e4, using: &self)
    }
  }

  fileprivate var integer: Int {
    mutating get {
      [.min, .max, -1, 0, 7, 1 << 40].randomElement(using: &self) ?? 0
    }
  }

  fileprivate var time: Instant {
    mutating get { Instant(nanoseconds: Int64.random(in: -1000...1000, using: &self) * 1_000_003) }
  }

  fileprivate var text: String {
    mutating get {
      [
        "", "a", "t_ns", "event", "\u{0}\u{1b}[1m", "\"\\/\n", "é", "e\u{301}", "\u{202e}\u{2028}",
        "😀",
        "with, a comma: and }]", "\u{7f}",
      ].randomElement(using: &self) ?? ""
    }
  }

  fileprivate var pose: Pose {
    mutating get {
      let components = [6, 16].randomElement(using: &self) ?? 6
      let numbers = (0..<components).map { _ in number }
      return Pose(
        center: Point2D(x: number, y: number), size: Size2D(width: number, height: number),
        transform: maybe ? .identity : ElementTransform(components: numbers) ?? .identity,
        alpha: number,
        zIndex: integer, isHidden: maybe)
    }
  }

  /// A value of an event's field, some levels deep.
  fileprivate mutating func value(depth: Int = 0) -> FieldValue {
    switch Int.random(in: 0...(depth > 2 ? 4 : 6), using: &self) {
    case 0: .null
    case 1: .flag(maybe)
    case 2: .integer(Int64(integer))
    case 3: .number(number)
    case 4: .text(text)
    case 5: .list((0..<3).map { _ in value(depth: depth + 1) })
    default: .object(["z", "a", "é", "m\n"].map { EventField($0, value(depth: depth + 1)) })
    }
  }
}

extension Recorder {
  fileprivate func recordRandomRow(_ dice: inout SplitMix) {
    let role = KeyRole.allCases.randomElement(using: &dice) ?? .custom
    switch Int.random(in: 0...6, using: &dice) {
    case 0, 1:
      let key = keyHandle(for: dice.text, role: role, unit: dice.text)
      if dice.maybe {
        record(
          dice.number, for: key, at: dice.time,
          phase: MotionPhase.allCases.randomElement(using: &dice) ?? .idle)
      }
    case 2:
      record(
        TouchSample(
          time: dice.time, contact: Int(Int32.random(in: .min ... .max, using: &dice)),
          slot: dice.maybe ? dice.integer : nil,
          trackingID: dice.maybe ? dice.integer : nil,
          phase: TouchPhase.allCases.randomElement(using: &dice) ?? .moved,
          position: Point2D(x: dice.number, y: dice.number), isResampled: dice.maybe,
          heard: dice.maybe ? dice.time : nil, touchHeard: dice.maybe ? dice.time : nil))
    case 3:
      let fields = ["z", "key", "declare", "a", "frame"].map { EventField($0, dice.value()) }
      record(
        TimelineEvent(
          time: dice.time, kind: TimelineEvent.Kind(rawValue: dice.text), fields: fields))
    case 4:
      record(
        ReleaseDecision(
          transition: Int.random(in: 0...5, using: &dice), time: dice.time,
          outcome: dice.maybe ? .finish : .cancel,
          decidedBy: DecisionSource(dice.text), rule: RuleName(dice.text),
          ruleParameters: dice.maybe ? dice.text : nil,
          ruleOutcome: dice.maybe ? .finish : .cancel, threshold: dice.number,
          progress: dice.number, progressVelocity: dice.maybe ? dice.number : nil,
          marginProgress: dice.maybe ? dice.number : nil))
    case 5:
      let estimate = VelocityEstimate(
        estimator: EstimatorName(dice.text), velocity: dice.number,
        low: dice.maybe ? dice.number : nil,
        sampleCount: Int.random(in: 0...9, using: &dice),
        liftGapNanoseconds: dice.maybe ? Int64(dice.integer) : nil)
      record(
        ReleaseEstimate(
          transition: Int.random(in: 0...5, using: &dice), time: dice.time,
          key: keyHandle(for: dice.text, role: role, unit: "pt"), value: dice.number,
          estimate: estimate, target: dice.maybe ? dice.number : nil, remaining: nil,
          relativeVelocity: nil, settleTimeSeconds: dice.maybe ? dice.number : nil))
    default:
      beginFrame(
        FrameState(
          time: dice.time, phase: MotionPhase.allCases.randomElement(using: &dice) ?? .idle,
          progress: dice.maybe ? dice.number : nil,
          contentOffset: Point2D(x: dice.number, y: dice.number),
          contentSize: Size2D(width: dice.number, height: dice.number),
          began: dice.maybe ? dice.time : nil, isUnread: dice.maybe))
      for _ in 0..<Int.random(in: 0...3, using: &dice) {
        let category = ElementCategory.allCases.randomElement(using: &dice) ?? .cell
        let item = itemHandle(
          for: ElementIdentity(
            category: category, elementKind: dice.maybe ? dice.text : nil, id: dice.text))
        record(
          dice.pose, of: item,
          at: TimelineModel.ItemIndexPath(section: dice.integer, item: dice.integer))
      }
      endFrame()
    }
  }
}
