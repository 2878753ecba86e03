package import TimelineModel

/// Something about a recording that a person should know.
package struct FileFinding: Hashable, Sendable {
  /// How bad it is.
  package enum Severity: String, Hashable, Sendable, CaseIterable {
    /// As it should be, and worth knowing.
    case note
    /// Everything that is there can be trusted, and something may be missing.
    case warning
    /// The file contradicts itself.
    case damage
  }

  /// How bad it is.
  package var severity: Severity
  /// The session that it is about. `nil`: the whole file.
  package var session: Int64?
  /// The finding, a short name that stays the same ("missingLog").
  package var what: String
  /// Where, and the particulars.
  package var detail: String
  /// The remedy. Empty when there is nothing to do.
  package var advice: String

  package init(
    _ severity: Severity, _ what: String, session: Int64? = nil, _ detail: String,
    advice: String = ""
  ) {
    self.severity = severity
    self.session = session
    self.what = what
    self.detail = detail
    self.advice = advice
  }
}

extension FileFinding: ResultRow {
  package static var fields: [ResultField<FileFinding>] {
    [
      ResultField("severity", "The severity: note, warning or damage.", \.severity.rawValue),
      ResultField("session", "The session's number; null for the whole file.", \.session),
      ResultField("what", "The name of the finding, such as missingLog.", \.what),
      ResultField("where", "The location and the details.", \.detail),
      ResultField("advice", "The next step; empty if there is nothing to do.", \.advice),
    ]
  }
}
