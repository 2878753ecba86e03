import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// How an element goes with the finger otherwise than at a distance.
  enum Manner: Hashable, Sendable {
    /// A share of the finger's way beyond an edge, to which it goes back after the lift.
    case resists(StoryDetail.Resisting)
    case steps(StoryDetail.Steps)
  }

  /// What the page knew of the finger in each frame of a drive, for each kind of handlers.
  private func heard(_ drive: Drive, _ axis: FingerAxis) -> [[Double]] {
    drive.known.map { $0.along(axis) }
  }

  /// The manner in which values go with the finger. `nil`: they do not, or they follow it.
  func manner(of values: [Double], _ number: Int, _ drive: Drive, _ follow: Follow?) -> Manner? {
    guard let frames = drive.frames, acts[number].fingerCount == 1 else { return nil }
    let heard = heard(drive, acts[number].axis)
    if let steps = steps(values, frames, heard) { return .steps(steps) }
    let share = heard.lazy.compactMap { resistance(values, number, frames, $0, follow) }.first
    return share.map { share in
      var resisting = StoryDetail.Resisting(share: share)
      if let bent = try? drive.follow(
        film.shown(values, noise: DispatchedFollow.noise), resisting: true),
        let fit = bent.dispatched, fit.isTold
      {
        (resisting.lag, resisting.own) = (bent.lag, fit.own)
      }
      return .resists(resisting)
    }
  }

  // MARK: Steps

  /// Under a finger that goes so far a frame, an element that does not move stands still, in points.
  private static let leastFingerStep = 2.0
  /// What changes by less between two frames stands still, in points.
  private static let standing = 0.02
  /// A stand has more frames than 2, as a page may be shown every second frame.
  private static let fewestStill = 3
  /// The fewest steps by which a page that is updated by time is told from one that has few places, and the fewest if each
  /// ends at the finger.
  private static let (fewestSteps, fewestAtFinger) = (3, 2)
  /// How near to the finger's place a step ends that goes to it, and how far apart places are that no finger meets by chance,
  /// in points.
  private static let (nearFinger, leastApart) = (1.5, 20.0)
  /// By how much, in frames, the steps of a page that is updated by time may be late.
  private static let unevenness = 1
  /// The distance of places by which a page may be meant to go, and how exact it is, in points.
  private static let (leastGrid, gridNoise) = (4.0, 1.0)

  /// The stands and steps of what is updated too rarely. `nil`: it is not.
  ///
  /// A page that has few places (a slider with steps, rows that change places) goes by equal steps at uneven times. One that
  /// is updated too rarely goes by uneven steps at even times.
  private func steps(
    _ values: [Double], _ frames: ClosedRange<Int>, _ heard: [[Double]]
  ) -> StoryDetail.Steps? {
    guard let least = heard.map(\.count).min(), least > Self.fewestStill else { return nil }
    let shown = frames.map { values[$0] }
    var stands: [Range<Int>] = []
    var (first, moving, still, isUnheard) = (Int?.none, 0, 0, false)
    for index in 1..<least {
      let isMoved = heard.allSatisfy {
        abs($0[index] - $0[index - 1]) >= Self.leastFingerStep
      }
      let isStill = abs(shown[index] - shown[index - 1]) <= Self.standing
      if isMoved { (moving, still) = (moving + 1, still + (isStill ? 1 : 0)) }
      if isMoved, isStill {
        (first, isUnheard) = (first ?? index, false)
      } else if isStill, first != nil, !isUnheard {
        // A busy page may not hear of a finger in a frame.
        isUnheard = true
      } else {
        // It stands until it steps.
        if let start = first, !isStill { stands.append(start..<index) }
        (first, isUnheard) = (nil, false)
      }
    }
    // Before the first step it may have a dead zone.
    func length(_ stand: Range<Int>) -> Int {
      let time = { (index: Int) in film.times[frames.lowerBound + index] }
      return Int(
        ((time(stand.upperBound - 1) - time(stand.lowerBound - 1)) / film.frame).rounded())
    }
    let steps = stands.filter { length($0) >= Self.fewestStill }
    let isAtFinger = heard.contains { places in
      steps.allSatisfy {
        abs(shown[$0.upperBound] - shown[0] - places[$0.upperBound]) <= Self.nearFinger
      }
    }
    guard steps.count >= (isAtFinger ? Self.fewestAtFinger : Self.fewestSteps), 2 * still > moving
    else { return nil }
    let sizes = steps.map { abs(shown[$0.upperBound] - shown[$0.upperBound - 1]) }
    let waits = zip(steps.dropFirst(), steps).map { length($1.upperBound..<$0.upperBound) }
    guard let usual = waits.upperMedian, waits.allSatisfy({ abs($0 - usual) <= Self.unevenness }),
      let smallest = sizes.min(),
      !isGrid(sizes, smallest) || isAtFinger && smallest >= Self.leastApart
    else { return nil }
    let longest = steps.map(length).max() ?? 0
    return StoryDetail.Steps(
      longest: longest, seconds: Double(longest) * film.frame, still: still, of: moving)
  }

  /// Whether values that go with a finger go by few places, as a slider with steps does: how late they are, and where they
  /// began, cannot be told.
  func goesByPlaces(_ values: [Double], _ frames: ClosedRange<Int>) -> Bool {
    let steps = frames.dropFirst().filter { abs(values[$0] - values[$0 - 1]) > Self.standing }
    let sizes = steps.map { abs(values[$0] - values[$0 - 1]) }
    guard let first = steps.first, let last = steps.last, let smallest = sizes.min() else {
      return false
    }
    // It stands between its steps. What goes at an even speed has equal steps, too.
    return 2 * (steps.count - 1) <= last - first && steps.count >= 2 && isGrid(sizes, smallest)
  }

  /// The distance of the places that something stands at under a finger, in points: pixels, or a slider's values.
  func pitch(of values: [Double], _ frames: ClosedRange<Int>) -> Double {
    let places = values[frames].sorted()
    let gaps = zip(places.dropFirst(), places).map { $0 - $1 }.filter { $0 > Self.standing }
    guard let least = gaps.min(), gaps.count >= Self.fewestSteps else { return 0 }
    // Places are written to a thousandth.
    let isGrid = gaps.allSatisfy { abs($0 - ($0 / least).rounded() * least) <= Self.standing * 4 }
    return isGrid ? least : 0
  }

  /// Whether steps are whole multiples of the smallest one.
  private func isGrid(_ sizes: [Double], _ smallest: Double) -> Bool {
    smallest >= Self.leastGrid
      && sizes.allSatisfy {
        abs($0 - ($0 / smallest).rounded() * smallest) <= Self.gridNoise
      }
  }

  // MARK: Resistance

  /// What goes with more than this share of the finger does not resist.
  private static let mostResisting = 0.85
  /// The least way of the finger beyond an edge, and the least way back, in points.
  private static let (leastBeyond, leastBack) = (12.0, 4.0)
  /// By how much the share may grow on the way: what eases towards the finger catches up.
  private static let growth = 0.06

  /// The share of the finger's way that an element goes beyond an edge. `nil`: it does not resist.
  ///
  /// It goes with ever less of the finger, or with the same share of it, and after the lift back to the edge. What eases
  /// towards the finger goes with ever more of it.
  private func resistance(
    _ values: [Double], _ number: Int, _ frames: ClosedRange<Int>, _ heard: [Double],
    _ follow: Follow?
  ) -> Estimated? {
    guard heard.count == frames.count, let way = heard.last, abs(way) >= Self.leastBeyond else {
      return nil
    }
    let stop = acts[number].until < .infinity ? film.index(at: acts[number].until) : values.count
    guard stop > frames.upperBound + 3 else { return nil }
    let sign: Double = way < 0 ? -1 : 1
    let home = values[frames.lowerBound]
    let shown = frames.map { sign * (values[$0] - home) }
    let edge = sign * (values[stop - 1] - home)
    let finger = heard.map { $0 * sign }
    guard let end = shown.last, let last = finger.last else { return nil }
    // It goes back to an edge, which it had passed.
    guard end - edge >= Self.leastBack, edge > -1, (finger.max() ?? 0) - last < 1 else {
      return nil
    }
    if let follow, follow.gain.holds(1), follow.rms.value < 1 { return nil }
    guard let first = shown.lastIndex(where: { $0 <= max(edge, 0.5) }), first + 4 < shown.count
    else { return nil }
    let beyond = last - finger[first]
    guard beyond >= Self.leastBeyond else { return nil }
    let share = (end - edge) / beyond
    let most = (end - edge) / max(1, last - finger[first + 1])
    guard share > 0.02, share < Self.mostResisting, hasNoGrowth(shown, finger, from: first + 1)
    else { return nil }
    return Estimated(share, low: share - 0.01, high: max(share + 0.01, most))
  }

  /// Whether the share of the finger that an element goes with does not grow.
  private func hasNoGrowth(_ shown: [Double], _ finger: [Double], from first: Int) -> Bool {
    let (low, high) = (finger[first], finger[finger.count - 1])
    guard let middle = (first..<finger.count).first(where: { finger[$0] >= (low + high) / 2 }),
      middle > first, finger[middle] < high, finger[middle] > low
    else { return false }
    let last = finger.count - 1
    let early = (shown[middle] - shown[first]) / (finger[middle] - low)
    let late = (shown[last] - shown[middle]) / (high - finger[middle])
    return early < 1.1 && late <= early + Self.growth
  }
}

extension StoryTeller {
  /// Tells of what goes with the finger in a manner of its own.
  mutating func tell(_ manner: Manner, of follower: Follower, _ act: StoryAct) {
    switch manner {
    case .resists(let resisting):
      add(
        StoryFact(
          follower.name, .resists, at: act.start, resisting.share,
          saying: .driven(.resists(resisting)), rank: .subject))
      if let own = resisting.own {
        add(
          StoryFact(
            follower.name, .lag, at: act.start, own, unit: "frames", isJudged: false,
            rank: .silent))
      }
    case .steps(let steps):
      let longest = Double(steps.longest)
      add(
        StoryFact(
          follower.name, .steps, at: act.start,
          Estimated(longest, low: longest, high: longest), unit: "frames",
          saying: .driven(.steps(steps)), rank: .subject))
    }
  }

  /// The jumps of endless rows, which nobody sees.
  mutating func tellWraps() {
    for wrap in film.wraps where items.contains(where: { $0.name == wrap.item }) {
      let pitch = film.row(of: wrap.item, along: wrap.axis)?.pitch
      let count = pitch.map { Int((abs(wrap.way) / $0).rounded()) }
      add(
        StoryFact(
          wrap.item, .wraps, at: film.times[wrap.frame],
          Estimated(wrap.way, low: wrap.way - 1, high: wrap.way + 1), unit: film.unit,
          saying: .driven(.wraps(way: wrap.way, count: count)), rank: .detail))
    }
  }
}
