import TimelineModel
import TimelineStore

/// `kymo keys`: what was recorded over time, and how often.
let keysCommand = Command(
  name: "keys", summary: "the keys of a session with counts, rates and ranges",
  arguments: "FILE [SESSION]", argumentCount: 1...2,
  examples: ["kymo keys pinch.kymo", "kymo keys pinch.kymo#2 --format csv"],
  discussion: """
    Lists what was recorded as keys. What compare, check, report and play show besides, as
    viewport.contentOffset.y, is computed from the frames; kymo replay lists those.
    """,
  flags: [.key] + Flag.listing
) { invocation in
  let rows = try keyRows(SessionArgument(invocation), named: invocation.text("key"))
  try invocation.print(rows, columns: keyColumns)
  return .yes
}

private let keyColumns = [
  "key", "role", "unit", "samples", "first_ns", "last_ns", "rate_hz", "minRate_hz", "maxRate_hz",
  "min", "max", "last",
]

/// A row for every key of a session, or for those of a name.
func keyRows(_ source: SessionArgument, named name: String? = nil) throws -> [[Field]] {
  let number = source.session.number
  let summaries = Dictionary(
    try source.reader.keySummaries(in: number).map { ($0.key, $0) },
    uniquingKeysWith: { first, _ in first })
  return try source.keys(named: name).map { key in
    let summary = summaries[key.handle]
    return [
      Field("key", .text(key.name)), Field("role", .text(key.role.rawValue)),
      Field("unit", .text(key.unit)), Field("samples", .integer(summary?.sampleCount ?? 0)),
      Field("first_ns", FieldValue(summary?.first.time)),
      Field("last_ns", FieldValue(summary?.last.time)),
      Field("rate_hz", FieldValue(summary?.meanRate)),
      Field("minRate_hz", FieldValue(summary?.lowestRate)),
      Field("maxRate_hz", FieldValue(summary?.highestRate)),
      Field("min", FieldValue(summary?.smallest)), Field("max", FieldValue(summary?.largest)),
      Field("last", FieldValue(summary?.last.value)),
    ]
  }
}
