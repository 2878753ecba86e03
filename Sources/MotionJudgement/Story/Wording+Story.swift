import KymographCLibrary
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

// The English about motion: what a story says. More than 400 lines, so that a word is looked for in one place.

/// Names, numbers and sentences of stories.
enum Wording {
  /// The sentence of a fact without its subject. Empty of a number alone.
  ///
  /// - Parameter unit: The unit of lengths.
  static func sentence(_ detail: StoryDetail, unit: String) -> String {
    func length(_ number: Double) -> String { "\(NumberText.whole(number)) \(unit)" }
    func more(_ count: Int, _ one: String, _ many: String) -> String {
      "\(count) more \(count == 1 ? one : many)"
    }
    return switch detail {
    case .none: ""
    case .easing(let animation): easing(animation)
    case .restarts(let animation):
      "does not follow the finger: with each move its \(words(animation)) starts again"
    case .nothingFollows: "nothing follows the finger"
    case .moreFollow(let count): more(count, "element follows", "elements follow") + " alike"
    case .scrolls(let zone):
      "scrolls with the finger" + (zone > 3 ? ", dead zone \(length(zone))" : "")
    case .scrollsAlone(let scrolling): scrollsAlone(scrolling, length)
    case .changes(let look): changes(look)
    case .moreChange(let count): more(count, "element changes", "elements change")
    case .scrollsNatively(let way, let end, let wait):
      "scrolls natively by \(length(way)) and rests at \(length(end))"
        + (wait > 0 ? ", \(milliseconds(wait)) after the lift" : " before the lift")
    case .follows(let following): follows(following, length)
    case .followsScroll(let following): followsScroll(following)
    case .fingerTaken(let taken): fingerTaken(taken, length)
    case .deadZone(let size): "dead zone of \(length(size)), then follows"
    case .pickup(let size, let isAhead):
      "jumps \(length(size.value)) (\(ends(size, NumberText.whole))) "
        + "\(isAhead ? "ahead of" : "against") the finger at pick-up"
    case .leak(let share, let axis, let way):
      "leaks across: \(NumberText.whole(share.value)) % (\(ends(share, NumberText.whole))) "
        + "of the finger's \(axis.rawValue), \(length(way))"
    case .driven(let found): driven(found, unit)
    case .speedUnknown: "speed at the lift: too short to tell"
    case .fingerStopped: "finger had stopped before it let go"
    case .stays: "stays where it was let go"
    case .flickCancelled(let speed):
      "thrown at \(length(speed))/s, but goes back to where it was: the flick is cancelled"
    case .handOver(let letGo, let over):
      "let go at \(length(letGo.value))/s (\(ends(letGo, NumberText.whole))) at its last report"
        + handOver(over)
    case .settle(let settling): settle(settling, unit, length)
    case .interrupted(let speed, let kind, let interruption):
      "interrupted at \(length(speed))/s by \(instant(kind))" + interrupted(interruption, length)
    case .noReaction(let kind): "nothing moves after \(instant(kind))"
    case .starts(let wait, let kind): "starts \(milliseconds(wait)) after \(instant(kind))"
    case .moves(let moving): moves(moving, unit)
    case .linear(let duration):
      "moves at constant speed for \(milliseconds(duration)) and stops dead (linear)"
    case .movesUnlessReduced(let way):
      "moves \(length(way)) although reduced motion is asked for"
    case .jump(let step):
      "jumps \(step.isBack ? "back " : "")\(length(step.size)) in one frame\(when(step.when)) "
        + "(frames about it: \(signed(step.before)), \(signed(step.after)))"
    case .flash(let shown, let next):
      "flashes: at full opacity for \(milliseconds(shown)), then \(NumberText.fixed(next, 2)), then fades in"
    case .flashBehindFade(let shown): flashBehindFade(shown)
    case .blink(let from, let to):
      "blinks: opacity \(NumberText.fixed(from, 2)) to \(NumberText.fixed(to, 2)) in one frame and up again"
    case .atOnce(let way, let others, let longest):
      "goes \(length(way)) at once while \(others.map(name).joined(separator: ", ")) "
        + "take \(milliseconds(longest))"
    case .startTogether(let count): "all \(count) start together"
    case .startEvenly(let gap):
      "start one after the other, \(NumberText.whole(gap * 1000)) ms apart"
    case .startUnevenly(let gaps):
      "start unevenly, \(gaps.map { NumberText.whole($0 * 1000) }.joined(separator: ", ")) ms apart"
    case .order(let isAbove, let other, let since):
      "goes \(isAbove ? "above" : "under") \(name(other)) in mid-motion, "
        + "\(milliseconds(since)) after the start"
    case .runsAgain(let wait, let own, let isRemade):
      "runs again \(milliseconds(wait)) after it began (\(own.isEmpty ? "animation" : name(own)))"
        + (isRemade ? ": the element was made anew" : "")
    case .lateFrame(let gap, let what, let file, let line, let held):
      "late by the page: \(milliseconds(gap)) between two frames; \(name(what))"
        + (file.map { " (\(name($0))\(line.map { ":\(NumberText.whole($0))" } ?? ""))" } ?? "")
        + " held the page for \(milliseconds(held))"
    case .lateFrames(let late, let count, let longest, let isMachine):
      "\(late) of \(count) late"
        + (isMachine ? " by the machine (no work of the page's behind them)" : "")
        + "; longest \(milliseconds(longest))"
    case .noLateFrame(let count): "\(count), none late"
    case .pictures(let found): pictures(found)
    case .lost(let from, let to, let reason): lost(from: from, to: to, reason)
    case .covered(let by): "moves, but \(name(by)) covers it on all of its way"
    case .unrest: "had not come to rest when the recording ended"
    case .ambient: "moved before anything was done; not judged"
    case .unlooked(let count, let all): "\(count) of \(all) elements were not looked at"
    case .unfitted(let count): more(count, "motion was", "motions were") + " not fitted"
    case .moreMove(let count): "\(count) more elements move"
    case .otherPages(let count):
      "\(count) \(count == 1 ? "frame of another page was" : "frames of other pages were") not looked into"
    case .canvas: "a canvas or video covers a part of it, and is not looked into"
    case .small(let changes):
      "changes by less than is told: "
        + changes.map { change in
          "\(words(change.channel)) by \(size(change.change, of: change.channel, unit)) "
            + "(limit \(size(change.channel.range, of: change.channel, unit)))"
        }.joined(separator: ", ")
    case .moreSmall(let count):
      more(count, "element changes", "elements change") + " by less than is told"
    case .scriptError(let text): "script error: \(ForeignText.quoted(text))"
    case .outcome(let found): outcome(found, unit: unit)
    case .scales(let found): scaling(found)
    }
  }
}

// MARK: - Following and the release

extension Wording {
  private static func follows(
    _ found: StoryDetail.Following, _ length: (Double) -> String
  ) -> String {
    let (lag, own) = (found.lag, found.own)
    let bounds = ends(lag, scale: 1000, NumberText.whole)
    let isShort = own.map { $0.high - $0.low > 3 } ?? (lag.high - lag.low > 3 * found.frame)
    var text = "follows \(found.axis.rawValue)"
    if isShort, !found.isLate {
      let why = own == nil ? "too short to tell" : "\(found.frames) frames are too few to tell"
      text += "; lag \(bounds) ms: \(why)"
    } else {
      text += ", " + behind(found.isDot ? "dot" : "finger", lag, own, isLate: found.isLate)
      if let share = found.share {
        text +=
          ": covers \(NumberText.whole(share.value * 100)) % "
          + "(\(ends(share, scale: 100, NumberText.whole))) of the way a frame (lerp)"
      }
    }
    if found.gain.high - found.gain.low >= 0.5 {
      text += "; how far cannot be told"
    } else if found.gain.holds(1) {
      text += "; goes as far as the \(found.isDot ? "dot" : "finger")"
    } else {
      text +=
        "; goes \(NumberText.fixed(found.gain.value, 2)) "
        + "(\(ends(found.gain) { NumberText.fixed($0, 2) })) times as far"
    }
    if found.slop > 5 {
      text += "; the browser kept its first \(length(found.slop)) from touch handlers (slop)"
    }
    return text
  }

  /// How late something is, in all and by the page's own doing.
  static func behind(
    _ leader: String, _ lag: Estimated, _ own: Estimated?, isLate: Bool = false
  ) -> String {
    let bounds = ends(lag, scale: 1000, NumberText.whole)
    let text = "\(NumberText.whole(lag.value * 1000)) ms (\(bounds)) behind the \(leader)"
    guard let own else { return text }
    return text
      + (own.value < 0.3 && !isLate
        ? ", none of it the page's"
        : ", \(NumberText.fixed(own.value, 1)) frames "
          + "(\(ends(own) { NumberText.fixed($0, 1) })) of it the page's")
  }

  private static func handOver(_ over: StoryDetail.HandedOver) -> String {
    switch over {
    case .unknown(let reason): return "; with what speed it goes on: too short to tell: \(reason)"
    case .goesOn(let speed, let share, let animation):
      let goesOn = share.holds(0) ? ", " : ", goes on at \(NumberText.whole(speed.value)): "
      return goesOn + kept(share) + (animation.map { ", by \(words($0))" } ?? "")
    }
  }

  private static func interrupted(
    _ interruption: StoryDetail.Interruption, _ length: (Double) -> String
  ) -> String {
    switch interruption {
    case .declared(let place):
      ", \(length(place)) on its way: turns without its speed (a declared animation keeps none)"
    case .kept(let share, let isRestart):
      ": \(kept(share))" + (share.holds(0) ? "" : " of its speed")
        + (isRestart ? ", restarts from rest" : "")
    }
  }

  private static func settle(
    _ found: StoryDetail.Settling, _ unit: String, _ length: (Double) -> String
  ) -> String {
    let after = instant(found.after)
    let wait = milliseconds(found.time)
    var text =
      switch found.end {
      case .rest: "at rest \(wait) after \(after)"
      case .restBefore: "at rest before \(after)"
      case .recording: "still moves at the end of the recording, \(wait) after \(after)"
      case .nextContact: "still moves when the next contact lands, \(wait) after \(after)"
      }
    let isAtRest = found.end == .rest || found.end == .restBefore
    if let overshoot = found.overshoot, overshoot > Settle.leastPrinted {
      text += ", overshoot \(NumberText.fixed(overshoot, 1)) % (\(length(found.beyond)))"
    } else if found.overshoot == nil, isAtRest {
      text += ", \(NumberText.significant(found.reach, digits: 3)) \(unit) away and back"
    }
    switch found.curve {
    case .none: break
    case .constant(let duration):
      text += "; not a spring: constant speed for \(milliseconds(duration))"
    case .eased(let eased):
      text +=
        "; not a spring: \(eased.power < 1 ? "ever faster" : "eases out") "
        + "for \(milliseconds(eased.duration)), power \(NumberText.fixed(eased.power, 1))"
    case .spring(let stiffness, let damping, let ratio):
      text +=
        "; spring: stiffness \(NumberText.significant(stiffness.value)) "
        + "(\(ends(stiffness) { NumberText.significant($0) })), "
        + "damping \(NumberText.significant(damping.value, digits: 3)) "
        + "(\(ends(damping) { NumberText.significant($0, digits: 3) })), "
        + "ratio \(NumberText.fixed(ratio, 2))"
    }
    return text
  }

  /// Which share of a speed is kept. A share that may as well be 0 has no number of its own.
  static func kept(_ share: Estimated) -> String {
    let ends = ends(share, scale: 100, NumberText.whole)
    guard share.holds(0) else { return "keeps \(NumberText.whole(share.value * 100)) % (\(ends))" }
    return share.high < MotionFault.kept
      ? "keeps none of it (\(ends) %)" : "how much of it is kept cannot be told (\(ends) %)"
  }
}

// MARK: - Answers

extension Wording {
  private static func moves(_ found: StoryDetail.Moving, _ unit: String) -> String {
    var parts: [String] = []
    if let way = found.way {
      let net = hypot(way.across, way.down)
      let back = net < Settle.leastWayShare * way.way
      parts.append(
        "moves \(NumberText.significant(way.way, digits: 3)) \(unit)"
          + (way.way - net < 2
            ? " (\(signed(way.across)), \(signed(way.down)))"
            : back ? " and back" : ", \(NumberText.whole(way.way - net)) back"))
    }
    if let fade = found.fade { parts.append(self.fade(fade)) }
    if let size = found.size { parts.append(sized(size)) }
    if let turn = found.turn {
      parts.append("turns \(NumberText.significant(turn * 180 / .pi, digits: 3))°")
    }
    let end =
      switch found.end {
      case .declared(let animation): ": \(words(animation))"
      case .atOnce: found.isStepped ? "" : " at once"
      case .took(let seconds): " in \(milliseconds(seconds))"
      }
    return parts.joined(separator: ", ") + end
      + (found.outcome.map { "; " + outcome($0, unit: unit) } ?? "")
  }

  /// How an opacity changes over some frames.
  static func fade(_ fade: StoryDetail.Fade) -> String {
    func percent(_ share: Double) -> String { NumberText.whole(share * 100) }
    let (from, to, turn) = (fade.from, fade.to, fade.turn)
    let (isShown, isGone) = (from < hidden && to >= hidden, from >= hidden && to < hidden)
    let verb = fade.frames > 1 ? "fades" : "goes"
    if let shown = fade.shown {
      return "\(turn > from ? "appears" : "disappears") for \(milliseconds(shown))"
    }
    if max(turn - max(from, to), min(from, to) - turn) >= ElementTrack.Channel.alpha.range {
      let end = percent(from) == percent(to) ? " and back" : ", then to \(percent(to)) %"
      return "\(verb) from \(percent(from)) to \(percent(turn)) % of opacity\(end)"
    }
    if isShown {
      let most = to > 1 - hidden ? "" : " to \(percent(to)) %"
      return (fade.frames > 1 ? "fades in" : "appears") + most
    }
    if isGone {
      let most = from > 1 - hidden ? "" : " from \(percent(from)) %"
      return (fade.frames > 1 ? "fades out" : "disappears") + most
    }
    return "\(verb) from \(percent(from)) to \(percent(to)) % of opacity"
  }

  /// What has less opacity is not seen.
  private static let hidden = 0.02

  private static func sized(_ sizing: StoryDetail.Sizing) -> String {
    switch sizing {
    case .unknown: return "resizes"
    case .back(let from, let by): return "resizes \(text(from)) to \(text(by)) and back"
    case .sized(let from, let to, let origin):
      let grows = to.width * to.height > from.width * from.height
      return "resizes \(text(from)) to \(text(to))"
        + (origin.map { ", \(grows ? "grows from" : "shrinks to") \(point($0.x, $0.y))" } ?? "")
    }
  }

  /// A size in whole numbers: `320×240`.
  static func text(_ size: Size2D) -> String {
    "\(NumberText.whole(size.width))×\(NumberText.whole(size.height))"
  }

  /// A point of an element, by its shares of the width and the height, in words.
  static func point(_ x: Double, _ y: Double) -> String {
    func side(_ share: Double, _ names: [String]) -> String? {
      zip([0, 0.5, 1], names).first { abs(share - $0.0) < 0.05 }?.1
    }
    let across = side(x, ["left", "center", "right"])
    let down = side(y, ["top", "center", "bottom"])
    switch (across, down) {
    case ("center", "center"): return "its center"
    case ("center", let down?): return "the middle of its \(down) edge"
    case (let across?, "center"): return "the middle of its \(across) edge"
    case (let across?, let down?): return "its \(down) \(across) corner"
    default: break
    }
    func place(_ share: Double, _ before: String, _ edge: String, _ after: String) -> String {
      let percent = NumberText.whole((share < 0 ? -share : share > 1 ? share - 1 : share) * 100)
      if share < 0 { return "\(percent) % \(before) its \(edge) edge" }
      return share > 1 ? "\(percent) % \(after)" : "\(percent) % from its \(edge) edge"
    }
    return "a point \(place(x, "left of", "left", "right of its right edge")) and "
      + place(y, "above", "top", "below its bottom edge")
  }

  private static func when(_ when: StoryDetail.Stepping.When) -> String {
    switch when {
    case .between: ""
    case .lift: " at the lift"
    case .end: " at the end"
    case .arrival: " as it comes, before it grows"
    case .act(let kind): " at \(instant(kind))"
    }
  }

  /// A change of a channel with its unit.
  private static func size(
    _ change: Double, of channel: ElementTrack.Channel, _ unit: String
  ) -> String {
    switch channel {
    case .alpha: "\(NumberText.significant(change * 100, digits: 2)) %"
    case .angle: "\(NumberText.significant(change * 180 / .pi, digits: 2))°"
    default: "\(NumberText.significant(change, digits: 2)) \(unit)"
    }
  }

  /// What a channel of an element shows.
  static func words(_ channel: ElementTrack.Channel) -> String {
    switch channel {
    case .x: "way along x"
    case .y: "way along y"
    case .width: "width"
    case .height: "height"
    case .angle: "turn"
    case .alpha: "opacity"
    }
  }
}

// MARK: - Acts and animations

extension Wording {
  /// What was done.
  ///
  /// - Parameters:
  ///   - zero: When the first act began, in seconds of the session.
  ///   - unit: The unit of the finger's places.
  static func words(_ act: StoryAct, from zero: Double, unit: String) -> String {
    var text: String
    let target = act.target.map(name)
    switch act.kind {
    case .swipe:
      let on = target.map { " on \($0)" } ?? ""
      let time = milliseconds(act.lift - act.start)
      if act.isPinch, let spread = act.spread {
        func length(_ distance: Double) -> String { NumberText.whole(distance) }
        let scale =
          spread.first > 0 ? ", scale \(NumberText.fixed(spread.last / spread.first, 2))" : ""
        let turn = spread.turn.map { " by way of \(length($0))" } ?? ""
        text =
          "pinch\(on) from \(length(spread.first)) to \(length(spread.last))\(turn) "
          + "\(unit) between the fingers\(scale), in \(time)"
      } else {
        let word = act.isNative ? "native scroll" : "drag"
        let way = "(\(NumberText.whole(act.way.x)), \(NumberText.whole(act.way.y))) \(unit)"
        let fingers = act.fingerCount > 1 ? " with \(act.fingerCount) fingers" : ""
        text = "\(word)\(on)\(fingers) by \(way) in \(time)"
      }
    case .transition:
      text = "transition by code"
      if act.lift > act.start {
        text += ", released after \(milliseconds(act.lift - act.start))"
      } else if let end = act.completion, end > act.start {
        text += " in \(milliseconds(end - act.start))"
      }
    case .click, .tap, .longPress, .wheel, .press, .hover, .load:
      text = "\(act.kind.rawValue) \(target ?? "at the page")"
    }
    if act.start > zero { text += " at \(seconds(act.start))" }
    if let cover = act.cover { text += " (covered by \(name(cover))!)" }
    return text
  }

  /// What the answer to an act is counted from.
  static func instant(_ kind: StoryAct.Kind) -> String {
    switch kind {
    case .swipe: "the lift"
    case .click: "the click"
    case .tap: "the tap"
    case .longPress: "the long press"
    case .wheel: "the wheel"
    case .press: "the key"
    case .hover: "the pointer came"
    case .transition: "the start"
    case .load: "the beginning"
    }
  }

  static func instant(_ instant: StoryInstant) -> String {
    switch instant {
    case .act(let kind): self.instant(kind)
    case .press: "the press"
    case .release: "the release"
    }
  }

  /// Kind, duration and easing: `300 ms ease-out (CSS transition)`.
  static func words(_ animation: DeclaredAnimation) -> String {
    let source =
      switch animation.kind {
      case "CSSTransition": "CSS transition"
      case "CSSAnimation": "CSS \(animation.name.isEmpty ? "animation" : name(animation.name))"
      default: "element.animate"
      }
    let wait = animation.delay > 0 ? " after \(milliseconds(animation.delay))" : ""
    return "\(milliseconds(animation.duration)) \(easing(animation))\(wait) (\(source))"
  }

  /// The easing in few letters. What a page wrote is cut and has no other letters than easings have.
  static func easing(_ animation: DeclaredAnimation) -> String {
    let easing = animation.easing
    if easing.hasPrefix("linear(") {
      return "linear() of \(easing.count { $0 == "," } + 1) points"
    }
    let plain = easing.replacing("cubic-bezier(", with: "bezier(").filter {
      $0.isASCII && ($0.isLetter || $0.isNumber || "(),.-".contains($0))
    }
    return String(plain.prefix(40))
  }
}

// MARK: - Stories

extension Wording {
  /// `no faults`, or of how many kinds and instants.
  static func verdict(_ faults: Int) -> String {
    faults == 0 ? "no faults" : faults == 1 ? "1 fault" : "\(faults) faults"
  }

  /// What was done, at most six acts of it.
  static func did(_ acts: [String]) -> String {
    guard !acts.isEmpty else { return "nothing" }
    let more = acts.count > 6 ? "; and \(acts.count - 6) more" : ""
    return acts.prefix(6).joined(separator: "; ") + more
  }

  /// What some say alike, of which the first one's sentence is given.
  static func alike(_ names: [String], _ first: String, _ sentence: String, isSame: Bool) -> String
  {
    isSame ? "each \(sentence)" : "\(names.count) alike, \(name(first)) \(sentence)"
  }

  /// Names of what moves as one body: one of them, and the others.
  static func body(_ names: [String], leader: String) -> String {
    let others = names.filter { $0 != leader }
    guard others.count > 2 else {
      return ([leader] + others).map(name).joined(separator: others.count > 1 ? ", " : " and ")
    }
    return "\(name(leader)) and \(others.count) more"
  }

  /// Some names, and how many more there are.
  static func some(_ names: [String]) -> String {
    names.prefix(3).map(name).joined(separator: ", ")
      + (names.count > 3 ? " and \(names.count - 3) more" : "")
  }

  /// The lag of a drag: `16 ms (14 to 20)`.
  static func lag(_ lag: Estimated) -> String {
    "\(milliseconds(lag.value)) (\(ends(lag, scale: 1000, NumberText.whole)))"
  }

  /// The speeds of a drag: `let go at 3230 px/s`, `goes on at 598 px/s: keeps 19 % (14 to 23)`.
  static func speeds(_ drag: StoryDrag) -> [String] {
    func words(_ speed: Estimated) -> String { "\(NumberText.whole(speed.value)) \(drag.unit)/s" }
    return [
      drag.letGo.map { "let go at \(words($0))" },
      drag.goesOn.map { "goes on at \(words($0))\(drag.kept.map { ": \(kept($0))" } ?? "")" }
        ?? drag.kept.map(kept),
    ].compactMap { $0 }
  }

  /// A spring: `spring: stiffness 260, damping 27.0`.
  static func spring(stiffness: Double, damping: Double) -> String {
    "spring: stiffness \(NumberText.significant(stiffness)), "
      + "damping \(NumberText.significant(damping, digits: 3))"
  }

  /// What a curve of a follower shows.
  static func wayOf(scroller isScroller: Bool, along axis: FingerAxis) -> String {
    (isScroller ? "scroll of content along " : "way along ") + axis.rawValue
  }
}

// MARK: - Names and numbers

extension Wording {
  /// Subjects of a story's own. An element of such a name stands in quotation marks.
  private static let ownSubjects: Set<String> = ["frames", "page", "did", "and", "no", "story"]

  /// A name that means nothing to a terminal, to Markdown or to whoever reads: as ``ForeignText/shownName(_:)``
  /// has it, and in quotation marks if it has blanks or could be taken for one of a story's own subjects.
  static func name(_ name: String) -> String {
    let text = ForeignText.shownName(name)
    let needsMarks = text.isEmpty || text.contains(" ") || ownSubjects.contains(text)
    return needsMarks ? "'\(text)'" : text
  }

  /// A length with its sign.
  static func signed(_ number: Double) -> String {
    (number < 0 ? "" : "+") + NumberText.whole(number)
  }

  static func milliseconds(_ seconds: Double) -> String { "\(NumberText.whole(seconds * 1000)) ms" }

  static func seconds(_ seconds: Double) -> String { "\(NumberText.fixed(seconds, 3)) s" }

  /// The ends of a 90 % interval: `14 to 20`.
  static func ends(_ estimate: Estimated, scale: Double = 1, _ form: (Double) -> String) -> String {
    let (low, high) = (estimate.low * scale, estimate.high * scale)
    return "\(form(min(low, high))) to \(form(max(low, high)))"
  }

  /// Names in the order of people: `r2` stands before `r10`.
  static func inOrder(_ names: [String]) -> [String] {
    let keys = names.map { (parts(of: $0), $0) }
    return keys.sorted { left, right in
      for (one, other) in zip(left.0, right.0) where one != other {
        if let first = Int(one), let second = Int(other) { return first < second }
        return one < other
      }
      return (left.0.count, left.1) < (right.0.count, right.1)
    }.map(\.1)
  }

  /// As many parts as a list of names has.
  private static let mostParts = 4

  /// Several names as the subject of a sentence. Three or more that follow each other are the first `to` the last: nothing
  /// lies between these that is not meant.
  ///
  /// - Parameters:
  ///   - names: The names, in the order of people.
  ///   - all: Every name of the session in that order, these among them.
  static func subject(_ names: [String], among all: [String]) -> String {
    let places = Dictionary(zip(all, all.indices)) { first, _ in first }
    var stretches: [[String]] = []
    for name in names {
      if let latest = stretches.last?.last, let before = places[latest], places[name] == before + 1
      {
        stretches[stretches.count - 1].append(name)
      } else {
        stretches.append([name])
      }
    }
    let parts: [(text: String, count: Int)] = stretches.flatMap { stretch in
      stretch.count > 2
        ? [("\(name(stretch[0])) to \(name(stretch[stretch.count - 1]))", stretch.count)]
        : stretch.map { (name($0), 1) }
    }
    let more = parts.dropFirst(mostParts).reduce(0) { $0 + $1.count }
    return parts.prefix(mostParts).map(\.text).joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }

  /// A name cut where digits begin and end.
  private static func parts(of name: String) -> [Substring] {
    var parts: [Substring] = []
    var rest = name[...]
    while let first = rest.first {
      let isDigit = ("0"..."9").contains(first)
      let part = rest.prefix { ("0"..."9").contains($0) == isDigit }
      parts.append(part)
      rest = rest.dropFirst(part.count)
    }
    return parts
  }
}
