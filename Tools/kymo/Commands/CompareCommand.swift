import TimelineModel
import TimelineQuery
import TimelineRendering

/// `kymo compare A B`: whether two runs move alike.
let compareCommand = Command(
  name: "compare", summary: "whether two runs move alike: error, delay, shape, decision",
  arguments: "A B", argumentCount: 2...2,
  examples: [
    "kymo compare today.kymo yesterday.kymo", "kymo compare pinch.kymo#1 pinch.kymo#2 --json",
  ],
  discussion: """
    Errors are as aligned; the lag is the shift of B within 50 ms that fits best, and the
    residual is what it leaves. Two runs are the same when every key's residual is at most
    0.5 % of its range over at least half of the longer run, the lag at most one frame, and
    the decisions are equal. Ends with
    0 when they are the same, with 1 when they differ.
    """,
  flags: [
    Flag("align", "HOW", "start (default), release or none"),
    Flag("residual", "PERCENT", "largest residual that is the same, of the range; 0.5"),
    Flag("lag", "TIME", "largest lag that is the same; one frame"),
    .key,
  ] + Flag.listing
) { invocation in
  let a = try SessionArgument(invocation.positionals[0])
  let b = try SessionArgument(invocation.positionals[1])
  var tolerance = RunComparison.Tolerance()
  if let percent = try invocation.number("residual") {
    guard percent >= 0 else { throw Failure.usage("--residual is a percentage of 0 or more") }
    tolerance.residualShare = percent / 100
  }
  if let lag = try invocation.nanoseconds("lag") {
    guard lag >= 0 else { throw Failure.usage("--lag is a time of 0 or more") }
    tolerance.lagSeconds = Double(lag) / 1e9
  }
  let names = RunComparison.Alignment.allCases.map(\.rawValue)
  let alignment =
    try invocation.choice("align", among: names).flatMap(RunComparison.Alignment.init) ?? .start
  var comparison = try RunComparison(
    a.session, in: a.reader, with: b.session, in: b.reader, alignment: alignment,
    tolerance: tolerance)
  guard !comparison.isEmpty else {
    throw Failure.usage("neither run has a key or a decision, so there is nothing to compare")
  }
  if let name = invocation.text("key") {
    comparison.keys.removeAll { $0.name != name }
    guard !comparison.keys.isEmpty else {
      throw Failure.usage("neither run has the key \(name)")
    }
  }
  try printComparison(comparison, invocation)
  return comparison.isSame ? .yes : .no
}

private func printComparison(_ comparison: RunComparison, _ invocation: Invocation) throws {
  if try invocation.outputFormat() == .table {
    standardOutput.write(verdict(comparison) + "\n\n")
    try invocation.print(comparison.keys.map { keyRow($0) }, columns: tableColumns)
    standardOutput.write("\n")
    let writer = try invocation.rowWriter()
    for row in outcomeRows(comparison) { writer.write(Array(row.dropFirst(2))) }
    writer.finish()
    return
  }
  // One list for programs: the keys, the decisions, and the verdict last.
  var rows = comparison.keys.map { keyRow($0) } + outcomeRows(comparison)
  rows.append([
    Field("row", .text("verdict")), Field("same", .flag(comparison.isSame)),
    Field("align", .text(comparison.alignment.rawValue)),
    Field("lagLimit_s", .number(comparison.lagLimitSeconds)),
  ])
  try invocation.print(
    rows, columns: ["row", "same"] + keyFieldNames + outcomeColumns)
}

private let tableColumns = [
  "key", "same", "unit", "matched", "onlyInA", "onlyInB", "max", "rmse", "bias", "lag_s",
  "residual", "residualPercent", "range",
]

/// Everything that a key's row can have, for formats with one header.
private let keyFieldNames = [
  "key", "unit", "onlyIn", "matched", "onlyInA", "onlyInB", "overlap_s", "max", "meanAbs", "rmse",
  "bias", "lag_s", "lagAtLimit", "residual", "residualPercent", "range",
]

private let outcomeColumns = [
  "transition", "decisionA", "decisionB", "progressA", "progressB", "settleTimeA_s",
  "settleTimeB_s", "align", "lagLimit_s",
]

private func keyRow(_ key: RunComparison.Key) -> [Field] {
  var fields = [
    Field("row", .text("key")), Field("key", .text(key.name)), Field("same", .flag(key.isSame)),
    Field("unit", .text(key.unit)),
  ]
  guard let comparison = key.comparison else {
    fields.append(Field("onlyIn", FieldValue(key.onlyIn)))
    return fields
  }
  fields += [
    Field("matched", FieldValue(comparison.matchedSampleCount)),
    Field("onlyInA", FieldValue(comparison.onlyInACount)),
    Field("onlyInB", FieldValue(comparison.onlyInBCount)),
    Field("overlap_s", .number(comparison.overlapSeconds)),
    Field("max", FieldValue(comparison.aligned?.maximum)),
    Field("meanAbs", FieldValue(comparison.aligned?.meanAbsolute)),
    Field("rmse", FieldValue(comparison.aligned?.rootMeanSquare)),
    Field("bias", FieldValue(comparison.aligned?.bias)),
    Field("lag_s", .number(comparison.lagSeconds)),
    Field("lagAtLimit", .flag(comparison.lagIsAtLimit)),
    Field("residual", FieldValue(comparison.residual)),
    Field("residualPercent", FieldValue(comparison.residualShareOfRange.map { $0 * 100 })),
    Field("range", .number(comparison.rangeOfA)),
  ]
  return fields
}

private func outcomeRows(_ comparison: RunComparison) -> [[Field]] {
  let count = max(comparison.outcomesOfA.count, comparison.outcomesOfB.count)
  return (0..<count).map { index in
    let a = index < comparison.outcomesOfA.count ? comparison.outcomesOfA[index] : nil
    let b = index < comparison.outcomesOfB.count ? comparison.outcomesOfB[index] : nil
    return [
      Field("row", .text("decision")),
      Field("same", .flag(a?.decision?.outcome == b?.decision?.outcome)),
      Field("transition", .integer(Int64(index))),
      Field("decisionA", FieldValue(a?.decision?.outcome.rawValue)),
      Field("decisionB", FieldValue(b?.decision?.outcome.rawValue)),
      Field("progressA", FieldValue(a?.decision?.progress)),
      Field("progressB", FieldValue(b?.decision?.progress)),
      Field("settleTimeA_s", FieldValue(a?.settleTimeSeconds)),
      Field("settleTimeB_s", FieldValue(b?.settleTimeSeconds)),
    ]
  }
}

/// The verdict, and what explains it, in one or two lines.
private func verdict(_ comparison: RunComparison) -> String {
  if comparison.isSame {
    let count = comparison.keys.count
    return "The same: \(count) \(count == 1 ? "key" : "keys") within tolerance, aligned on "
      + "\(comparison.alignment.rawValue)."
  }
  var reasons: [String] = []
  let differing = comparison.keys.filter { !$0.isSame }
  if !comparison.decisionsAreEqual { reasons.append("the decisions differ") }
  if !differing.isEmpty {
    reasons.append("\(differing.count) of \(comparison.keys.count) keys differ")
  }
  var text =
    "Different: " + reasons.joined(separator: ", ")
    + " (aligned on \(comparison.alignment.rawValue))."
  if let late = differing.first(where: { $0.isOnlyLate(comparison) }),
    let lag = late.comparison?.lagSeconds
  {
    let milliseconds = (lag * 10_000).rounded() / 10
    text += "\n\(late.name) agrees after B is shifted by \(-milliseconds) ms."
  }
  return text
}

extension RunComparison.Key {
  /// Whether the shape is the same and only the delay is not.
  fileprivate func isOnlyLate(_ run: RunComparison) -> Bool {
    guard let comparison, let share = comparison.residualShareOfRange else { return false }
    return abs(comparison.lagSeconds) > run.lagLimitSeconds
      && share <= run.tolerance.residualShare
  }
}
