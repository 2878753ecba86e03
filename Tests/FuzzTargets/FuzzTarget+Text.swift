import GestureInput
import JSONText
import MotionJudgement
import MotionMeasures
import TimelineInterchange
import TimelineModel
import TransitionEngine
import TransitionScenarios

extension FuzzTarget {
  func takeJSON(_ bytes: [UInt8]) {
    guard let value = try? parseJSON(bytes) else { return }
    walk(JSONReader(value))
  }

  /// Asks a value for everything that it might be.
  private func walk(_ reader: JSONReader) {
    _ = try? reader.string()
    _ = try? reader.bool()
    _ = try? reader.number()
    _ = try? reader.integer()
    _ = try? reader.numbers(count: 2)
    _ = try? reader.choice(MotionPhase.self)
    for element in (try? reader.array()) ?? [] { walk(element) }
    guard let fields = try? reader.object() else { return }
    for name in fields.names {
      if let field = try? fields.required(name) { walk(field) }
    }
    _ = try? reader.object(allowing: ["name"])
  }

  /// The first byte says which format is asked for, and how what a format leaves open is read; the rest is the file.
  func takeGesture(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let formats: [GestureFormat?] = [nil] + GestureFormat.allCases.map { $0 }
    let (ways, format) = Int(first).quotientAndRemainder(dividingBy: formats.count)
    let abis: [EvdevABI?] = [nil] + EvdevABI.allCases.map { $0 }
    // The first line may be a pattern of the others.
    let pattern = bytes.dropFirst().prefix { $0 != UInt8(ascii: "\n") }.prefix(200)
    let reading = GestureReading(
      format: formats[format], deltas: ways % 2 == 0 ? .accelerated : .unaccelerated,
      abi: abis[ways / 2 % abis.count])
    let own = GestureReading(pattern: String(decoding: pattern, as: UTF8.self))
    if let found = try? readGesture(Array(bytes.dropFirst()), as: own, name: "fuzz") {
      precondition(found.touches.allSatisfy { $0.position.isFinite }, "A place is not finite.")
    }
    guard let recording = try? readGesture(Array(bytes.dropFirst()), as: reading, name: "fuzz")
    else { return }
    // What is read is in order and finite, and every loss has a sentence.
    precondition(recording.touches.allSatisfy { $0.position.isFinite }, "A place is not finite.")
    _ = recording.losses
  }

  /// A scenario that asks for a long run is only read.
  func takeScenario(_ bytes: [UInt8]) {
    guard let scenario = try? Scenario.read(bytes, name: "fuzz") else { return }
    guard bytes.count < FuzzTarget.longestRunScenario,
      !scenario.reaches(FuzzTarget.longestRun)
    else { return }
    _ = ScenarioRun.perform(scenario, into: DiscardingTimeline())
  }

  /// One second: enough for every kind of step.
  private static let longestRun = Instant(nanoseconds: 1_000_000_000)
  /// Bytes of a scenario that is run; longer ones ask for more elements than a fuzzer has patience.
  private static let longestRunScenario = 4_096

  func takeRules(_ bytes: [UInt8]) {
    if let rules = try? Expectations(json: bytes) { _ = rules.identity }
    _ = try? Tolerances(json: bytes)
  }

  /// What is read says the same again when it is written.
  func takeLabels(_ bytes: [UInt8]) {
    guard let sheet = try? LabelSheet(bytes, name: "fuzz") else { return }
    let again = try? LabelSheet(Array(sheet.text.utf8), name: "fuzz")
    precondition(
      again?.rows.map(\.said) == sheet.rows.map(\.said), "Labels change when they are written.")
  }

  /// A path, a value, and the scenario that it is set in, a line each; without a path the value is merged in.
  func takeEdit(_ bytes: [UInt8]) {
    let lines = bytes.split(
      separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false
    )
    .map(Array.init)
    guard lines.count == 3, let value = try? parseJSON(lines[1]),
      let scenario = try? parseJSON(lines[2])
    else { return }
    var edit = ScenarioEdit(scenario)
    let path = String(decoding: lines[0], as: UTF8.self)
    if path.isEmpty { try? edit.merge(value) } else { try? edit.set(path, to: value) }
    _ = try? Scenario.read(Array(edit.text.utf8), name: "fuzz")
  }

  func takeLines(_ bytes: [UInt8]) {
    var lines: NDJSONReader?
    for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard let value = try? parseJSON(Array(line), line: number + 1) else { continue }
      let reader = JSONReader(value)
      if lines == nil {
        guard (try? NDJSONReader.Header(reader, software: "fuzz")) != nil else { return }
        lines = NDJSONReader(sink: DiscardingTimeline())
      } else {
        try? lines?.take(reader, bytes: Array(line))
      }
    }
  }
}

extension LabelSheet.Row {
  /// All that it says, without the line that it stands on.
  fileprivate var said: LabelSheet.Row {
    var row = self
    row.line = 0
    return row
  }
}
