import KymographCLibrary
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// What changes by less between two frames rests, in points.
  private static let rest = 0.02

  /// What the release did: with what speed the element goes on, and how it comes to rest.
  mutating func tellRelease(
    _ follower: Follower, _ number: Int, _ drive: ClosedRange<Int>, _ speed: FingerSpeed?
  ) {
    let act = acts[number]
    let values = follower.values
    let first = drive.upperBound + 1
    let stop = act.until < .infinity ? film.index(at: act.until) : film.times.count
    guard first < stop - 3 else { return }
    let moving = (first..<stop).filter { abs(values[$0] - values[$0 - 1]) > Self.rest }
    guard let begin = moving.first, let end = moving.last,
      // One step may be the rest of the drag.
      follower.isScroller || begin <= first + 3 && end > first + 1
    else {
      if !follower.isScroller {
        add(
          StoryFact(
            follower.name, .stays, at: act.lift, "stays where it was let go", rank: .detail))
      }
      return
    }
    if follower.isScroller {
      let offset = Estimated(abs(values[end]), low: abs(values[end]), high: abs(values[end]))
      add(
        StoryFact(
          follower.name, .end, at: film.times[end], offset, unit: film.unit,
          "rests at scroll \(NumberText.whole(abs(values[end]))) \(film.unit), "
            + "\(StoryWords.milliseconds(max(0, film.times[end] - act.lift))) after the lift"))
      return
    }
    drag?.rest = film.times[end]
    tellHandOver(follower, act, drive, first...end, speed)
    let travel = values[end] - values[drive.upperBound]
    if let speed, !speed.isStopped,
      min(abs(speed.velocity.low), abs(speed.velocity.high)) > MotionFault.thrown,
      speed.velocity.hasSign,
      abs(values[end] - values[drive.lowerBound]) < 2, abs(travel) > 8
    {
      let size = Estimated(
        abs(speed.velocity.value), low: min(abs(speed.velocity.low), abs(speed.velocity.high)),
        high: max(abs(speed.velocity.low), abs(speed.velocity.high)))
      add(
        StoryFact(
          follower.name, .flickCancelled, at: act.lift, size, unit: "\(film.unit)/s",
          "thrown at \(NumberText.whole(speed.velocity.value)) \(film.unit)/s, but goes back to where it was: "
            + "the flick is cancelled"))
    }
    let spring = try? FreeSpring(
      times: Array(film.times[first...end]), values: Array(values[first...end]))
    let told = tellSettle(
      follower.name, since: act.lift, values, drive.lowerBound...end, released: first, spring,
      after: act.kind.instantInWords)
    drag?.spring = told.map {
      StorySpring($0, from: film.times[first], to: film.times[end])
    }
  }

  private mutating func tellHandOver(
    _ follower: Follower, _ act: StoryAct, _ drive: ClosedRange<Int>, _ settle: ClosedRange<Int>,
    _ speed: FingerSpeed?
  ) {
    guard let speed else {
      add(
        StoryFact(
          follower.name, .lift, at: act.lift, "speed at the lift: too short to tell", rank: .detail)
      )
      return
    }
    guard !speed.isStopped else {
      add(
        StoryFact(
          follower.name, .lift, at: act.lift, speed.velocity, unit: "\(film.unit)/s",
          "finger had stopped before it let go", rank: .detail))
      return
    }
    let values = follower.values
    drag?.letGo = speed.velocity
    let letGo =
      "let go at \(NumberText.whole(speed.velocity.value)) \(film.unit)/s "
      + "(\(StoryWords.ends(speed.velocity, NumberText.whole))) at its last report"
    var told: (speed: Estimated, kept: Estimated, by: String)?
    var reason = ""
    if let declared = animation(of: follower.name, since: act.lift - 0.005, until: act.lift + 0.06),
      let slope = declared.startSlope, declared.duration > 0
    {
      let travel = values[settle.upperBound] - values[drive.upperBound]
      let value = slope * travel / declared.duration
      let goesOn = Estimated(
        value, low: min(value * 0.95, value * 1.05), high: max(value * 0.95, value * 1.05))
      let gain = follower.gain.value
      if abs(gain) > 0.3, speed.velocity.hasSign,
        min(abs(speed.velocity.low), abs(speed.velocity.high)) > HandOver.leastSpeed
      {
        told = (
          goesOn, goesOn.divided(by: speed.velocity.scaled(by: gain)), ", by \(declared.words)"
        )
      } else {
        reason = TooShortToTell.slow.rawValue
      }
    } else {
      // The place that the page heard last, where its own lag leaves the element behind it.
      var heardPlace: Estimated?
      if let heard = follower.heard, heard.own.value < HeardFollow.atOnce,
        let last = act.places.last,
        let first = act.places.first
      {
        let way = last.along(act.axis) - first.along(act.axis)
        heardPlace = heard.place(after: way, from: values[drive.lowerBound])
      }
      // The display may be slower or faster than it says.
      let gaps = zip(film.times[drive].dropFirst(), film.times[drive]).map { $0 - $1 }
      let frame = gaps.upperMedian ?? film.frame
      do throws(TooShortToTell) {
        let found = try HandOver(
          lift: speed, gain: follower.gain,
          driven: (Array(film.times[drive]), Array(values[drive])),
          settle: (Array(film.times[settle]), Array(values[settle])), heardPlace: heardPlace,
          liftTime: follower.heard == nil ? act.lift : nil, frame: frame)
        told = (found.speed, found.kept, "")
      } catch {
        reason = error.rawValue
      }
    }
    guard let told else {
      add(
        StoryFact(
          follower.name, .handOver, at: act.lift,
          "\(letGo); with what speed it goes on: too short to tell: \(reason)", rank: .motion))
      return
    }
    let goesOn = !told.kept.holds(0)
    drag?.goesOn = goesOn ? told.speed : nil
    drag?.kept = told.kept
    add(
      StoryFact(
        follower.name, .handOver, at: act.lift, told.kept.scaled(by: 100), unit: "%",
        letGo + (goesOn ? ", goes on at \(NumberText.whole(told.speed.value)): " : ", ")
          + StoryWords.kept(told.kept) + told.by, rank: .subject))
  }

  /// How an element comes to rest: when, how far beyond, and along which curve.
  ///
  /// - Parameters:
  ///   - motion: The frames of the motion, from its beginning to its last change.
  ///   - first: The first frame of the settle.
  /// - Returns: the spring if that is the curve.
  @discardableResult
  mutating func tellSettle(
    _ name: String, since start: Double, _ values: [Double], _ motion: ClosedRange<Int>,
    released first: Int, _ spring: FreeSpring?, after words: String, isFitted: Bool = true
  ) -> FreeSpring? {
    let range = first...motion.upperBound
    guard
      let settle = Settle(
        times: film.instants[motion], values: values[motion], held: first - 1, first: first,
        unit: film.unit), let rest = settle.rest(within: Settle.usualPercent)
    else { return nil }
    let since = rest.time.seconds - start
    // A frame's own time may be before an instant that it shows already.
    let time = max(0, since)
    // What changes until the recording ends, and stays nowhere for long, is not at rest.
    let isMoving =
      range.upperBound == values.count - 1 && range.upperBound - rest.sample < Self.framesOfRest - 1
    let overshoot = isMoving ? nil : settle.overshootPercent
    var text =
      since < -film.frame
      ? "at rest before \(words)" : "at rest \(StoryWords.milliseconds(time)) after \(words)"
    if isMoving {
      text =
        "still moves at the end of the recording, \(StoryWords.milliseconds(time)) after \(words)"
    }
    if let overshoot, overshoot > Settle.leastPrinted {
      text +=
        ", overshoot \(NumberText.fixed(overshoot, 1)) % (\(NumberText.whole(settle.beyond ?? 0)) \(film.unit))"
    } else if overshoot == nil, !isMoving {
      text += ", \(NumberText.significant(settle.reach, digits: 3)) \(film.unit) away and back"
    }
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
        text += "; not a spring: constant speed for \(StoryWords.milliseconds(took))"
      } else {
        text +=
          "; not a spring: \(eased.words) for \(StoryWords.milliseconds(eased.duration)), "
          + "power \(NumberText.fixed(eased.power, 1))"
      }
    }
    let band = settle.band(within: Settle.usualPercent)
    if let found = curve, !goesOn(found, values, from: range.upperBound, within: band) {
      curve = nil
    }
    if let curve {
      text +=
        "; spring: stiffness \(NumberText.significant(curve.stiffness.value)) "
        + "(\(StoryWords.ends(curve.stiffness) { NumberText.significant($0) })), "
        + "damping \(NumberText.significant(curve.damping.value, digits: 3)) "
        + "(\(StoryWords.ends(curve.damping) { NumberText.significant($0, digits: 3) })), "
        + "ratio \(NumberText.fixed(curve.ratio, 2))"
      add(StoryFact(name, .stiffness, curve.stiffness, unit: "1/s²", rank: .silent))
      add(StoryFact(name, .damping, curve.damping, unit: "1/s", rank: .silent))
    }
    let took = Estimated(time, low: time - film.frame, high: time + film.frame).atLeast(0)
    guard !isMoving else {
      var fact = StoryFact(name, .settle, at: rest.time.seconds, text)
      fact.judgedNumber = took.scaled(by: 1000)
      add(fact)
      return curve
    }
    add(
      StoryFact(
        name, .settle, at: rest.time.seconds, took.scaled(by: 1000), unit: "ms", text))
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

  /// So many frames near its last place make a rest.
  private static let framesOfRest = 4
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
  func animation(of name: String, since start: Double, until end: Double) -> StoryFilm.Declared? {
    film.declared.first {
      $0.item == name && $0.isFinite && $0.time >= start - 0.04 && $0.time < end
        && !Self.geometry.isDisjoint(with: $0.properties)
    }
  }

  /// A second act while the motion of the first one lasts.
  mutating func tellInterruptions() {
    for number in acts.indices.dropFirst() where acts[number].kind != .swipe {
      let act = acts[number]
      let heard = act.heardLift ?? act.start
      // The first frame whose callbacks knew of it.
      let first = film.began.partitioningIndex { $0 >= heard }
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
    let whence =
      "interrupted at \(NumberText.whole(speed.value)) \(film.unit)/s by \(act.kind.instantInWords)"
    if animation(of: item.name, since: act.start, until: act.until) != nil {
      add(
        StoryFact(
          item.name, .interrupted, at: act.start,
          "\(whence), \(NumberText.whole(values[first - 1])) \(film.unit) on its way: turns without its speed "
            + "(a declared animation keeps none)"))
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
        "\(whence): \(StoryWords.kept(found.kept))"
          + (found.kept.holds(0) ? "" : " of its speed")
          + (isLost && abs(found.kept.value) < 0.25 ? ", restarts from rest" : "")))
  }
}

extension StoryFilm.Declared {
  /// How fast the eased way begins: its slope at 0, in ways a duration; nil: the easing is not one that tells it.
  var startSlope: Double? {
    guard let curve = Easing(named: easing)?.controlPoints else { return nil }
    if curve.x1 > 0 { return curve.y1 / curve.x1 }
    return curve.y1 == 0 && curve.x2 != 0 ? curve.y2 / curve.x2 : 4
  }

  /// Kind, duration and easing: `300 ms ease-out (CSS transition)`.
  var words: String {
    let source =
      switch kind {
      case "CSSTransition": "CSS transition"
      case "CSSAnimation": "CSS \(name.isEmpty ? "animation" : StoryWords.name(name))"
      default: "element.animate"
      }
    let wait = delay > 0 ? " after \(StoryWords.milliseconds(delay))" : ""
    return "\(StoryWords.milliseconds(duration)) \(easingInWords)\(wait) (\(source))"
  }

  /// The easing in few letters; what a page wrote is cut and has no other letters than easings have.
  var easingInWords: String {
    if easing.hasPrefix("linear(") {
      return "linear() of \(easing.count { $0 == "," } + 1) points"
    }
    let plain = easing.replacing("cubic-bezier(", with: "bezier(").filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || "(),.-".contains($0))
    }
    return String(plain.prefix(40))
  }
}
