import TimelineModel
public import TimelineStore

extension RecordingReader {
  /// How many digits the beginning of a uuid needs when it is made of digits alone: as many as labels
  /// show.
  private static let shortestNumericPrefix = 8

  /// The session that a selector names.
  ///
  /// - Parameter selector: `last`, a number (position in the file, counted from 1), the beginning of a
  ///   uuid, or a name.
  /// - Throws: ``MotionMeasures/QueryError`` when nothing or more than one session matches, with the
  ///   matches listed. `StoreError` when the file cannot be read.
  public func session(selectedBy selector: String) throws -> SessionRecord {
    guard let last = try lastSessionRecord() else {
      throw QueryError("\(path) contains no session.")
    }
    if selector == "last" { return last }
    let sessions = try sessionRecords()
    if let number = Int64(selector), let session = sessions.first(where: { $0.number == number }) {
      return session
    }
    let named = sessions.filter { $0.description.name == selector }
    let prefix = selector.lowercased()
    // "2" means the second session, and never one whose random uuid happens to begin so.
    let isPosition =
      Int64(selector) != nil && selector.count < RecordingReader.shortestNumericPrefix
    let matches =
      named.isEmpty && !prefix.isEmpty && !isPosition
      ? sessions.filter { $0.uuid.hasPrefix(prefix) } : named
    if matches.count == 1 { return matches[0] }
    let (problem, listed) =
      matches.isEmpty
      ? ("has no session '\(selector)'", sessions)
      : ("has \(matches.count) sessions '\(selector)'", matches)
    throw QueryError(
      "\(path) \(problem). \(matches.isEmpty ? "Its sessions" : "They") are "
        + listed.suffix(10).map(\.label).joined(separator: ", ")
        + (listed.count > 10 ? " and \(listed.count - 10) before them." : "."))
  }
}

extension SessionRecord {
  /// Number, name and the beginning of the uuid, for messages.
  public var label: String {
    "#\(number)" + (description.name.map { " '\($0)'" } ?? "") + " (\(uuid.prefix(8)))"
  }
}

/// A question that cannot be answered as it was put: one sentence with what to do.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, where, and what can be done.
  public var message: String

  package init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
