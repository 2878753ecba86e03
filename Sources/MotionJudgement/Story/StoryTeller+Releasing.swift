import KymographCLibrary
// More than 400 lines: all that a story says of a release, in the order of its sentences.
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// What the release did: with what speed the element goes on, and how it comes to rest.
  mutating func tellRelease(
    _ follower: Follower, _ number: Int, _ drive: Drive, _ frames: ClosedRange<Int>
  ) {
    let act = acts[number]
    let values = follower.values
    let speed = try? drive.speed()
    let first = frames.upperBound + 1
    let stop = act.until < .infinity ? film.index(at: act.until) : film.times.count
    guard first < stop - 3 else { return }
    let moving = (first..<stop).filter { abs(values[$0] - values[$0 - 1]) > Settle.leastStep }
    guard let begin = moving.first, let end = moving.last,
      // One step may be the rest of the drag.
      follower.isScroller || begin <= first + 3 && end > first + 1
    else {
      if !follower.isScroller {
        let dropped = values[stop - 1] - values[frames.upperBound]
        let rest = follower.follow.flatMap { drive.explained(film.shown(values), $0)?.rest } ?? 0
        let isDropped = min(abs(dropped), abs(dropped - rest)) > Self.leastDrop
        add(
          StoryFact(
            follower.name, .stays, at: act.lift,
            saying: isDropped ? .driven(.drops(dropped)) : .stays, rank: .detail))
      }
      return
    }
    if follower.isScroller {
      let offset = Estimated(abs(values[end]), low: abs(values[end]), high: abs(values[end]))
      add(
        StoryFact(
          follower.name, .end, at: film.times[end], offset, unit: film.unit, rank: .silent))
      releases[number]?.rest = film.times[end]
      return
    }
    drag?.rest = film.times[end]
    // Motion under the next contact belongs to that.
    let next = number + 1 < acts.count ? acts[number + 1].contact?.landing : nil
    let until = next?.advanced(byNanoseconds: -1) ?? film.instants[stop - 1]
    let spring = try? FreeSpring(
      times: Array(film.times[first...end]), values: Array(values[first...end]))
    // A spring that comes to rest soonest goes to a target. A decay has the shape of a far slower one.
    let (times, places) = (Array(film.times[first...end]), Array(values[first...end]))
    let whole = first - 1...end
    let eased = EaseOut(times: Array(film.times[whole]), values: Array(values[whole]))
    let isSprung =
      spring.map {
        $0.isGood && $0.ratio < Self.mostSprung && $0.rms <= (eased?.rms ?? .infinity)
      } ?? false
    let isMomentum =
      Momentum.runsOut(times, places) && (!isSprung || Momentum.isDecay(times, places))
    if isMomentum { releases[number]?.addGlide(of: follower.name, values[end] - values[first - 1]) }
    if follower.manner == nil {
      tellHandOver(
        follower, act, drive, first...end, until: until, speed, isMomentum: isMomentum)
      tellFlick(follower, act, frames, end, speed)
    }
    let settle = Settle(film.shown(values), behind: frames, until: until, unit: film.unit)
    let told = tellSettle(
      follower.name, settle, isCut: next != nil, since: act.lift, values, first...end, spring,
      after: .act(act.kind),
      isMomentum: isMomentum && drag?.kept?.low ?? 1 > Self.leastMomentum)
    drag?.spring = told.map {
      StorySpring($0, from: film.times[first], to: film.times[end])
    }
  }

  /// A curve is run back from this share of its way at most. No unit, ours.
  private static let mostRunBack = 0.7

  /// The ways that a declared animation may go: from where its curve, run back from its first frame, begins, or else from the
  /// place that was shown last.
  private func travels(
    _ animation: DeclaredAnimation, _ values: [Double], _ settle: ClosedRange<Int>
  ) -> [Double] {
    let start = (animation.start ?? animation.time) + animation.delay
    let last = max(
      settle.lowerBound, min(settle.upperBound, film.index(at: start + animation.duration)))
    let end = values[last]
    var ways = [end - values[settle.lowerBound - 1]]
    let frame = film.times.partitioningIndex { $0 >= start - 1e-6 }
    guard frame <= last, frame >= settle.lowerBound - 1,
      let curve = Easing(named: animation.easing)
    else { return ways }
    let time = min(1, max(0, (film.times[frame] - start) / animation.duration))
    let share = curve.value(at: time)
    guard share < Self.mostRunBack else { return ways }
    ways = [(end - values[frame]) / (1 - share)]
    return ways
  }

  /// What goes back though it was thrown. It is a fault if no rule for a release could want that: a sheet or a page goes
  /// with the finger, most of its way, and not against an edge.
  private mutating func tellFlick(
    _ follower: Follower, _ act: StoryAct, _ frames: ClosedRange<Int>, _ end: Int,
    _ speed: FingerSpeed?
  ) {
    let values = follower.values
    let way = values[frames.upperBound] - values[frames.lowerBound]
    guard let speed, !speed.isStopped, speed.velocity.hasSign,
      abs(values[end] - values[frames.lowerBound]) < 2,
      abs(values[end] - values[frames.upperBound]) > 8
    else { return }
    let size = Estimated(
      abs(speed.velocity.value), low: min(abs(speed.velocity.low), abs(speed.velocity.high)),
      high: max(abs(speed.velocity.low), abs(speed.velocity.high)))
    guard size.low > MotionFault.thrown else { return }
    let whole = wayOfThrow(follower, act.axis, frames.lowerBound, towards: way)
    let isFar = whole.map { abs(way) >= MotionFault.farThrown * $0 } ?? false
    let isWrong = isFar && follower.gain.holds(1)
    add(
      StoryFact(
        follower.name, .flickCancelled, at: act.lift, size, unit: "\(film.unit)/s",
        saying: isWrong || whole == nil
          ? .flickCancelled(speed: speed.velocity.value)
          : .driven(
            .goesBack(way: abs(way), whole: whole ?? 0, speed: abs(speed.velocity.value))),
        isJudged: isWrong))
  }

  /// What spans less of the window on both axes is dragged about, and not thrown to a place. Shares of the window.
  private static let (leastSpan, wholeWindow) = (0.5, 0.95...1.2)

  /// The way that a throw of an element may go: its own length, or that of the window if it is longer. `nil`: it is too
  /// small to be a sheet or a page, fills the window, or is at its edge.
  private func wayOfThrow(
    _ follower: Follower, _ axis: FingerAxis, _ frame: Int, towards way: Double
  ) -> Double? {
    guard let item = items.first(where: { $0.name == follower.name }) else { return nil }
    let (length, across) =
      axis == .x ? (item.width[frame], item.height[frame]) : (item.height[frame], item.width[frame])
    guard length > 0 else { return nil }
    guard let window = film.window else { return length }
    let (own, other) =
      axis == .x ? (window.width, window.height) : (window.height, window.width)
    guard max(length / own, across / other) >= Self.leastSpan,
      !Self.wholeWindow.contains(length / own)
    else { return nil }
    guard length > own else { return length }
    let begin = axis == .x ? item.left[frame] : item.top[frame]
    let isAtEdge = way > 0 ? begin > -2 : begin + length < own + 2
    return isAtEdge ? nil : own
  }

  private mutating func tellHandOver(
    _ follower: Follower, _ act: StoryAct, _ drive: Drive, _ settle: ClosedRange<Int>,
    until end: Instant, _ speed: FingerSpeed?, isMomentum: Bool
  ) {
    guard let speed else {
      add(
        StoryFact(
          follower.name, .lift, at: act.lift, saying: .speedUnknown, rank: .detail))
      return
    }
    guard !speed.isStopped else {
      add(
        StoryFact(
          follower.name, .lift, at: act.lift, speed.velocity, unit: "\(film.unit)/s",
          saying: .fingerStopped, rank: .detail))
      return
    }
    let values = follower.values
    drag?.letGo = speed.velocity
    var told: (speed: Estimated, kept: Estimated, by: DeclaredAnimation?)?
    var reason = ""
    if let declared = animation(of: follower.name, since: act.lift - 0.005, until: act.lift + 0.06),
      let slope = declared.startSlope, declared.duration > 0
    {
      let ways = travels(declared, values, settle)
      let speeds = ways.flatMap { way in
        [0.97, 1, 1.03].map { $0 * slope * way / declared.duration }
      }
      let goesOn = Estimated(
        slope * (ways.last ?? 0) / declared.duration, low: speeds.min() ?? 0,
        high: speeds.max() ?? 0)
      let gain = follower.gain.value
      if abs(gain) > 0.3, speed.velocity.hasSign,
        min(abs(speed.velocity.low), abs(speed.velocity.high)) > HandOver.leastSpeed
      {
        told = (goesOn, goesOn.divided(by: speed.velocity.scaled(by: gain)), declared)
      } else {
        reason = TooShortToTell.slow.rawValue
      }
    } else {
      do throws(TooShortToTell) {
        let found = try drive.handOver(
          film.shown(values), follower.follow, until: end)
        told = (found.speed, found.kept, nil)
      } catch {
        reason = error.rawValue
      }
    }
    guard let told else {
      add(
        StoryFact(
          follower.name, .handOver, at: act.lift,
          saying: .handOver(letGo: speed.velocity, .unknown(reason))))
      return
    }
    let goesOn = !told.kept.holds(0)
    drag?.goesOn = goesOn ? told.speed : nil
    drag?.kept = told.kept
    // What goes back, or is nearly there, need not keep a speed, nor does what runs out or has a curve of its own.
    let travel = (values[settle.upperBound] - values[settle.lowerBound - 1]) * follower.gain.value
    let least = max(Self.leastTravel, Self.nearlyThere * abs(speed.velocity.value))
    add(
      StoryFact(
        follower.name, .handOver, at: act.lift, told.kept.scaled(by: 100), unit: "%",
        saying: .handOver(
          letGo: speed.velocity, .goesOn(told.speed, kept: told.kept, by: told.by)),
        isJudged: told.by == nil && !(isMomentum && told.kept.low > Self.leastMomentum)
          && !goesWithDeclared(told.kept, act)
          && travel * speed.velocity.value > least * abs(speed.velocity.value),
        rank: .subject))
  }

  /// An element with a share this near to that of another follower goes with it. No unit, ours.
  private static let alikeKept = 0.05

  /// Whether what follows the same finger goes on by a declared curve with about the same share of its speed.
  private func goesWithDeclared(_ kept: Estimated, _ act: StoryAct) -> Bool {
    facts.contains { fact in
      guard case .handOver(_, .goesOn(_, let other, let declared?)) = fact.detail else {
        return false
      }
      return fact.time == act.lift && declared.isFinite
        && abs(other.value - kept.value) < Self.alikeKept
    }
  }

  /// The largest ratio of a spring that is meant as one. No unit, ours.
  private static let mostSprung = 1.3
  /// The least share of the finger's speed with which momentum begins. No unit, ours.
  private static let leastMomentum = 0.1
  /// An element that goes less far at once behind the lift stays where it was, in points.
  private static let leastDrop = 3.0
  /// The way after the lift in which a speed need not be kept, in points, and in seconds of it.
  private static let (leastTravel, nearlyThere) = (12.0, 0.01)

  /// How an element comes to rest: when, how far beyond, and along which curve.
  ///
  /// - Parameters:
  ///   - isCut: Whether the next contact ends it, not the recording.
  ///   - range: The frames of the settle, to its last change.
  /// - Returns: the spring if that is the curve.
  @discardableResult
  mutating func tellSettle(
    _ name: String, _ settle: Settle?, isCut: Bool = false, since start: Double, _ values: [Double],
    _ range: ClosedRange<Int>, _ spring: FreeSpring?, after instant: StoryInstant,
    isFitted: Bool = true, isMomentum: Bool = false
  ) -> FreeSpring? {
    guard let settle, let rest = settle.rest(within: Settle.usualPercent) else { return nil }
    let since = rest.time.seconds - start
    // A frame's own time may be before an instant that it shows already.
    let time = max(0, since)
    let isMoving =
      (isCut || range.upperBound == values.count - 1)
      && settle.isMoving(within: Settle.usualPercent)
    let overshoot = isMoving ? nil : settle.overshootPercent
    var told = StoryDetail.Settling(
      end: isMoving
        ? isCut ? .nextContact : .recording : since < -film.frame ? .restBefore : .rest,
      time: time, after: instant, overshoot: overshoot, beyond: settle.beyond ?? 0,
      reach: settle.reach)
    let whole = (range.lowerBound - 1)...range.upperBound
    var curve = spring
    if let overshoot, overshoot < Settle.leastPrinted, isFitted,
      let eased = EaseOut(times: Array(film.times[whole]), values: Array(values[whole])),
      eased.rms < 0.6 * (spring?.rms ?? .infinity), eased.rms < 0.004 * values[whole].extent
    {
      curve = nil
      let moved = range.lowerBound..<range.upperBound
      if ConstantSpeed.holds(film.times[moved], values[moved]) {
        // When a straight line ends, its curve does not tell.
        let took = film.times[range.upperBound] - film.times[range.lowerBound - 1]
        told.curve = .constant(duration: took)
      } else {
        told.curve = .eased(eased)
      }
    }
    let band = settle.band(within: Settle.usualPercent)
    if let found = curve, !goesOn(found, values, from: range.upperBound, within: band) {
      curve = nil
    }
    if let curve {
      told.curve = .spring(
        stiffness: curve.stiffness, damping: curve.damping, ratio: curve.ratio)
      add(StoryFact(name, .stiffness, curve.stiffness, unit: "1/s²", rank: .silent))
      add(StoryFact(name, .damping, curve.damping, unit: "1/s", rank: .silent))
    }
    let took = Estimated(time, low: time - film.frame, high: time + film.frame).atLeast(0)
    // How long a declared animation lasts was meant, and so was how momentum runs out.
    let isMeant =
      film.declared.contains {
        $0.time > start - 0.04
          && abs(($0.end ?? .infinity) - rest.time.seconds) < Self.endOfDeclared
          || $0.item == name && $0.movesElement && $0.time < rest.time.seconds
            && $0.end ?? 0 > rest.time.seconds
      }
      || isMomentum && overshoot ?? 0 < Settle.leastPrinted || hasPause(values, range)
    guard !isMoving else {
      var fact = StoryFact(
        name, .settle, at: rest.time.seconds, saying: .settle(told), isJudged: !isMeant)
      fact.judgedNumber = took.scaled(by: 1000)
      add(fact)
      return curve
    }
    add(
      StoryFact(
        name, .settle, at: rest.time.seconds, took.scaled(by: 1000), unit: "ms",
        saying: .settle(told), isJudged: !isMeant))
    if let overshoot {
      let share = Estimated(overshoot, low: overshoot - 1, high: overshoot + 1).atLeast(0)
      add(StoryFact(name, .overshoot, share, unit: "%", rank: .silent))
    }
    add(
      StoryFact(
        name, .end, Estimated(settle.target, low: settle.target - 1, high: settle.target + 1),
        unit: film.unit,
        rank: .silent))
    return curve
  }

  /// An element that stands still for so long on its way, in seconds, waits for something.
  private static let pause = 0.3

  /// Whether it stands still for long on its way.
  private func hasPause(_ values: [Double], _ range: ClosedRange<Int>) -> Bool {
    var latest = film.times[range.lowerBound]
    for index in range where index > 0 && abs(values[index] - values[index - 1]) > 0.1 {
      if film.times[index] - latest > Self.pause { return true }
      latest = film.times[index]
    }
    return false
  }

  /// A rest this near to the end of a declared animation is that, in seconds.
  private static let endOfDeclared = 0.06

  /// Whether a spring is one by which something comes to rest: it is damped, and what follows goes on as it does. Half of
  /// a swing that then stands still is not one.
  private func goesOn(
    _ spring: FreeSpring, _ values: [Double], from last: Int, within band: Double
  ) -> Bool {
    guard spring.isGood, spring.stiffness.width.isFinite, spring.ratio >= Self.leastRatio,
      spring.damping.low > spring.damping.value / M_E
    else { return false }
    let next = acts.map(\.start).filter { $0 > film.times[last] }.min() ?? .infinity
    return (last..<values.count).prefix(Self.framesAfterRest).allSatisfy {
      film.times[$0] > next || abs(spring.value(at: film.times[$0]) - values[$0]) <= band
    }
  }

  /// Less than this share of the critical damping is printed as 0.
  private static let leastRatio = 0.005
  /// So many frames behind a settle are held against its spring: half a second at 120 Hz.
  private static let framesAfterRest = 60

  /// The first declared animation that moves an element and begins between two instants.
  func animation(of name: String, since start: Double, until end: Double) -> DeclaredAnimation? {
    film.declared.first {
      $0.item == name && $0.isFinite && $0.time >= start - 0.04 && $0.time < end
        && $0.movesElement
    }
  }

  /// A second act while the motion of the first one lasts.
  mutating func tellInterruptions() {
    for number in acts.indices.dropFirst() where acts[number].kind != .swipe {
      let act = acts[number]
      // The first frame whose callbacks knew of it.
      let first =
        act.contact?.liftDispatched.map { heard in
          film.read.began.partitioningIndex { $0 >= heard }
        } ?? film.read.began.partitioningIndex { $0.seconds >= act.start }
      for item in items {
        for channel in [ElementTrack.Channel.x, .y] { tellInterruption(item, channel, act, first) }
      }
    }
  }

  private mutating func tellInterruption(
    _ item: ElementTrack, _ channel: ElementTrack.Channel, _ act: StoryAct, _ first: Int
  ) {
    let values = item.values(channel)
    guard first >= 5, first + 8 <= values.count, values[(first - 4)..<first].extent >= 3 else {
      return
    }
    let past = (first - 5)..<first
    let before = (times: Array(film.times[past]), values: Array(values[past]))
    guard let speed = try? EndSlope(lastOf: before.times, values: before.values).velocity,
      abs(speed.value) >= 100, speed.hasSign
    else { return }
    if animation(of: item.name, since: act.start, until: act.until) != nil {
      add(
        StoryFact(
          item.name, .interrupted, at: act.start,
          saying: .interrupted(
            speed: speed.value, by: act.kind, .declared(place: values[first - 1]))))
      return
    }
    let end = min(values.count, act.until < .infinity ? film.index(at: act.until) : values.count)
    guard end > first + 5,
      let found = try? HandOver(
        interrupted: (Array(film.times[..<first]), Array(values[..<first])),
        after: (Array(film.times[first..<end]), Array(values[first..<end])), frame: film.frame)
    else { return }
    let kept = found.kept.scaled(by: 100)
    let isLost =
      found.kept.high < MotionFault.keptInTurn && found.kept.low > -MotionFault.keptInTurn
    add(
      StoryFact(
        item.name, .interrupted, at: act.start, kept, unit: "%",
        saying: .interrupted(
          speed: speed.value, by: act.kind,
          .kept(found.kept, isRestart: isLost && abs(found.kept.value) < 0.25))))
  }
}
