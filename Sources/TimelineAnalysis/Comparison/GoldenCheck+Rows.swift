package import TimelineModel
import TimelineStore

extension GoldenCheck.RunVerdict: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("file", "The run's recording; null for all runs together.", \.run?.path),
      ResultField("session", "The run's number in it.", \.run?.session.number),
      ResultField("name", "The run's name.", \.run?.session.description.name),
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
      ResultField("grade", "The worst of what was judged.", \.grade),
      ResultField("failures", "How many failed.") { $0.verdicts.count { $0.grade == .fail } },
      ResultField("warnings", "How many warn.") { $0.verdicts.count { $0.grade == .warn } },
      ResultField(list: "verdicts", "What is not within its limits.", Verdict.fields) {
        $0.verdicts.byImportance.filter { $0.grade != .pass }
      },
    ]
  }
}

extension GoldenCheck {
  /// The verdict about a run that matters most; nil where nothing is beyond its limit.
  package func worst(of run: Run) -> RunVerdict? {
    run.verdicts.worst.map { RunVerdict($0, ofRun: 0, among: [run]) }
  }
}
