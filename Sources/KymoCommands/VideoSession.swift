import KymographCLibrary
import PictureTracking
import TimelineModel
import TimelineSession
import VideoReading

extension TimelineEvent.Kind {
  /// The session is that of a clip. Fields: the file, its codec and times, and the tracks.
  static let video = Self(rawValue: "video")
  /// An element is not found from here on. Fields: item, reason.
  static let videoLost = Self(rawValue: "video.lost")
  /// It is found again. Fields: item.
  static let videoFound = Self(rawValue: "video.found")
  /// The picture shows again what the one before showed. Fields: pictures, how many do so.
  static let videoRepeated = Self(rawValue: "video.repeated")
  /// An element stands while the rest of the picture goes on. Fields: item, pictures.
  static let videoHeld = Self(rawValue: "video.held")
  /// A finger was lifted between two pictures. Fields: contact, earliest_ns, latest_ns.
  static let videoLift = Self(rawValue: "video.lift")
}

/// A clip as a session: an element for each track, its errors as keys, and events about what could not be seen.
struct VideoSession {
  let clip: TrackedClip
  /// The fields of the event `video`.
  let origin: [EventField]
  /// Pixels of the picture a point.
  let scale: Double

  /// Of how many versions of trackers this one is: another version may give other positions.
  static let trackerVersion = 1

  /// Makes the session's description.
  func description() -> SessionDescription {
    let base = clip.summary.timeBase?.description ?? "0/1"
    var session = SessionDescription(
      software: "kymo record --video", clock: "video, ticks of \(base) s")
    session.refreshRate = clip.rate
    session.viewport = Size2D(
      width: Double(clip.size.width) / scale, height: Double(clip.size.height) / scale)
    return session
  }

  /// Gives all of it to a sink, in the order of time.
  func record(into sink: some TimelineSink) {
    sink.record(TimelineEvent(time: .zero, kind: .video, fields: origin))
    let items = clip.tracks.enumerated().filter { !$0.element.isFinger }.map { number, track in
      Item(number, track.name, fades: clip.fades(number), sink)
    }
    let contacts = clip.tracks.firstIndex(where: \.isFinger).map {
      VideoContacts(clip, track: $0, scale: scale)
    }
    let events = events()
    for index in clip.recorded {
      let time = clip.instant(index)
      for event in events[index] ?? [] { sink.record(event) }
      sink.beginFrame(
        FrameState(
          time: time, phase: .idle, progress: nil, contentOffset: .zero, contentSize: .zero,
          isUnread: clip.repeated.contains(index)))
      for (place, item) in items.enumerated() {
        guard let pose = pose(item, index) else { continue }
        sink.record(pose, of: item.handle, at: ItemIndexPath(section: 0, item: place))
      }
      sink.endFrame()
      for item in items {
        if let pose = clip.results[item.track].poses[index] { record(pose, item, at: time, sink) }
      }
      for touch in contacts?.touches[index] ?? [] { sink.record(touch) }
      for lift in contacts?.lifts[index] ?? [] { sink.record(lift) }
    }
  }

  /// An element with the keys of its errors.
  private struct Item {
    var track: Int
    var fades: Bool
    var handle: ItemHandle
    var errorX: KeyHandle
    var errorY: KeyHandle
    var match: KeyHandle
    var seen: KeyHandle

    init(_ track: Int, _ name: String, fades: Bool, _ sink: some TimelineSink) {
      func key(_ attribute: String, _ unit: String) -> KeyHandle {
        sink.keyHandle(for: "item.\(name).\(attribute)", role: .custom, unit: unit)
      }
      (self.track, self.fades) = (track, fades)
      handle = sink.itemHandle(for: ElementIdentity(category: .cell, id: name))
      (errorX, errorY) = (key("error_x", "pt"), key("error_y", "pt"))
      (match, seen) = (key("match", "1"), key("seen", "1"))
    }
  }

  private func record(
    _ pose: TrackedPose, _ item: Item, at time: Instant, _ sink: some TimelineSink
  ) {
    for (key, value) in [
      (item.errorX, pose.errorX / scale), (item.errorY, pose.errorY / scale),
      (item.match, pose.match), (item.seen, pose.seen),
    ] { sink.record(value, for: key, at: time, phase: .driving) }
  }

  /// How an element is in a picture. `nil`: it was not found.
  private func pose(_ item: Item, _ index: Int) -> Pose? {
    let result = clip.results[item.track]
    guard let found = result.poses[index] else { return nil }
    let rectangle = clip.tracks[item.track].rectangle
    var pose = Pose(
      center: Point2D(x: found.x / scale, y: found.y / scale),
      size: Size2D(
        width: rectangle.width * found.scale / scale, height: rectangle.height * found.scale / scale
      ))
    if result.turns {
      let (c, s) = (cos(found.turn), sin(found.turn))
      pose.transform = .flat(Transform2D(a: c, b: s, c: -s, d: c, tx: 0, ty: 0))
    }
    if item.fades { pose.alpha = min(1, max(0, found.opacity)) }
    return pose
  }

  /// The events by picture.
  private func events() -> [Int: [TimelineEvent]] {
    var events: [Int: [TimelineEvent]] = [:]
    func add(_ kind: TimelineEvent.Kind, _ index: Int, _ fields: [EventField]) {
      events[index, default: []].append(
        TimelineEvent(time: clip.instant(index), kind: kind, fields: fields))
    }
    for run in Self.runs(of: clip.repeated) {
      add(.videoRepeated, run.lowerBound, EventField.list(["pictures": run.count]))
    }
    for (number, track) in clip.tracks.enumerated() {
      for run in Self.runs(of: clip.held[number]) {
        add(
          .videoHeld, run.lowerBound, EventField.list(["item": track.name, "pictures": run.count]))
      }
      for loss in clip.losses(number) {
        add(
          .videoLost, loss.first,
          EventField.list(["item": track.name, "reason": loss.reason.rawValue]))
        if let next = loss.next { add(.videoFound, next, EventField.list(["item": track.name])) }
      }
    }
    return events
  }

  /// Numbers that follow each other.
  private static func runs(of numbers: Set<Int>) -> [Range<Int>] {
    numbers.sorted().reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound == number {
        runs[runs.count - 1] = last.lowerBound..<(number + 1)
      } else {
        runs.append(number..<(number + 1))
      }
    }
  }
}

/// The positions of a drawn finger as touches.
///
/// The dot is gone in the picture after the lift, or fades there. So the lift was between the last picture that shows it whole
/// and the next one. A contact whose dot was covered, or had look-alikes, goes on.
struct VideoContacts {
  /// The touches and lifts by picture.
  private(set) var touches: [Int: [TouchSample]] = [:]
  private(set) var lifts: [Int: [TimelineEvent]] = [:]
  private let clip: TrackedClip
  private let track: Int
  private let scale: Double

  /// A dot with a smaller share of its contrast fades.
  private static let fading = 0.7

  init(_ clip: TrackedClip, track: Int, scale: Double) {
    (self.clip, self.track, self.scale) = (clip, track, scale)
    let result = clip.results[track]
    var (contact, run, hidden) = (0, [Int](), [Int]())
    for index in clip.recorded {
      if result.poses[index] != nil {
        run.append(index)
        hidden = []
        continue
      }
      guard !run.isEmpty else { continue }
      if [.alike, .covered].contains(result.losses[index]) {
        hidden.append(index)
        continue
      }
      add(run, contact, next: hidden.first ?? index, isSeen: hidden.isEmpty)
      (contact, run, hidden) = (contact + 1, [], [])
    }
    if !run.isEmpty { add(run, contact, next: hidden.first, isSeen: hidden.isEmpty) }
  }

  /// Adds a contact.
  ///
  /// - Parameters:
  ///   - run: The pictures that show it.
  ///   - next: The first one behind that does not. `nil`: the clip ends before.
  ///   - isSeen: Whether that picture would show it.
  private mutating func add(_ run: [Int], _ contact: Int, next: Int?, isSeen: Bool) {
    let poses = clip.results[track].poses
    let contrasts = run.compactMap { poses[$0]?.opacity }.sorted()
    let usual = contrasts[contrasts.count / 2]
    let whole = run.lastIndex { (poses[$0]?.opacity ?? 0) >= Self.fading * usual } ?? 0
    let (shown, faded) = (run[...whole], run[(whole + 1)...].first)
    for (number, index) in shown.enumerated() {
      put(index, contact, number == 0 ? .began : .moved, at: index)
    }
    let last = run[whole]
    guard next != nil, let end = faded ?? next else { return }
    put(last, contact, isSeen || faded != nil ? .ended : .cancelled, at: end)
    guard isSeen || faded != nil else { return }
    lifts[end, default: []].append(
      TimelineEvent(
        time: clip.instant(end), kind: .videoLift,
        fields: EventField.list([
          "contact": contact, LiftIntervals.earliest: clip.times[last],
          LiftIntervals.latest: clip.times[end],
        ])))
  }

  private mutating func put(_ index: Int, _ contact: Int, _ phase: TouchPhase, at time: Int) {
    guard let pose = clip.results[track].poses[index] else { return }
    touches[time, default: []].append(
      TouchSample(
        time: clip.instant(time), contact: contact, phase: phase,
        position: Point2D(x: pose.x / scale, y: pose.y / scale)))
  }
}
