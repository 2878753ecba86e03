import TimelineModel
import TimelineStore

/// The values of a session: held, or of a long one read key by key.
package struct Tracks: Sendable {
  /// The recorded keys in the order of their numbers, or as they are named, and behind them what is computed.
  package var all: [Track]
  /// Whether recorded keys have no values in ``all``, since each is read alone (``whole(_:from:keepsPhases:memory:)``).
  package let readsApart: Bool
  /// Where their values are if a key of the recording cannot be read without reading over the others.
  private let spilled: SpilledValues?
  private var places: [MotionSubject: [Int]] = [:]

  init(_ all: [Track], readsApart: Bool, spilled: SpilledValues? = nil) {
    (self.all, self.readsApart, self.spilled) = (all, readsApart, spilled)
  }

  /// Adds what is computed.
  mutating func add(_ track: Track, named subject: MotionSubject) {
    places[subject, default: []].append(all.count)
    all.append(track)
  }

  /// Adds what was read for some subjects.
  mutating func name(_ subjects: [MotionSubject], as places: [[Int]]) {
    for (subject, places) in zip(subjects, places) where !places.isEmpty {
      self.places[subject] = places
    }
  }

  /// A track with its values: read, if each is read alone.
  ///
  /// - Parameters:
  ///   - keepsPhases: Whether the phases are read, too.
  ///   - memory: A curve that nobody else has, whose memory the track gets. It has no sample afterwards.
  /// - Throws: `StoreError` when the recording cannot be read, or the key has more samples than are held.
  /// - Complexity: linear in the key's samples.
  package func whole(
    _ track: Track, from source: some SessionSource, keepsPhases: Bool = false,
    memory: inout Curve
  ) throws -> Track {
    guard readsApart, !track.record.isComputed else { return track }
    var whole = track
    swap(&whole.curve, &memory)
    whole.curve.removeAll()
    let handle = track.record.handle
    if let spilled, !keepsPhases {
      whole.curve.reserveCapacity(spilled.count(of: handle))
      try spilled.add(handle, to: &whole.curve)
      whole.findSteps()
      return whole
    }
    whole.reserveCapacity(
      try source.summaries().first { $0.key == handle }?.sampleCount, keepsPhases: keepsPhases)
    try source.forEachSample(of: handle, in: RecordingReader.allTime) { all in
      for series in all { whole.append(series, keepsPhases: keepsPhases) }
      return true
    }
    whole.findSteps()
    return whole
  }

  /// Calls a body with what some subjects are, one track after the other: of a long session no more than one key is held.
  ///
  /// - Throws: `StoreError` when the recording cannot be read.
  package func forEach(
    of subjects: [MotionSubject], from source: some SessionSource,
    _ body: (Track) throws -> Void
  ) throws {
    for subject in subjects {
      for place in places[subject] ?? [] {
        var memory = Curve([])
        let track = try whole(all[place], from: source, memory: &memory)
        if track.curve.count > 0 { try body(track) }
      }
    }
  }

  /// Whether a subject has a value.
  ///
  /// - Throws: `StoreError` when the recording cannot be read.
  package func has(_ subject: MotionSubject, in source: some SessionSource) throws -> Bool {
    let found = (places[subject] ?? []).map { all[$0] }
    guard readsApart else { return found.contains { $0.curve.count > 0 } }
    let summaries = try source.summaries()
    return found.contains { track in
      track.curve.count > 0 || summaries.contains { $0.key == track.record.handle }
    }
  }

  /// Adds the computed values that names ask for and that are not there, each name once.
  package mutating func add(valuesNamed names: Set<String>?, from source: some SessionSource) throws
  {
    guard let names, !names.isEmpty else { return }
    var seen = Set(all.map(\.name))
    all += try source.computedTracks(names.sorted(), besides: all.map(\.record)).filter {
      seen.insert($0.name).inserted
    }
  }
}
