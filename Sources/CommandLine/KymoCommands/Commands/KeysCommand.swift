import TimelineModel
import TimelineStore

/// `kymo keys`: what was recorded over time, and how often.
func keysCommand() -> Command {
  Command(
    name: "keys", summary: "the keys of a session with counts, rates and ranges",
    arguments: "FILE [SESSION]", argumentCount: 1...2,
    examples: ["kymo keys pinch.kymo", "kymo keys pinch.kymo#2 --format csv"],
    discussion: """
      Lists what was recorded as keys. What compare, check, report and play show besides, as
      viewport.contentOffset.y, is computed from the frames; kymo replay lists those.
      """,
    flags: [
      Flags.key, Flags.listing,
    ], run: runKeys)
}

private func runKeys(_ invocation: Invocation) throws -> ExitCode {
  let rows = try keyRows(SessionArgument(invocation), named: invocation.text(Flags.key))
  try invocation.print(rows, columns: keyColumns)
  return .yes
}

private var keyColumns: [String] {
  [
    "key", "role", "unit", "samples", "first_ns", "last_ns", "rate_hz", "minRate_hz", "maxRate_hz",
    "min", "max", "last",
  ]
}

/// A row for every key of a session, or for those of a name.
func keyRows(_ source: SessionArgument, named name: String? = nil) throws -> [[EventField]] {
  let number = source.session.number
  let summaries = Dictionary(
    try source.reader.keySummaries(in: number).map { ($0.key, $0) },
    uniquingKeysWith: { first, _ in first })
  return try source.keys(named: name).map { key in
    let summary = summaries[key.handle]
    return [
      EventField("key", .text(key.name)), EventField("role", .text(key.role.rawValue)),
      EventField("unit", .text(key.unit)),
      EventField("samples", .integer(summary?.sampleCount ?? 0)),
      EventField("first_ns", FieldValue(summary?.first.time)),
      EventField("last_ns", FieldValue(summary?.last.time)),
      EventField("rate_hz", FieldValue(summary?.meanRate)),
      EventField("minRate_hz", FieldValue(summary?.lowestRate)),
      EventField("maxRate_hz", FieldValue(summary?.highestRate)),
      EventField("min", FieldValue(summary?.smallest)),
      EventField("max", FieldValue(summary?.largest)),
      EventField("last", FieldValue(summary?.last.value)),
    ]
  }
}
