import MotionJudgement
import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineSession
import TimelineStore

/// One or two runs on one clock, ready to be drawn at any instant.
final class Playback {
  /// What `play` was asked for.
  struct Wishes {
    /// The values that are shown, as `--key` names them. Empty: all keys, and of a page also the elements that move.
    var keys: [String] = []
    /// Whether elements are looked for if no value is named.
    var findsElements = false
    /// How the second run's clock is laid on the first one's.
    var alignment = RunComparison.Alignment.start
    /// Where the time begins, on the first run's clock. `nil`: with the runs.
    var from: Instant?
    /// Where it ends. `nil`: with the runs.
    var to: Instant?
    /// Nanoseconds that are left of a stretch in which nothing happens. `nil`: all.
    var idleLimit: Int64?
    /// Whether a recording that grows is followed.
    var follows = false
    /// Whether one picture of all the time is wanted, so that no more is read than it can show.
    var isStill = false

    /// What is shown of one run. `nil`: of several, or of one that grows, any instant may be.
    fileprivate func span(of sources: [SessionArgument]) -> PlayedSpan? {
      guard sources.count == 1, !follows, isStill || from != nil || to != nil else { return nil }
      let all = RecordingReader.allTime
      let start = from ?? all.lowerBound
      return PlayedSpan(times: start...max(start, to ?? all.upperBound), isStill: isStill)
    }
  }

  private let wishes: Wishes
  private let played: [PlayedRun]
  /// The runs as they are drawn.
  private(set) var runs: [PlayerRun] = []
  private var timelines: [PlayerTimeline] = []
  /// How many attributes of elements change as well, and have no curve since no value was named.
  private(set) var elementsLeftOut = 0
  /// Whether a run was still being recorded while it was played.
  private var wasGrowing = false

  /// Opens one or two sessions.
  init(_ sources: [SessionArgument], _ wishes: Wishes) throws {
    self.wishes = wishes
    let named = try namedValues(wishes.keys, in: sources.map { ($0.session, $0.reader) })
    let span = wishes.span(of: sources)
    var names = named.names
    if names.isEmpty, wishes.findsElements {
      let found = try sources.map(Playback.elements)
      elementsLeftOut = found.map(\.leftOutCount).max() ?? 0
      names = found.flatMap(\.names)
    }
    if names.isEmpty { names = try sources.flatMap { try $0.fingersOfText() } }
    played = try sources.map { try PlayedRun($0, keys: names, span: span) }
    prepare()
    let extents = played.compactMap(\.extent)
    guard !isGrowing, let first = extents.map(\.lowerBound).min(),
      let last = extents.map(\.upperBound).max()
    else { return }
    let range =
      (wishes.from ?? Instant(nanoseconds: .min))...(wishes.to ?? Instant(nanoseconds: .max))
    try requireOverlap(
      range, with: first...last, flag: wishes.from == nil ? "to" : "from", of: "the recording")
  }

  /// The most curves of elements that are shown if no value is named, ours: more are too small to be seen.
  private static let mostElementCurves = 8

  /// The curves of a session whose keys say nothing of its motion: those of its elements, and of what is scrolled.
  ///
  /// - Returns: No names if the session has keys of its own.
  private static func elements(
    _ source: SessionArgument
  ) throws -> (names: [String], leftOutCount: Int) {
    let keys = try source.reader.keys(in: source.session.number).map(\.name)
      .filter { $0 != Frames.displayIntervalKey && !ElementErrors.describes($0) }
    guard keys.allSatisfy(MovingElements.isOfScrolling) else { return ([], 0) }
    let found = try MovingElements(
      of: FileSource(source.session, in: source.reader), atMost: mostElementCurves)
    guard !found.subjects.isEmpty else { return ([], 0) }
    return (keys + found.subjects.map(\.text), found.leftOutCount)
  }

  /// The timeline with the frames of the run in front.
  func timeline(isSwapped: Bool) -> PlayerTimeline {
    timelines[isSwapped && timelines.count > 1 ? 1 : 0]
  }

  /// How many keys can be shown.
  var keyCount: Int { Set(runs.flatMap { $0.lines.map(\.curve.name) }).count }

  /// What each run shows at an instant.
  func moments(at time: Instant) throws -> [PlayerMoment] {
    try played.map { try $0.moment(at: time) }
  }

  /// Where the values of a run ran on by themselves.
  func settlings(ofRun number: Int) -> [ClosedRange<Instant>] { played[number].settlingRanges }

  /// By how much a run's clock is moved to the common one, in nanoseconds.
  func shift(ofRun number: Int) -> Int64 { played[number].shift }

  /// What the first run shows at an instant, for a filmstrip. `nil` before its first frame.
  func picture(at time: Instant) throws -> Filmstrip.Picture? {
    try played[0].picture(at: time)
  }

  /// Reads what has come since, of runs that are being recorded.
  func refresh() throws {
    wasGrowing = wasGrowing || isGrowing
    for run in played where run.isOpen { try run.refresh() }
    prepare()
  }

  /// Whether anything is still being recorded, as far as is known: a recorder that was ended adds nothing.
  var isGrowing: Bool { wishes.follows && played.contains(where: \.isOpen) }

  /// Labels the release of a run that is nearest to an instant. Says what came of it.
  func label(_ request: PlayerState.LabelRequest, at time: Instant, ofRun number: Int) -> String {
    do {
      defer { prepare() }
      return DisplayText.shown(try played[min(number, played.count - 1)].label(request, at: time))
    } catch {
      return DisplayText.shown(explain(error).message)
    }
  }

  private func prepare() {
    align()
    let extents = played.compactMap(\.extent)
    let first = wishes.from ?? extents.map(\.lowerBound).min() ?? .zero
    let last = wishes.to ?? extents.map(\.upperBound).max() ?? first
    let range = first...max(first, last)
    let markers = played.enumerated().flatMap { $0.element.markers(run: $0.offset) }
    var skips: [ClosedRange<Instant>] = []
    if let limit = wishes.idleLimit {
      let busy = played.flatMap(\.busyInstants).filter(range.contains)
      skips = PlayerTimeline.skips(
        between: busy + [range.lowerBound, range.upperBound], longerThan: limit)
    }
    timelines = played.map {
      var timeline = PlayerTimeline(
        range, frames: $0.steps, markers: markers, skips: skips, isGrowing: isGrowing)
      if wishes.follows, !isGrowing {
        let wasEnded = played.contains(where: \.isAbandoned)
        timeline.recorderEnd = wasEnded ? .ended : wasGrowing ? .finished : nil
      }
      return timeline
    }
    runs = played.map { $0.run(in: range) }
  }

  /// Moves the second run's clock. The first one's is the player's.
  private func align() {
    guard played.count > 1 else { return }
    switch wishes.alignment {
    case .none: played[1].shift = 0
    case .manual(let nanoseconds): played[1].shift = nanoseconds
    case .start, .xcorr, .progress:
      played[1].shift = anchor(played[0]).nanoseconds(since: anchor(played[1]))
    case .release:
      played[1].shift =
        (played[0].firstRelease ?? anchor(played[0])).nanoseconds(
          since: played[1].firstRelease ?? anchor(played[1]))
    }
  }

  private func anchor(_ run: PlayedRun) -> Instant { run.firstStart ?? .zero }
}
