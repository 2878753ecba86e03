import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo sql`: any question in SQL, read-only.
func sqlCommand() -> Command {
  Command(
    name: "sql", summary: "Query a recording with SQL, read-only", arguments: "FILE QUERY",
    argumentCount: 2...2,
    examples: [
      "kymo sql pinch.kymo \"SELECT * FROM sessions\"",
      "kymo sql pinch.kymo \"SELECT key, count(*) FROM samples GROUP BY key\" --json",
    ],
    discussion: """
      FILE is a whole file, and the column session of a view has the number of the session. A query
      of - is read from standard input.

      The views sessions, layouts, keys, samples, items, frames, attributes, touches, events,
      decisions, transitions, estimates, labels and losses keep their names and columns. The view
      releases has recorded decisions and derived releases. Only kymo makes that view, and the file
      does not contain it.
      """,
    flags: [
      Flags.listing
    ], run: runSql)
}

private func runSql(_ invocation: Invocation) throws -> ExitCode {
  let (path, selector) = SessionArgument.split(invocation.positionals[0])
  guard selector == nil else { throw Failure.wholeFile(invocation.positionals[0]) }
  var text = invocation.positionals[1]
  if text == "-" {
    text = String(decoding: try invocation.console.readInput("-", atMost: .query), as: UTF8.self)
  }
  let reader = try invocation.console.openRecording(path)
  let rows: QueryCursor
  do {
    rows = try reader.query(text)
  } catch {
    guard error.code == .query else { throw error }
    let meant = try namesMeant(by: text, refusedAs: error.message, reader)
    throw StoreError(error.code, path: error.path, error.message + meant)
  }
  try invocation.write(rows)
  return .yes
}

/// The names that a query could have meant: of the views if it names none that there is, else of the columns of those that
/// it names.
private func namesMeant(
  by query: String, refusedAs message: String, _ reader: RecordingReader
) throws -> String {
  let views = try reader.viewNames()
  if let missing = message.firstRange(of: "no such table: ") {
    let name = message[missing.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return " " + choices(near: String(name), among: views) + "."
  }
  guard message.contains("no such column: ") else { return "" }
  let words = Set(query.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "_") })
  return try views.filter { words.contains($0[...]) }.map { view in
    let columns = try reader.rows(ofView: view, session: nil).columns
    return " \(view) has \(columns.joined(separator: ", "))."
  }.joined()
}

extension Invocation {
  /// Prints the rows of a query.
  func write(_ rows: QueryCursor) throws {
    let columns = distinctNames(rows.columns)
    let writer = try rowWriter(columns: columns)
    while let row = try rows.next() {
      writer.write(zip(columns, row).map { EventField($0, $1.fieldValue) })
    }
    writer.finish()
  }
}

/// Names of columns, a second one of the same name with `_2` behind it.
private func distinctNames(_ names: [String]) -> [String] {
  var seen: [String: Int] = [:]
  return names.map { name in
    seen[name, default: 0] += 1
    let count = seen[name, default: 1]
    return count == 1 ? name : "\(name)_\(count)"
  }
}

extension SQLValue {
  /// The value as a printed field. Bytes as hexadecimal digits.
  fileprivate var fieldValue: FieldValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let number): .number(number)
    case .text(let text): .text(text)
    case .blob(let bytes):
      .text(
        bytes.map { byte in
          (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined())
    }
  }
}
