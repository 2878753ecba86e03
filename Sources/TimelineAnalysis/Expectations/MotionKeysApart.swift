import TimelineModel
import TimelineStore

/// The keys of a long session that requirements name. Each is read when it is judged.
struct MotionKeysApart {
  private let session: SessionRecord
  private let reader: RecordingReader
  private let byName: [String: [KeyRecord]]

  /// - Parameters:
  ///   - session: The session.
  ///   - reader: Its recording.
  ///   - byName: The keys that each name matches.
  ///   - keys: All of these keys.
  ///   - count: From this number of samples on, each key is read alone.
  /// - Returns: nil if they have fewer samples, or if these are not sealed.
  init?(
    _ session: SessionRecord, _ reader: RecordingReader, _ byName: [String: [KeyRecord]],
    _ keys: [KeyHandle], from count: Int64
  ) throws {
    guard try reader.sealedSampleCount(in: session.number) >= count,
      try reader.isMostlySealed(session)
    else { return nil }
    let asked = Set(keys)
    let samples = try reader.keySummaries(in: session.number).reduce(Int64(0)) { sum, summary in
      asked.contains(summary.key) ? sum + min(summary.sampleCount, 1 << 32) : sum
    }
    guard samples >= count else { return nil }
    (self.session, self.reader, self.byName) = (session, reader, byName)
  }

  /// The keys that a name matches.
  func keys(named name: String) -> [KeyRecord] { byName[name] ?? [] }

  /// Whether a key has a value that is a number.
  func hasValue(_ key: KeyRecord) throws -> Bool {
    let rows = try reader.samples(of: key.handle, in: session.number)
    while let row = try rows.next() {
      if row.sample.value.isFinite { return true }
    }
    return false
  }

  /// Reads a key.
  func track(of key: KeyRecord) throws -> MotionTrack {
    var curve = Curve([])
    var levels = StepLevels(of: key)
    let summary = try reader.keySummaries(in: session.number).first { $0.key == key.handle }
    // The file's own number is only a hint.
    curve.reserveCapacity(Int(max(0, min(summary?.sampleCount ?? 0, 1 << 24))))
    try reader.forEachSegment(in: session.number, key: key.handle) { all in
      for series in all {
        curve.append(series)
        guard levels.mayBeStep else { continue }
        for index in series.words.indices { levels.add(series.value(index)) }
      }
    }
    return MotionTrack(key, curve, isStep: levels.isStep)
  }
}
