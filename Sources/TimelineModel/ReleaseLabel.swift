/// What a person says that a gesture meant.
package enum GestureMeaning: String, Hashable, Sendable, CaseIterable {
  /// To finish: on to the new layout.
  case finish
  /// To cancel: back to the old layout.
  case cancel
  /// It cannot be said. Such a gesture is counted, and no rule is judged by it.
  case unsure

  /// The outcome that is right for it. `nil` where that cannot be said.
  package var outcome: ReleaseOutcome? { ReleaseOutcome(rawValue: rawValue) }

  /// Whether a decision is not what was meant. `nil` where that cannot be said.
  package func isContradicted(by outcome: ReleaseOutcome) -> Bool? {
    self.outcome.map { $0 != outcome }
  }
}

/// What a person said of a transition: which outcome was meant, whatever was decided.
package struct ReleaseLabel: Hashable, Sendable {
  /// Number of the transition in its session, as decisions name it.
  package var transition: Int
  package var meaning: GestureMeaning
  /// What else was said. `nil`: nothing.
  package var note: String?
  /// When it was said, in nanoseconds since 1970-01-01T00:00:00Z.
  package var wallClockNanoseconds: Int64

  /// The longest note, in bytes of UTF-8. Ours: a page of text.
  package static let longestNoteBytes = 4096

  package init(
    transition: Int, meaning: GestureMeaning, note: String? = nil, wallClockNanoseconds: Int64 = 0
  ) {
    (self.transition, self.meaning) = (transition, meaning)
    (self.note, self.wallClockNanoseconds) = (note, wallClockNanoseconds)
  }

  /// What keeps a text from being a note, as the end of a sentence. `nil`: it may be one.
  package static func fault(ofNote note: String) -> String? {
    if note.utf8.count > longestNoteBytes {
      return "is longer than \(longestNoteBytes) bytes. Shorten it"
    }
    return note.utf8.contains(0) ? "has a character of code 0. Remove it" : nil
  }

  /// Its fields, as NDJSON and listings have them. What it has no value of as null.
  package var fields: [EventField] {
    EventField.list(["transition": transition, "label": meaning.rawValue, "note": note])
  }
}
