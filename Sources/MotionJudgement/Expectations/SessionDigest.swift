import KymographCLibrary
package import MotionMeasures
import MotionPhysics
package import TimelineModel
import TimelineSession
package import TimelineStore

/// A session in the numbers that a bug report needs: what touched, what moved and when, how it was decided, and what is
/// unusual about it.
package struct SessionDigest: Sendable {
  /// One contact's way, in points.
  package struct ContactWay: Sendable {
    /// Its number in the session.
    package var number: Int
    package var landing: Instant
    /// When it lifted; nil: it never does.
    package var lift: Instant?
    /// Whether the system took it away.
    package var isCancelled: Bool
    /// Where it landed.
    package var first: Point2D
    package var last: Point2D
  }

  /// A key that moved.
  package struct KeyMotion: Sendable {
    package var name: String
    /// The unit of its values.
    package var unit: String
    /// Its first and last value.
    package var ends: (first: Double, last: Double)
    /// All that it covers.
    package var range: ClosedRange<Double>
    /// When it first and last changed; nil of a session that is too long to look, unless its samples are sealed.
    package var times: ClosedRange<Instant>?
    /// Its figures in the last transition; nil as `times`, and where that is too long as well.
    package var metrics: MotionMetrics?
  }

  /// An element that moved, grew, turned or faded.
  package struct ItemMotion: Sendable {
    package var id: String
    /// How far its center went while it was shown, in points.
    package var travelled = 0.0
    /// How it looked at first: the side of a square that is as large, in points; how it is turned, in radians; opacity.
    package var first: [Double]
    /// How it looked at last.
    package var last: [Double]
    /// Each of these numbers where it was furthest from the first.
    package var furthest: [Double]
    /// When it first and last changed; nil: never.
    package var times: ClosedRange<Instant>?
    fileprivate var latest: (pose: Pose, time: Instant)
  }

  /// Name, length, counts, gaps, losses.
  package var overview: SessionOverview
  /// How many values all keys have together.
  package var sampleCount = 0
  /// The unit of the contacts' places: `pt`, `px` of a page, or `device`.
  package var touchUnit = "pt"
  /// The contacts, in the order of landing.
  package var contacts: [ContactWay] = []
  /// The keys that moved, in the order of their numbers.
  package var keys: [KeyMotion] = []
  package var keyCount = 0
  /// The elements that moved, the farthest first.
  package var items: [ItemMotion] = []
  /// The releases, with the velocities of the session's own estimator and what its rule says.
  package var releases: [VelocityReport.Release] = []
  /// How evenly the display was updated.
  package var smoothness: FrameMetrics
  /// The first frame that came late.
  package var firstLate: Instant?
  /// What keys jump, as the requirement `continuous` has it by its usual limits: at each instant what jumps most, how far it
  /// goes there, and how much else does; those furthest beyond their limit first.
  package var jumps: [(worst: Verdict, others: Int)] = []
  /// Whether curves and poses were not looked at one by one, as there are too many.
  package var isTooLong = false

  /// So many values of keys, or rows of poses, are read for a digest: a second of work. What is longer is told by what
  /// the recording keeps of each key, and of each key in each second.
  private static let mostValues: Int64 = 1_000_000
  /// So many releases of what is longer are told with all that is known of them.
  private static let mostWholeReleases = 4

  /// Reads a session.
  ///
  /// - Throws: `StoreError` when the file cannot be read.
  /// - Complexity: linear in frames, events, touches, and in values and poses up to a million of each.
  package init(_ session: SessionRecord, in reader: RecordingReader) throws {
    overview = try SessionOverview(session, in: reader)
    let source = FileSource(session, in: reader)
    var clock = try Frames(source)
    let summaries = try source.summaries()
    let values = summaries.reduce(Int64(0)) { sum, summary in
      let (total, overflow) = sum.addingReportingOverflow(max(0, summary.sampleCount))
      return overflow ? .max : total
    }
    sampleCount = Int(clamping: values)
    let records = try source.keys().filter {
      $0.name != Frames.displayIntervalKey
    }
    keyCount = records.count
    let isTooLong = max(values, overview.poseCount) > Self.mostValues
    self.isTooLong = isTooLong
    if clock.times.isEmpty, !isTooLong {
      clock = try Frames(orSamplesOf: source)
    }
    let smoothness = FrameMetrics(clock)
    self.smoothness = smoothness
    if let late = smoothness.lateFrames.first { firstLate = clock.times[late] }
    if isTooLong {
      let told = Dictionary(summaries.map { ($0.key, $0) }) { first, _ in first }
      let motions = try LongKeyMotions(source, records)
      keys = try records.compactMap { record in
        guard let summary = told[record.handle], var motion = KeyMotion(record, summary) else {
          return nil
        }
        motion.times = try motions?.times(of: record.handle)
        motion.metrics = try motions?.metrics(
          of: record.handle, summary, atMost: Self.mostValues / Int64(max(1, records.count)))
        return motion
      }
    } else {
      try readMotion(source)
    }
    var question = VelocityQuestion()
    question.contacts = []
    if isTooLong {
      releases = try VelocitySource.releases(
        of: source, asking: question, wholeUpTo: Self.mostWholeReleases)
    } else if !overview.releases.all.isEmpty {
      releases = try VelocityReport(of: session, in: reader, asking: question).releases
    }
    let map = TouchMap(session.description)
    touchUnit = map.unit == "pt" ? session.description.lengthUnit : map.unit
    contacts = try Contacts(source).all.compactMap { ContactWay($0) }
      .sorted { ($0.landing, $0.number) < ($1.landing, $1.number) }
  }

  private mutating func readMotion(_ recording: FileSource) throws {
    let everything = "*"
    let rule = MotionExpectation.continuous(.key(everything))
    let source = try MotionSource(recording, for: [rule])
    let last = source.stretches.last ?? .everything
    keys = try source.tracks(of: .key(everything)).compactMap { KeyMotion($0, in: last) }
    let elements = try recording.items()
    var motions: [ItemMotion?] = Array(repeating: nil, count: elements.count)
    try recording.forEachPose(of: elements) { state, poses in
      for case (let index, let pose?) in zip(poses.indices, poses)
      where pose.isFinite && !pose.isHidden {
        var motion = motions[index] ?? ItemMotion(elements[index].identity.id, pose, state.time)
        motion.take(pose, at: state.time)
        motions[index] = motion
      }
      return true
    }
    // Swift's sort keeps the order of equals, which is that of the elements.
    items = motions.compactMap { $0?.times == nil ? nil : $0 }
      .sorted { $0.travelled > $1.travelled }
    let found =
      try source.verdicts(of: rule, at: 0).filter { !$0.passes && $0.value != nil }.byMargin
    for verdict in found {
      if let place = jumps.firstIndex(where: { $0.worst.finding.instant == verdict.finding.instant }
      ) {
        jumps[place].others += 1
      } else {
        jumps.append((verdict, 0))
      }
    }
  }
}

extension SessionDigest.ContactWay {
  fileprivate init?(_ contact: Contact) {
    guard let landing = contact.landing,
      let places = contact.track(at: contact.lift ?? Instant(nanoseconds: .max)),
      let x = places.x.first, let y = places.y.first, let endX = places.x.last,
      let endY = places.y.last
    else { return nil }
    self.init(
      number: contact.number, landing: landing, lift: contact.lift,
      isCancelled: contact.isCancelled,
      first: Point2D(x: x.value, y: y.value),
      last: Point2D(x: endX.value, y: endY.value))
  }
}

extension SessionDigest.KeyMotion {
  /// A key by what the recording keeps of it; nil where it never moves.
  fileprivate init?(_ record: KeyRecord, _ summary: KeySummary) {
    guard summary.smallest < summary.largest else { return nil }
    self.init(
      name: record.name, unit: record.unit, ends: (summary.first.value, summary.last.value),
      range: summary.smallest...summary.largest)
  }

  /// A key by all of its values; nil where it never moves.
  fileprivate init?(_ track: Track, in stretch: MotionStretch) {
    guard let range = track.curve.valueRange, range.lowerBound < range.upperBound,
      let run = track.runs.first, let times = run.movement
    else { return nil }
    self.init(
      name: track.name, unit: track.unit,
      ends: (run.columns[0][0], run.columns[0][run.times.count - 1]), range: range, times: times)
    metrics = MotionMetrics(
      track.curve(), in: stretch, unit: track.unit, isStep: track.isStep)
  }
}

extension SessionDigest.ItemMotion {
  fileprivate init(_ id: String, _ pose: Pose, _ time: Instant) {
    (self.id, latest) = (id, (pose, time))
    (first, last, furthest) = (pose.look, pose.look, pose.look)
  }

  fileprivate mutating func take(_ pose: Pose, at time: Instant) {
    let (old, look, before) = (latest.pose, pose.look, latest.pose.look)
    // What cannot be seen may be anywhere.
    let isShown = pose.alpha > 0 && old.alpha > 0
    if look != before || isShown && pose.center != old.center {
      times = min(times?.lowerBound ?? latest.time, time)...max(latest.time, time)
    }
    latest = (pose, time)
    let way = (x: pose.center.x - old.center.x, y: pose.center.y - old.center.y)
    if isShown { travelled += (way.x * way.x + way.y * way.y).squareRoot() }
    last = [look[0], last[1] + (look[1] - before[1]).remainder(dividingBy: 2 * .pi), look[2]]
    for place in last.indices
    where abs(last[place] - first[place]) > abs(furthest[place] - first[place]) {
      furthest[place] = last[place]
    }
  }
}

extension Pose {
  /// How it looks wherever it is, as ``SessionDigest/ItemMotion/first`` has it.
  fileprivate var look: [Double] {
    let (home, x, y) = (
      transform.applied(to: .zero), transform.applied(to: Point2D(x: 1, y: 0)),
      transform.applied(to: Point2D(x: 0, y: 1))
    )
    let area = (x.x - home.x) * (y.y - home.y) - (x.y - home.y) * (y.x - home.x)
    let side = abs(area * size.width * size.height).squareRoot()
    return [side, atan2(x.y - home.y, x.x - home.x), alpha]
  }
}

extension Track.Run {
  /// From the last sample before the first change to the last change; nil where there is none.
  fileprivate var movement: ClosedRange<Instant>? {
    let changes = times.indices.dropFirst().filter { values($0) != values($0 - 1) }
    guard let first = changes.first, let last = changes.last else { return nil }
    // Frames may run backwards.
    return min(times[first - 1], times[last])...max(times[first - 1], times[last])
  }
}
