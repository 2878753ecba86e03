import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineSession
import TimelineStore

/// The part of a run that is shown, if no more of it is read.
struct PlayedSpan {
  /// The instants, on the run's own clock.
  var times: ClosedRange<Instant>
  /// Whether one picture of them is wanted, not a playback.
  var isStill: Bool

  /// The largest distance from the ends at which a velocity is still shown, in nanoseconds.
  private static let margin: Int64 = 1_000_000_000

  /// Whether the velocities at an instant are shown: a picture has no room for them.
  func tellsVelocities(at time: Instant) -> Bool {
    !isStill && time >= times.lowerBound.advanced(byNanoseconds: -Self.margin)
      && time <= times.upperBound.advanced(byNanoseconds: Self.margin)
  }
}

/// The values of a run as it is played. Each look reads on after the last value of the look before.
struct PlayedValues {
  /// The curve of each key, also of a key without a sample.
  var curves: [KeyHandle: PlayerCurve] = [:]
  /// The stretches in which values moved by themselves: from the last driven value to the last value of the settle.
  private(set) var settlings: [ClosedRange<Instant>] = []
  /// From the first to the last value of the recorded keys, from the recording's summaries. `nil` if ``curves`` have all.
  private(set) var summarized: ClosedRange<Instant>?
  private var levels: [KeyHandle: StepLevels] = [:]
  /// Whether the newest value belongs to a settle.
  private var isSettling = false
  /// The instant of the newest value.
  private var newestSeen: Instant?
  private var newestSample = Instant(nanoseconds: .min)
  /// Values of the newest instant that are known, so that no value is added twice.
  private var newestOrdinals: Set<OrdinalOfKey> = []

  private struct OrdinalOfKey: Hashable {
    let key: KeyHandle
    let ordinal: Int64
  }

  /// Reads the values that were not read yet, or the shown values of a session that is finished.
  ///
  /// - Parameters:
  ///   - keys: The recorded keys that are wanted.
  ///   - source: The session.
  ///   - span: The part that is shown. `nil` if it may be any part.
  mutating func readOn(
    _ keys: [KeyRecord], of source: SessionArgument, in span: PlayedSpan?
  ) throws {
    for key in keys where curves[key.handle] == nil {
      curves[key.handle] = PlayerCurve(
        name: DisplayText.shown(key.name), unit: DisplayText.shown(key.unit), samples: [])
      levels[key.handle] = StepLevels(of: key)
    }
    let span = span.flatMap { Self.isBounded($0, source.session) ? $0 : nil }
    if let span { try readSummaries(keys, of: source, in: span) }
    try readRows(keys, of: source, in: span)
    for key in keys {
      let seemsStep = levels[key.handle]?.isStep == true
      // The values outside of the span may say that the key does not hold.
      curves[key.handle]?.isStep =
        seemsStep && span?.isStill == false
        ? try FileSource(source.session, in: source.reader).isStep(key) : seemsStep
    }
  }

  private mutating func readRows(
    _ keys: [KeyRecord], of source: SessionArgument, in span: PlayedSpan?
  ) throws {
    let handles = keys.map(\.handle).filter { curves[$0] != nil }
    let indices = IndexByNumber(handles.enumerated().map { ($1.rawValue, $0) })
    // In a list, since a dictionary costs each of millions of rows a hash.
    var read = handles.map { handle in
      (curve: curves.removeValue(forKey: handle), levels: levels[handle])
    }
    defer {
      for (handle, one) in zip(handles, read) {
        (curves[handle], levels[handle]) = (one.curve, one.levels)
      }
    }
    let rows = try rows(of: source, in: span)
    while let row = try rows.next() {
      // The part that is shown of a finished session is read once.
      guard span != nil || isNew(row) else { continue }
      noteSettling(row)
      let index = indices[row.key.rawValue]
      guard index >= 0 else { continue }
      read[index].curve?.append(row.sample)
      read[index].levels?.add(row.sample.value)
    }
  }

  /// Whether a value was not added before.
  private mutating func isNew(_ row: SampleRecord) -> Bool {
    if row.sample.time > newestSample {
      newestSample = row.sample.time
      newestOrdinals = []
    }
    return newestOrdinals.insert(OrdinalOfKey(key: row.key, ordinal: row.ordinal)).inserted
  }

  /// Whether a session is finished and a span is within it, so that nothing outside of the span is read.
  private static func isBounded(_ span: PlayedSpan, _ session: SessionRecord) -> Bool {
    session.end.map { span.times.overlaps(.zero...max(.zero, $0)) } ?? false
  }

  private func rows(
    of source: SessionArgument, in span: PlayedSpan?
  ) throws -> RowCursor<SampleRecord> {
    let (reader, number) = (source.reader, source.session.number)
    guard let span, let end = source.session.end else {
      try reader.requireHeld(number)
      return try reader.samples(in: number, from: newestSample...Instant(nanoseconds: .max))
    }
    let length = min(end, span.times.upperBound).seconds(since: max(.zero, span.times.lowerBound))
    return span.isStill && length > PlayerCurve.longestExactSeconds
      ? try reader.outline(in: number, from: span.times)
      : try reader.samples(in: number, from: span.times)
  }

  /// Reads the summaries of the keys instead of the values outside of the span: the times of the values, and for a playback
  /// the value at the beginning.
  private mutating func readSummaries(
    _ keys: [KeyRecord], of source: SessionArgument, in span: PlayedSpan
  ) throws {
    let wanted = Set(keys.map(\.handle))
    let summaries = try source.reader.keySummaries(in: source.session.number)
      .filter { wanted.contains($0.key) }
    if let first = summaries.map(\.first.time).min(), let last = summaries.map(\.last.time).max() {
      summarized = first...max(first, last)
    }
    let start = span.times.lowerBound
    guard !span.isStill, start.nanoseconds > .min else { return }
    let before = Instant(nanoseconds: .min)...start.advanced(byNanoseconds: -1)
    let held = try source.reader.newestSamples(
      of: summaries.filter { $0.first.time < start }.map(\.key), in: source.session.number,
      from: before)
    for (key, row) in held { curves[key]?.append(row.sample) }
  }

  /// Lengthens the settle under way, or begins one at the value before.
  private mutating func noteSettling(_ row: SampleRecord) {
    let time = row.sample.time
    if row.phase == .settling, isSettling, let last = settlings.last {
      settlings[settlings.count - 1] = last.lowerBound...max(last.lowerBound, time)
    } else if row.phase == .settling {
      let start = newestSeen ?? time
      settlings.append(min(start, time)...time)
    }
    isSettling = row.phase == .settling
    newestSeen = time
  }
}
