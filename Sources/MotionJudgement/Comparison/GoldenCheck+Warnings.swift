extension GoldenCheck {
  /// The warnings of sessions without a failure beside others that fail, each by ``name(of:)``. People need not read them one
  /// by one. Empty if no session fails.
  package var usualWarnings: Set<[String]> {
    guard runs.contains(where: { $0.grade == .fail }) else { return [] }
    return Set(
      runs.filter { $0.grade != .fail }.flatMap(\.verdicts).filter { $0.grade == .warn }
        .map(GoldenCheck.name))
  }

  /// What makes warnings of several sessions the same.
  package static func name(of verdict: Verdict) -> [String] {
    [
      verdict.grade.rawValue, verdict.subject, verdict.measure,
      "\(verdict.rule?.index ?? verdict.requirement?.index ?? -1)",
    ]
  }
}
