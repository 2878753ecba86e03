import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineSession
import TimelineStore
import TransitionEngine

/// The form of `kymo replay` that prints what a session looked like, at a moment or as it went.
func replayRowsForm() -> CommandForm {
  CommandForm(
    arguments: "FILE", argumentCount: 1...1,
    flags: [
      Flags.at.described("the state at these times, with commas between (0.25,250ms,…)"),
      Flags.items.described("every element, or only these, with their poses"),
      ReplayFlags.keys, Flags.keys.described("these values, with commas between"),
      ReplayFlags.rate, Flags.timeFilter, Flags.gestureReading, Flags.listing,
    ], run: runReplay)
}

/// The flags of the rows of `kymo replay` alone.
enum ReplayFlags {
  static var keys: Flag<Bool> {
    .toggle("keys", "the values of every recorded key")
  }
  static var rate: Flag<RowRate> {
    Flag("rate", "R", "this many rows per second, interpolated") { text, name in
      if text == "recorded" { return .recorded }
      guard let rate = Double(text), rate > 0, rate <= 1e6 else {
        throw Failure.usage(
          "--\(name) must be recorded, or a number above 0 and at most a million (got '\(text)')")
      }
      return .perSecond(rate)
    }.standard("recorded")
  }
}

private func runReplay(_ invocation: Invocation) throws -> ExitCode {
  let wantsItems = invocation.has(Flags.items)
  let wantsKeys = invocation.has(ReplayFlags.keys) || invocation.has(Flags.keys)
  guard !(wantsItems && wantsKeys) else {
    throw Failure.usage("elements and keys are two listings. Give --items, or --keys and --key")
  }
  let replay = try Replay(invocation)
  if !wantsKeys, let text = replay.source.text?.text, !text.isLines {
    throw Failure.usage("\(text.name) has no frames. Print its values with --key NAMES or --keys")
  }
  if wantsKeys { try replay.listKeys() } else { try replay.listFrames(withItems: wantsItems) }
  return .yes
}

/// How many rows there are.
enum RowRate {
  /// One for each recorded value or frame.
  case recorded
  /// So many a second.
  case perSecond(Double)

  /// Rows a second. `nil`: as recorded.
  var rowsPerSecond: Double? {
    if case .perSecond(let rate) = self { rate } else { nil }
  }
}

/// The columns of the rows of frames, of elements and of keys.
func replayColumns() -> [ResultColumn] {
  FrameState.fields.described() + ElementListing.fields.described()
    + Replay.KeyRow.fields.described()
}

/// One replay with its options.
private struct Replay {
  let invocation: Invocation
  let source: SessionArgument
  /// The instants that are shown. `nil`: all of the session.
  let moments: [Instant]?
  /// Rows a second. `nil`: as recorded.
  let rate: Double?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    source = try SessionArgument(invocation)
    moments = try invocation.value(Flags.at)
    rate = try invocation.value(ReplayFlags.rate)?.rowsPerSecond
    guard moments == nil || rate == nil else {
      throw Failure.usage("--at and --rate exclude each other")
    }
    for moment in moments ?? [] { try source.requireOverlap(moment...moment, flag: "at") }
  }

  /// The most rows, or rows of one key, that are made at a steady rate: those of keys are sorted in memory, and
  /// an app's times may lie centuries apart.
  private static let rowLimit = 1e7

  private var number: Int64 { source.session.number }

  // MARK: Frames

  func listFrames(withItems: Bool) throws {
    let output = try invocation.rowWriter(
      columns: withItems
        ? FrameState.elementFields.names() + ElementListing.columns : FrameState.columns)
    var filter = try RowFilter(invocation, of: source)
    let identities = try items()
    let ids = try invocation.namedItems(in: source) ?? []
    let frames = try frameSource(withItems: withItems)
    while let folded = try frames() {
      guard filter.takes(folded.frame.state.time) else { continue }
      let state = folded.frame.state
      guard withItems else {
        output.write(state.row)
        continue
      }
      let head = FrameState.elementFields.row(of: state)
      for element in folded.elements {
        guard let identity = identities[element.item], ids.contains(identity.id) else { continue }
        let shown = ElementListing(
          identity.category, kind: identity.elementKind, id: identity.id, at: element.indexPath,
          element.pose)
        output.write(head + shown.row)
      }
    }
    output.finish()
  }

  private func items() throws -> [ItemHandle: ElementIdentity] {
    var identities: [ItemHandle: ElementIdentity] = [:]
    for item in try source.reader.items(in: number) { identities[item.handle] = item.identity }
    return identities
  }

  /// Gives the frames that were asked for, one after the other.
  private func frameSource(withItems: Bool) throws -> () throws -> FoldedFrame? {
    let reader = source.reader
    if let moments {
      var shown = try moments.map { moment in
        guard let frame = try reader.frame(shownAt: moment, in: number) else {
          guard try reader.frames(in: number).next() != nil else {
            throw Failure.usage(
              "\(source.session.label) has no frames. --keys shows the values at that time")
          }
          throw Failure.usage(
            "--at \(FieldValue.jsonNumber(moment.seconds)) is before the first frame. "
              + "kymo replay shows when frames begin")
        }
        return withItems
          ? try reader.foldedFrame(frame.number, in: number)
          : FoldedFrame(frame: frame, elements: [])
      }[...]
      return { shown.popFirst() ?? nil }
    }
    let recorded: () throws -> FoldedFrame?
    if withItems {
      let cursor = try reader.foldedFrames(in: number)
      recorded = { try cursor.next() }
    } else {
      let cursor = try reader.frames(in: number)
      recorded = { try cursor.next().map { FoldedFrame(frame: $0, elements: []) } }
    }
    guard let rate else { return recorded }
    if let first = try reader.frames(in: number).next(),
      let last = try reader.frame(shownAt: Instant(nanoseconds: .max), in: number)
    {
      try refuseTooMany(from: first.state.time, to: last.state.time, rate)
    }
    var resampling = FrameResampling(rate: rate, next: recorded)
    return { try resampling.nextFrame() }
  }

  // MARK: Keys

  func listKeys() throws {
    let output = try invocation.rowWriter(columns: KeyRow.columns)
    var filter = try RowFilter(invocation, of: source)
    let recorded = try source.reader.keys(in: number)
    let names = try invocation.namedValues(in: source)?.names
    let file = FileSource(source.session, in: source.reader)
    let computed = try file.computedTracks(names ?? [], besides: recorded)
    let keys =
      recorded.filter { names?.contains($0.name) ?? true } + computed.map(\.record)
    if moments != nil || rate != nil {
      let rows = try sampledRows(keys, computed, in: filter.range)
      for row in rows where filter.takes(row.time, series: row.key.name) {
        output.write(row.row)
      }
    } else {
      let named = Dictionary(keys.map { ($0.handle, $0) }) { first, _ in first }
      let samples = try file.samples(and: computed, in: filter.range)
      while let row = try samples.next() {
        guard let key = named[row.key],
          filter.takes(row.sample.time, series: key.name)
        else { continue }
        output.write(
          KeyRow(
            time: row.sample.time, key: key, value: row.sample.value, phase: row.phase
          ).row)
      }
    }
    output.finish()
  }

  /// One value of a key as it is printed.
  fileprivate struct KeyRow: ResultRow {
    var time: Instant
    var key: KeyRecord
    var value: Double
    var phase: MotionPhase

    static let fields = makeFields()

    private static func makeFields() -> [ResultField<KeyRow>] {
      [
        ResultField("t_ns", "The instant of the sample.", \.time),
        ResultField("phase", "The phase: idle, driving or settling.", \.phase.rawValue),
        ResultField("key", "The key's name.", \.key.name),
        ResultField("value", "The value of the key.", \.value),
        ResultField("unit", "The unit of the key's values.", \.key.unit),
      ]
    }
  }

  /// Values at the moments that were asked for, each the last one at or before it, or at a steady rate in the order of
  /// time.
  private func sampledRows(
    _ keys: [KeyRecord], _ computed: [Track], in range: ClosedRange<Instant>
  ) throws -> [KeyRow] {
    if let moments {
      let recorded = keys.filter { !$0.isComputed }.map(\.handle)
      return try moments.flatMap { moment -> [KeyRow] in
        let before = Instant(nanoseconds: .min)...moment
        var held = try source.reader.newestSamples(of: recorded, in: number, from: before)
        for key in computed {
          held[key.record.handle] = key.records.last { $0.sample.time <= moment }
        }
        return keys.compactMap { key in
          held[key.handle].map {
            KeyRow(time: moment, key: key, value: $0.sample.value, phase: $0.phase)
          }
        }
      }
    }
    let file = FileSource(source.session, in: source.reader)
    var tracks = try file.tracks(of: keys.filter { !$0.isComputed }, around: range) + computed
    var rows: [KeyRow] = []
    for index in tracks.indices {
      if tracks[index].record.isComputed { tracks[index].findSteps() }
      let (track, curve) = (tracks[index], tracks[index].curve)
      guard let earliest = curve.times.first, let latest = curve.times.last else { continue }
      let (first, last) = (max(earliest, range.lowerBound), min(latest, range.upperBound))
      for time in try times(from: first, to: last) {
        guard let value = track.isStep ? curve.heldValue(at: time) : curve.value(at: time) else {
          continue
        }
        let phase = curve.indexOfSample(atOrBefore: time).map { track.phases[$0] } ?? .idle
        rows.append(KeyRow(time: time, key: track.record, value: value, phase: phase))
      }
    }
    return rows.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private func refuseTooMany(
    from first: Instant, to last: Instant, _ rate: Double
  ) throws {
    guard last.seconds(since: first) * rate <= Replay.rowLimit else {
      let ofKeys = invocation.has(ReplayFlags.keys) || invocation.has(Flags.keys)
      throw Failure.usage(
        "--rate \(FieldValue.jsonNumber(rate)) gives more than ten million rows"
          + (ofKeys ? " for each key" : "") + ". Give a lower rate")
    }
  }

  private func times(from first: Instant, to last: Instant) throws -> [Instant] {
    guard let rate else { return [] }
    try refuseTooMany(from: first, to: last, rate)
    var times: [Instant] = []
    var number = (first.seconds * rate).rounded(.up)
    while let time = Instant(seconds: number / rate), time <= last {
      times.append(time)
      number += 1
    }
    return times
  }
}
