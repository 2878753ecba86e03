import KymographCLibrary
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore
import TransitionEngine

/// `kymo replay`: what a session looked like, at a moment or as it went.
func replayCommand() -> Command {
  Command(
    name: "replay", summary: "the state at an instant, or the whole run as rows",
    arguments: "FILE [SESSION]", argumentCount: 1...2,
    examples: [
      "kymo replay pinch.kymo --plot", "kymo replay pinch.kymo --at 0.25s --items",
      "kymo replay pinch.kymo --keys --rate 60 --format csv",
    ],
    discussion: """
      Without flags a row for every recorded frame. --at shows the frame that was on the
      display at that time, and with --keys every key's value then: a value holds until the
      next one. --rate alone interpolates between samples and frames, but for keys of steps (an
      app's key of unit 1 with at most 16 whole numbers). Keys are those that were recorded: of
      the viewport the rows of frames have contentOffset and contentSize.
      """,
    flags: [
      Flags.at.described("the state at this time (0.25, 250ms, …)"),
      ReplayFlags.items, ReplayFlags.keys, ReplayFlags.rate,
      ReplayFlags.speed, ReplayFlags.plot, Flags.key, Flags.item, Flags.timeFilter, Flags.listing,
    ], run: runReplay)
}

/// The flags of `kymo replay` alone.
enum ReplayFlags {
  static var items: Flag<Bool> {
    .toggle("items", "every element with its frame, alpha and transform")
  }
  static var keys: Flag<Bool> {
    .toggle("keys", "the keys' values")
  }
  static var rate: Flag<RowRate> {
    let number = Flag<Double>.factor(
      "rate", "R", "recorded (default), or this many rows per second, interpolated")
    return Flag(number.declaration) { text, name in
      text == "recorded" ? .recorded : .perSecond(try number.read(text, name))
    }
  }
  static var speed: Flag<Double> {
    .factor(
      "speed", "S", "play in real time, S times as fast; NDJSON unless --format says otherwise")
  }
  static var plot: Flag<Bool> {
    .toggle("plot", "a curve of the progress, or of --key, as text")
  }
}

private func runReplay(_ invocation: Invocation) throws -> ExitCode {
  let wantsItems = invocation.has(ReplayFlags.items) || invocation.has(Flags.item)
  if invocation.has(ReplayFlags.plot) {
    for flag in invocation.given(
      Flags.at, ReplayFlags.items, Flags.item, ReplayFlags.keys, ReplayFlags.rate,
      ReplayFlags.speed,
      Flags.every, Flags.format, Flags.json)
    {
      throw Failure.usage("--plot draws one curve; it does not go with --\(flag)")
    }
    try Replay(invocation).plot()
    return .yes
  }
  let wantsKeys = invocation.has(ReplayFlags.keys) || invocation.has(Flags.key)
  guard !(wantsItems && wantsKeys) else {
    throw Failure.usage("items and keys are two listings; choose one")
  }
  let replay = try Replay(invocation)
  if wantsKeys { try replay.listKeys() } else { try replay.listFrames(withItems: wantsItems) }
  return .yes
}

/// How many rows there are.
enum RowRate {
  /// One for each recorded value or frame.
  case recorded
  /// So many a second.
  case perSecond(Double)

  /// Rows a second; nil: as recorded.
  var rowsPerSecond: Double? {
    if case .perSecond(let rate) = self { rate } else { nil }
  }
}

/// One replay with its options.
private struct Replay {
  let invocation: Invocation
  let source: SessionArgument
  let moment: Instant?
  /// Rows a second; nil: as recorded.
  let rate: Double?
  /// How many times as fast as recorded; nil: at once.
  let speed: Double?

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    source = try SessionArgument(invocation)
    moment = try invocation.value(Flags.at).map(Instant.init(nanoseconds:))
    rate = try invocation.value(ReplayFlags.rate)?.rowsPerSecond
    speed = try invocation.value(ReplayFlags.speed)
    guard moment == nil || (rate == nil && speed == nil) else {
      throw Failure.usage("--at asks for one moment; --rate and --speed are for a run")
    }
    if let moment { try source.requireOverlap(moment...moment, flag: "at") }
  }

  /// The most rows, or rows of one key, that are made at a steady rate: those of keys are sorted in memory, and
  /// an app's times may lie centuries apart.
  private static let rowLimit = 1e7

  private var number: Int64 { source.session.number }

  // MARK: Frames

  func listFrames(withItems: Bool) throws {
    let output = try RowOutput(
      invocation, speed: speed,
      columns: withItems
        ? FrameState.elementFields.names() + ElementListing.columns : FrameState.columns)
    var filter = try RowFilter(invocation)
    let identities = try items()
    if let item = filter.item, !identities.values.contains(where: { $0.id == item }) {
      throw Failure.usage("there is no item \(item) in this session; see kymo replay --items")
    }
    let frames = try frameSource(withItems: withItems)
    while let folded = try frames() {
      guard filter.takes(folded.frame.state.time) else { continue }
      let state = folded.frame.state
      guard withItems else {
        output.write(state.row, at: state.time)
        continue
      }
      let head = FrameState.elementFields.row(of: state)
      for element in folded.elements {
        guard let identity = identities[element.item],
          filter.item.map({ $0 == identity.id }) ?? true
        else { continue }
        let shown = ElementListing(
          identity.category, kind: identity.elementKind, id: identity.id, at: element.indexPath,
          element.pose)
        output.write(head + shown.row, at: state.time)
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
    if let moment {
      var shown = try reader.frame(shownAt: moment, in: number).map { frame in
        withItems
          ? try reader.foldedFrame(frame.number, in: number)
          : FoldedFrame(frame: frame, elements: [])
      }
      guard shown != nil else {
        throw Failure.usage("no frame was on the display yet at that time; see kymo replay")
      }
      return {
        defer { shown = nil }
        return shown ?? nil
      }
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
    let output = try RowOutput(
      invocation, speed: speed, columns: KeyRow.columns)
    var filter = try RowFilter(invocation)
    let keys = try source.keys(named: invocation.text(Flags.key))
    if moment != nil || rate != nil {
      for row in try sampledRows(keys) where filter.takes(row.time, series: row.key.name) {
        output.write(row.row, at: row.time)
      }
    } else {
      let named = Dictionary(keys.map { ($0.handle, $0) }) { first, _ in first }
      let samples = try source.reader.samples(in: number, from: filter.range)
      while let row = try samples.next() {
        guard let key = named[row.key],
          filter.takes(row.sample.time, series: key.name)
        else { continue }
        let time = row.sample.time
        output.write(
          KeyRow(time: time, key: key, value: row.sample.value, phase: row.phase).row, at: time)
      }
    }
    output.finish()
  }

  /// One value of a key as it is printed.
  private struct KeyRow: ResultRow {
    var time: Instant
    var key: KeyRecord
    var value: Double
    var phase: MotionPhase

    static let fields = makeFields()

    private static func makeFields() -> [ResultField<KeyRow>] {
      [
        ResultField("t_ns", unit: "ns", "The instant of the value.", \.time),
        ResultField("phase", "What the session was doing.", \.phase.rawValue),
        ResultField("key", "The key's name.", \.key.name),
        ResultField("value", "The value.", \.value),
        ResultField("unit", "The unit of the value.", \.key.unit),
      ]
    }
  }

  /// Values at the moment that was asked for, each the last one at or before it, or at a steady rate in the order of time.
  private func sampledRows(_ keys: [KeyRecord]) throws -> [KeyRow] {
    if let moment {
      let before = Instant(nanoseconds: .min)...moment
      let held = try source.reader.newestSamples(of: keys.map(\.handle), in: number, from: before)
      return keys.compactMap { key in
        held[key.handle].map {
          KeyRow(time: moment, key: key, value: $0.sample.value, phase: $0.phase)
        }
      }
    }
    var records = Dictionary(keys.map { ($0.handle, [SampleRecord]()) }) { first, _ in first }
    let all = try source.reader.samples(in: number)
    while let row = try all.next() { records[row.key]?.append(row) }
    var rows: [KeyRow] = []
    for key in keys {
      let records = records[key.handle] ?? []
      let curve = Curve(records.map(\.sample))
      guard let first = curve.times.first, let last = curve.times.last else { continue }
      var levels = StepLevels(of: key)
      for value in curve.values { levels.add(value) }
      var following = 0
      for time in try times(from: first, to: last) {
        guard let value = levels.isStep ? curve.heldValue(at: time) : curve.value(at: time) else {
          continue
        }
        while following < records.count, records[following].sample.time <= time { following += 1 }
        let phase = following > 0 ? records[following - 1].phase : .idle
        rows.append(KeyRow(time: time, key: key, value: value, phase: phase))
      }
    }
    return rows.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private func refuseTooMany(
    from first: Instant, to last: Instant, _ rate: Double
  ) throws {
    guard last.seconds(since: first) * rate <= Replay.rowLimit else {
      throw Failure.usage(
        "at --rate \(FieldValue.jsonNumber(rate)) this session has more than ten million rows"
          + "\(invocation.has(ReplayFlags.keys) || invocation.has(Flags.key) ? " a key" : ""); use a lower rate"
      )
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

  // MARK: Picture

  func plot() throws {
    let name = invocation.text(Flags.key) ?? progressKeyName
    guard let key = try source.keys(named: name).first else { return }
    let filter = try RowFilter(invocation)
    var driving = PlayerCurve(name: "\(name), driven", unit: key.unit, samples: [])
    var settling = PlayerCurve(name: "settling", unit: key.unit, samples: [])
    var levels = StepLevels(of: key)
    let rows = try source.reader.samples(of: key.handle, in: number, from: filter.range)
    while let row = try rows.next() {
      levels.add(row.sample.value)
      if row.phase == .settling { settling.append(row.sample) } else { driving.append(row.sample) }
    }
    let releases = try source.reader.releases(in: number).all
    let curves = [driving, settling].map { curve in
      var curve = curve
      curve.isStep = levels.isStep
      return BrailleCurve.Curve(
        name: curve.name,
        points: curve.outline(in: filter.range).map { Point2D(x: $0.time.seconds, y: $0.value) })
    }.filter { !$0.points.isEmpty }
    invocation.output.write(
      BrailleCurve(width: 64, height: 10).text(
        curves, xUnit: "s", yUnit: key.unit == "1" ? "" : key.unit,
        marks: BrailleCurve.Marks(
          releases: releases.map(\.time.seconds),
          borders: releases.compactMap {
            $0.recorded.flatMap { ReleaseBorder($0, among: [key]) }
          })))
  }
}

/// Rows that are printed at once, or at their own time.
private final class RowOutput {
  private let writer: RowWriter
  private let speed: Double?
  private let console: Console
  private let start: ContinuousClock.Instant
  /// The first row's time, which is played at once.
  private var first: Instant?

  init(_ invocation: Invocation, speed: Double?, columns: [String]) throws {
    (console, self.speed) = (invocation.console, speed)
    start = console.now()
    var format = try invocation.outputFormat()
    if speed != nil, !invocation.has(Flags.format), !invocation.has(Flags.json) {
      format = .ndjson
    }
    writer = RowWriter(
      format: format, columns: columns, output: invocation.output.rows(format))
  }

  func write(_ row: [EventField], at time: Instant) {
    if let speed {
      first = first ?? time
      let seconds = time.seconds(since: first ?? time) / speed
      wait(until: start + .seconds(min(max(seconds, 0), RowOutput.longestWaitSeconds)))
    }
    writer.write(row)
  }

  /// A hundred years: far beyond any wait, and near enough for the clock to count with.
  private static let longestWaitSeconds = 3.2e9

  private func wait(until due: ContinuousClock.Instant) {
    guard due > console.now() else { return }
    console.output.flush()
    while true {
      let left = (due - console.now()) / .microseconds(1)
      guard left > 0 else { return }
      usleep(UInt32(min(left, 1e8)) + 1)
    }
  }

  func finish() { writer.finish() }
}

extension Flag<Double> {
  /// A number above 0 and up to a million.
  fileprivate static func factor(_ name: String, _ value: String, _ help: String) -> Flag {
    number(name, value, help).checked { factor, name in
      guard factor > 0, factor <= 1e6 else {
        throw Failure.usage("--\(name) expects a number above 0 and at most a million")
      }
    }
  }
}
