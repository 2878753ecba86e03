package import TimelineModel
package import TimelineStore

extension SessionSource {
  /// The values of elements, fingers and the viewport that names ask for, with the phases of the frames. The name of a
  /// recorded key is passed over, as any other.
  ///
  /// - Throws: `StoreError` when the recording cannot be read.
  /// - Complexity: linear in frames, in poses for elements, in touches for fingers.
  package func computedTracks(
    _ names: some Collection<String>, besides recorded: [KeyRecord]
  ) throws -> [Track] {
    let taken = Set(recorded.map(\.name))
    let subjects = names.filter {
      (MotionSubject.isComputed($0) || ViewportKeys.names.contains($0)) && !taken.contains($0)
    }.compactMap { MotionSubject($0) }.filter(\.isNumber)
    guard !subjects.isEmpty else { return [] }
    var parts = SessionParts()
    for subject in subjects { parts.add(subject, isDense: true) }
    let data = try SessionData(self, reading: parts)
    var phases: [(time: Instant, phase: MotionPhase)] = []
    try forEachState { state in
      guard phases.last?.phase != state.phase, phases.last.map({ $0.time <= state.time }) ?? true
      else { return }
      phases.append((state.time, state.phase))
    }
    let unitOfFingers = TouchMap(session.description).unit
    var tracks: [Track] = []
    for subject in subjects {
      // Elements of one ID that differ in their kind are one after the other.
      try data.tracks.forEach(of: [subject], from: self) { found in
        var track = found
        let handle = Int32.min + Int32(ViewportKeys.names.count + tracks.count)
        var unit = found.unit
        if case .finger = subject { unit = unitOfFingers }
        track.record = KeyRecord(
          handle: KeyHandle(rawValue: handle), name: subject.text, role: .custom, unit: unit)
        track.phases = track.curve.times.map { time in
          let next = phases.partitioningIndex { $0.time > time }
          // Without frames nothing but a finger has a value.
          return next > 0 ? phases[next - 1].phase : phases.isEmpty ? .driving : .idle
        }
        tracks.append(track)
      }
    }
    return tracks
  }
}

extension FileSource {
  /// The values of keys between two instants, with their phases: of each key also the last value before them and the first
  /// one after them.
  ///
  /// - Throws: `StoreError` when the recording cannot be read, or has more samples than are held.
  /// - Complexity: linear in the samples of the range, and in the distance of a key's neighbours from it.
  package func tracks(
    of keys: [KeyRecord], around range: ClosedRange<Instant>
  ) throws -> [Track] {
    guard range != RecordingReader.allTime else {
      var reading = SampleReading(keys, keeping: .valuesAndPhases, needsClock: false)
      try reading.read(self)
      return reading.tracks
    }
    var tracks = keys.map { Track($0) }
    let written = try summaries()
    let summaries = Dictionary(written.map { ($0.key, $0) }) { first, _ in first }
    let past = Instant(nanoseconds: .min)...range.lowerBound.advanced(byNanoseconds: -1)
    let before = keys.map(\.handle).filter {
      summaries[$0].map { $0.first.time < range.lowerBound } ?? false
    }
    let held = try reader.newestSamples(of: before, in: session.number, from: past)
    let positions = IndexByNumber(keys.enumerated().map { ($1.handle.rawValue, $0) })
    func take(_ row: SampleRecord) {
      tracks[positions[row.key.rawValue]].add(row.sample, phase: row.phase)
    }
    for key in before { held[key].map(take) }
    let rows = try reader.samples(in: session.number, from: range)
    while let row = try rows.next() { if positions[row.key.rawValue] >= 0 { take(row) } }
    let rest = range.upperBound.advanced(byNanoseconds: 1)...Instant(nanoseconds: .max)
    for key in keys where summaries[key.handle].map({ $0.last.time > range.upperBound }) ?? false {
      let rows = try reader.samples(of: key.handle, in: session.number, from: rest)
      let first = try rows.next()
      var next = first
      // Of one instant the newest counts.
      while let row = next, row.time == first?.time {
        take(row)
        next = try rows.next()
      }
    }
    guard tracks.allSatisfy({ $0.curve.leftOutCount == 0 }) else {
      // A value that is not a number says nothing, so its own neighbours count.
      return try self.tracks(of: keys, around: RecordingReader.allTime)
    }
    for index in tracks.indices {
      tracks[index].findSteps()
      // What lies outside of the range may say that the values do not hold.
      if tracks[index].isStep { tracks[index].isStep = try isStep(keys[index]) }
    }
    return tracks
  }

  /// The recorded samples and those of computed tracks, in the order of time. At one instant the recorded ones come first.
  ///
  /// - Throws: `StoreError` when the recording cannot be read.
  package func samples(
    and computed: [Track], in range: ClosedRange<Instant>
  ) throws(StoreError) -> RowCursor<SampleRecord> {
    let recorded = try reader.samples(in: session.number, from: range)
    // At one instant the tracks stay in their order.
    let others = computed.flatMap(\.records).filter { range.contains($0.time) }.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    guard !others.isEmpty else { return recorded }
    var head = try recorded.next()
    var position = 0
    return RowCursor { () throws(StoreError) in
      if position < others.count, head.map({ others[position].time < $0.time }) ?? true {
        position += 1
        return others[position - 1]
      }
      let row = head
      if row != nil { head = try recorded.next() }
      return row
    }
  }
}
