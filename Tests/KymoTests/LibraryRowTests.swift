import Foundation
import JSONText
import KymographAnalysis
import TestSupport
import Testing

/// The rows that functions of the library return are those that a command prints.
@Suite struct LibraryRowTests {
  let place: Workplace

  init() throws { place = try Workplace() }

  private func json(_ value: FieldValue) throws -> JSONValue {
    try parseJSON(Array(value.json.utf8))
  }

  private func json(_ rows: [[EventField]]) throws -> JSONValue {
    try json(.list(rows.map(FieldValue.object)))
  }

  private func json(_ value: some Encodable) throws -> JSONValue {
    try parseJSON(Array(try JSONEncoder().encode(value)))
  }

  private func printed(_ words: String...) throws -> JSONValue {
    try parseJSON(Array(try kymo(words + ["--format", "json"]).output.utf8))
  }

  /// Forty labelled swipes, and the sheet of labels next to them.
  private func swipes(_ name: String = "swipes.kymo") throws -> RecordingReader {
    let path = place.path(name)
    let labels = try String(contentsOfFile: fixture("labels/forty-swipes.csv"), encoding: .utf8)
    let uuid = try #require(labels.split(separator: "\n").last?.prefix { $0 != "," })
    let run = try kymo(Gallery.words("swipes", into: path) + ["--uuid", String(uuid)])
    #expect(run.code == 0, "\(run.errors)")
    _ = try place.file("\(name).labels.csv", labels)
    return try RecordingReader(path: path)
  }

  @Test func `a recording and a session are described as kymo show describes them`() throws {
    let reader = try swipes()
    #expect(try json(reader.overviewRows()) == printed("show", reader.path))
    let session = try reader.session(selectedBy: "last")
    let name = "\(reader.path)#\(session.number)"
    #expect(try json(reader.storyRows(of: session)) == printed("show", name))
    #expect(try reader.storyText(of: session) == kymo("show", name).output)
  }

  @Test func `typed results encode the rows that commands print`() throws {
    let reader = try swipes()
    let session = try reader.session(selectedBy: "last")
    guard case .array(let labels) = try printed("list labels", reader.path) else {
      return #expect(Bool(false), "kymo list labels prints no list")
    }
    let unnamed = labels.map { row -> JSONValue in
      guard case .object(var fields) = row else { return row }
      for name in ["file", "session", "name", "uuid"] { fields[name] = nil }
      return .object(fields)
    }
    #expect(try json(reader.labelledReleases(in: session)) == .array(unnamed))
    var whatIf = WhatIf()
    try whatIf.add(session, in: reader, file: reader.path, asking: VelocityQuestion())
    try whatIf.addLabels(of: reader)
    #expect(try json(whatIf.gestures) == printed("rule try", reader.path))
    let run = try GroupRun(session, in: reader)
    let comparison = try GroupComparison([run], [run])
    guard
      case .object(let object) = try printed("compare", reader.path, "--", reader.path)
    else { return #expect(Bool(false), "kymo compare prints no object") }
    #expect(try json(comparison.numbers) == object["rows"])
  }

  @Test func `labels that cannot be read leave the rows of a recording as kymo show prints them`()
    throws
  {
    let path = try swipes().path
    _ = try place.file("swipes.kymo.labels.csv", "not a sheet\n")
    let rows = try RecordingReader(path: path).overviewRows()
    #expect(try json(rows) == printed("show", path))
  }

  @Test func `two groups have the object and the rows of kymo compare`() throws {
    var groups: [[String]] = []
    for gesture in ["pinch-open.evemu", "pinch-back.evemu"] {
      groups.append(
        try (0..<2).map {
          try place.record(Scenarios.pinch, gesture: gesture, into: "\(gesture).\($0).kymo")
        })
    }
    let sides = try groups.map { paths in
      try paths.map { path in
        let reader = try RecordingReader(path: path)
        return try GroupRun(reader.session(selectedBy: "last"), in: reader)
      }
    }
    let comparison = try GroupComparison(sides[0], sides[1])
    let words = ["compare"] + groups[0] + ["--"] + groups[1] + ["--format"]
    let object = try parseJSON(Array(try kymo(words + ["json"]).output.utf8))
    let lists = comparison.lists.map { EventField($0.name, .list(Array($0.values))) }
    let fields = comparison.row + lists + [EventField("errors", .list([]))]
    #expect(try json(.object(fields)) == object)
    let lines = try kymo(words + ["csv"]).output.split(whereSeparator: \.isNewline).map(String.init)
    let rows = Array(comparison.flatRows)
    #expect(lines.count == rows.count + 1)
    #expect(rows.count > 3)
    #expect(lines.first == rows.first?.map(\.name).joined(separator: ","))
    for (line, row) in zip(lines.dropFirst(), rows) {
      let cells = row.map { field in
        switch field.value {
        case .null: ""
        case .text(let text): text
        default: field.value.json
        }
      }
      #expect(line == cells.joined(separator: ","))
    }
  }

  @Test func `a sweep has the rows of kymo rule try`() throws {
    let path = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    let reader = try RecordingReader(path: path)
    var whatIf = WhatIf()
    try whatIf.add(
      reader.session(selectedBy: "last"), in: reader, file: path, asking: VelocityQuestion())
    let rows = whatIf.sweepRows(\.threshold, path: "release.threshold", through: [0.3, 0.5, 0.9])
    #expect(
      try json(whatIf.gestures.rows + rows)
        == printed("rule try", path, "--set", "release.threshold=0.3,0.5,0.9"))
  }

  @Test func `a sweep of labelled gestures counts wrong decisions as kymo rule try does`() throws {
    let reader = try swipes()
    var whatIf = WhatIf()
    try whatIf.add(
      reader.session(selectedBy: "last"), in: reader, file: reader.path, asking: VelocityQuestion())
    try whatIf.addLabels(of: reader)
    // Labels of another recording change nothing.
    let other = try place.record(Scenarios.pinch, gesture: "pinch-open.evemu", into: "a.kymo")
    try whatIf.addLabels(of: RecordingReader(path: other))
    let rows = whatIf.sweepRows(\.threshold, path: "release.threshold", through: [0.3, 0.5])
    #expect(rows.contains { $0.contains(EventField("wrong_finishes", .integer(8))) })
    #expect(
      try json(whatIf.gestures.rows + rows)
        == printed("rule try", reader.path, "--set", "release.threshold=0.3,0.5"))
  }

  @Test func `a search for a rule has the fields of kymo rule tune`() throws {
    let reader = try swipes()
    #expect(
      try json(.object(TuningResult(of: [reader]).fields)) == printed("rule tune", reader.path))
    let searched = try TuningResult(
      of: [reader, reader], rules: [.progress, .velocity], velocityThresholds: 0.2...3,
      wrongFinish: 3,
      seed: 2)
    #expect(
      try json(.object(searched.fields))
        == printed(
          "rule tune", reader.path, reader.path, "--set", "release.rule=progress,velocity", "--set",
          "release.threshold=0.1:0.9", "--set", "release.velocityThreshold=0.2:3", "--wrong-finish",
          "3", "--seed", "2"))
  }

  @Test func `a search refuses speeds that no rule has, and numbers outside of their range`() throws
  {
    let reader = try swipes()
    #expect(throws: QueryError.self) {
      try TuningResult(of: [reader], rules: [.progress], velocityThresholds: 0...1)
    }
    #expect(throws: QueryError.self) {
      try TuningResult(of: [reader], rules: [.velocity, .gnome], velocityThresholds: 0...1)
    }
    #expect(throws: QueryError.self) { try TuningResult(of: [reader], velocityThresholds: 0...1) }
    #expect(throws: QueryError.self) { try TuningResult(of: [reader], thresholds: 0...2) }
    #expect(throws: QueryError.self) { try TuningResult(of: [reader], wrongCancel: 0) }
  }

  @Test func `a motion has the settling times of kymo curve settle`() throws {
    let words = ["curve settle", "--settling-times", "--format", "json"]
    func expect(
      _ parameters: SettleParameters, epsilon: Double? = nil, _ more: String...
    ) throws {
      let motion = SettleMotion(parameters, from: 0, to: 1, velocity: 0)
      #expect(
        try json(motion.settlingTimeRows(epsilon: epsilon))
          == .array(
            rows(kymo(words + more).output)))
    }
    let spring = try DampedSpring(mass: 1, stiffness: 100, damping: 10)
    let sprung = SettleParameters(spring: spring)
    try expect(sprung, "--stiffness", "100", "--damping", "10")
    try expect(
      sprung, epsilon: 0.01, "--stiffness", "100", "--damping", "10", "--epsilon", "0.01")
    try expect(SettleParameters(timing: 0.5), "--timing", "ease-in-out", "--duration", "0.5")
    try expect(SettleParameters(cubic: 0.5), "--cubic", "--duration", "0.5")
  }
}
