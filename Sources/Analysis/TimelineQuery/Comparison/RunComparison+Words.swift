import TimelineModel

extension RunComparison {
  /// Whether the runs move alike and why not, in a sentence or two, as `kymo compare` begins: names as they were
  /// recorded.
  package var verdictLines: [String] {
    let align = "aligned on \(alignment.rawValue)"
    if isEmpty {
      return ["Nothing to compare: neither run has a key, a decision or an element."]
    }
    if isSame {
      let warnings = allVerdicts.filter { $0.grade == .warn }.count
      let more = warnings == 0 ? "" : ", \(warnings) \(warnings == 1 ? "warning" : "warnings")"
      let items = layout?.items.count ?? 0
      let what =
        keys.isEmpty && items > 0
        ? counted(items, "element") : counted(keys.count, "key")
      return ["The same: \(what) within tolerance\(more), \(align)."]
    }
    // What was decided and what the runs consist of first, whichever rule says so.
    let failures = allVerdicts.filter { $0.grade == .fail }
    var reasons = failures.filter { $0.difference != nil && $0.kind < .motion }.map(\.sentence)
    if let moved = failures.first(where: { $0.kind == .motion })?.difference {
      reasons.append(moved)
    }
    let apart = layout?.endingApart ?? []
    if let first = apart.first {
      let more = apart.count { $0.offIn == first.offIn } - 1
      reasons.append(
        "\(first.identity.id) ends off the screen in \(first.offIn) and on it in "
          + (first.offIn == "A" ? "B" : "A") + RunComparison.so(more))
    }
    let differing = keys.filter { !$0.isSame }
    let compared = keys.filter { $0.onlyIn == nil }
    reasons += reason(
      "key", differing: differing.count { $0.onlyIn == nil }, of: compared.count,
      onlyIn: differing.compactMap(\.onlyIn))
    let items = layout?.items ?? []
    let moved = items.filter { !$0.isSame }
    reasons += reason(
      "element", differing: moved.count { $0.onlyIn == nil },
      of: items.count { $0.onlyIn == nil }, onlyIn: moved.compactMap(\.onlyIn))
    let rules = verdicts.byImportance.filter {
      $0.grade == .fail && $0.rule != nil && $0.difference == nil
    }
    if let first = rules.first, reasons.isEmpty || moved.isEmpty { reasons.append(first.sentence) }
    return ["Different: " + reasons.joined(separator: ", ") + " (\(align))."]
  }

  /// How many keys or elements differ, and how many only one run has.
  private func reason(
    _ word: String, differing: Int, of all: Int, onlyIn: [String]
  ) -> [String] {
    var reasons: [String] = []
    if differing > 0 {
      reasons.append(
        "\(differing) of \(counted(all, word)) \(differing == 1 ? "differs" : "differ")")
    }
    for side in ["A", "B"] {
      let count = onlyIn.count { $0 == side }
      if count > 0 {
        reasons.append("\(counted(count, word)) \(count == 1 ? "is" : "are") only in \(side)")
      }
    }
    return reasons
  }

  /// Whether the shape is the same and only the delay is not.
  package func isOnlyLate(_ key: Key) -> Bool {
    guard let curve = key.comparison, let share = curve.residualShareOfRange else { return false }
    return abs(curve.lagSeconds) > lagLimitSeconds
      && share <= tolerance.residualShare
  }

  private func counted(_ count: Int, _ word: String) -> String {
    "\(count) \(word)\(count == 1 ? "" : "s")"
  }
}
