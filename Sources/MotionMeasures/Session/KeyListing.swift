package import TimelineModel
package import TimelineStore

/// A key of a session with what its values are like.
package struct KeyListing: ResultRow {
  /// The key.
  package var key: KeyRecord
  /// Count, times and range of its values. `nil` without values.
  package var summary: KeySummary?

  /// Reads the summaries of keys.
  package static func all(
    _ keys: [KeyRecord], in session: Int64, of reader: RecordingReader
  ) throws -> [KeyListing] {
    // In the order of the keys' numbers.
    let summaries = try reader.keySummaries(in: session)
    return keys.map { key in
      let index = summaries.partitioningIndex { $0.key.rawValue >= key.handle.rawValue }
      let isFound = index < summaries.count && summaries[index].key == key.handle
      return KeyListing(key: key, summary: isFound ? summaries[index] : nil)
    }
  }

  package static var fields: [ResultField<KeyListing>] {
    [
      ResultField("key", "The key's name.", \.key.name),
      ResultField("role", "The role: progress, animated or custom.", \.key.role.rawValue),
      ResultField("unit", "The unit of the key's values.", \.key.unit),
      ResultField("samples", "The number of samples of the key.") { $0.summary?.sampleCount ?? 0 },
      ResultField("first_ns", "Instant of the first sample.", \.summary?.first.time),
      ResultField("last_ns", "Instant of the last sample.", \.summary?.last.time),
      ResultField("rate_hz", "Mean samples per second.", \.summary?.meanRate),
      ResultField("min_rate_hz", "Fewest samples per second.", \.summary?.lowestRate),
      ResultField("max_rate_hz", "Most samples per second.", \.summary?.highestRate),
      ResultField("min", "The smallest value.", \.summary?.smallest),
      ResultField("max", "The largest value.", \.summary?.largest),
      ResultField("last", "The last value.", \.summary?.last.value),
    ]
  }

  /// The columns below a session's headline, which names its times.
  package static var overviewColumns: [String] {
    columns.filter { $0 != "first_ns" && $0 != "last_ns" }
  }
}
