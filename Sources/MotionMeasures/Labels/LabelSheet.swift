import KymographCLibrary
package import TimelineModel
import TimelineStore

/// Labels as comma-separated text, of any recordings: a person's word on transitions, by the sessions' uuids.
///
/// The first line names the columns `uuid,transition,label,note,at`. The last two may be missing, and the order is
/// free. `label` is finish, cancel, unsure, or none, which takes back what a recording says itself. `at` is RFC 3339,
/// or empty. A text that a spreadsheet would take for a formula has an apostrophe before it.
package struct LabelSheet: Hashable, Sendable {
  /// What is said of one transition.
  package struct Row: Hashable, Sendable {
    /// The session's uuid.
    package var uuid: String
    /// Number of the transition in its session.
    package var transition: Int
    /// What was meant. `nil`: nothing is said of it, whatever the recording has.
    package var meaning: GestureMeaning?
    /// What else was said. `nil`: nothing.
    package var note: String?
    /// When it was said, in nanoseconds since 1970-01-01T00:00:00Z. `nil`: not known.
    package var wallClockNanoseconds: Int64?
    /// The line that it was read from, counted from 1. 0: none.
    package var line = 0

    package init(
      uuid: String, transition: Int, meaning: GestureMeaning?, note: String? = nil,
      wallClockNanoseconds: Int64? = nil
    ) {
      (self.uuid, self.transition, self.meaning) = (uuid, transition, meaning)
      (self.note, self.wallClockNanoseconds) = (note, wallClockNanoseconds)
    }

    /// What it says, as a recording has it. `nil`: nothing.
    package var label: ReleaseLabel? {
      meaning.map {
        ReleaseLabel(
          transition: transition, meaning: $0, note: note,
          wallClockNanoseconds: wallClockNanoseconds ?? 0)
      }
    }
  }

  private struct Subject: Hashable {
    var uuid: String
    var transition: Int
  }

  /// The rows in their order. Each transition is in one of them at most.
  package private(set) var rows: [Row] = []
  private var indices: [Subject: Int] = [:]
  private var indicesOfSession: [String: [Int]] = [:]

  /// No row yet.
  package init() {}

  /// The rows of a session.
  package func rows(of uuid: String) -> [Row] {
    indicesOfSession[uuid, default: []].map { rows[$0] }
  }

  package func row(of uuid: String, transition: Int) -> Row? {
    indices[Subject(uuid: uuid, transition: transition)].map { rows[$0] }
  }

  /// Enters a row, in the place of what is said of that transition already.
  ///
  /// - Returns: the row that was there.
  @discardableResult
  package mutating func set(_ row: Row) -> Row? {
    let subject = Subject(uuid: row.uuid, transition: row.transition)
    if let index = indices[subject] {
      defer { rows[index] = row }
      return rows[index]
    }
    indices[subject] = rows.count
    indicesOfSession[row.uuid, default: []].append(rows.count)
    rows.append(row)
    return nil
  }

  /// Enters the rows of another sheet.
  package mutating func merge(_ other: LabelSheet) {
    for row in other.rows { set(row) }
  }
}

/// Why labels cannot be read or written: one sentence that names the file, the line and what to do.
package struct LabelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, where, and what can be done.
  package let message: String

  package init(_ message: String) { self.message = message }

  package var description: String { message }
}

// MARK: - Files

extension LabelSheet {
  /// The most that is read of such a file, in bytes. Ours: half a million labels with a note.
  package static let mostBytes = 64 << 20

  /// Where the labels of a recording are that are not in it.
  package static func path(beside recording: String) -> String {
    recording + NewFile.sheetEnding
  }

  /// The labels beside a recording. `nil` where there is no such file.
  ///
  /// - Throws: ``LabelError``: it cannot be read, or is no sheet of labels.
  package static func beside(_ recording: String) throws(LabelError) -> LabelSheet? {
    let path = path(beside: recording)
    return FileFacts(of: path) == .absent ? nil : try LabelSheet(path: path)
  }

  /// Reads a file.
  ///
  /// - Throws: ``LabelError``: it cannot be read, is too long, or is no sheet of labels.
  package init(path: String) throws(LabelError) {
    guard FileFacts(of: path) != .absent else {
      throw LabelError("There is no file \(path). Check the path.")
    }
    guard let file = PlainFile(path) else {
      throw LabelError(
        "\(path) cannot be read. Check that it is a file, and its permissions.")
    }
    guard file.count <= Self.mostBytes else {
      throw LabelError(
        "\(path) is longer than \(Self.mostBytes >> 20) MiB, the limit of a file of labels. Cut it into shorter "
          + "ones.")
    }
    guard let bytes = file.bytes(at: 0, count: file.count) else {
      throw LabelError("\(path) cannot be read. Check the permissions and the disk.")
    }
    try self.init(bytes, name: path)
  }

  /// Enters rows into a file, which is made where there is none. Nobody else changes it between reading and writing.
  ///
  /// - Parameters:
  ///   - rows: What is said.
  ///   - path: The file.
  ///   - recordings: Whose labels they are.
  /// - Throws: ``LabelError``: it cannot be read or written, or somebody else writes it for five seconds.
  package static func enter(
    _ rows: [Row], into path: String, for recordings: [String]
  ) throws(LabelError) {
    let isDone = try WriterTurn.wait { () throws(LabelError) -> Bool? in
      try WriterTurn.take(at: FileFacts.resolved(path), isAlone: true) {
        () throws(LabelError) -> Bool? in
        var sheet = FileFacts(of: path) == .absent ? LabelSheet() : try LabelSheet(path: path)
        for row in rows { sheet.set(row) }
        try sheet.write(to: path, for: recordings)
        return true
      }
    }
    guard isDone != nil else {
      throw LabelError(
        "\(path) is being changed by another program. Try again when that has finished.")
    }
  }

  /// Writes a file, whole or not at all, that no one may read who may not read the recording.
  ///
  /// - Parameters:
  ///   - path: The file. One that is there is replaced.
  ///   - recordings: Whose labels they are.
  /// - Throws: ``LabelError``: it cannot be written.
  package func write(to path: String, for recordings: [String]) throws(LabelError) {
    let code = NewFile.save(
      Array(text.utf8), at: FileFacts.resolved(path), from: recordings + [path])
    guard code == 0 else {
      throw LabelError("\(path) cannot be written: \(String(cString: strerror(code))).")
    }
  }
}
