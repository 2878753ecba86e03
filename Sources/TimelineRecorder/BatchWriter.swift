import TimelineModel
import TimelineStore

/// Writes batches into a store, one transaction each, and keeps count of what a session has.
///
/// A batch stays in memory until its commit has returned. One that could not be written is kept and
/// tried once more when the session is finished.
struct BatchWriter {
  /// Everything that is counted while writing; a copy of it takes a failed transaction back.
  private struct Progress {
    var keys: [KeyProgress?] = []
    var counts = RecordCounts()
    var decisions: Int64 = 0
    var estimates: Int64 = 0
    var losses: Int64 = 0
  }

  private struct KeyProgress {
    var summary: KeySummary
    /// How many values the key has at its latest instant.
    var ordinals: Int64 = 1
    /// Whether a value was earlier than one before it, so that the summary must be read back.
    var ranBackwards = false
  }

  private var store: RecordingStore?
  private let path: String
  private let limits: RecordingLimits
  private let policy: RecordingPolicy
  private var progress = Progress()
  private var commits = 0
  /// The batch that could not be written.
  private var unwritten: Batch?
  /// The first error while writing.
  private(set) var failure: StoreError?

  /// Whether the recorder has finished.
  var isClosed: Bool { store == nil }

  init(_ store: RecordingStore, policy: RecordingPolicy, limits: RecordingLimits) {
    self.store = store
    path = store.path
    self.policy = policy
    self.limits = limits
  }

  /// Writes a batch in one transaction.
  ///
  /// Not to be called after a failure.
  ///
  /// - Returns: the error when writing fails.
  mutating func write(_ batch: Batch) -> StoreError? {
    guard let store, failure == nil, !batch.isEmpty else { return nil }
    commits += 1
    let isDurable =
      policy == .live && (batch.isDurable || commits.isMultiple(of: limits.commitsPerDurable))
    do {
      try transaction(on: store, isDurable: isDurable) { writer throws(StoreError) in
        try writer.insert(batch, into: store)
      }
      return nil
    } catch {
      unwritten = batch
      failure = error
      return error
    }
  }

  /// Writes what is left, the summaries and the clean-close mark, and makes one file of it all.
  ///
  /// - Throws: the first error while writing, also when the second try at its batch succeeded.
  mutating func finish(
    _ batch: Batch, at end: Instant, outcome: SessionOutcome
  ) throws(StoreError) {
    guard let store else { throw .alreadyFinished(path) }
    defer { self.store = nil }
    do {
      try transaction(on: store, isDurable: true) { writer throws(StoreError) in
        if let late = writer.unwritten { try writer.insert(late, into: store) }
        try writer.insert(batch, into: store)
        try store.close(
          at: end, outcome: outcome, counts: writer.progress.counts,
          summaries: try writer.summaries(from: store))
      }
      try store.settleIntoOneFile()
    } catch {
      throw failure ?? error
    }
    if let failure { throw failure }
  }

  private mutating func transaction(
    on store: RecordingStore, isDurable: Bool,
    _ work: (inout BatchWriter) throws(StoreError) -> Void
  ) throws(StoreError) {
    let before = progress
    do {
      try store.begin(isDurable: isDurable)
      try work(&self)
      try store.commit()
    } catch {
      store.rollBack()
      progress = before
      throw error
    }
  }

  private func summaries(from store: RecordingStore) throws(StoreError) -> [KeySummary] {
    var summaries: [KeySummary] = []
    for case let key? in progress.keys {
      if key.ranBackwards, let read = try store.summary(of: key.summary.key) {
        summaries.append(read)
      } else {
        summaries.append(key.summary)
      }
    }
    return summaries
  }
}

// MARK: - Rows

extension BatchWriter {
  private mutating func insert(_ batch: Batch, into store: RecordingStore) throws(StoreError) {
    for key in batch.keys { try store.insert(key) }
    for item in batch.items { try store.insert(item) }
    for value in batch.samples { try insert(value, into: store) }
    progress.counts.samples += Int64(batch.samples.count)
    for frame in batch.frames { try store.insert(frame) }
    progress.counts.frames += Int64(batch.frames.count)
    for row in batch.changes { try store.insert(row.change, frame: row.frame) }
    progress.counts.attributes += Int64(batch.changes.count)
    for touch in batch.touches {
      try store.insert(touch, sequence: progress.counts.touches)
      progress.counts.touches += 1
    }
    for event in batch.events {
      try store.insert(event, sequence: progress.counts.events)
      progress.counts.events += 1
    }
    for decision in batch.decisions {
      try store.insert(decision, sequence: progress.decisions)
      progress.decisions += 1
    }
    for estimate in batch.estimates {
      try store.insert(estimate, sequence: progress.estimates)
      progress.estimates += 1
    }
    for loss in batch.losses {
      try store.insert(loss, sequence: progress.losses)
      progress.losses += 1
      progress.counts.lost += loss.count
    }
  }

  private mutating func insert(
    _ value: Batch.Value, into store: RecordingStore
  ) throws(StoreError) {
    let key = KeyHandle(rawValue: value.key)
    let sample = Sample(time: Instant(nanoseconds: value.time), value: value.value)
    let ordinal = try count(sample, of: key, in: store)
    try store.insert(SampleRecord(key: key, sample: sample, phase: value.phase, ordinal: ordinal))
  }

  /// Adds a value to its key's summary.
  ///
  /// - Returns: its ordinal among the key's values at its instant.
  private mutating func count(
    _ sample: Sample, of key: KeyHandle, in store: RecordingStore
  ) throws(StoreError) -> Int64 {
    let index = Int(key.rawValue)
    while progress.keys.count <= index { progress.keys.append(nil) }
    guard let latest = progress.keys[index]?.summary.last.time else {
      progress.keys[index] = KeyProgress(summary: KeySummary(key: key, only: sample))
      return 0
    }
    if sample.time < latest {
      progress.keys[index]?.ranBackwards = true
      return try store.nextOrdinal(of: key, at: sample.time)
    }
    progress.keys[index]?.summary.add(sample)
    if sample.time > latest {
      progress.keys[index]?.ordinals = 1
      return 0
    }
    let ordinal = progress.keys[index]?.ordinals ?? 0
    progress.keys[index]?.ordinals = ordinal + 1
    return ordinal
  }
}
