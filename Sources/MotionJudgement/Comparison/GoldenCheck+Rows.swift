package import TimelineModel
import TimelineStore

extension GoldenCheck.RunVerdict: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("file", "The session's recording; null for all sessions together.", \.run?.path),
      ResultField("session", "The session's number in the file.", \.run?.session.number),
      ResultField("name", "The session's name.", \.run?.session.description.name),
    ] + Verdict.fields.of(\.verdict)
  }
}

extension GoldenCheck.RunVerdict {
  /// The columns of a table: those that only requirements have if there are some.
  package static func tableColumns(withRequirements: Bool) -> [String] {
    let others = withRequirements ? [] : Verdict.ofRequirement.names()
    return fields.tableColumns().filter { !others.contains($0) }
  }
}

extension GoldenCheck.Run: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("golden", "The golden session's number.", \.golden?.number),
      ResultField("golden_uuid", "The golden session's uuid.", \.golden?.uuid),
      ResultField("grade", "The worst finding: pass, warn or fail.", \.grade),
      ResultField("failures", "Number of failures.") { $0.verdicts.count { $0.grade == .fail } },
      ResultField("warnings", "Number of warnings.") { $0.verdicts.count { $0.grade == .warn } },
      ResultField(list: "verdicts", "The failures and warnings.", Verdict.fields) {
        $0.verdicts.byImportance.filter { $0.grade != .pass }
      },
    ]
  }
}

extension GoldenCheck {
  /// The verdict about a session that matters most. `nil` where nothing is beyond its limit.
  package func worst(of run: Run) -> RunVerdict? {
    run.verdicts.worst.map { RunVerdict($0, ofRun: 0, among: [run]) }
  }
}
