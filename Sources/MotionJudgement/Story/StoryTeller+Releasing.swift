import KymographCLibrary
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
        add(
          StoryFact(
            follower.name, .stays, at: act.lift, saying: .stays, rank: .detail))
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
    // What the next contact does belongs to that.
    let next = number + 1 < acts.count ? acts[number + 1].contact?.landing : nil
    let until = next?.advanced(byNanoseconds: -1) ?? film.instants[stop - 1]
    tellHandOver(follower, act, drive, first...end, until: until, speed)
    let travel = values[end] - values[frames.upperBound]
    if let speed, !speed.isStopped,
      min(abs(speed.velocity.low), abs(speed.velocity.high)) > MotionFault.thrown,
      speed.velocity.hasSign,
      abs(values[end] - values[frames.lowerBound]) < 2, abs(travel) > 8
    {
      let size = Estimated(
        abs(speed.velocity.value), low: min(abs(speed.velocity.low), abs(speed.velocity.high)),
        high: max(abs(speed.velocity.low), abs(speed.velocity.high)))
      add(
        StoryFact(
          follower.name, .flickCancelled, at: act.lift, size, unit: "\(film.unit)/s",
          saying: .flickCancelled(speed: speed.velocity.value)))
    }
    let spring = try? FreeSpring(
      times: Array(film.times[first...end]), values: Array(values[first...end]))
    let settle = Settle(film.shown(values), behind: frames, until: until, unit: film.unit)
    let told = tellSettle(
      follower.name, settle, isCut: next != nil, since: act.lift, values, first...end, spring,
      after: .act(act.kind))
    drag?.spring = told.map {
      StorySpring($0, from: film.times[first], to: film.times[end])
    }
  }

  private mutating func tellHandOver(
    _ follower: Follower, _ act: StoryAct, _ drive: Drive, _ settle: ClosedRange<Int>,
    until end: Instant, _ speed: FingerSpeed?
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
      let travel = values[settle.upperBound] - values[settle.lowerBound - 1]
      let value = slope * travel / declared.duration
      let goesOn = Estimated(
        value, low: min(value * 0.95, value * 1.05), high: max(value * 0.95, value * 1.05))
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
    add(
      StoryFact(
        follower.name, .handOver, at: act.lift, told.kept.scaled(by: 100), unit: "%",
        saying: .handOver(
          letGo: speed.velocity, .goesOn(told.speed, kept: told.kept, by: told.by)),
        rank: .subject))
  }

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
    isFitted: Bool = true
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
      let eased = try? EaseOut(times: Array(film.times[whole]), values: Array(values[whole])),
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
    guard !isMoving else {
      var fact = StoryFact(name, .settle, at: rest.time.seconds, saying: .settle(told))
      fact.judgedNumber = took.scaled(by: 1000)
      add(fact)
      return curve
    }
    add(
      StoryFact(
        name, .settle, at: rest.time.seconds, took.scaled(by: 1000), unit: "ms",
        saying: .settle(told)))
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

  /// Properties whose animation moves or sizes an element.
  private static let geometry: Set<String> = [
    "transform", "translate", "left", "top", "right", "bottom", "margin", "marginTop", "marginLeft",
    "inset", "scale", "rotate", "width", "height",
  ]

  /// The first declared animation that moves an element and begins between two instants.
  func animation(of name: String, since start: Double, until end: Double) -> DeclaredAnimation? {
    film.declared.first {
      $0.item == name && $0.isFinite && $0.time >= start - 0.04 && $0.time < end
        && !Self.geometry.isDisjoint(with: $0.properties)
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
