package import TimelineModel

/// Where a player is and what it does: moved by keys and by time that has passed, and by nothing else.
package struct PlayerState: Hashable, Sendable {
  /// Which parts of the screen are wanted.
  package enum View: Int, Hashable, Sendable, CaseIterable {
    /// Stage and curves, where there is room for both.
    case both
    /// Curves alone.
    case curves
    /// The stage alone.
    case stage
  }

  /// A person's word about a release.
  package enum LabelRequest: Hashable, Sendable {
    case meant(GestureMeaning)
    /// Nothing is printed any more.
    case nothing

    /// The meaning of a key after `d`. `nil`: nothing at all.
    init?(_ key: Character) {
      switch key.lowercased() {
      case "f": self = .meant(.finish)
      case "c": self = .meant(.cancel)
      case "u": self = .meant(.unsure)
      case "n": self = .nothing
      default: return nil
      }
    }
  }

  package var time: Instant
  /// Whether time moves on by itself.
  package var isPlaying = false
  /// Recorded seconds a second. Above 0.
  package var speed = 1.0
  /// Whether the end leads back to the beginning.
  package var isLooping = false
  /// One end of the selection, where it was set.
  package var selectionStart: Instant?
  /// The other end.
  package var selectionEnd: Instant?
  /// Whether playing stops at every marker.
  package var pausesOnMarkers = false
  /// Number of the first key that is shown.
  package var firstKey = 0
  package var keyCount = 0
  /// Whether the second run is in front.
  package var isSwapped = false
  package var runCount = 1
  /// Which parts are wanted.
  package var view = View.both
  /// The page of the help that is shown. `nil`: none.
  package var helpPage: Int?
  /// How many pages the help has on this screen.
  package var helpPageCount = 1
  /// Whether the next key says what the release at the cursor meant.
  package var isLabelling = false
  /// The person's word about the release at the cursor. Whoever writes it down takes it away.
  package var labelRequest: LabelRequest?
  /// Its result, in a sentence, until the next key.
  package var notice: String?
  /// Whether the player is to end.
  package var isDone = false
  /// Nanoseconds below one that have passed and not been counted, 0 to 1.
  private var carry = 0.0

  /// The speeds that keys step through, recorded seconds a second: those of users' browsers' animation
  /// panels and frame by frame at 60 Hz.
  package static let speeds = [1.0 / 60, 0.1, 0.25, 1, 2, 4]
  /// The slowest and the fastest speed that can be asked for.
  package static let speedRange = 1e-4...1e4
  /// How many frames a long step takes.
  private static let longStep = 10

  /// Makes a player that stands at an instant.
  package init(time: Instant) { self.time = time }

  /// The repeated stretch: the selection where both of its ends are set and apart, else everything.
  package func loopRange(in timeline: PlayerTimeline) -> ClosedRange<Instant> {
    if let one = selectionStart, let other = selectionEnd, one != other {
      let (first, last) = (timeline.clamped(min(one, other)), timeline.clamped(max(one, other)))
      if first < last { return first...last }
    }
    return timeline.start...timeline.end
  }

  package mutating func press(_ key: PlayerKey, in timeline: PlayerTimeline) {
    notice = nil
    if isLabelling {
      isLabelling = false
      if key == .escape { return }
      if case .character(let character) = key, let request = LabelRequest(character) {
        labelRequest = request
        return
      }
    }
    switch key {
    case .interrupt: isDone = true
    case .escape: helpPage = nil
    case .left: step(by: -1, in: timeline)
    case .right: step(by: 1, in: timeline)
    case .shiftLeft: step(by: -PlayerState.longStep, in: timeline)
    case .shiftRight: step(by: PlayerState.longStep, in: timeline)
    case .home: move(to: timeline.start)
    case .end: move(to: timeline.end)
    case .tab: turnKeys(by: 1)
    case .backTab: turnKeys(by: -1)
    case .character(let character): press(character, in: timeline)
    case .suspend, .redraw: break
    }
  }

  private mutating func press(_ character: Character, in timeline: PlayerTimeline) {
    switch character {
    case " ": playOrPause(in: timeline)
    case ",": step(by: -PlayerState.longStep, in: timeline)
    case ".": step(by: PlayerState.longStep, in: timeline)
    case "[": stop(at: timeline.marker(before: time)?.time)
    case "]": stop(at: timeline.marker(after: time)?.time)
    case "<": speed = PlayerState.speeds.last { $0 < speed * 0.999 } ?? speed
    case ">": speed = PlayerState.speeds.first { $0 > speed * 1.001 } ?? speed
    case "=": speed = 1
    case "l", "L": isLooping.toggle()
    case "a": selectionStart = time
    case "b": selectionEnd = time
    case "c":
      selectionStart = nil
      selectionEnd = nil
    case "0"..."9":
      if let tenths = character.wholeNumberValue { move(toTenths: tenths, in: timeline) }
    case "g": move(to: timeline.start)
    case "G": move(to: timeline.end)
    case "d", "D":
      isPlaying = false
      isLabelling = true
    case "m": pausesOnMarkers.toggle()
    case "s": if runCount > 1 { isSwapped.toggle() }
    case "v":
      view = View.allCases[(view.rawValue + 1) % View.allCases.count]
    case "?":
      let next = (helpPage ?? -1) + 1
      helpPage = next < helpPageCount ? next : nil
    case "q", "Q": isDone = true
    default: break
    }
  }

  private mutating func playOrPause(in timeline: PlayerTimeline) {
    if isPlaying {
      isPlaying = false
      return
    }
    if time >= timeline.end, !timeline.isGrowing { move(to: timeline.start) }
    isPlaying = true
  }

  /// Steps stop: one wants to look at the frame.
  private mutating func step(by count: Int, in timeline: PlayerTimeline) {
    isPlaying = false
    guard let first = timeline.frames.first else { return }
    let shown = timeline.frameCount(upTo: time) - 1
    if shown < 0 {
      if count > 0 { move(to: first) }
      return
    }
    move(to: timeline.frames[max(0, min(timeline.frames.count - 1, shown + count))])
  }

  private mutating func stop(at instant: Instant?) {
    isPlaying = false
    if let instant { move(to: instant) }
  }

  private mutating func move(to instant: Instant) {
    time = instant
    carry = 0
  }

  private mutating func move(toTenths tenths: Int, in timeline: PlayerTimeline) {
    let length = timeline.end.nanoseconds(since: timeline.start)
    let distance = length / 10 * Int64(tenths) + length % 10 * Int64(tenths) / 10
    move(to: timeline.start.advanced(byNanoseconds: distance))
  }

  private mutating func turnKeys(by count: Int) {
    guard keyCount > 0 else { return }
    firstKey = ((firstKey + count) % keyCount + keyCount) % keyCount
  }
}

extension PlayerState {
  /// The most turns of one advance: skips and rounds of a loop. More than that in one go cannot be seen.
  private static let mostTurns = 1000

  /// Lets time pass.
  ///
  /// - Parameters:
  ///   - elapsed: Nanoseconds that have passed for the person. A number that is not above 0 counts as none.
  ///   - timeline: Where it moves.
  package mutating func advance(byNanoseconds elapsed: Int64, in timeline: PlayerTimeline) {
    time = timeline.clamped(time)
    guard isPlaying, elapsed > 0 else { return }
    let exact = Double(elapsed) * speed + carry
    let whole = exact.rounded(.down)
    carry = exact - whole
    // The largest Double below 2⁶³.
    var left = Int64(min(whole, 9.22e18))
    let loop = loopRange(in: timeline)
    for _ in 0..<PlayerState.mostTurns where left > 0 && isPlaying {
      left = travel(left, loop, in: timeline)
    }
  }

  /// Goes up to the next place where something happens. The rest of the time goes on after it.
  private mutating func travel(
    _ distance: Int64, _ loop: ClosedRange<Instant>, in timeline: PlayerTimeline
  ) -> Int64 {
    if let skip = timeline.skip(endingAfter: time), skip.contains(time) {
      time = skip.upperBound
      return stopsAtMarker(in: timeline) ? 0 : distance
    }
    let end = isLooping && time < loop.upperBound ? loop.upperBound : timeline.end
    if time >= end { return arrive(at: end, distance, loop, in: timeline) }
    var stop = end
    if pausesOnMarkers, let marker = timeline.marker(after: time) { stop = min(stop, marker.time) }
    if let skip = timeline.skip(endingAfter: time) { stop = min(stop, skip.lowerBound) }
    let way = stop.nanoseconds(since: time)
    guard distance >= way else {
      time = time.advanced(byNanoseconds: distance)
      return 0
    }
    time = stop
    if stopsAtMarker(in: timeline) { return 0 }
    return stop == end ? arrive(at: end, distance - way, loop, in: timeline) : distance - way
  }

  /// Stops where a marker is that one wants to stop at.
  private mutating func stopsAtMarker(in timeline: PlayerTimeline) -> Bool {
    guard pausesOnMarkers,
      timeline.marker(after: time.advanced(byNanoseconds: -1))?.time == time
    else { return false }
    isPlaying = false
    return true
  }

  private mutating func arrive(
    at end: Instant, _ left: Int64, _ loop: ClosedRange<Instant>, in timeline: PlayerTimeline
  ) -> Int64 {
    if isLooping, end == loop.upperBound, loop.lowerBound < loop.upperBound {
      time = loop.lowerBound
      return left % max(1, loop.upperBound.nanoseconds(since: loop.lowerBound))
    }
    if isLooping, !timeline.isGrowing, loop.lowerBound < loop.upperBound {
      time = loop.lowerBound
      return left
    }
    time = end
    carry = 0
    // A recording that still grows is waited for.
    if !timeline.isGrowing { isPlaying = false }
    return 0
  }
}
