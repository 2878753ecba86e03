import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession
public import TimelineStore

extension RunComparison {
  /// Compares two sessions.
  ///
  /// - Throws: ``MotionMeasures/QueryError`` where the sessions cannot be aligned as asked. `StoreError` when a file cannot be
  ///   read.
  public static func compare(
    _ a: SessionRecord, in readerA: RecordingReader, with b: SessionRecord,
    in readerB: RecordingReader, alignment: Alignment, tolerance: Tolerance = Tolerance()
  ) throws -> RunComparison {
    var options = Options()
    options.alignment = alignment
    options.tolerance = tolerance
    return try compare(a, in: readerA, with: b, in: readerB, options: options)
  }

  /// Compares two sessions.
  ///
  /// - Parameters:
  ///   - a: The first session.
  ///   - readerA: Its recording.
  ///   - b: The session that is compared with it.
  ///   - readerB: Its recording. May be the same.
  ///   - options: What is compared, and by what.
  ///   - progress: Called on the caller's thread with progress, 0 to 1.
  /// - Throws: ``MotionMeasures/QueryError`` where the sessions cannot be aligned as asked. `StoreError` when a file cannot be
  ///   read.
  /// - Complexity: linear in the samples, frames and elements of both.
  public static func compare(
    _ a: SessionRecord, in readerA: RecordingReader, with b: SessionRecord,
    in readerB: RecordingReader, options: Options = Options(),
    progress: (Double) -> Void = { _ in }
  ) throws -> RunComparison {
    try readerA.beginState()
    defer { readerA.endState() }
    try readerB.beginState()
    defer { readerB.endState() }
    var runs = try SessionData.pair(a, readerA, b, readerB, options: options)
    return try compare(&runs, in: readerA, readerB, options: options, progress: progress)
  }

  /// Compares two sessions of which the curves are at hand or read key by key, and A's frames unless they are nil.
  ///
  /// - Parameter runs: The sessions. Keys that are asked for by name are added. One that is read key by key loses its clock.
  static func compare(
    _ runs: inout (SessionData, SessionData), in readerA: RecordingReader,
    _ readerB: RecordingReader, framesOfA: [FoldedFrame]? = nil, options: Options,
    progress: (Double) -> Void = { _ in }
  ) throws -> RunComparison {
    try runs.0.tracks.add(
      valuesNamed: options.keyNames, from: FileSource(runs.0.session, in: readerA))
    try runs.1.tracks.add(
      valuesNamed: options.keyNames, from: FileSource(runs.1.session, in: readerB))
    progress(Share.reading)
    var comparison = try align(runs.0, readerA, runs.1, readerB, options: options)
    runs.0.forgetClock()
    runs.1.forgetClock()
    let (runA, runB) = runs
    let releases = try ReleaseVelocities(runA, readerA, runB, readerB, options: options)
    comparison.estimateCount = releases.estimateCount
    try comparison.addOutcomes(runA, readerA, runB, readerB, releases)
    if options.keyNames == nil { comparison.structure = StructureDifference.all(runA, runB) }
    comparison.keys = try comparison.compareKeys(
      runA, readerA, runB, readerB, releases, options: options)
    progress(Share.keys)
    if options.keyNames == nil, options.comparesLayout {
      try comparison.compareLayout(
        (runA.session, readerA), (runB.session, readerB), framesOfA, options: options,
        progress: { progress(Share.keys + (1 - Share.keys) * $0) })
    }
    comparison.judge(options)
    return comparison
  }

  /// A comparison in which the clocks are aligned and nothing is compared yet.
  private static func align(
    _ a: SessionData, _ readerA: RecordingReader, _ b: SessionData, _ readerB: RecordingReader,
    options: Options
  ) throws -> RunComparison {
    let anchors = (a: a.anchor(options.alignment), b: b.anchor(options.alignment))
    let timeMap = try Self.timeMap(a, readerA, b, readerB, options: options, anchors: anchors)
    var anchorOfB = anchors.b
    if options.alignment.movesBeyondAnchors {
      anchorOfB = anchors.a.advanced(
        byNanoseconds: Instant.zero.nanoseconds(
          since: Instant(nanoseconds: timeMap.offsetNanoseconds)))
    }
    return RunComparison(
      alignment: options.alignment, anchorOfA: anchors.a, anchorOfB: anchorOfB, timeMap: timeMap,
      smoothness: Smoothness(
        a: FrameMetrics(a.frames, jankMultiple: options.jankMultiple),
        b: FrameMetrics(b.frames, jankMultiple: options.jankMultiple)),
      // Without a refresh rate a frame is taken for 1/60 s, the commonest display's.
      lagLimitSeconds: options.tolerance.lagSeconds ?? 1 / (a.frames.refreshRate ?? 60),
      tolerance: options.tolerance)
  }

  /// How much of the work is over after each part, where there is everything.
  private enum Share {
    static let reading = 0.3
    static let keys = 0.5
  }

  /// Where B's clock lies on A's.
  private static func timeMap(
    _ a: SessionData, _ readerA: RecordingReader, _ b: SessionData, _ readerB: RecordingReader,
    options: Options, anchors: (a: Instant, b: Instant)
  ) throws -> TimeMap {
    let map = TimeMap(TimeMap.Knot(ofB: anchors.b, ofA: anchors.a))
    switch options.alignment {
    case .none, .start, .release: return map
    case .manual(let nanoseconds): return map.moved(byNanoseconds: nanoseconds)
    case .progress:
      return try ProgressAlignment(
        a.withProgress(from: FileSource(a.session, in: readerA)),
        b.withProgress(from: FileSource(b.session, in: readerB))
      ).map
    case .xcorr:
      let shift = commonShift(a, b, map: map, limitSeconds: options.lagLimitSeconds)
      return map.moved(byNanoseconds: Int64((-shift * 1e9).rounded()))
    }
  }

  /// The shift of B, in seconds, that brings all keys nearest to each other at once: the smallest sum of
  /// their mean squares in units of each key's range in A. Keys that do not move say nothing of it.
  private static func commonShift(
    _ a: SessionData, _ b: SessionData, map: TimeMap, limitSeconds: Double
  ) -> Double {
    var terms: [(weight: Double, meanSquare: (Double) -> Double?)] = []
    for match in matchedKeys(a, b) {
      let (key, other) = (a.tracks.all[match.a], b.tracks.all[match.b])
      guard let range = key.curve.valueRange, range.upperBound > range.lowerBound,
        let pair = CurvePair(
          key.curve, other.curve.mapped(by: map, zero: .zero), isStep: key.isStep && other.isStep)
      else { continue }
      let extent = (range.upperBound - range.lowerBound) / pair.scale
      guard extent.isFinite, extent > 0 else { continue }
      terms.append((1 / (extent * extent), pair.quickMeanSquare()))
    }
    let search = ShiftSearch(limitSeconds: limitSeconds)
    return search.best(gain: smallestLagGain * smallestLagGain) { shift, _ in
      var (sum, count) = (0.0, 0)
      for term in terms {
        guard let found = term.meanSquare(shift) else { continue }
        sum += found * term.weight
        count += 1
      }
      // A shift at which a key has no overlap must not win by leaving it out.
      return count == terms.count && count > 0 && sum.isFinite ? sum : nil
    }.shift
  }

  /// The places of the keys of one name and role in both sessions, in the order of A's.
  private static func matchedKeys(_ a: SessionData, _ b: SessionData) -> [(a: Int, b: Int)] {
    var others: [KeyName: Int] = [:]
    for (place, key) in b.tracks.all.enumerated() { others[KeyName(key.record)] = place }
    return a.tracks.all.enumerated().compactMap { place, key in
      others[KeyName(key.record)].map { (place, $0) }
    }
  }

  private func compareKeys(
    _ a: SessionData, _ readerA: RecordingReader, _ b: SessionData, _ readerB: RecordingReader,
    _ releases: ReleaseVelocities, options: Options
  ) throws -> ComparedKeys {
    // How exactly an element is known is not what it does.
    func isAsked(_ key: Track) -> Bool {
      options.keyNames?.contains(key.record.name) ?? !ElementErrors.describes(key.record.name)
    }
    let matched = RunComparison.matchedKeys(a, b)
    let errors = (
      a: try ElementErrors(FileSource(a.session, in: readerA)),
      b: try ElementErrors(FileSource(b.session, in: readerB))
    )
    func noise(_ key: Track) -> Double {
      [errors.a, errors.b].compactMap { $0.halfWidths(ofKey: key.name)?.values.upperMedian }
        .reduce(0, +)
    }
    var keys = ComparedKeys()
    keys.reserveCapacity(matched.count)
    let sources = (a: FileSource(a.session, in: readerA), b: FileSource(b.session, in: readerB))
    let readsApart = a.tracks.readsApart || b.tracks.readsApart
    var memory = (a: Curve([]), b: Curve([]))
    var next = 0
    while next < matched.count {
      // So many at once that all cores have work, and of long keys no more than one of each session.
      var (pairs, valueCount): ([(a: Track, b: Track)], Int) = ([], 0)
      while next < matched.count, pairs.count < 1024, !readsApart || valueCount < 1 << 17 {
        let (ofA, ofB) = (a.tracks.all[matched[next].a], b.tracks.all[matched[next].b])
        next += 1
        guard isAsked(ofA), options.keyNames != nil || looks(at: ofA, ofB, options.tolerances)
        else { continue }
        let key = try a.tracks.whole(ofA, from: sources.a, memory: &memory.a)
        let other = try b.tracks.whole(ofB, from: sources.b, memory: &memory.b)
        valueCount += key.curve.count + other.curve.count
        pairs.append((key, other))
      }
      for key in compare(&pairs, a, b, releases, noise, options) { keys.append(key) }
      if a.tracks.readsApart, let last = pairs.indices.last { memory.a = pairs[last].a.takeCurve() }
      if b.tracks.readsApart, let last = pairs.indices.last { memory.b = pairs[last].b.takeCurve() }
    }
    for (run, name) in [(a, "A"), (b, "B")] {
      var isMatched = Array(repeating: false, count: run.tracks.all.count)
      for match in matched { isMatched[name == "A" ? match.a : match.b] = true }
      // A session without frames has no viewport: its elements say so.
      for (place, key) in run.tracks.all.enumerated()
      where !isMatched[place] && isAsked(key) && !key.record.isOfViewport {
        var missing = Key(
          name: key.record.name, role: key.record.role, unit: key.record.unit, onlyIn: name,
          isSame: false)
        judgeMissing(&missing, options.tolerances)
        keys.append(missing)
      }
    }
    keys.sort()
    return keys
  }

  /// Compares keys of both sessions side by side, in the order of the pairs.
  private func compare(
    _ pairs: inout [(a: Track, b: Track)], _ a: SessionData, _ b: SessionData,
    _ releases: ReleaseVelocities, _ noise: (Track) -> Double, _ options: Options
  ) -> [Key] {
    pairs.withUnsafeMutableBufferPointer { pairs in
      Array(unsafeUninitializedCapacity: pairs.count) { found, count in
        // Each piece writes its own place alone.
        nonisolated(unsafe) let (found, pairs) = (found, pairs)
        doInParallel(pairs.count) { place in
          found.initializeElement(
            at: place,
            to: compare(
              &pairs[place], a, b, releases, noise: noise(pairs[place].a), options: options))
        }
        count = pairs.count
      }
    }
  }

  /// Whether two keys of one name are compared: all but those of the viewport that are one and the same in both
  /// sessions, and that no rule names.
  private func looks(
    at key: Track, _ other: Track, _ tolerances: Tolerances?
  ) -> Bool {
    guard key.record.isOfViewport, tolerances?.names(viewport: key.record.name) != true else {
      return true
    }
    let curve = key.curve.shifted(byNanoseconds: Instant.zero.nanoseconds(since: anchorOfA))
    let isStill = !key.moves && !other.moves && curve.values.first == other.curve.values.first
    return !isStill && curve != other.curve.mapped(by: timeMap, zero: anchorOfA)
  }

  /// Compares a key of both sessions, and leaves the memory of their values.
  private func compare(
    _ pair: inout (a: Track, b: Track), _ a: SessionData, _ b: SessionData,
    _ releases: ReleaseVelocities, noise: Double, options: Options
  ) -> Key {
    let record = pair.a.record
    let isStep = pair.a.isStep && pair.b.isStep
    let motions = (0..<max(a.stretches.count, b.stretches.count)).map { index in
      Motion(
        transition: index, a: a.motion(of: pair.a, inStretch: index, isStep: isStep),
        b: b.motion(of: pair.b, inStretch: index, isStep: isStep))
    }
    let rates = (a: pair.a.curve.rate, b: pair.b.curve.rate)
    let velocities = record.isComputed ? [] : releases.velocities(record, pair.b.record)
    // They are moved where they are: each list of ten hours takes 35 MB.
    var (curveOfA, curveOfB) = (pair.a.takeCurve(), pair.b.takeCurve())
    defer { (pair.a.curve, pair.b.curve) = (curveOfA, curveOfB) }
    curveOfA.shift(byNanoseconds: Instant.zero.nanoseconds(since: anchorOfA))
    curveOfB.move(by: timeMap, zero: anchorOfA)
    let curves = CurvePair(curveOfA, curveOfB, isStep: isStep)
    let samples = CurveComparison.Samples(curveOfA, curveOfB)
    let longer = max(curveOfA.durationSeconds, curveOfB.durationSeconds)
    // The pair has them in seconds.
    curveOfA.forgetTimes()
    curveOfB.forgetTimes()
    let comparison = CurveComparison(
      samples, pair: curves, lagLimitSeconds: options.lagLimitSeconds, isStep: isStep,
      frameSeconds: a.frames.refreshRate.map { 1 / $0 },
      explainsAbove: options.leastExplainedShare, hasIncrements: options.keyFigures == .all,
      warps: options.keyFigures == .all
        || options.tolerances?.bound(for: .warp, of: record.name) != nil)
    var result = Key(
      name: record.name, role: record.role, unit: record.unit, comparison: comparison,
      isSame: true)
    result.isOfViewport = record.isOfViewport
    result.noise = noise
    if !result.isOfViewport {
      (result.rateOfA, result.rateOfB) = rates
      result.velocities = velocities
    }
    result.motions = motions
    judge(&result, curves, longer: longer, options.tolerances)
    return result
  }

  private mutating func compareLayout(
    _ a: (session: SessionRecord, reader: RecordingReader),
    _ b: (session: SessionRecord, reader: RecordingReader), _ framesOfA: [FoldedFrame]?,
    options: Options, progress: (Double) -> Void
  ) throws {
    var measures = LayoutMeasures(options.tolerances)
    var found = try LayoutComparison(
      a.session, in: a.reader, with: b.session, in: b.reader, map: timeMap, zero: anchorOfA,
      tolerance: options.tolerance.layout, measures: &measures, framesOfA: framesOfA,
      progress: { progress($0 / 2) })
    // A delay that the keys let pass must not make every element differ: it is taken out, as of keys.
    let lag = commonLag
    if !found.isSame, abs(lag) >= RunComparison.leastLayoutLag, abs(lag) <= lagLimitSeconds {
      var unused = LayoutMeasures(nil)
      let shifted = try LayoutComparison(
        a.session, in: a.reader, with: b.session, in: b.reader,
        map: timeMap.moved(byNanoseconds: Int64((-lag * 1e9).rounded())), zero: anchorOfA,
        tolerance: options.tolerance.layout, measures: &unused, framesOfA: framesOfA,
        progress: { progress(0.5 + $0 / 2) })
      layoutLagSeconds = lag
      let same = Set(shifted.items.filter(\.isSame).map(\.identity))
      for index in found.items.indices where same.contains(found.items[index].identity) {
        found.items[index].isSame = true
      }
    }
    for index in found.items.indices {
      judge(&found.items[index], measures)
    }
    layout = found
  }

  /// A lag below this is none, in seconds: no element moves a tenth of a point in it at 1,000 points a
  /// second.
  private static let leastLayoutLag = 1e-4

  /// The middle one of the lags of the keys that move. 0 where none does.
  private var commonLag: Double {
    let lags = keys.compactMap { key in
      key.comparison.flatMap { $0.rangeOfA > 0 && !$0.lagIsAtLimit ? $0.lagSeconds : nil }
    }.sorted()
    return lags.isEmpty ? 0 : lags[(lags.count - 1) / 2]
  }
}

/// What makes two keys of two sessions the same key.
private struct KeyName: Hashable {
  let name: String
  let role: KeyRole

  init(_ key: KeyRecord) {
    name = key.name
    role = key.role
  }
}

extension Curve {
  /// Samples a second from the first to the last. `nil` for fewer than two.
  fileprivate var rate: Double? {
    count > 1 && durationSeconds > 0 ? Double(count - 1) / durationSeconds : nil
  }
}

extension SessionData {
  /// The numbers of a track in a stretch. `nil`: there is no such stretch, or no sample in it.
  fileprivate func motion(of track: Track, inStretch index: Int, isStep: Bool) -> MotionMetrics? {
    guard stretches.indices.contains(index) else { return nil }
    let stretch = stretches[index]
    return MotionMetrics(
      track.curve, in: stretch, unit: track.unit, isStep: isStep,
      settle: track.axes.isEmpty
        ? nil
        : settle(
          of: track, from: stretch.start, release: stretch.release, until: stretch.end))
  }
}
