import KymographCLibrary
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// The least way of an element that follows a taken finger, in points, and as a share of the finger's.
  private static let (leastTaken, leastShare) = (2.0, 0.3)
  /// An element that follows a larger share of the finger's way on touch events has all of it.
  private static let whole = 0.8

  /// An element that followed a finger until the browser took it.
  struct TakenFollower {
    var name: String
    /// The last frame before it was taken, and the first one behind its lift.
    var first: Int
    var last: Int
  }

  /// Takes out the jumps that come of touch events: a browser that has taken the finger tells few of them.
  mutating func removeTakenSteps() {
    let taken = taken.values
    let times = film.times
    remove { fact in
      guard fact.kind == .jump, let time = fact.time else { return false }
      return taken.contains {
        $0.name == fact.subject && (times[$0.first]...times[$0.last]).contains(time)
      }
    }
  }

  /// A finger that the browser took, and what the recorder knew of it.
  private struct Taken {
    /// The elements around its landing: names, selectors, and what they left to the browser.
    var around: [FieldValue]
    /// How far it had come along the axis, by the first frame whose callbacks knew of it.
    var places: [(frame: Int, way: Double)]
    /// The frame before its landing, the last one before it was taken, and the last one before its lift.
    var first: Int
    var cut: Int
    var last: Int
    /// How far it had come when it was taken, and when its last move was told.
    var atCut: Double
    var told: Double

    /// How far it had come in a frame, as far as the page knew.
    func way(in frame: Int) -> Double { places.last { $0.frame <= frame }?.way ?? 0 }
  }

  /// Whether the elements around the landing leave ways along an axis to the browser, and say so.
  private func isMeant(_ around: [FieldValue], along axis: FingerAxis) -> Bool {
    around.contains { element in
      element["touchAction"]?.asText?.contains("pan-\(axis.rawValue)") == true
    }
  }

  private func taken(_ act: StoryAct) -> Taken? {
    guard let contact = act.contact, let landing = contact.path.first,
      let mark = film.marks.first(where: {
        $0.kind == "taken" && (act.start...max(act.start, act.lift)).contains($0.time)
      })
    else { return nil }
    func frame(knowing time: Double) -> Int {
      film.read.saysBegan
        ? film.read.began.partitioningIndex { $0.seconds >= time }
        : film.times.partitioningIndex { $0 >= time }
    }
    let home = landing.along(act.axis)
    var places = contact.path.map {
      (
        frame: frame(knowing: ($0.dispatched ?? $0.time).seconds),
        way: $0.along(act.axis) - home
      )
    }
    let atCut = places.last?.way ?? 0
    var told = atCut
    for mark in film.marks
    where mark.kind == "finger" && mark.time >= act.start && mark.time < act.until {
      guard let place = mark.fields[act.axis.rawValue]?.asNumber else { continue }
      places.append((frame(knowing: mark.time), place - home))
      if mark.fields["phase"]?.asText == "move" { told = place - home }
    }
    places.sort { $0.frame < $1.frame }
    // The finger's last place was told by then.
    let lift =
      film.marks.last {
        $0.kind == "finger" && $0.fields["phase"]?.asText == "end" && $0.time >= act.start
          && $0.time < act.until
      }?.time ?? act.lift
    let first = max(0, frame(knowing: (landing.dispatched ?? landing.time).seconds) - 1)
    let cut = frame(knowing: contact.liftDispatched?.seconds ?? mark.time) - 1
    let last = min(frame(knowing: lift), film.times.count) - 1
    guard first < last, cut <= last else { return nil }
    return Taken(
      around: mark.fields["around"]?.asList ?? [], places: places, first: first, cut: cut,
      last: last, atCut: atCut, told: told)
  }

  /// What followed a finger until the browser took it, and after that.
  mutating func tellTaken(_ number: Int) {
    let act = acts[number]
    guard act.fingerCount == 1, let taken = taken(act), !isMeant(taken.around, along: act.axis)
    else { return }
    let way = taken.way(in: taken.last)
    let full = act.axis == .x ? act.way.x : act.way.y
    let touched = taken.around.compactMap { $0["item"]?.asText }
    let stretch = max(0, taken.first)...taken.last
    /// Its way in the finger's direction, from its rest on.
    func moved(_ item: ElementTrack, in frame: Int) -> Double {
      let values = item.values(act.axis.channel)
      return values[frame] - values[stretch.lowerBound]
    }
    let scrolled =
      film.scrolls.map {
        (act.axis == .x ? $0.x : $0.y)[stretch.lowerBound...].extent
      }.max() ?? 0
    let isScrolling = scrolled > 1
    var found: (item: ElementTrack, before: Double, after: Double)?
    for item in items {
      // Handlers of touches hear of the first move together with the end of the pointer.
      let until = stretch.lowerBound...min(taken.cut + 1, taken.last)
      let shown = until.max { abs(moved(item, in: $0)) < abs(moved(item, in: $1)) }
      let before = moved(item, in: shown ?? taken.cut)
      let after = moved(item, in: taken.last)
      let known = taken.way(in: shown ?? taken.cut)
      // A frame may know of touch events that come after the end of the pointer.
      let finger = abs(known) < abs(taken.atCut) ? known : taken.atCut
      let isFurther = abs(after) > abs(before)
      let most = isFurther ? after : before
      guard abs(most) >= Self.leastTaken, most * full > 0,
        abs(most) >= Self.leastShare * abs(isFurther ? way : finger)
      else { continue }
      // Beside a scroll only what lies under the finger, and went with it before, was meant to follow.
      if isScrolling {
        guard touched.contains(item.name), abs(before) >= Self.leastTaken,
          (0.7...1.3).contains(before / finger)
        else { continue }
      }
      if abs(most) > abs(found.map { abs($0.before) > abs($0.after) ? $0.before : $0.after } ?? 0) {
        found = (item, before, after)
      }
    }
    guard
      let remedied = taken.around.first(where: { $0["item"]?.asText == found?.item.name })
        ?? taken.around.first
    else { return }
    var detail = StoryDetail.FingerTaken(
      axis: act.axis, taken: taken.atCut, way: full, before: found?.before, after: found?.after,
      remedy: act.axis == .x ? "pan-y" : "pan-x",
      selector: remedied["selector"]?.asText ?? "the element")
    guard let found else {
      guard !isScrolling else { return }
      add(
        .about(
          act.target ?? "page", .fingerTaken, at: act.start, saying: .fingerTaken(detail),
          isJudged: false, rank: .subject))
      return
    }
    // Its last step may show a frame behind the lift.
    let rest = restOfDrag(of: found.item.values(act.axis.channel), taken, full)
    let after = moved(found.item, in: rest)
    detail.after = after
    self.taken[number] = TakenFollower(
      name: found.item.name, first: taken.cut, last: min(rest + 1, film.times.count - 1))
    let isWhole =
      abs(after) >= Self.whole * abs(way) && abs(taken.told) >= Self.whole * abs(full)
    let size = Estimated(abs(after), low: abs(after) - 1, high: abs(after) + 1)
    add(
      StoryFact(
        found.item.name, .fingerTaken, at: act.start, size, unit: film.unit,
        saying: .fingerTaken(detail),
        // What a touch only started was not to follow it. What goes back has lost its finger.
        isJudged: (isScrolling || !isWhole)
          && stepped(
            found.item.name, in: act,
            before: abs(after) > abs(found.before)
              ? act.lift + 2 * film.frame : film.times[taken.cut] - film.frame) == nil,
        rank: .subject))
  }

  /// The last frame that shows a step of a drag: behind the lift it goes on to the finger's last place, and stands.
  private func restOfDrag(of values: [Double], _ taken: Taken, _ full: Double) -> Int {
    let (home, last) = (values[taken.first], taken.last)
    let sign: Double = full < 0 ? -1 : 1
    for frame in last + 1..<max(last + 1, min(last + 1 + Self.framesOfRest, values.count)) {
      let step = (values[frame] - values[frame - 1]) * sign
      guard abs(step) > 0.01 else { continue }
      let isStill = values[frame...].prefix(2 * Self.framesOfRest).extent < 0.01
      let isAtFinger = (values[frame] - home) * sign <= abs(full) + Self.leastTaken
      return step > 0 && isAtFinger && isStill ? frame : last
    }
    return last
  }

  /// So many frames behind the lift may show its last places.
  private static let framesOfRest = 2

  // MARK: Without a finger

  /// So much of its way the browser's own throw of a scroller differs from itself.
  static let nativeSlack = 0.1
  /// The least step of a scroll, in points.
  private static let leastScroll = 0.01

  /// A fact about what scrolls. The page is not an element.
  func scrollFact(
    _ name: String, _ kind: StoryFact.Kind, at time: Double?, _ estimate: Estimated,
    saying detail: StoryDetail, rank: StoryFact.Rank
  ) -> StoryFact {
    var fact = StoryFact(
      name, kind, at: time, estimate, unit: film.unit, saying: detail, rank: rank)
    fact.isElement = name != "page"
    return fact
  }

  /// Keeps where a scroller rests, for comparisons.
  mutating func addRest(of name: String, at offset: Double, slack: Double) {
    let slack = max(1, slack)
    add(
      scrollFact(
        name, .end, at: nil, Estimated(offset, low: offset - slack, high: offset + slack),
        saying: .none, rank: .silent))
  }

  /// The first frame in which a scroller moves.
  func begin(of scroll: (name: String, x: [Double], y: [Double]), in frames: Range<Int>) -> Int? {
    frames.dropFirst().first { index in
      abs(scroll.x[index] - scroll.x[index - 1]) > Self.leastScroll
        || abs(scroll.y[index] - scroll.y[index - 1]) > Self.leastScroll
    }
  }

  /// What scrolls after an act without a finger: by a script, an anchor, a wheel.
  mutating func tellScrolls(_ number: Int) {
    let act = acts[number]
    let frames = framesAfter(number)
    guard !act.isNative, !frames.isEmpty else { return }
    let range = max(0, frames.lowerBound - 1)..<frames.upperBound
    for scroll in film.scrolls {
      let isTold = followers[number]?.contains(scroll.name) == true
      guard !isTold, !ambient.contains(scroll.name) else { continue }
      let axis: FingerAxis = scroll.x[range].extent > scroll.y[range].extent ? .x : .y
      let values = axis == .x ? scroll.x : scroll.y
      guard values[range].extent > 1,
        let first = begin(of: scroll, in: range),
        let last = range.last(where: {
          $0 > range.lowerBound && abs(values[$0] - values[$0 - 1]) > Self.leastScroll
        }), last >= first
      else { continue }
      let way = values[last] - values[first - 1]
      let stretch = (first - 1)...last
      let after = act.settleInstant
      var told = StoryDetail.Scrolling(
        axis: axis, way: way, end: values[last],
        rests: act.until < .infinity || last < values.count - 1,
        duration: last == first ? 0 : film.times[last] - film.times[first - 1],
        wait: max(0, film.times[last] - act.lift), after: after)
      if let eased = EaseOut(
        times: Array(film.times[stretch]), values: Array(values[stretch])),
        eased.rms < 0.01 * abs(way)
      {
        told.curve =
          ConstantSpeed.holds(film.times[first..<last], values[first..<last])
          ? .constant(duration: told.duration) : .eased(eased)
      }
      let isAlone = (answers[number] ?? []).isEmpty
      add(
        scrollFact(
          scroll.name, .scrolls, at: film.times[first],
          Estimated(way, low: way - 1, high: way + 1),
          saying: .scrollsAlone(told), rank: isAlone ? .outcome : .motion))
      if told.rests { addRest(of: scroll.name, at: values[last], slack: 1) }
    }
  }
}
