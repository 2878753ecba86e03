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
