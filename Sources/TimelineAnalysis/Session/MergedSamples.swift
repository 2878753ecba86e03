package import TimelineModel
package import TimelineStore

/// The recorded samples of a session and those of computed keys, in the order of time; at one instant the recorded ones
/// come first.
package final class MergedSamples {
  private let recorded: RowCursor<SampleRecord>
  private let computed: [SampleRecord]
  private var position = 0
  private var head: SampleRecord?
  private var hasBegun = false

  /// Merges samples.
  ///
  /// - Parameters:
  ///   - recorded: The recorded samples.
  ///   - keys: The computed keys.
  ///   - range: Only the samples of computed keys in this time.
  package init(
    _ recorded: RowCursor<SampleRecord>, and keys: [SessionCurves.Key],
    from range: ClosedRange<Instant>
  ) {
    self.recorded = recorded
    // Of one instant the keys stay in their order.
    computed = keys.flatMap(\.records).filter { range.contains($0.sample.time) }.enumerated()
      .sorted { ($0.element.sample.time, $0.offset) < ($1.element.sample.time, $1.offset) }
      .map(\.element)
  }

  /// The next sample; nil after the last one.
  package func next() throws -> SampleRecord? {
    if !hasBegun { head = try recorded.next() }
    hasBegun = true
    if position < computed.count,
      head.map({ computed[position].sample.time < $0.sample.time }) ?? true
    {
      defer { position += 1 }
      return computed[position]
    }
    let row = head
    if row != nil { head = try recorded.next() }
    return row
  }
}

extension SessionCurves.Key {
  /// The samples of the curve as rows.
  package var records: [SampleRecord] {
    curve.times.indices.map { index in
      SampleRecord(
        key: record.handle,
        sample: Sample(time: curve.times[index], value: curve.values[index]),
        phase: phases[index], ordinal: 0)
    }
  }
}
