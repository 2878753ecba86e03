import TimelineModel
import TimelineRendering
import TimelineStore

/// One table as comma-separated values.
///
/// As RFC 4180 has it: a line of names first, lines end in CR LF, cells with a comma, a quote or a line end stand
/// in quotes. An empty cell is "there is none". An empty text is `""`. Numbers have the shortest digits that are
/// read back as the same bits.
final class CSVExport: SessionFormat {
  static let name = "csv"
  static let title = "CSV"
  static func hasKeys(in table: ExportTable) -> Bool { table == .samples }
  static func hasItems(in table: ExportTable) -> Bool { table == .attributes }
  static func rowCount(of counts: RecordCounts, in table: ExportTable) -> Int64 {
    switch table {
    case .samples: counts.samples
    case .frames, .attributes: counts.frames
    case .events: counts.events
    case .touches: counts.touches
    case .decisions: 0
    }
  }

  let work: ExportWork
  /// Cells that begin like a formula and were written as they are.
  private(set) var formulaCount = 0
  private var isRowEmpty = true

  init(_ work: ExportWork) { self.work = work }

  /// The session's number, the first cell of each row.
  var session: Int64 { export.session.number }

  static func write(_ work: ExportWork) throws -> ExportReport {
    let export = CSVExport(work)
    try export.write()
    return ExportReport(formulaCount: export.formulaCount)
  }

  private func write() throws {
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

  /// Writes a table of rows that have an instant, the session's number first in each.
  func table<Row>(
    _ names: [String], _ next: () throws -> Row?, time: (Row) -> Instant, _ cells: (Row) -> Void
  ) throws {
    try header(["session"] + names)
    while let row = try next() {
      steps.take()
      guard export.options.range.contains(time(row)) else { continue }
      cell(session)
      cells(row)
      try endRow()
    }
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
    // Quoted, so that an empty text is not taken for none.
    text.put(string.isEmpty ? "\"\"" : quotedCell(string))
  }

  func endRow() throws {
    text.put("\r\n")
    isRowEmpty = true
    try text.check()
  }
}
