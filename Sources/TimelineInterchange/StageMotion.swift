import TimelineModel
import TimelineStore

/// The items' motion over a whole session, thinned.
///
/// Between two frames a value moves straight. Frames farther apart than ``longestStraightGap`` are a pause in
/// which everything stands still, as it did on the display. Time begins with the first frame.
struct StageMotion {
  /// Frames farther apart than this, in nanoseconds, are a pause: six frames of the slowest display in use
  /// (60 a second).
  static let longestStraightGap: Int64 = 100_000_000

  /// All stretches, in the order in which they ended.
  private(set) var segments: [StageSegment] = []
  /// Poses that were recorded: one for each change of an item.
  private(set) var poseCount = 0
  /// The first frame's own time. `nil` without frames.
  private(set) var origin: Instant?
  /// The end, in nanoseconds since the first frame: the last frame and the time that it is shown.
  private(set) var duration: Int64
  /// Frames a second: as recorded, else by the shortest interval, else 60.
  private(set) var frameRate: Double
  /// Decisions and events that people look for, in the order of time.
  var markers: [Marker] = []
  /// Releases, also those that are derived, in the order of time.
  private(set) var releases: [(time: Int64, outcome: ReleaseOutcome)] = []
  /// How far to the right and down items reach, in points.
  private(set) var extent = Size2D(width: 0, height: 0)

  private let tracks: StageTracks
  private let tolerance: Double
  private let range: ClosedRange<Instant>
  private let items: [ItemHandle: ElementIdentity]
  private let losses: LossCounter
  private let recordedRate: Double?
  private var open: [ItemHandle: OpenSegment] = [:]
  private var held: FoldedFrame?
  private var latest: Int64?
  private var shortestInterval = Int64.max

  /// The usual rate, where nothing tells another.
  private static let usualRate = 60.0
  /// Rates that an animation can be told in. What lies outside is no rate of a display.
  private static let rates = 0.1...10_000

  private struct OpenSegment {
    var segment: StageSegment
    var pose: Pose
    var offset: Point2D
    var numbers: [[Double]]
    /// The time of the newest point.
    var time: Int64
    var angle: Double
  }

  init(_ tracks: StageTracks, _ export: SessionExport, _ losses: LossCounter) {
    self.tracks = tracks
    self.losses = losses
    tolerance = export.options.tolerance
    range = export.options.range
    items = export.writtenItems
    let rate = export.session.description.refreshRate
    recordedRate = rate.flatMap { StageMotion.rates.contains($0) ? $0 : nil }
    frameRate = recordedRate ?? StageMotion.usualRate
    duration = Int64((1e9 / frameRate).rounded())
  }

  /// How many keyframes are kept.
  var keyframeCount: Int {
    segments.reduce(0) { $0 + $1.curves.reduce(0) { $0 + $1.count } }
  }

  /// Takes the next frame of the session.
  mutating func add(_ frame: FoldedFrame) {
    guard range.contains(frame.frame.state.time) else { return }
    guard let before = held else {
      held = frame
      return
    }
    let time = frame.frame.state.time
    let earlier = before.frame.state.time
    if time > earlier {
      show(before)
      held = frame
    } else {
      // Of equal times the last frame is what was seen. One from before has no place any more.
      losses.add(.time)
      if time == earlier { held = frame }
    }
  }

  /// Ends what is open.
  mutating func finish() {
    if let held { show(held) }
    held = nil
    if recordedRate == nil, shortestInterval < Int64.max {
      let rate = 1e9 / Double(shortestInterval)
      frameRate = max(StageMotion.rates.lowerBound, min(StageMotion.rates.upperBound, rate))
    }
    let frame = max(1, Int64((1e9 / frameRate).rounded()))
    let (end, overflow) =
      (latest ?? 0).addingReportingOverflow(min(frame, StageMotion.longestStraightGap))
    duration = overflow ? .max : end
    for (_, segment) in open.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      close(segment, at: duration)
    }
    open = [:]
  }

  // MARK: One frame

  private mutating func show(_ frame: FoldedFrame) {
    let state = frame.frame.state
    if origin == nil { origin = state.time }
    let time = state.time.nanoseconds(since: origin ?? state.time)
    let before = latest
    let isPause = before.map { time - $0 > StageMotion.longestStraightGap } ?? false
    if let before { shortestInterval = min(shortestInterval, time - before) }
    latest = time
    var seen = 0
    for element in frame.elements where items[element.item] != nil {
      guard !element.pose.isHidden else { continue }
      if let found = open[element.item], found.pose == element.pose,
        found.offset == state.contentOffset
      {
        seen += 1
        continue
      }
      if take(element, state.contentOffset, time, before: before, isPause: isPause) { seen += 1 }
    }
    if seen < open.count { closeMissing(frame, at: time) }
  }

  /// Adds an element's new pose. False for one that cannot be drawn.
  private mutating func take(
    _ element: ElementRecord, _ offset: Point2D, _ time: Int64, before: Int64?, isPause: Bool
  ) -> Bool {
    var pose = StagePose(element.pose, offset: offset)
    guard pose.isFinite, offset.isFinite else {
      losses.add(.notFinite)
      return false
    }
    poseCount += 1
    if pose.spatial != nil, !tracks.carriesDepth {
      losses.add(.depth, element.item)
      pose.flatten()
    }
    if pose.isSkewed, pose.spatial == nil, !tracks.carriesSkew {
      losses.add(.skew, element.item)
    }
    let frame = element.pose.frame
    extent.width = max(extent.width, frame.maxX - offset.x)
    extent.height = max(extent.height, frame.maxY - offset.y)
    let isSpatial = pose.spatial != nil
    if var found = open[element.item], found.segment.zIndex == element.pose.zIndex,
      found.segment.isSpatial == isSpatial
    {
      pose.turn(near: found.angle)
      let numbers = tracks.numbers(pose)
      // It rested until the frame before.
      let rest = before.map { $0 > found.time ? $0 : nil } ?? nil
      for index in numbers.indices {
        if let rest { found.segment.curves[index].add(rest, found.numbers[index]) }
        found.segment.curves[index].add(time, numbers[index], isHeldBefore: isPause)
      }
      found.pose = element.pose
      found.offset = offset
      found.numbers = numbers
      found.time = time
      found.angle = pose.angle
      open[element.item] = found
      return true
    }
    if let found = open[element.item] { close(found, at: time) }
    let numbers = tracks.numbers(pose)
    let tolerance = isSpatial ? -1 : tolerance
    var curves = numbers.map { CurveThinning(width: $0.count, tolerance: tolerance) }
    for index in numbers.indices { curves[index].add(time, numbers[index]) }
    open[element.item] = OpenSegment(
      segment: StageSegment(
        item: element.item, zIndex: element.pose.zIndex, isSpatial: isSpatial, start: time,
        end: time, curves: curves),
      pose: element.pose, offset: offset, numbers: numbers, time: time, angle: pose.angle)
    return true
  }

  private mutating func closeMissing(_ frame: FoldedFrame, at time: Int64) {
    var visible: Set<ItemHandle> = []
    for element in frame.elements where !element.pose.isHidden && element.pose.isFinite {
      visible.insert(element.item)
    }
    for (item, found) in open.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where !visible.contains(item) {
      close(found, at: time)
      open[item] = nil
    }
  }

  private mutating func close(_ found: OpenSegment, at time: Int64) {
    var segment = found.segment
    segment.end = time
    for index in segment.curves.indices { segment.curves[index].finish() }
    segments.append(segment)
  }
}

extension StageMotion {
  /// The stretches in the order in which they are painted: farther ones first. Of one order the item that was
  /// named first.
  var painted: [StageSegment] {
    segments.sorted {
      ($0.zIndex, $0.item.rawValue, $0.start) < ($1.zIndex, $1.item.rawValue, $1.start)
    }
  }

  /// The stage: the viewport, or with none from the corner to the farthest edge.
  func stage(of session: SessionRecord) -> Size2D {
    if let viewport = session.description.viewport, viewport.isFinite, viewport.width > 0,
      viewport.height > 0
    {
      return viewport
    }
    return Size2D(
      width: max(1, extent.width.rounded(.up)), height: max(1, extent.height.rounded(.up)))
  }
}

extension StageMotion {
  /// Reads the whole session.
  init(_ tracks: StageTracks, of work: ExportWork) throws {
    self.init(tracks, work.export, work.losses)
    let frames = try work.export.reader.foldedFrames(in: work.export.session.number)
    while let frame = try frames.next() {
      work.steps.take()
      add(frame)
    }
    finish()
    try readMarkers(of: work.export)
  }

  /// A moment with a name, in nanoseconds since the first frame.
  typealias Marker = (time: Int64, name: String)

  /// Events that people look for.
  private static let markedKinds: Set<String> = [
    "gestureBegan", "gestureEnded", "gestureCancelled", "start", "finish", "cancel", "settle",
    "completion", "mark", "push", "pop",
  ]

  /// Reads decisions and the events that people look for. Those before the first frame or behind the end have no
  /// place in an animation.
  mutating func readMarkers(of export: SessionExport) throws(StoreError) {
    guard let origin else { return }
    releases = try export.reader.releases(in: export.session.number).all.map {
      ($0.time.nanoseconds(since: origin), $0.outcome)
    }.filter { (0...duration).contains($0.time) }
    var found: [Marker] = []
    for decision in try export.reader.decisions(in: export.session.number) {
      found.append(
        (decision.time.nanoseconds(since: origin), "decision: \(decision.outcome.rawValue)"))
    }
    let events = try export.reader.events(in: export.session.number)
    while let event = try events.next() {
      guard StageMotion.markedKinds.contains(event.kind.rawValue) else { continue }
      found.append((event.time.nanoseconds(since: origin), event.kind.rawValue))
    }
    // Of equal times the one that came first.
    markers = found.enumerated().filter { (0...duration).contains($0.element.time) }
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }
}

/// A stretch in which an item is there, visible and at one place in the drawing order.
struct StageSegment {
  let item: ItemHandle
  /// The drawing order: larger is nearer.
  let zIndex: Int
  /// Whether it turns in space.
  let isSpatial: Bool
  /// Its first frame, in nanoseconds since the first frame of all.
  let start: Int64
  /// The frame in which it is no more, or the end of all.
  var end: Int64
  /// What the format keeps.
  var curves: [CurveThinning]
}

/// Which curves a format keeps of an item.
struct StageTracks: Sendable {
  /// Whether transforms in space can be carried.
  var carriesDepth = false
  /// Whether skews can be carried.
  var carriesSkew = true
  /// A pose as the numbers of the curves. A flat pose always gives as many, and so does one in space.
  var numbers: @Sendable (StagePose) -> [[Double]]
}
