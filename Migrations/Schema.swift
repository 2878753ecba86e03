import KymographCLibrary

/// The shape of a recording: what its header says, and the steps that lead to the newest version.
package enum Schema {
  /// Marks an SQLite file as a recording: the letters "KYMO".
  package static let applicationID: Int32 = 0x4B59_4D4F

  /// The newest version that this program knows, kept in the file as `user_version`.
  package static var version: Int32 { Int32(steps.count) }

  /// The steps in their order; the first leads from an empty file to version 1. The texts are read when they are asked
  /// for, as each opening of a recording asks for the version.
  package static let steps: [SchemaStep] = [
    SchemaStep(
      name: "v0001_first_recording", bytes: PackageResources.v0001_first_recording_sql),
    SchemaStep(
      name: "v0002_margins_and_evidence", bytes: PackageResources.v0002_margins_and_evidence_sql),
    SchemaStep(
      name: "v0003_bulk_and_always_on", bytes: PackageResources.v0003_bulk_and_always_on_sql),
    SchemaStep(name: "v0004_transitions", bytes: PackageResources.v0004_transitions_sql),
    SchemaStep(
      name: "v0005_quicker_questions", bytes: PackageResources.v0005_quicker_questions_sql),
    SchemaStep(name: "v0006_what_was_heard", bytes: PackageResources.v0006_what_was_heard_sql),
  ]

  /// What all steps together make.
  package static let current = String(
    decoding: PackageResources.current_schema_sql, as: UTF8.self)

  /// The same for a file that has nothing in it yet: it costs a fifth of the steps. A file keeps these texts, so the tables
  /// go without comments and indentation, a quarter of all. The views stay as they are, by which readers know them.
  package static let ofNewFiles: String = {
    let opening = Array(("CREATE" + " TABLE ").utf8)
    var text: [UInt8] = []
    var isInTable = false
    for line in lines(of: PackageResources.current_schema_sql) {
      isInTable = isInTable || line.starts(with: opening)
      let line = isInTable ? withoutCommentAndIndentation(line) : line
      if line.isEmpty { continue }
      text += line
      text.append(UInt8(ascii: "\n"))
      if line.last == UInt8(ascii: ";") { isInTable = false }
    }
    return String(decoding: text, as: UTF8.self)
  }()

  /// A line of a table's text. No name and no constant of ours has two hyphens; a test compares the columns.
  private static func withoutCommentAndIndentation(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let (space, hyphen) = (UInt8(ascii: " "), UInt8(ascii: "-"))
    var line = line.drop { $0 == space }
    let comment = line.indices.dropLast().first { line[$0] == hyphen && line[$0 + 1] == hyphen }
    if let comment { line = line[..<comment] }
    while line.last == space { line.removeLast() }
    return line
  }

  /// The views of ``current``.
  package static let views: [SchemaView] = {
    // The first line of each has its name alone, and the first semicolon at the end of a line ends it; a test compares the result
    // with the schema. Cut by bytes, and lines by the C library: each opening of a recording waits for it.
    PackageResources.current_schema_sql.withUnsafeBytes { text in
      let (opening, closing) = ("CREATE" + " VIEW ", " AS")
      var views: [SchemaView] = []
      var view: (name: String, body: Int)?
      var start = 0
      while start < text.count {
        let end = endOfLine(in: text, from: start)
        let name =
          start + opening.utf8.count..<max(start + opening.utf8.count, end - closing.utf8.count)
        if end >= name.upperBound, isText(opening, at: start, in: text) {
          view = (String(decoding: text[name], as: UTF8.self), end + 1)
        }
        if end > start, text[end - 1] == UInt8(ascii: ";"), let known = view {
          let body = String(decoding: text[known.body..<end - 1], as: UTF8.self)
          views.append(SchemaView(name: known.name, body: body))
          view = nil
        }
        start = end + 1
      }
      return views
    }
  }()

  private static func isText(
    _ text: String, at position: Int, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    bytes.baseAddress.map { memcmp($0 + position, text, text.utf8.count) == 0 } ?? false
  }

  private static func endOfLine(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    guard let first = bytes.baseAddress,
      let found = memchr(first + start, 0x0A, bytes.count - start)
    else { return bytes.count }
    return UnsafeRawPointer(found) - first
  }

  private static func lines(of text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }
}

extension Schema {
  /// A query for the rows of `transition`, made of events and decisions: the text by which version 4 fills the
  /// table, so that there is one definition of what makes a transition. But a decision sets the outcome, which
  /// that text asks of events first.
  ///
  /// - Parameters:
  ///   - events: A query for rows of `event`.
  ///   - decisions: A query for rows of `decision`.
  ///   - earlier: How many transitions there are before the first event: a number, or a parameter.
  package static func transitions(
    events: String = "SELECT * FROM event", decisions: String = "SELECT * FROM decision",
    earlier: String = "0"
  ) -> String {
    "WITH source AS (\(events)), decided AS (\(decisions)), earlier AS (SELECT \(earlier) AS count),\n"
      + transitionsOfSource
  }

  /// How a session ended, in the words of a session: as its last transition did; without any, as its last
  /// decision says. NULL where neither says it.
  ///
  /// - Parameters:
  ///   - session: The session's number, or a parameter or a column that has it.
  ///   - rows: Where transitions come from, as it is written behind FROM.
  package static func outcome(
    ofSession session: String, in rows: String = "transition"
  ) -> String {
    let word =
      "SELECT CASE outcome WHEN 'finish' THEN 'finished' WHEN 'cancel' THEN 'cancelled' END"
    return """
      coalesce((\(word) FROM \(rows) WHERE session = \(session) ORDER BY sequence DESC LIMIT 1),
        (\(word) FROM decision WHERE session = \(session) AND NOT EXISTS (
          SELECT 1 FROM \(rows) WHERE session = \(session)) ORDER BY t_ns DESC, sequence DESC LIMIT 1))
      """
  }

  /// What follows the line that names the sources, up to the statement's end.
  private static let transitionsOfSource: String = {
    let text = PackageResources.v0004_transitions_sql
    let (lines, insertion) = (Schema.lines(of: text), Array("INSERT INTO transition".utf8))
    guard let line = lines.firstIndex(where: { $0.elementsEqual(insertion) }) else { return "" }
    let rest = text[lines[line + 2].startIndex...].prefix { $0 != UInt8(ascii: ";") }
    return String(decoding: rest, as: UTF8.self)
      .substituting("CASE coalesce(", with: "CASE coalesce(\(decided), ", most: 1)
  }()

  /// The outcome of the last decision; NULL without one, and where the settle turned round behind it.
  private static let decided = """
    CASE WHEN max(kind = 'retarget' AND yes IS NOT NULL) = 0
      THEN max(CASE kind WHEN 'decision' THEN place << 1 | yes END) & 1 END
    """
}

/// One step of the schema, as it is written in its file.
package struct SchemaStep: Sendable {
  /// The file's name without its ending.
  package let name: String
  private let bytes: @Sendable () -> [UInt8]

  init(name: String, bytes: @autoclosure @escaping @Sendable () -> [UInt8]) {
    (self.name, self.bytes) = (name, bytes)
  }

  /// The file's text.
  package var sql: String { String(decoding: bytes(), as: UTF8.self) }

  /// FNV-1a of the text, 64 bit, as 16 hexadecimal digits; a recording keeps it beside the name.
  package var checksum: String {
    // Start value and factor: Fowler, Noll and Vo's own.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes() {
      hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// A view of the contract.
package struct SchemaView: Sendable {
  package let name: String
  /// What stands behind `CREATE VIEW name AS`, without the semicolon.
  package let body: String
}
