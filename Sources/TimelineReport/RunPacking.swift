import MotionJudgement
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession
import TimelineStore

/// The work of packing one session: what was read, and the text that grows.
struct RunPacking {
  let session: SessionRecord
  let reader: RecordingReader
  let source: FileSource
  let overview: SessionOverview
  /// The story of its motion. `nil`: it is too long for one, or has no frames.
  let story: MotionStory?
  let items: [ItemRecord]
  let keys: [KeyRecord]
  /// What is known of the keys at the releases, as `kymo velocity` tells it.
  let estimates: [ReleaseEstimate]
  /// How fast each contact that was down was at each release, in points a second, in the order of ``overview``'s.
  let fingerSpeeds: [[Double]]
  /// The estimator of these speeds.
  let estimator: Estimator
  /// What the frames say of the viewport. Their records stand behind those of ``keys`` that were recorded.
  let viewport: [Track]
  /// What each key did. Keys without a value are left out.
  let summaries: [KeySummary]
  /// Events for the report, without those that are too many.
  let events: [ReportEvent]
  let clock: PageClock
  /// How evenly the display was updated.
  let smoothness: FrameMetrics
  /// The latest instant that anything tells of.
  let end: Instant
  /// The unit of contacts' positions.
  let touchUnit: String

  /// The packed numbers.
  var text = PackedText()
  var frameBlocks: [PackedText.Block] = []
  var touchBlocks: [PackedText.Block] = []
  var keyBlocks: [KeyHandle: [PackedText.Block]] = [:]
  /// What tells of each key whether its values hold between samples.
  var stepLevels: [KeyHandle: StepLevels] = [:]
  /// The curves of the story, as many as have room.
  var storyCurves: [PackedCurve] = []
  /// The events, the releases and their estimates that have room, as the report reads them.
  var eventFields: [FieldValue] = []
  var releaseRows: [[EventField]] = []
  var estimateRows: [[EventField]] = []
  var poses = PosePacking(stride: 1)
  var frameCount = 0
  /// Of so many samples of a key in a row the smallest and the largest are kept. `nil`: all are.
  var sampleBucket: Int?
  /// Whether keys are told by what each did in each second, not by their values.
  var usesSeconds = false
  /// How many touches were left out.
  var leftOutTouches = 0
  /// How many events were left out.
  var leftOutEvents: Int
  /// How many releases were left out, and when the first of them was. `nil`: none were.
  var leftOutReleases: (count: Int, from: Instant)?
  /// By how many bytes the session is larger than its limit.
  var excess = 0

  /// The recording's name without its folder.
  var file: String { String(reader.path.split(separator: "/").last ?? "") }

  init(_ session: SessionRecord, in reader: RecordingReader) throws {
    self.session = session
    self.reader = reader
    source = FileSource(session, in: reader)
    let number = session.number
    overview = try SessionOverview(session, in: reader)
    story = try MotionStory(overview, in: reader)
    items = try source.items()
    let recorded = try source.keys()
    estimates = try overview.releases.briefEstimates(of: session, in: reader)
    (events, leftOutEvents) = try ReportEvent.read(number, in: reader)
    touchUnit = TouchMap(session.description).unit
    estimator = try reader.parameters(of: session).release.estimator
    fingerSpeeds = try overview.releases.contactVelocities(of: session, in: reader).map {
      $0.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() }
    }
    var summaries = try source.summaries()
    var extent = TimeExtent()
    extent.add(session.end)
    for summary in summaries {
      extent.add(summary.first.time)
      extent.add(summary.last.time)
    }
    for event in events { extent.add(event.time) }
    for release in overview.releases.all { extent.add(release.time) }
    for estimate in estimates { extent.add(estimate.time) }
    var states = ViewportKeys(session)
    try states.readInsets(source)
    let frames = try Frames(source) {
      extent.add($0.time)
      states.add($0)
    }
    smoothness = FrameMetrics(frames)
    viewport = states.keys(besides: recorded)
    keys = recorded + viewport.map(\.record)
    summaries += viewport.compactMap(\.summary)
    self.summaries = summaries
    let touched = try reader.touchExtent(in: number)
    extent.add(touched?.lowerBound)
    extent.add(touched?.upperBound)
    clock = PageClock(reaching: extent.farthest)
    end = extent.latest
  }
}

/// From when to when a session reaches.
private struct TimeExtent {
  var latest = Instant.zero
  /// The largest distance from the start, either way, in nanoseconds.
  var farthest: Int64 = 0

  mutating func add(_ time: Instant?) {
    guard let time else { return }
    latest = max(latest, time)
    let distance = time.nanoseconds == .min ? .max : abs(time.nanoseconds)
    farthest = max(farthest, distance)
  }
}

extension Track {
  /// What the key did. `nil` without a value.
  fileprivate var summary: KeySummary? {
    var summary: KeySummary?
    for (time, value) in zip(curve.times, curve.values) {
      let sample = Sample(time: time, value: value)
      if summary?.add(sample) == nil { summary = KeySummary(key: record.handle, only: sample) }
    }
    return summary
  }
}

/// A second try keeps so much below what the first one promises: sessions are not alike all along. No unit.
private let secondTryShare = 0.9

/// What the report's list of chunks takes for one of them, in bytes.
private let bytesOfChunkPlace = 40

/// The sentence of a session that keeps fewer poses takes less than this, in bytes.
private let bytesOfThinningNote = 500

/// Every so many frames the progress is told.
private let progressInterval = 256

/// The poses get at least this share of the limit, whatever the rest took. No unit.
let leastPoseShare = 0.1

extension RunPacking {
  /// Packs the frames' poses, of fewer frames each time until they fit.
  mutating func packPoses(byteLimit: Int, progress: (Double) -> Void) throws {
    let start = text.bytes.count
    let byteLimit = max(1, byteLimit - header.json.utf8.count - bytesOfThinningNote)
    let limit = max(start + Int(leastPoseShare * Double(byteLimit)), byteLimit)
    var stride = 1
    while true {
      let done = try packPoses(stride: stride, limit: limit, progress: progress)
      // With only the first and the last frame left there is nothing more to leave out.
      if poseEnd <= limit || stride >= frameCount { return }
      let promised = Double(poseEnd - start) * Double(frameCount) / Double(done)
      let room = max(1, Double(limit - start) * secondTryShare)
      let needed = (Double(stride) * promised / room).rounded(.up)
      stride = max(stride * 2, Int(min(Double(frameCount), needed)))
      text.cut(to: start)
    }
  }

  /// Where the packed numbers would end with the places of the chunks behind them, in bytes.
  private var poseEnd: Int { text.bytes.count + bytesOfChunkPlace * poses.chunks.count }

  /// Packs poses until they are all packed or take more than the limit. Returns how many frames were.
  private mutating func packPoses(
    stride: Int, limit: Int, progress: (Double) -> Void
  ) throws -> Int {
    poses = PosePacking(stride: stride)
    var done = 0
    var fits = true
    let source = source
    try source.forEachFrame(from: Instant(nanoseconds: .min)) { frame in
      poses.append(frame, to: &text)
      done += 1
      if done.isMultiple(of: progressInterval) { progress(Double(done) / Double(frameCount)) }
      fits = poseEnd <= limit || stride >= frameCount
      return fits && done < frameCount
    }
    if fits { poses.finish(in: &text) }
    return done
  }

  /// Packs what belongs to whole frames.
  mutating func packStates() throws {
    var states: [FrameState] = []
    let source = source
    try source.forEachState { state in
      states.append(state)
      frameCount += 1
      if states.count == PageScale.blockRows { appendStates(&states) }
    }
    appendStates(&states)
  }

  private mutating func appendStates(_ states: inout [FrameState]) {
    guard !states.isEmpty else { return }
    var bits = BitWriter()
    bits.append(column: states.map { clock.ticks($0.time) })
    bits.append(column: states.map(\.phase.pageNumber))
    bits.append(column: states.map { $0.progress == nil ? 0 : 1 })
    bits.append(column: states.map { PageScale.steps($0.progress ?? 0, PageScale.progress) })
    for length in [
      \FrameState.contentOffset.x, \.contentOffset.y, \.contentSize.width, \.contentSize.height,
    ] {
      bits.append(column: states.map { PageScale.steps($0[keyPath: length], PageScale.length) })
    }
    frameBlocks.append(text.append(bits, rows: states.count))
    states.removeAll(keepingCapacity: true)
  }
}

/// Events take at most this share of what a session may take. No unit.
private let eventShare = 0.15

/// The names of the tables' columns and the sentence of what is left out take less than this, in bytes.
private let bytesBesideReleases = 600

extension RunPacking {
  /// Takes events, the first ones, until they have their share of the limit, in bytes.
  mutating func packEvents(byteLimit: Int) {
    var room = Int(eventShare * Double(byteLimit))
    for event in events {
      let field = event.field
      room -= field.bytesInList
      guard room >= 0 else { break }
      eventFields.append(field)
    }
    leftOutEvents += events.count - eventFields.count
  }

  /// Takes releases with their estimates, the earliest ones, until what is packed so far, they and the least that poses
  /// get are as large as the limit, in bytes. One is always taken.
  mutating func packReleases(byteLimit: Int) {
    let least = frameCount > 0 ? Int(leastPoseShare * Double(byteLimit)) : 0
    var room =
      byteLimit - text.bytes.count - header.json.utf8.count - least - bytesBesideReleases
    let indices = Dictionary(keys.enumerated().map { ($1.handle, $0) }) { first, _ in first }
    // An app need not number its transitions, so that its instant belongs to what a release is found by.
    let known = Dictionary(grouping: estimates) { ReleaseName($0.transition, $0.time) }
      .mapValues { $0.compactMap { RunPacking.row(of: $0, indices) } }
    let releases = overview.releases.all
    let rows = zip(releases, fingerSpeeds).map {
      row(of: $0, $1, touchUnit, overview.labels[$0.transition])
    }
    let isEarlier = { (one: Int, other: Int) in
      (releases[one].time, one) < (releases[other].time, other)
    }
    var taken: Set<Int> = []
    var names: Set<ReleaseName> = []
    for index in rows.indices.sorted(by: isEarlier) {
      let name = ReleaseName(releases[index].transition, releases[index].time)
      let estimates = names.contains(name) ? [] : known[name] ?? []
      room -= estimates.reduce(rows[index].bytesInTable) { $0 + $1.bytesInTable }
      guard room >= 0 || taken.isEmpty else {
        leftOutReleases = (rows.count - taken.count, releases[index].time)
        break
      }
      taken.insert(index)
      names.insert(name)
    }
    releaseRows = rows.indices.filter(taken.contains).map { rows[$0] }
    estimateRows = estimates.filter { names.contains(ReleaseName($0.transition, $0.time)) }
      .compactMap { RunPacking.row(of: $0, indices) }
  }
}

/// What a release and its estimates have in common.
private struct ReleaseName: Hashable {
  let transition: Int
  let time: Instant

  init(_ transition: Int, _ time: Instant) { (self.transition, self.time) = (transition, time) }
}

extension [EventField] {
  /// How many bytes its values take as a row of a table, its comma with it.
  fileprivate var bytesInTable: Int { FieldValue.list(map(\.value)).bytesInList }
}

extension FieldValue {
  /// Rows of the same fields, their names once: of thousands of releases the names would be half of the report.
  static func table(_ rows: [[EventField]]) -> FieldValue {
    .object(named: [
      "columns": FieldValue.list((rows.first ?? []).map { .text($0.name) }),
      "rows": FieldValue.list(rows.map { .list($0.map(\.value)) }),
    ])
  }

  /// How many bytes it takes in a list, its comma with it.
  fileprivate var bytesInList: Int { json.utf8.count + 1 }
}

/// The most touches that a report holds: a quarter of an hour of one finger at 120 Hz.
private let touchLimit = 100_000

/// Touches take at most this share of what a session may take, and one block more. No unit.
private let touchShare = 0.1

extension RunPacking {
  /// Packs the touches, in points where the scenario says how device units become points.
  mutating func packTouches(byteLimit: Int) throws {
    let end = text.bytes.count + Int(touchShare * Double(byteLimit))
    var waiting: [TouchSample] = []
    var count = 0
    try FileSource(session, in: reader).forEachTouch(endsAlone: false) { touch in
      guard count < touchLimit, text.bytes.count <= end else {
        leftOutTouches += 1
        return
      }
      count += 1
      waiting.append(touch)
      if waiting.count == PageScale.blockRows { append(&waiting) }
    }
    append(&waiting)
  }

  private mutating func append(_ touches: inout [TouchSample]) {
    guard !touches.isEmpty else { return }
    var bits = BitWriter()
    bits.append(column: touches.map { clock.ticks($0.time) })
    bits.append(column: touches.map { PageScale.whole($0.contact) })
    bits.append(column: touches.map(\.phase.pageNumber))
    bits.append(column: touches.map { PageScale.steps($0.position.x, PageScale.length) })
    bits.append(column: touches.map { PageScale.steps($0.position.y, PageScale.length) })
    touchBlocks.append(text.append(bits, rows: touches.count))
    touches.removeAll(keepingCapacity: true)
  }
}

extension TouchPhase {
  /// The phase as the report numbers them. From 2 on the contact is gone.
  fileprivate var pageNumber: Int64 {
    switch self {
    case .began: 0
    case .moved: 1
    case .ended: 2
    case .cancelled: 3
    }
  }
}
