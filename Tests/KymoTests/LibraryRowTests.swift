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

  @Test func `labels that cannot be read leave the rows of a recording as kymo show prints them`()
    throws
  {
    let path = try swipes().path
    _ = try place.file("swipes.kymo.labels.csv", "not a sheet\n")
    let rows = try RecordingReader(path: path).overviewRows()
    #expect(try json(rows) == printed("show", path))
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
