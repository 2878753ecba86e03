package import TimelineModel

extension Verdict: ResultRow {
  package static var fields: [ResultField<Verdict>] {
    [
      finding,
      ResultField("kind", "The kind, such as decision or motion.", inTable: false, \.kind),
      ResultField("subject", "The key, the element's value, or sessions.") {
        $0.subject.isEmpty ? "sessions" : $0.subject
      },
    ] + numbers + ofRequirement + reference + [
      ResultField(
        "skipped", "Whether an optional requirement has nothing to judge.", inTable: false
      ) {
        $0.isSkipped
      }, says,
    ]
  }

  /// The fields as `kymo compare` has them in its objects: the finding behind the numbers, an empty subject as it is.
  package static var ofComparison: [ResultField<Verdict>] {
    [ResultField("subject", "The key or the element's value.", \.subject)] + numbers + [finding]
      + reference + [says]
  }

  private static var finding: ResultField<Verdict> {
    ResultField("finding", "The finding: pass, warn or fail.", \.grade)
  }

  private static var numbers: [ResultField<Verdict>] {
    [
      ResultField("measure", "The name of the judged number.", \.measure),
      ResultField("value", "The judged number.", \.value),
      ResultField("limit", "The number's limit.", \.limit),
    ]
  }

  private static var reference: [ResultField<Verdict>] {
    [
      ResultField("rule", "The number of the limit or requirement in its file, counted from 1.") {
        verdict in
        (verdict.requirement?.index ?? verdict.rule?.index).map { $0 + 1 }
      },
      ResultField("rule_name", "The limit's subject, or the requirement's kind.") {
        $0.requirement?.kind.rawValue ?? $0.rule?.name
      },
      ResultField("rule_id", "The id of the limit or requirement.", inTable: false) {
        $0.requirement?.id ?? $0.rule?.id
      },
    ]
  }

  private static var says: ResultField<Verdict> {
    ResultField("says", "The verdict in a sentence.", inTable: false, \.sentence)
  }

  /// What only requirements have.
  package static var ofRequirement: [ResultField<Verdict>] {
    [
      ResultField(
        "margin", "The distance from the limit. Below 0 it fails, unless undecided."
      ) {
        $0.margin
      },
      ResultField("instant_s", "The worst value's instant.") { $0.finding.instant?.seconds },
      ResultField("low", "Lower end of the number's 90 % interval.", inTable: false) {
        $0.finding.interval?.lowerBound
      },
      ResultField("high", "Upper end of the number's 90 % interval.", inTable: false) {
        $0.finding.interval?.upperBound
      },
      ResultField(
        "undecided", "Whether the number is too uncertain for a verdict.",
        inTable: false
      ) { $0.isUndecided },
    ]
  }
}
