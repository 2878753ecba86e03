package import TimelineModel
import TimelineSession
package import TimelineStore

extension RecordingReader {
  /// The samples that give the values of keys between two instants: the samples from one instant to the other, and of each
  /// key the last sample before them and the first sample after them.
  ///
  /// - Parameters:
  ///   - keys: The keys.
  ///   - session: The session's number.
  ///   - range: The instants.
  /// - Returns: The samples of each key in the order of time; nothing for a key without any.
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in the samples of the range, and in the distance of a key's neighbours from it.
  package func samples(
    of keys: [KeyHandle], in session: Int64, around range: ClosedRange<Instant>
  ) throws -> [KeyHandle: [SampleRecord]] {
    guard range != RecordingReader.allTime else {
      try requireHeld(session)
      return try samplesByKey(of: keys, in: session, from: range)
    }
    let written = try keySummaries(in: session)
    let summaries = Dictionary(written.map { ($0.key, $0) }) { first, _ in first }
    var (before, behind): ([KeyHandle], [KeyHandle]) = ([], [])
    for key in keys {
      guard let summary = summaries[key] else { continue }
      if summary.first.time < range.lowerBound { before.append(key) }
      if summary.last.time > range.upperBound { behind.append(key) }
    }
    let rows = try samplesByKey(of: keys, in: session, from: range)
    let past = Instant(nanoseconds: .min)...range.lowerBound.advanced(byNanoseconds: -1)
    var samples = try newestSamples(of: before, in: session, from: past).mapValues { [$0] }
    for (key, rows) in rows { samples[key, default: []] += rows }
    for key in behind {
      let rest = try self.samples(
        of: key, in: session,
        from: range.upperBound.advanced(byNanoseconds: 1)...Instant(nanoseconds: .max))
      let first = try rest.next()
      var next = first
      // Of one instant the newest counts.
      while let row = next, row.sample.time == first?.sample.time {
        samples[key, default: []].append(row)
        next = try rest.next()
      }
    }
    let ends = samples.values.flatMap { [$0.first, $0.last].compactMap { $0 } }
    guard ends.allSatisfy(\.sample.value.isFinite) else {
      // A value that is not a number says nothing, so its own neighbours count.
      try requireHeld(session)
      return try samplesByKey(of: keys, in: session, from: RecordingReader.allTime)
    }
    return samples
  }

  private func samplesByKey(
    of keys: [KeyHandle], in session: Int64, from range: ClosedRange<Instant>
  ) throws -> [KeyHandle: [SampleRecord]] {
    var samples = Dictionary(keys.map { ($0, [SampleRecord]()) }) { first, _ in first }
    let rows = try self.samples(in: session, from: range)
    while let row = try rows.next() { samples[row.key]?.append(row) }
    return samples
  }

  /// Whether all values of a key hold until the next one (``StepLevels``).
  ///
  /// - Complexity: reads until a value says that they do not.
  package func isStep(_ key: KeyRecord, in session: Int64) throws -> Bool {
    var levels = StepLevels(of: key)
    guard levels.mayBeStep else { return false }
    let rows = try samples(of: key.handle, in: session)
    while levels.mayBeStep, let row = try rows.next() { levels.add(row.sample.value) }
    return levels.isStep
  }
}
