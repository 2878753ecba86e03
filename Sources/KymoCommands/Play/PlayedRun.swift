import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineSession
import TimelineStore

/// A recorded run as it is played: frames, keys, contacts and markers in memory, poses in the recording.
///
/// A recording that grows is read on from where the last look ended.
final class PlayedRun {
  /// A frame without its elements.
  private struct FrameMark {
    let time: Instant
    let number: Int64
    let phase: MotionPhase
  }

  /// What the header says of the file and the session.
  let title: String
  /// The values that are wanted, by their names. Empty: all keys.
  private let wantedKeys: [String]
  private let span: PlayedSpan?
  private(set) var source: SessionArgument
  /// The frames in the order of their times, of one time in the order recorded.
  private var frames: [FrameMark] = []
  private var keys: [KeyRecord] = []
  private var viewport: ViewportKeys
  private var values = PlayedValues()
  private var contacts = Contacts()
  /// Markers on the session's own clock.
  private var markers: [PlayerMarker] = []
  private var releases: [PlayerRun.Release] = []
  private var headline = ""
  private var identities: [ItemHandle: ElementIdentity] = [:]
  private var shown: FoldedFrame?
  private var newestFrame: Int64 = -1

  /// How far this run's clock is moved to be the player's, in nanoseconds.
  var shift: Int64 = 0
  /// The first transition's start, on the session's own clock.
  private(set) var firstStart: Instant?
  /// The first release, on the session's own clock.
  private(set) var firstRelease: Instant?

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - source: The session.
  ///   - keys: The names of the values that are wanted. Empty: all keys. Those that the session does not have are passed
  ///     over.
  ///   - span: What is shown, so that no more of a session that is finished is read. `nil`: anything may be.
  init(_ source: SessionArgument, keys: [String], span: PlayedSpan?) throws {
    self.source = source
    self.span = span
    wantedKeys = keys
    viewport = ViewportKeys(source.session)
    let name = source.reader.path.split(separator: "/").last.map(String.init)
    title = DisplayText.shown((name ?? source.reader.path) + " " + source.session.label)
    isAbandoned = try isWithoutRecorder()
    if isAbandoned { try reopen() }
    try readOn()
  }

  /// Whether the recorder has not finished, and was not ended either.
  var isOpen: Bool { !source.session.isClean && !isAbandoned }

  /// Whether the recorder was ended before it could finish.
  private(set) var isAbandoned = false

  /// Opens the recording anew and reads what has come since.
  func refresh() throws {
    // Before the new look: it then shows all that a recorder had stored when it was ended.
    isAbandoned = try isWithoutRecorder()
    try reopen()
    if !isOpen {
      // Once more from the beginning: late values of earlier instants belong in between.
      newestFrame = -1
      frames = []
      viewport = ViewportKeys(source.session)
      values = PlayedValues()
    }
    try readOn()
  }

  private func isWithoutRecorder() throws -> Bool {
    try source.reader.recorderState(of: source.session) == .ended
  }

  private func reopen() throws {
    let reader = try RecordingReader(path: source.reader.path)
    let session = try reader.sessionRecord(source.session.number)
    guard session.uuid == source.session.uuid else {
      throw Failure.unreadable("\(reader.path) is another recording now. Play it again")
    }
    source = SessionArgument(console: source.console, reader: reader, session: session)
  }

  private func readOn() throws { try source.reader.inOneState(readNewest) }

  private func readNewest() throws {
    let (reader, number) = (source.reader, source.session.number)
    let recorded = try reader.keys(in: number)
    keys = recorded.filter { wantedKeys.isEmpty || wantedKeys.contains($0.name) }
    let file = FileSource(source.session, in: reader)
    try viewport.readInsets(file)
    for item in try reader.items(in: number) { identities[item.handle] = item.identity }
    try readFrames()
    try values.readOn(keys, of: source, in: span)
    for key in viewport.keys(besides: recorded) where isWanted(key) {
      keys.append(key.record)
      values.curves[key.record.handle] = PlayerCurve(
        name: key.record.name, unit: key.record.unit,
        samples: zip(key.curve.times, key.curve.values).map(Sample.init))
    }
    let computed = try file.computedTracks(
      wantedKeys.filter { !$0.hasPrefix(ViewportKeys.prefix) }, besides: recorded)
    for key in computed {
      keys.append(key.record)
      values.curves[key.record.handle] = PlayerCurve(
        name: DisplayText.shown(key.record.name), unit: key.record.unit,
        samples: zip(key.curve.times, key.curve.values).map(Sample.init))
      values.curves[key.record.handle]?.breaks = key.breaks
    }
    // A picture of the curves shows no contact.
    if span?.isStill != true {
      contacts = try Contacts(file)
    }
    try readEvents()
  }

  private func readEvents() throws {
    let outcome = try RunEvents(source, in: span)
    markers = outcome.markers
    releases = outcome.releases
    headline = outcome.headline
    firstStart = outcome.firstStart
    firstRelease = outcome.releases.first?.time
  }

  /// Labels the release that is nearest to an instant of the player's clock.
  ///
  /// - Returns: what was done, in a sentence.
  func label(_ request: PlayerState.LabelRequest, at time: Instant) throws -> String {
    let own = time.advanced(byNanoseconds: -shift)
    let all = try source.reader.releases(in: source.session.number).all
    guard
      let release = all.min(by: {
        abs($0.time.seconds(since: own)) < abs($1.time.seconds(since: own))
      })
    else { return "Nothing was released in this session, so nothing can be labelled" }
    let path = source.reader.path
    var row = LabelSheet.Row(
      uuid: source.session.uuid, transition: release.transition, meaning: nil,
      wallClockNanoseconds: wallClock())
    if case .meant(let meaning) = request {
      row.meaning = meaning
      row.note =
        try RecordingLabels(of: source.reader, sessions: [source.session])[
          source.session.number, release.transition]?.note
    }
    // Nothing of the recording may be open while it is changed.
    shown = nil
    let destination = try LabelWriting(path).write([row])
    try reopen()
    try readEvents()
    let what =
      row.meaning.map { $0.outcome == nil ? "is labelled unsure" : "was meant to \($0.rawValue)" }
      ?? "has no label any more"
    return
      "The release at \(FieldValue.jsonNumber((release.time.seconds * 1000).rounded() / 1000)) s \(what)"
      + ". Written into \(destination.name(path).split(separator: "/").last ?? "")"
  }

  /// Whether a key of the viewport is shown: one that is named, or where none is, an offset that moves.
  private func isWanted(_ key: Track) -> Bool {
    wantedKeys.isEmpty
      ? key.moves && key.record.name.hasPrefix("viewport.contentOffset.")
      : wantedKeys.contains(key.record.name)
  }

  private func readFrames() throws {
    guard newestFrame < .max else { return }
    let rows = try source.reader.frames(
      in: source.session.number, numbers: newestFrame + 1...Int64.max)
    var isSorted = true
    while let row = try rows.next() {
      let mark = FrameMark(time: row.state.time, number: row.number, phase: row.state.phase)
      if let last = frames.last, last.time > mark.time { isSorted = false }
      frames.append(mark)
      viewport.add(row.state)
      newestFrame = max(newestFrame, row.number)
    }
    if !isSorted { frames.sort { ($0.time, $0.number) < ($1.time, $1.number) } }
  }
}

extension PlayedRun {
  private func moved(_ time: Instant) -> Instant { time.advanced(byNanoseconds: shift) }

  /// The first and the last instant at which there is anything, on the player's clock. `nil` for nothing.
  var extent: ClosedRange<Instant>? {
    var ends = [frames.first?.time, frames.last?.time, source.session.end]
    ends += [values.summarized?.lowerBound, values.summarized?.upperBound]
    for key in keys {
      let times = values.curves[key.handle]?.times
      ends += [times?.first, times?.last]
    }
    ends += [markers.map(\.time).min(), markers.map(\.time).max()]
    let known = ends.compactMap { $0 }
    guard let first = known.min(), let last = known.max() else { return nil }
    return moved(first)...max(moved(first), moved(last))
  }

  /// The instants to step by: the frames', or those of the values where there are no frames.
  var steps: [Instant] {
    let times =
      frames.isEmpty ? keys.flatMap { values.curves[$0.handle]?.times ?? [] } : frames.map(\.time)
    return times.map(moved)
  }

  /// When something happened: frames outside of idle times, values, contacts and markers. Where every
  /// frame is idle, each of them counts: an app that knows no phases moves things all the same.
  var busyInstants: [Instant] {
    let driven = frames.filter { $0.phase != .idle }
    var busy = (driven.isEmpty ? frames : driven).map(\.time)
    for key in keys { busy += values.curves[key.handle]?.times ?? [] }
    return (busy + contacts.times + markers.map(\.time)).map(moved)
  }

  /// The markers on the player's clock.
  func markers(run: Int) -> [PlayerMarker] {
    markers.map { marker in
      var marker = marker
      marker.time = moved(marker.time)
      marker.run = run
      return marker
    }
  }

  /// The run as it is drawn between two instants of the player's clock.
  func run(in range: ClosedRange<Instant>) -> PlayerRun {
    let lines = keys.compactMap { key in
      values.curves[key.handle].map { PlayerRun.Line($0.shifted(byNanoseconds: shift), in: range) }
    }
    let releases = releases.map { release in
      var release = release
      release.time = moved(release.time)
      return release
    }
    let words = headline.isEmpty || shift == 0 ? headline : headline + ", by its own clock"
    return PlayerRun(title: title, headline: words, lines: lines, releases: releases)
  }

  /// Where values ran on by themselves, on the player's clock.
  var settlingRanges: [ClosedRange<Instant>] {
    values.settlings.map { moved($0.lowerBound)...max(moved($0.lowerBound), moved($0.upperBound)) }
  }

  /// How many frames are at or before an instant of the player's clock.
  private func frameCount(upTo time: Instant) -> Int {
    frames.partitioningIndex { moved($0.time) > time }
  }

  /// The frame that is shown at an instant of the player's clock. `nil` before the first.
  private func frame(shownAt time: Instant) throws -> FoldedFrame? {
    let count = frameCount(upTo: time)
    guard count > 0 else { return nil }
    if shown?.frame.number != frames[count - 1].number {
      shown = try source.reader.inOneState {
        try source.reader.foldedFrame(frames[count - 1].number, in: source.session.number)
      }
    }
    return shown
  }

  /// What is shown at an instant of the player's clock, for a filmstrip. `nil` before the first frame.
  func picture(at time: Instant) throws -> Filmstrip.Picture? {
    guard let folded = try frame(shownAt: time) else { return nil }
    let state = folded.frame.state
    let items = folded.elements.compactMap { element -> Filmstrip.Item? in
      guard let identity = identities[element.item] else { return nil }
      var pose = element.pose
      pose.center.x -= state.contentOffset.x
      pose.center.y -= state.contentOffset.y
      return Filmstrip.Item(
        name: DisplayText.shown(identity.id), pose: pose,
        fill: ItemPalette.hexadecimal(of: identity))
    }
    var words = state.phase.rawValue
    if let progress = state.progress {
      words += " \(NumberText.cell((progress * 1000).rounded() / 10)) %"
    }
    return Filmstrip.Picture(
      seconds: time.seconds, words: words, viewport: viewport(folded.frame), items: items,
      touches: contacts.positions(at: ownTime(time)))
  }

  private func viewport(_ frame: FrameRecord) -> Size2D {
    source.session.description.viewport ?? frame.state.contentSize
  }

  private func ownTime(_ time: Instant) -> Instant {
    time.advanced(byNanoseconds: shift == .min ? .max : -shift)
  }

  /// What is shown at an instant of the player's clock.
  func moment(at time: Instant) throws -> PlayerMoment {
    let low = frameCount(upTo: time)
    guard low > 0 else { return PlayerMoment(frame: 0, frameCount: frames.count) }
    let mark = frames[low - 1]
    let shown = try frame(shownAt: time)
    let own = ownTime(time)
    return PlayerMoment(
      frame: low, frameCount: frames.count, phase: mark.phase, stage: shown.flatMap(stage),
      touches: contacts.positions(at: own))
  }

  /// The elements of a frame in the viewport. `nil` where there is neither a viewport nor an element.
  private func stage(_ frame: FoldedFrame) -> StagePicture? {
    let offset = frame.frame.state.contentOffset
    let items = frame.elements.compactMap { element -> StagePicture.Item? in
      guard !element.pose.isHidden, let identity = identities[element.item] else { return nil }
      var rectangle = element.pose.frame
      rectangle.origin.x -= offset.x
      rectangle.origin.y -= offset.y
      return StagePicture.Item(
        name: DisplayText.shown(identity.id), frame: rectangle, alpha: element.pose.alpha,
        zIndex: element.pose.zIndex)
    }
    let size = viewport(frame.frame)
    guard size.width > 0, size.height > 0 else { return nil }
    return StagePicture(viewport: size, items: items)
  }
}
