import KymographCLibrary
// More than 400 lines: all that a story says of what follows a finger, in the order of its sentences.
import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// The least range along the finger's axis that counts as driven, in points.
  private static let leastDriven = 3.0
  /// How much of an item's way must be explained for its lag to be judged, and for it to follow beside another one.
  private static let wellExplained = 0.97
  /// What is so many frames behind the finger beside another one that is not does not follow it.
  private static let longBehind = 5.0

  /// One element or scroller that follows a finger.
  struct Follower {
    var name: String
    /// What it did in all frames along the axis.
    var values: [Double]
    /// How it follows. `nil` of what the browser scrolls.
    var follow: Follow?
    var isScroller = false
    /// How far it went at once as the finger landed, which ``values`` leave out, and in which frame that shows.
    var landing: (way: Double, frame: Int)?
    /// How far the finger had come when touch handlers were first told, if the fit is by what they were told.
    var slop = 0.0
    /// How it goes with the finger otherwise than at a distance. `nil`: it follows.
    var manner: Manner?
    /// How far the finger had come in each frame of the drive, as far as the page knew. Empty: that is not known.
    var known: [Double] = []
    /// Whether the finger draws a corner of it, and the values are that corner's.
    var isDrawn = false

    var gain: Estimated { follow?.gain ?? Estimated(0, low: 0, high: 0) }
    var jump: Estimated { follow?.jump ?? Estimated(0, low: 0, high: 0) }
  }

  /// What goes less far than this share of the finger hardly follows. No unit, ours.
  private static let hardly = 0.4

  /// The transition of a style sheet that begins again with each move of the finger, so that the element hardly moves.
  private func restartedTransition(in act: StoryAct) -> DeclaredAnimation? {
    let starts = film.declared.filter {
      $0.kind == "CSSTransition" && (act.start...max(act.start, act.lift)).contains($0.time)
    }
    // One change of style starts a transition of each property that it sets, all of them at one time.
    let counts = Dictionary(grouping: starts) { [$0.item, $0.name] }
      .mapValues { Set($0.map(\.time)).count }
    return starts.first { counts[[$0.item, $0.name], default: 0] >= MotionFault.restarts }
  }

  mutating func tellSwipe(_ number: Int) {
    let act = acts[number]
    guard !act.isNative else {
      tellTaken(number)
      return tellNative(number)
    }
    guard let drive = drives[number], let frames = drive.frames else { return }
    let found = followersFound(number, drive)
    let scroller = found.first(where: \.isScroller)
    if let restarted = restartedTransition(in: act),
      let slow = found.first(where: { $0.name == restarted.item }), slow.gain.value < Self.hardly
    {
      add(StoryFact(restarted.item, .noFollower, at: act.start, saying: .restarts(restarted)))
      return
    }
    if found.isEmpty {
      if let restarted = restartedTransition(in: act) {
        add(
          StoryFact(
            restarted.item, .noFollower, at: act.start,
            saying: .restarts(restarted)))
        return
      }
      let before = facts.count
      tellAsides(number, frames)
      guard facts.count == before else { return }
      let after = frames.upperBound...(film.times.count - 1)
      let moves = items.contains { $0.values(act.axis.channel)[after].extent > Self.leastDriven }
      if act.fingerCount == 1, !moves {
        add(
          .about(
            act.target ?? "page", .noFollower, at: act.start, saying: .nothingFollows,
            isJudged: false, rank: .subject))
      }
      return
    }
    // What follows alike shares the subject's line.
    let told = scroller.map { [$0] } ?? found
    var (alike, toldReleases) = (0, 0)
    for (place, follower) in told.enumerated() {
      followers[number, default: []].insert(follower.name)
      following[number, default: [:]][follower.name] = follower.follow
      let isAlike = place > 0 && follows(follower, as: told[0])
      if place == 0 {
        drag = StoryDrag(act, frames, in: film, follower.values)
        releases[number] = Release(
          name: follower.name, isScroller: follower.isScroller, isDrawn: follower.isDrawn,
          slop: follower.slop,
          way: follower.values[frames.upperBound] - follower.values[frames.lowerBound],
          speed: try? drive.speed())
      }
      if let manner = follower.manner {
        tell(manner, of: follower, act)
        manners[number, default: [:]][follower.name] = manner
      } else if isAlike, place > 2 {
        // What moves together is told with the first.
        let body = bodies.number(of: follower.name)
        if body == nil || body != bodies.number(of: told[0].name) { alike += 1 }
      } else {
        tellFollowing(follower, act, frames)
      }
      if follower.manner == nil, !follower.isDrawn {
        tellPickup(follower, act, frames)
        if !follower.isScroller { tellLeak(follower, act, drive) }
      }
      if place < 3 || !isAlike {
        if toldReleases < Self.mostReleases {
          tellRelease(follower, number, drive, frames)
          toldReleases += 1
        } else {
          skippedCurves += 1
        }
      }
      if place == 0 { keepDrag(of: follower, act) }
    }
    if alike > 0 {
      add(
        .about(
          "page", .lag, at: act.start,
          saying: .moreFollow(alike), rank: .motion))
    }
    if let scroller { tellLinked(to: scroller, number) }
    if scroller == nil { tellAsides(number, frames) }
  }

  /// What moves in the frames of a drag, and does not follow the finger.
  private mutating func tellAsides(_ number: Int, _ frames: ClosedRange<Int>) {
    guard film.knowsHeard, acts[number].fingerCount == 1 else { return }
    for item in items where followers[number]?.contains(item.name) != true {
      let way = max(item.x[frames].extent, item.y[frames].extent)
      guard way >= Self.leastAside, item.isShown[frames].allSatisfy({ $0 }) else { continue }
      let declared = stepped(item.name, in: acts[number])
      add(
        StoryFact(
          item.name, .moves, at: declared?.time ?? film.times[frames.lowerBound],
          Estimated(way, low: way - 1, high: way + 1), unit: film.unit,
          saying: .driven(.stepsAside(way: way, by: declared))))
    }
  }

  /// An animation that begins so near to the lift may be its answer, in seconds.
  private static let aboutLift = 0.04
  /// The least way of what steps aside, in points.
  private static let leastAside = 4.0

  /// The animation that moves an element at an instant of a drag, and not with each move of the finger.
  ///
  /// - Parameter end: When the drag ends. `nil`: shortly before the lift, since one about the lift belongs to that.
  func stepped(
    _ name: String, in act: StoryAct, before end: Double? = nil
  ) -> DeclaredAnimation? {
    let first = act.start + film.frame
    let own = film.declared.filter {
      $0.item == name && $0.isFinite && $0.movesElement
        && (first...max(first, end ?? act.lift - Self.aboutLift)).contains($0.time)
    }
    return Set(own.map(\.time)).count < MotionFault.restarts ? own.first : nil
  }

  /// Whether two follow with the same lag and gain, as far as can be told.
  private func follows(_ one: Follower, as other: Follower) -> Bool {
    func meet(_ left: Estimated?, _ right: Estimated?) -> Bool {
      guard let left, let right else { return left == nil && right == nil }
      return left.low <= right.high && right.low <= left.high
    }
    let isTimed = (one.follow?.ownLag == nil, other.follow?.ownLag == nil)
    guard one.manner == nil, other.manner == nil else { return false }
    return meet(one.follow?.ownLag, other.follow?.ownLag)
      && meet(isTimed.0 ? one.follow?.lag : nil, isTimed.1 ? other.follow?.lag : nil)
      && !isLate(one)
  }

  private func isLate(_ follower: Follower) -> Bool {
    if follower.isScroller { return false }
    if let own = follower.follow?.ownLag { return own.low > MotionFault.ownLag }
    return (follower.follow?.lag.low ?? 0) / film.frame - MotionFault.systemLag > MotionFault.ownLag
  }

  /// What follows the finger of an act: scrollers first, then the largest share of the way.
  private mutating func followersFound(_ number: Int, _ drive: Drive) -> [Follower] {
    let act = acts[number]
    func fitted(_ name: String, _ values: [Double], noise: Double, isScroller: Bool) -> Follower? {
      guard let frames = drive.frames, values[frames].extent >= Self.leastDriven else {
        return nil
      }
      let landing = isScroller ? nil : landing(values, drive, act.axis)
      var values = values
      if let landing {
        for index in 0..<landing.frame { values[index] += landing.way }
      }
      let found = try? drive.follow(film.shown(values, noise: noise))
      if !isScroller, let manner = manner(of: values, number, drive, found) {
        return Follower(name: name, values: values, landing: landing, manner: manner)
      }
      guard let follow = found, follow.rSquared > Drive.leastExplained,
        abs(follow.gain.value) > 0.02
      else { return nil }
      let known = follow.knowledge?.along(act.axis) ?? []
      let isOfTouches = follow.knowledge?.isOfTouches == true
      return Follower(
        name: name, values: values, follow: follow, isScroller: isScroller, landing: landing,
        slop: isOfTouches ? abs(known.first { abs($0) > 0.5 } ?? 0) : 0, known: known)
    }
    guard act.fingerCount == 1 else { return [] }
    var found: [Follower] = []
    for scroll in film.scrolls {
      // Content goes the other way than its scroller's offset.
      let offset = (act.axis == .x ? scroll.x : scroll.y).map { -$0 }
      if let one = fitted(scroll.name, offset, noise: 1, isScroller: true) { found.append(one) }
    }
    for item in items where stepped(item.name, in: act) == nil {
      let corner = drawnCorner(of: item, drive, act.axis)
      let values = corner ?? item.values(act.axis.channel)
      if var one = fitted(item.name, values, noise: DispatchedFollow.noise, isScroller: false) {
        one.isDrawn = corner != nil && one.manner == nil
        found.append(one)
      }
    }
    // What rides on a frame that is drawn is a part of it.
    let drawn = Set(found.filter(\.isDrawn).map(\.name))
    let riders = items.filter { drawn.contains($0.carrier ?? "") }
    followers[number, default: []].formUnion(riders.map(\.name))
    found.removeAll { one in riders.contains { $0.name == one.name } }
    let carriers = Set(riders.compactMap(\.carrier))
    // What answers the finger by itself is not led by it.
    let best = found.filter { !$0.isScroller }.compactMap(\.follow?.rSquared).max() ?? 0
    if best > Self.wellExplained {
      found.removeAll {
        $0.follow.map { $0.dispatched != nil && $0.rSquared < Self.wellExplained } ?? false
      }
    }
    // Beside what hangs on the finger, what comes long behind goes to places of its own.
    let isPrompt = found.contains { $0.follow?.ownLag.map { $0.high < 2 } ?? false }
    if isPrompt {
      found.removeAll { ($0.follow?.ownLag?.low ?? 0) > Self.longBehind && !$0.isScroller }
    }
    let target = acts[number].target
    let rank = found.enumerated().map { ($0.element, $0.offset) }.sorted { left, right in
      if left.0.isScroller != right.0.isScroller { return left.0.isScroller }
      // What the finger landed on is what it was to move.
      let isTarget = (left.0.name == target, right.0.name == target)
      if isTarget.0 != isTarget.1 { return isTarget.0 }
      // A frame that has parts is what the finger draws.
      let hasParts = (carriers.contains(left.0.name), carriers.contains(right.0.name))
      if hasParts.0 != hasParts.1 { return hasParts.0 }
      let weights = (
        abs(left.0.gain.value) * (left.0.follow?.rSquared ?? 0),
        abs(right.0.gain.value) * (right.0.follow?.rSquared ?? 0)
      )
      return weights.0 != weights.1 ? weights.0 > weights.1 : left.1 < right.1
    }
    return rank.map(\.0)
  }

  /// Where the corner of an element is that a finger draws, along an axis, while the opposite corner stays: a frame that is
  /// drawn, or resized at a corner. `nil`: it is not one.
  private func drawnCorner(of item: ElementTrack, _ drive: Drive, _ axis: FingerAxis) -> [Double]? {
    guard let frames = drive.frames, let known = drive.known.first?.along(axis),
      let moved = known.firstIndex(where: { abs($0) >= 0.5 })
    else { return nil }
    let stretch = (frames.lowerBound + max(0, moved - 1))...frames.upperBound
    func edge(_ channel: ElementTrack.Channel, _ size: ElementTrack.Channel) -> [Double]? {
      guard item.values(size)[stretch].extent >= Self.leastDriven else { return nil }
      let edges = [-0.5, 0.5].map { side in
        zip(item.values(channel), item.values(size)).map { $0 + side * $1 }
      }
      guard let still = edges.firstIndex(where: { $0[stretch].extent < 1 }) else { return nil }
      return edges[1 - still]
    }
    guard let x = edge(.x, .width), let y = edge(.y, .height) else { return nil }
    return axis == .x ? x : y
  }

  /// How far an element goes at once while the page knew only of the finger's landing, before it follows.
  private func landing(
    _ values: [Double], _ drive: Drive, _ axis: FingerAxis
  ) -> (way: Double, frame: Int)? {
    guard let frames = drive.frames, !drive.known.isEmpty else { return nil }
    let known = drive.known.map { $0.along(axis) }
    let still = frames.prefix { frame in
      known.allSatisfy { abs($0[frame - frames.lowerBound]) < 0.5 }
    }
    let jumps = still.dropFirst().filter { abs(values[$0] - values[$0 - 1]) > Self.leastLanding }
    guard jumps.count == 1, let frame = jumps.first else { return nil }
    let way = values[frame] - values[frame - 1]
    let others = still.dropFirst().filter { $0 != frame }
    guard others.allSatisfy({ abs(values[$0] - values[$0 - 1]) < 0.5 }) else { return nil }
    return (way, frame)
  }

  /// What goes less far as the finger lands does not come to it, in points.
  private static let leastLanding = 4.0

  private mutating func tellFollowing(
    _ follower: Follower, _ act: StoryAct, _ drive: ClosedRange<Int>
  ) {
    if follower.isScroller {
      add(
        StoryFact(
          follower.name, .scrolls, at: act.start, follower.gain,
          saying: .scrolls(deadZone: abs(follower.jump.value)), rank: .subject))
      return
    }
    guard let follow = follower.follow else { return }
    let lag = follow.lag
    let hasPlaces = goesByPlaces(follower.values, drive)
    let isTold =
      follow.dispatched.map { $0.isTold && follow.rSquared > Self.wellExplained } ?? true
    let dispatched = follow.dispatched
    let item = items.first { $0.name == follower.name }
    // What comes into the window on the way may begin to move when it will be seen.
    let isJudged =
      isTold && !hasPlaces && item.map { isInWindow($0, drive.lowerBound) } ?? true
    // A wide interval of what is not judged is no lag that anybody can use.
    let isLate = isJudged && !film.isVideo && isLate(follower)
    drag?.lag = lag
    var fact = StoryFact(
      follower.name, .lag, at: act.start, dispatched?.own ?? lag,
      unit: dispatched == nil ? "s" : "frames",
      saying: .follows(
        StoryDetail.Following(
          isDot: film.isVideo, axis: act.axis, lag: lag, own: dispatched?.own,
          share: dispatched?.isDecided == true ? dispatched?.alpha : nil, gain: follow.gain,
          isLate: isLate, frames: drive.count, frame: film.frame, slop: follower.slop)),
      isJudged: isJudged, rank: .subject)
    if dispatched == nil {
      // The frame that the system takes to tell the page is not the page's.
      fact.judgedNumber = Estimated(
        lag.value / film.frame - MotionFault.systemLag,
        low: lag.low / film.frame - MotionFault.systemLag,
        high: lag.high / film.frame - MotionFault.systemLag)
    }
    add(fact)
  }

  /// A jump as the finger picks the element up, or a way that the finger must come first.
  private mutating func tellPickup(
    _ follower: Follower, _ act: StoryAct, _ drive: ClosedRange<Int>
  ) {
    guard !follower.isScroller else { return }
    if let landing = follower.landing {
      pickups.append((follower.name, landing.frame))
      let size = abs(landing.way)
      let way =
        (act.contact?.path.last?.along(act.axis) ?? 0)
        - (act.contact?.path.first?.along(act.axis) ?? 0)
      add(
        StoryFact(
          follower.name, .pickupJump, at: film.times[landing.frame],
          Estimated(size, low: size - 0.5, high: size + 0.5), unit: film.unit,
          saying: .pickup(
            Estimated(size, low: size - 0.5, high: size + 0.5), isAhead: landing.way * way > 0),
          isJudged: isLanded(on: follower.name, act, landing.frame - 1)
            && !isResized(follower.name, landing.frame - 1...landing.frame), rank: .detail))
      return
    }
    let shown = drive.map { follower.values[$0] - follower.values[drive.lowerBound] }
    let jump = follower.jump
    let size = Estimated(
      abs(jump.value), low: min(abs(jump.low), abs(jump.high)),
      high: max(abs(jump.low), abs(jump.high)))
    guard let place = shown.firstIndex(where: { abs($0) > 0.5 }), size.low > MotionFault.pickupJump,
      jump.low * jump.high > 0
    else { return }
    let path = act.contact?.path ?? []
    let reported = drive.map { frame in
      path[max(0, path.partitioningIndex { $0.time > film.instants[frame] } - 1)].along(act.axis)
        - path[0].along(act.axis)
    }
    let finger = follower.known.isEmpty ? reported : follower.known
    let way = (finger.last ?? 0) < 0 ? -1.0 : 1
    let gain = follower.gain.value
    let isDead =
      jump.value * way * gain < 0 && abs(finger[place] * gain) >= abs(jump.value) - 2
      && shown[place] * way * (gain < 0 ? -1 : 1) >= -0.5
    let frame = drive.lowerBound + place
    if isDead {
      add(
        StoryFact(
          follower.name, .deadZone, at: film.times[frame], size, unit: film.unit,
          saying: .deadZone(size.value), rank: .detail))
      return
    }
    pickups.append((follower.name, frame))
    // What is never ahead of the finger catches up with it, and what never goes back had a way to come first.
    let sign = way * (gain < 0 ? -1 : 1)
    let offs = finger.indices.prefix(place + Self.firstFrames).map { index in
      sign * (shown[index] - (jump.value * way > 0 ? gain * finger[index] : 0))
    }
    let isOff =
      jump.value * way > 0
      ? (offs.max() ?? 0) > MotionFault.pickupJump : (offs.min() ?? 0) < -MotionFault.pickupJump / 2
    // What gets another size then is drawn anew.
    let isTaken =
      isLanded(on: follower.name, act, drive.lowerBound)
      && !isResized(follower.name, drive.lowerBound...min(frame, drive.upperBound))
    // What a progress moves along a curve of its own may seem to jump. Only what goes as far as the finger is held by it.
    // A share of the finger's way that bends looks like a jump of a straight one, but has no step of its size.
    let begun = 1..<min(finger.count, place + Self.firstFrames)
    let isStep = begun.contains { index in
      let known = abs(finger[index] - finger[index - 1])
      let longest = max(known, abs(reported[index] - reported[index - 1]))
      return abs(shown[index] - shown[index - 1])
        > max(1, abs(gain)) * longest + MotionFault.pickupJump
    }
    let isStraight = follower.gain.holds(1)
    let isHeld =
      isStraight
      ? follower.follow?.dispatched != nil || gain > 0
      : follower.follow?.dispatched != nil && isStep
    add(
      StoryFact(
        follower.name, .pickupJump, at: film.times[frame], size, unit: film.unit,
        saying: .pickup(size, isAhead: jump.value * way > 0),
        isJudged: isHeld && isTaken && isOff && !isRightBehind(act)
          && !goesByPlaces(follower.values, drive)
          && size.low > 2 * pitch(of: follower.values, drive)
          && size.width <= Self.widestPickup + size.value * Self.widestShare,
        rank: .detail))
  }

  /// Whether an act lands when the frames of the one before it are not over: their rest is no jump of its own.
  private func isRightBehind(_ act: StoryAct) -> Bool {
    acts.contains { $0.start < act.start && act.start - $0.lift < 2 * film.frame }
  }

  /// So many frames behind the first that moves show a jump.
  private static let firstFrames = 4
  /// An interval of a jump that is wider than this, in points, and this share of the jump says nothing.
  private static let (widestPickup, widestShare) = (6.0, 0.5)

  /// Whether the finger landed on an element. What it did not land on may come to it, as a slider's knob does.
  func isLanded(on name: String, _ act: StoryAct, _ frame: Int) -> Bool {
    guard let item = items.first(where: { $0.name == name }),
      let place = act.contact?.path.first?.along(act.axis)
    else { return true }
    let begin = act.axis == .x ? item.left[frame] : item.top[frame]
    let length = act.axis == .x ? item.width[frame] : item.height[frame]
    return film.window == nil || (begin - 1...begin + length + 1).contains(place)
  }

  /// Whether an element changes its size in some frames.
  private func isResized(_ name: String, _ frames: ClosedRange<Int>) -> Bool {
    guard let item = items.first(where: { $0.name == name }) else { return false }
    return max(item.width[frames].extent, item.height[frames].extent) > Self.leastAside
  }

  /// A share of the finger's way across that the element should not follow.
  private mutating func tellLeak(
    _ follower: Follower, _ act: StoryAct, _ drive: Drive
  ) {
    let across = act.axis.other
    guard let item = items.first(where: { $0.name == follower.name }), let frames = drive.frames,
      let known = drive.known.first, !known.isOfTouches, known.along(across).extent >= 8,
      abs(follower.gain.value) > 0.8
    else { return }
    // The center of what is resized goes by itself.
    guard (across == .x ? item.width : item.height)[frames].extent < 1 else { return }
    let values = item.values(across.channel)
    let shown = frames.map { values[$0] - values[frames.lowerBound] }
    guard shown.extent > 2,
      let fit = try? DispatchedFollow(heard: known.along(across), shown: shown),
      fit.rSquared > Drive.leastExplained, MotionFault.leak.contains(fit.gain.value),
      fit.gain.low > MotionFault.leak.lowerBound, fit.gain.high < 0.9
    else { return }
    let most = shown.map(abs).max() ?? 0
    // A frame that is drawn both ways has edges whose middle goes half as far.
    let finger = known.along(across).extent
    let isDrawn = items.contains { other in
      other.name != follower.name
        && abs(other.values(across.channel)[frames].extent - finger) < Self.alikeAcross * finger
    }
    let share = Estimated(
      fit.gain.value * 100, low: fit.gain.low * 100, high: fit.gain.high * 100)
    add(
      StoryFact(
        follower.name, .axisLeak, at: act.start, share, unit: "%",
        saying: .leak(share, along: across, way: most), isJudged: !isDrawn))
  }

  /// What goes as far across as the finger does, but for this share of it. No unit, ours.
  private static let alikeAcross = 0.1

  /// A contact that the browser took to scroll: how far it scrolls, where it rests, and what follows it.
  private mutating func tellNative(_ number: Int) {
    let act = acts[number]
    let first = max(0, film.index(at: act.start))
    let end = act.until < .infinity ? film.index(at: act.until) : film.times.count - 1
    guard end > first else { return }
    func offset(_ scroll: (name: String, x: [Double], y: [Double])) -> [Double] {
      act.axis == .x ? scroll.x : scroll.y
    }
    guard
      let scroll = film.scrolls.max(by: {
        offset($0)[first...end].extent < offset($1)[first...end].extent
      }), offset(scroll)[first...end].extent > 1
    else { return }
    let values = offset(scroll)
    followers[number, default: []].insert(scroll.name)
    let rest = (first...end).last { $0 > first && values[$0] != values[$0 - 1] } ?? end
    let way = values[rest] - values[first]
    let wait = film.times[rest] - act.lift
    add(
      scrollFact(
        scroll.name, .scrolls, at: act.start, Estimated(way, low: way - 1, high: way + 1),
        saying: .scrollsNatively(way: way, end: values[rest], wait: wait), rank: .outcome))
    addRest(of: scroll.name, at: values[rest], slack: Self.nativeSlack * abs(way))
    tellLinked(
      to: Follower(name: scroll.name, values: values.map { -$0 }, isScroller: true), number)
  }

  /// What moves while a scroller scrolls, but not with its content.
  private mutating func tellLinked(to scroller: Follower, _ number: Int) {
    let act = acts[number]
    let offset = scroller.values
    let moved = offset.indices.dropFirst().filter { abs(offset[$0] - offset[$0 - 1]) > 0.01 }
    guard let first = moved.first, let last = moved.last else { return }
    let whole = max(0, first - 1)...min(offset.count - 1, last + 5)
    for item in items where item.name != scroller.name {
      let values = item.values(act.axis.channel)
      guard values[whole].extent >= 4 else { continue }
      // A way that has an end is held by the scroll until it is there.
      let near = 0.02 * values[whole].extent + 0.3
      let arrival = whole.first { frame in
        (frame...whole.upperBound).allSatisfy { abs(values[$0] - values[whole.upperBound]) <= near }
      }
      let range = whole.lowerBound...min(whole.upperBound, (arrival ?? whole.upperBound) + 1)
      guard range.count >= 5 else { continue }
      let scroll = range.map { -(offset[$0] - offset[range.lowerBound]) }
      var shown = range.map { values[$0] - values[range.lowerBound] }
      let product = zip(scroll, shown).reduce(0) { $0 + $1.0 * $1.1 }
      if product < 0 { shown = shown.map { -$0 } }
      guard let fit = try? DispatchedFollow(heard: scroll, shown: shown), fit.rSquared > 0.9,
        abs(fit.gain.value) > 0.02, fit.rms.low < 0.02 * shown.extent
      else { continue }
      followers[number, default: []].insert(item.name)
      add(
        StoryFact(
          item.name, .scrollLag, at: film.times[range.lowerBound], fit.own, unit: "frames",
          saying: .followsScroll(
            StoryDetail.ScrollFollowing(
              scroller: scroller.name, lag: fit.own, frame: film.frame,
              gain: product < 0 ? -fit.gain.value : fit.gain.value,
              share: fit.isDecided ? fit.alpha?.value : nil))))
    }
  }
}
