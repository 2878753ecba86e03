package import TimelineModel
package import TimelineStore

/// One number of a requirement, held against its limit.
package struct ExpectationVerdict: Hashable, Sendable {
  /// Which requirement it is, counted from 0.
  package var rule: Int
  /// The requirement's kind (`settles_by`).
  package var kind: String
  /// What people call the requirement; nil: nothing.
  package var id: String?
  /// What was judged, its pattern replaced by the name that it was found under.
  package var subject: String
  /// Which number, its unit at its end (`lag_ms`, `excess_pt`); of keys in other units without one.
  package var measure: String
  /// Whether the number is within its limit, or nothing had to be judged.
  package var passes: Bool
  /// Whether nothing was judged: the subject is not there, and need not be.
  package var isSkipped = false
  /// When it was so, or was worst; nil where that is no instant.
  package var instant: Instant?
  /// The number; nil where it is not known, which fails.
  package var number: Double?
  /// The limit that was applied, in its unit: of a time with half a frame.
  package var limit: Double?
  /// How far the number is from its limit; below 0 it fails.
  package var margin: Double?
  /// Of a jump, how far it goes from one sample to the next; nil of other kinds, and of what a file says.
  package var step: Double?
  /// Why there is no number, or what else has to be known of it; nil: nothing.
  package var note: String?

  package init(
    rule: Int, kind: String, id: String?, subject: String, measure: String, passes: Bool,
    isSkipped: Bool, instant: Instant?, number: Double?, limit: Double?, margin: Double?,
    note: String?
  ) {
    (self.rule, self.kind, self.id) = (rule, kind, id)
    (self.subject, self.measure) = (subject, measure)
    (self.passes, self.isSkipped) = (passes, isSkipped)
    (self.instant, self.number, self.limit) = (instant, number, limit)
    (self.margin, self.note) = (margin, note)
  }

  /// The requirement as people find it: by its id, or counted from 1 with its kind, "rule 2 'settles_by'".
  package var ruleName: String { id.map { "rule '\($0)'" } ?? "rule \(rule + 1) '\(kind)'" }

  /// The verdict in a sentence without an end: "blur: settled_ms 640 at 0.94 s is above 520 (rule 6 'settles_by')".
  package var sentence: String {
    var text = subject
    if let number {
      text += ": \(measure) \(Verdict.short(number))"
      if let instant { text += " at \(Verdict.short((instant.seconds * 1e4).rounded() / 1e4)) s" }
      if let limit {
        // A number that may be larger is held against the least.
        let isLeast = [MotionExpectation.Kind.before, .apart].contains { $0.rawValue == kind }
        text +=
          passes
          ? (isLeast ? " is at least " : " is within ")
          : number > limit ? " is above " : " is below "
        text += Verdict.short(limit)
      }
    } else {
      text += ": \(measure)"
    }
    if let note { text += number == nil ? ": \(note)" : "; \(note)" }
    return text + " (\(ruleName))"
  }
}

extension [ExpectationVerdict] {
  /// The failures first, those by which most is missing at their head; what passes stays in its order behind them.
  package var byImportance: [ExpectationVerdict] {
    enumerated().sorted { one, other in
      (one.element.rank, one.offset) < (other.element.rank, other.offset)
    }.map(\.element)
  }
}

extension ExpectationVerdict {
  /// By what verdicts are ordered: what has no number first, then by how many limits are missing.
  fileprivate var rank: Double {
    guard !passes else { return 1 }
    guard let margin, let limit else { return -.infinity }
    let rank = margin / Swift.max(abs(limit), 1e-9)
    return rank.isNaN ? -.infinity : rank
  }
}

extension ExpectationVerdict: ResultRow {
  package static let fields: [ResultField<ExpectationVerdict>] = [
    ResultField("rule", "The rule, counted from 1.") { $0.rule + 1 },
    ResultField("rule_id", "Its id.", inTable: false, \.id),
    ResultField("kind", "Its kind.", \.kind),
    ResultField("subject", "The motion that is judged.", \.subject),
    ResultField("measure", "The number, with its unit.", \.measure),
    ResultField("pass", "Whether it is within its limit.", \.passes),
    ResultField("skipped", "Whether nothing was judged.", inTable: false, \.isSkipped),
    ResultField("instant_s", "The second of the worst.", \.instant?.seconds),
    ResultField("number", "The number.", \.number),
    ResultField("limit", "Its limit.", \.limit),
    ResultField("margin", "How far it is from the limit; below 0 it fails.", \.margin),
    ResultField("says", "The verdict in a sentence.", inTable: false, \.sentence),
  ]
}

/// The verdicts on one session.
package struct ExpectedRun: Sendable {
  /// The recording, as it was named.
  package let path: String
  package let session: SessionRecord
  package let verdicts: [ExpectationVerdict]

  package init(path: String, session: SessionRecord, verdicts: [ExpectationVerdict]) {
    (self.path, self.session, self.verdicts) = (path, session, verdicts)
  }

  /// Whether everything is as required.
  package var passes: Bool { verdicts.allSatisfy(\.passes) }
  /// How many numbers are not within their limits.
  package var failureCount: Int { verdicts.count { !$0.passes } }

  /// The rows of the verdicts, the most important first.
  package func rows(failuresOnly: Bool) -> [[EventField]] {
    verdicts.byImportance.filter { !failuresOnly || !$0.passes }.map {
      ExpectedRun.whose.row(of: self) + $0.row
    }
  }

  private static let whose: [ResultField<ExpectedRun>] = [
    ResultField("file", "The recording.", \.path),
    ResultField("session", "Its session.", \.session.number),
    ResultField("name", "The session's name.", inTable: false, \.session.description.name),
  ]

  /// The columns of a table.
  package static let tableColumns = whose.tableColumns() + ExpectationVerdict.fields.tableColumns()
  /// The columns of formats with one header.
  package static let columns = whose.names() + ExpectationVerdict.columns
}

extension ExpectedRun {
  /// The verdicts on a session, as `kymo rows` has them in one field.
  package static let summary: [ResultField<ExpectedRun>] = [
    ResultField("pass", "Whether everything is as required.", \.passes),
    ResultField("failures", "How many numbers are not within their limits.", \.failureCount),
    ResultField(list: "verdicts", "The numbers.", ExpectationVerdict.fields, \.verdicts),
  ]
}
