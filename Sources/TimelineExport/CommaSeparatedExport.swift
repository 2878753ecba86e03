import TimelineModel
import TimelineStore

/// One table as comma-separated values.
///
/// As RFC 4180 has it: a line of names first, lines end in CR LF, cells with a comma, a quote or a line end stand
/// in quotes. An empty cell is "there is none"; an empty text is `""`. Numbers have the shortest digits that are
/// read back as the same bits.
final class CommaSeparatedExport {
  let export: SessionExport
  let text: ExportText
  let losses: LossCounter
  let steps: ExportSteps
  /// Cells that begin like a formula and were written as they are.
  private(set) var formulaCount = 0
  private var isRowEmpty = true

  init(
    _ export: SessionExport, _ text: ExportText, _ losses: LossCounter, _ steps: ExportSteps
  ) {
    self.export = export
    self.text = text
    self.losses = losses
    self.steps = steps
  }

  /// The session's number, the first cell of each row.
  var session: Int64 { export.session.number }

  func write() throws {
    switch export.options.table {
    case .samples: try export.options.isWide ? writeWideSamples() : writeSamples()
    case .frames: try writeFrames()
    case .attributes: try writeAttributes()
    case .events: try writeEvents()
    case .touches: try writeTouches()
    case .decisions: try writeDecisions()
    }
  }

  // MARK: Cells

  /// Writes the line of names.
  func header(_ names: [String]) throws {
    for name in names { cell(name) }
    try endRow()
  }

  private func separate() {
    if !isRowEmpty { text.put(",") }
    isRowEmpty = false
  }

  /// A cell with nothing in it.
  func none() { separate() }

  func cell(_ integer: Int64?) {
    separate()
    if let integer { text.put(integer) }
  }

  func cell(_ number: Double?) {
    separate()
    guard let number else { return }
    guard number.isFinite else { return losses.add(.notFinite) }
    text.put(number)
  }

  func cell(_ words: String?) {
    separate()
    guard var string = words else { return }
    if let first = string.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) {
      if export.options.guardsFormulas { string = "'" + string } else { formulaCount += 1 }
    }
    text.put(CommaSeparatedExport.quoted(string))
  }

  func endRow() throws {
    text.put("\r\n")
    isRowEmpty = true
    try text.check()
  }

  private static func quoted(_ string: String) -> String {
    guard !string.isEmpty else { return "\"\"" }
    // By bytes: CR LF is one letter of a Swift string.
    let asksForQuotes =
      string.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
      || string.utf8.first == 0x20 || string.utf8.last == 0x20
    guard asksForQuotes else { return string }
    var quoted = "\""
    for scalar in string.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
