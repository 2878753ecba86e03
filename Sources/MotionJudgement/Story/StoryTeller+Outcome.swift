import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// What the release of an act started from.
  struct Release {
    /// What the finger drove.
    var name: String
    var isScroller: Bool
    /// Whether the finger drew a corner of it.
    var isDrawn: Bool
    /// How far the finger had come when touch handlers were first told, in points. Which of its first places they get is
    /// the browser's chance, and where something rests that counts from there.
    var slop: Double
    /// How far it had come at the lift, in points.
    var way: Double
    /// The finger's speed. `nil`: it cannot be told.
    var speed: FingerSpeed?
    /// How far it ran out after the lift by the speed that the page measured, in points.
    var glide = 0.0
    /// When a scroller came to rest, in seconds of the session. `nil`: it stayed.
    var rest: Double?

    mutating func addGlide(of item: String, _ way: Double) {
      if item == name { glide = abs(way) }
    }
  }

  /// A change of less is none, and something this near to where it was is back, in points.
  private static let near = 2.0
  /// What has gone so far and is where it was went back, in points.
  private static let leastReach = 8.0

  /// So much of a glide a page differs from itself: it measures some 60 ms of a finger with `Date`, which the browser rounds
  /// to a millisecond up or down by chance
  /// (https://chromium.googlesource.com/chromium/src/+/main/gin/time_clamper.h).
  private static let glideSlack = 0.05

  /// Where each act ended, and what was decided: the first thing that a reader wants to know.
  mutating func tellOutcomes() {
    for number in acts.indices where acts[number].kind != .transition {
      if let release = releases[number] {
        tellOutcome(of: release, number)
      } else if !tellScaling(number) {
        tellOutcomeOfAnswer(number)
      }
    }
  }

  /// Whether a page's recorder found the elements. What became of an engine's, its decision tells.
  private var isPage: Bool { film.marks.contains { $0.kind == "uncovered" } }

  /// A size that changes by less was not scaled, as a share.
  private static let leastScaling = 0.02

  /// What two fingers scale: the largest element that changes its size while they are down.
  ///
  /// - Returns: Whether there is one.
  private mutating func tellScaling(_ number: Int) -> Bool {
    let act = acts[number]
    guard isPage, act.isPinch, let spread = act.spread, spread.first > 0 else { return false }
    let first = max(0, film.index(at: act.start) - 1)
    // The frame behind the lift shows the newest places.
    let lift = min(film.times.count - 1, film.index(at: act.lift) + 1)
    let end = act.until < .infinity ? film.index(at: act.until) : film.times.count - 1
    var best: (item: ElementTrack, area: Double)?
    for item in items where item.width[first] > 0 && item.isShown[first] {
      let change = item.width[first...lift].extent / item.width[first]
      let area = item.width[lift] * item.height[lift]
      if change > Self.leastScaling, area > best?.area ?? 0 { best = (item, area) }
    }
    guard let item = best?.item, end >= lift else { return false }
    let scale = item.width[end] / item.width[first]
    add(
      StoryFact(
        item.name, .scales, at: act.lift,
        Estimated(scale, low: scale * 0.99, high: scale * 1.01), unit: "1",
        saying: .scales(
          .init(
            from: Size2D(width: item.width[first], height: item.height[first]),
            to: Size2D(width: item.width[end], height: item.height[end]),
            atLift: item.width[lift] / item.width[first],
            fingers: spread.last / spread.first)),
        rank: .outcome))
    return true
  }

  private mutating func tellOutcome(of release: Release, _ number: Int) {
    let act = acts[number]
    let found =
      release.isScroller
      ? film.scrolls.first { $0.name == release.name }.flatMap { outcome($0.x, $0.y, number) }
      : items.first { $0.name == release.name }.flatMap { outcome($0.x, $0.y, number) }
    guard var told = found else { return }
    told.isScroll = release.isScroller
    // Content goes the other way than its scroller's offset.
    if release.isScroller { told.isWithFinger = told.isWithFinger.map { !$0 } }
    told.wait = release.rest.map { max(0, $0 - act.lift) }
    if release.isDrawn, let item = items.first(where: { $0.name == release.name }) {
      let first = max(0, film.index(at: act.start) - 1)
      let end = act.until < .infinity ? film.index(at: act.until) : film.times.count - 1
      told.drawn = .init(
        from: Size2D(width: item.width[first], height: item.height[first]),
        to: Size2D(width: item.width[end], height: item.height[end]))
      told.isWithFinger = nil
    }
    if !release.isScroller { tellItems(&told, of: release.name, number) }
    told.release = .init(
      way: release.way, speed: release.speed?.velocity.value,
      isStopped: release.speed?.isStopped ?? false)
    let margin = max(1, release.slop / 2, Self.glideSlack * release.glide)
    add(fact(release.name, told, act, margin: margin, rank: .outcome))
  }

  /// Of an act that drives nothing the element that moves most is the outcome.
  private mutating func tellOutcomeOfAnswer(_ number: Int) {
    let act = acts[number]
    guard isPage, act.kind != .load else { return }
    var best: (name: String, told: StoryDetail.Outcome, weight: Double)?
    for changes in Self.byElement(answers[number] ?? []) {
      guard let item = changes.first?.item, changes.contains(where: { $0.channel != .alpha }),
        let found = outcome(item.x, item.y, number)
      else { continue }
      let size = max(1, (item.width.last ?? 1) * (item.height.last ?? 1)).squareRoot()
      var weight = hypot(found.stepX, found.stepY) * min(size, Self.largest)
      // What takes its time is seen more than what goes at once.
      let (first, last) = (changes.map(\.first).min() ?? 0, changes.map(\.last).max() ?? 0)
      if last - first < 2 { weight *= Self.atOnce }
      if weight > best?.weight ?? 0 { best = (item.name, found, weight) }
    }
    guard var best else { return }
    tellItems(&best.told, of: best.name, number)
    var silent = fact(best.name, best.told, act, rank: .silent)
    silent.detail = .none
    add(silent)
    promote(best.name, best.told, number)
  }

  /// How much less something counts that goes at once. No unit, ours.
  private static let atOnce = 0.01
  /// A side of more than a screen does not count for more, in points.
  private static let largest = 1000.0

  private func fact(
    _ name: String, _ told: StoryDetail.Outcome, _ act: StoryAct, margin: Double = 1,
    rank: StoryFact.Rank
  ) -> StoryFact {
    let place = act.axis == .x && act.kind == .swipe || abs(told.x) > abs(told.y) ? told.x : told.y
    return StoryFact(
      name, .outcome, at: act.lift,
      Estimated(place, low: place - margin, high: place + margin), unit: film.unit,
      saying: .outcome(told),
      rank: rank)
  }

  /// Where something is when an act is over. `nil`: the act did not move it.
  private func outcome(_ x: [Double], _ y: [Double], _ number: Int) -> StoryDetail.Outcome? {
    let act = acts[number]
    let first = max(0, film.index(at: act.start) - 1)
    let end = act.until < .infinity ? film.index(at: act.until) : film.times.count - 1
    guard end > first else { return nil }
    let reach = max(x[first...end].extent, y[first...end].extent)
    let (stepX, stepY) = (x[end] - x[first], y[end] - y[first])
    guard reach >= Self.near else { return nil }
    var told = StoryDetail.Outcome(x: x[end] - x[0], y: y[end] - y[0], stepX: stepX, stepY: stepY)
    let isBack = max(abs(stepX), abs(stepY)) < Self.near
    if isBack, reach < Self.leastReach { return nil }
    let late = max(first, end - 2)...end
    let isMoving = max(x[late].extent, y[late].extent) > Self.near
    told.end = isMoving ? .moves(isLast: act.until == .infinity) : isBack ? .back : .rests
    if act.kind == .swipe, case .rests = told.end {
      let (own, finger) = act.axis == .x ? (stepX, act.way.x) : (stepY, act.way.y)
      if abs(own) >= Self.near { told.isWithFinger = own * finger > 0 }
    }
    return told
  }

  /// Adds how many items of a row that is.
  private mutating func tellItems(
    _ told: inout StoryDetail.Outcome, of name: String, _ number: Int
  ) {
    guard let row = film.rows.first(where: { $0.parent == name || $0.moving.contains(name) }),
      let item = items.first(where: { $0.name == name })
    else { return }
    let values = item.values(row.axis.channel)
    let act = acts[number]
    let end = act.until < .infinity ? film.index(at: act.until) : film.times.count - 1
    guard let steps = row.steps(row.axis == .x ? told.stepX : told.stepY), steps != 0,
      case .rests = told.end
    else { return }
    // A row that wraps may have changed the order of its items.
    let isOrdered = row.parent != name || !film.wraps.contains { $0.item == name }
    told.items = .init(
      steps: steps, count: row.count,
      number: isOrdered ? row.number(at: values[end] - (values.last ?? values[end])) : nil)
    add(
      StoryFact(
        name, .itemCount,
        Estimated(Double(row.count), low: Double(row.count), high: Double(row.count)),
        rank: .silent))
  }

  /// Puts the motion of an element first, with where it ended.
  private mutating func promote(_ name: String, _ told: StoryDetail.Outcome, _ number: Int) {
    let act = acts[number]
    let slack = film.frame
    change { fact in
      guard fact.subject == name, fact.kind == .moves, case .moves(var moving) = fact.detail,
        let time = fact.time, time >= act.start - slack, time < act.until, !fact.isFault
      else { return }
      if told.items != nil || number > 0 || told.isWithFinger != nil { moving.outcome = told }
      fact.detail = .moves(moving)
      fact.rank = .outcome
    }
  }
}
