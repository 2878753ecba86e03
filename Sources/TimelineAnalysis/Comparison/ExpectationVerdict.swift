package import TimelineModel

/// One number of a requirement, held against its limit.
package struct ExpectationVerdict: Hashable, Sendable {
  /// Which requirement it is, counted from 0.
  package var rule: Int
  /// The requirement's kind (`settles_by`).
  package var kind: String
  /// Whether its number has to be at least so large, not at most.
  private var isLeast: Bool
  /// What people call the requirement; nil: nothing.
  package var id: String?
  /// What was judged, its pattern replaced by the name that it was found under.
  package var subject: String
  /// Which number, its unit at its end (`lag_ms`, `excess_pt`); of keys in other units without one.
  package var measure: String
  /// Whether the number is within its limit or may be, or nothing had to be judged.
  package var passes: Bool
  /// Whether it is too short to tell on which side of its limit the number is: neither within it nor a failure.
  package var isUndecided = false
  /// Where the number is in 90 of 100 cases; nil: it is exact, or there is none.
  package var interval: ClosedRange<Double>?
  /// Whether nothing was judged: the subject is not there, and need not be.
  package var isSkipped = false
  /// When it was so, or was worst; nil where that is no instant.
  package var instant: Instant?
  /// The number; nil where it is not known, which fails.
  package var number: Double?
  /// The limit that was applied, in its unit: of a time with half a frame.
  package var limit: Double?
  /// How far the number is from its limit; below 0 it fails, unless it is undecided.
  package var margin: Double?
  /// Of a jump, how far it goes from one sample to the next; nil of other kinds, and of what a file says.
  package var step: Double?
  /// Why there is no number, or what else has to be known of it; nil: nothing.
  package var note: String?

  package init(
    rule: Int, kind: String, isLeast: Bool, id: String?, subject: String, measure: String,
    passes: Bool, isSkipped: Bool, instant: Instant?, number: Double?, limit: Double?,
    margin: Double?,
    note: String?
  ) {
    (self.rule, self.kind, self.isLeast, self.id) = (rule, kind, isLeast, id)
    (self.subject, self.measure) = (subject, measure)
    (self.passes, self.isSkipped) = (passes, isSkipped)
    (self.instant, self.number, self.limit) = (instant, number, limit)
    (self.margin, self.note) = (margin, note)
  }

  /// The verdict if what is undecided fails.
  package var strict: ExpectationVerdict {
    var verdict = self
    if isUndecided { verdict.passes = false }
    return verdict
  }

  /// The requirement as people find it: by its id, or counted from 1 with its kind, "rule 2 'settles_by'".
  package var ruleName: String { id.map { "rule '\($0)'" } ?? "rule \(rule + 1) '\(kind)'" }

  /// The verdict in a sentence without an end: "blur: settled_ms 640 at 0.94 s is above 520 (rule 6 'settles_by')".
  package var sentence: String {
    var text = subject
    if let number {
      text += ": \(measure) \(NumberText.short(number, digits: 6))"
      if let interval {
        text +=
          " (\(NumberText.short(interval.lowerBound, digits: 6)) to \(NumberText.short(interval.upperBound, digits: 6)))"
      }
      if let instant {
        text += " at \(NumberText.short((instant.seconds * 1e4).rounded() / 1e4, digits: 6)) s"
      }
      if let limit, isUndecided {
        text += " is within \(NumberText.short(limit, digits: 6)) or not: too short to tell"
      } else if let limit {
        text +=
          passes
          ? (isLeast ? " is at least " : " is within ")
          : number > limit ? " is above " : " is below "
        text += NumberText.short(limit, digits: 6)
      }
    } else {
      text += ": \(measure)"
      if isUndecided { text += ": too short to tell" }
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
  var rank: Double {
    guard !passes else { return isUndecided ? 0.5 : 1 }
    guard let margin, let limit else { return -.infinity }
    let rank = margin / Swift.max(abs(limit), 1e-9)
    return rank.isNaN ? -.infinity : rank
  }
}
