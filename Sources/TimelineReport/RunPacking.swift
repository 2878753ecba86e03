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
  /// The story of its motion; nil: it is too long for one, or has no frames.
  let story: MotionStory?
  let items: [ItemRecord]
  let keys: [KeyRecord]
  /// What is known of the keys at the releases, as `kymo velocity` tells it.
  let estimates: [ReleaseEstimate]
  /// How fast each contact that was down was at each release, in points a second, in the order of ``overview``'s.
  let fingerSpeeds: [[Double]]
  /// The estimator of these speeds.
  let estimator: Estimator
  /// What the frames say of the viewport; their records stand behind those of ``keys`` that were recorded.
  let viewport: [Track]
  /// What each key did; keys without a value are left out.
  let summaries: [KeySummary]
  /// Events for the page, without those that are too many.
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
  /// The events, the releases and their estimates that have room, as the page reads them.
  var eventFields: [FieldValue] = []
  var releaseRows: [[EventField]] = []
  var estimateRows: [[EventField]] = []
  var poses = PosePacking(stride: 1)
  var frameCount = 0
  /// Of so many samples of a key in a row the smallest and the largest are kept; nil: all are.
  var sampleBucket: Int?
  /// Whether keys are told by what each did in each second, not by their values.
  var usesSeconds = false
  /// How many touches were left out.
  var leftOutTouches = 0
  /// How many events were left out.
  var leftOutEvents: Int
  /// How many releases were left out, and when the first of them was; nil: none were.
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
  /// What the key did; nil without a value.
  fileprivate var summary: KeySummary? {
    var summary: KeySummary?
    for (time, value) in zip(curve.times, curve.values) {
      let sample = Sample(time: time, value: value)
      if summary?.add(sample) == nil { summary = KeySummary(key: record.handle, only: sample) }
    }
    return summary
  }
}
