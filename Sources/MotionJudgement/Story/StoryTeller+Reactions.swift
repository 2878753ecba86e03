import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// What stands still for so long has come to rest, in seconds.
  private static let pause = 0.17

  /// A declared animation that shows nothing for so long begins when it shows something, in seconds.
  private static let longestUnseen = 0.25

  /// What grows or shrinks and goes farther than this goes somewhere, too, in points.
  private static let leastWayOfSized = 24.0

  /// One channel of an element that changes after an act.
  struct Change {
    var item: ElementTrack
    var channel: ElementTrack.Channel
    /// The first and the last frame at which it changed.
    var first: Int
    var last: Int
  }

  /// The frames from an act's answer, of a drag the release, to the next act.
  func framesAfter(_ number: Int) -> Range<Int> {
    let act = acts[number]
    let first =
      taken[number]?.last
      ?? drives[number]?.frames.map { min($0.upperBound + 1, film.times.count - 1) }
      ?? film.times.partitioningIndex { $0 >= act.begin - 0.0005 }
    return
      first..<(act.until < .infinity ? max(first, film.index(at: act.until)) : film.times.count)
  }

  /// The changes in some frames, in the order of elements and channels.
  private func changes(in frames: Range<Int>, without left: Set<String>) -> [Change] {
    var found: [Change] = []
    let (first, end) = (frames.lowerBound, frames.upperBound)
    guard frames.count > 1 else { return [] }
    for item in items where !left.contains(item.name) {
      for channel in ElementTrack.Channel.allCases {
        let values = item.values(channel)
        let begin = max(0, first - 1)
        guard values[begin..<end].extent >= channel.range else { continue }
        var (start, last): (Int?, Int) = (nil, 0)
        let steps = (begin + 1)..<end
        let largest = steps.map { abs(values[$0] - values[$0 - 1]) }.max() ?? 0
        // What goes far in small steps moves, too.
        let least = largest > channel.step ? channel.step : largest / 10
        for index in steps where abs(values[index] - values[index - 1]) > least {
          if start == nil { start = index }
          last = index
        }
        if let start {
          found.append(Change(item: item, channel: channel, first: start, last: last))
        }
      }
    }
    return found
  }

  /// What answers a click, a key, the pointer, or the release.
  mutating func tellReaction(_ number: Int) {
    let act = acts[number]
    let frames = framesAfter(number)
    let found = changes(in: frames, without: followers[number] ?? [])
    answers[number] = found
    let looks = self.looks(after: number)
    let scrolls = film.scrolls.filter { scroll in
      !ambient.contains(scroll.name)
        && (scroll.x[frames].extent > 1 || scroll.y[frames].extent > 1)
    }
    if found.isEmpty, looks.isEmpty, scrolls.isEmpty, act.kind.expectsAnswer {
      add(
        .about(
          act.target ?? "page", .noReaction, at: act.start,
          saying: .noReaction(act.kind),
          isJudged: act.target != nil && canBeRead(act) && covers.isEmpty, rank: .subject))
    }
    var begins = Self.byElement(found).map {
      ($0.first?.item.name ?? "", onset(of: $0, number))
    }
    for look in looks where look.isAnswer {
      begins.append((look.item, Start(time: look.start, isDeclared: false)))
    }
    for scroll in scrolls {
      let range = max(0, frames.lowerBound - 1)..<frames.upperBound
      guard let first = begin(of: scroll, in: range) else { continue }
      begins.append((scroll.name, Start(time: film.times[first], isDeclared: false)))
    }
    // What answers the press alone, as :active does, is told if nothing answers the lift.
    let late = begins.filter { $0.1.time >= act.start - 0.0005 }
    let first = (late.isEmpty ? begins : late).min { $0.1.time < $1.1.time }
    if act.kind.expectsAnswer, let (who, start) = first {
      let isOfPress = late.isEmpty && act.landing != nil
      let wait = max(0, start.time - (isOfPress ? act.begin : act.start))
      var fact = StoryFact(
        who, .start, at: start.time,
        Estimated(wait, low: wait - Onset.margin, high: wait + Onset.margin).atLeast(0)
          .scaled(by: 1000),
        unit: "ms",
        saying: .starts(wait: wait, after: isOfPress ? .press : .act(act.kind)),
        rank: .detail)
      // A frame may pass before anything can be seen.
      fact.judgedNumber = Estimated(wait, low: wait - film.frame, high: wait).scaled(by: 1000)
      fact.isElement = who != "page"
      add(fact)
    }
    var curves = 0
    for changes in Self.byElement(found) { describe(changes, act, &curves) }
    tell(looks, number)
  }

  /// When an element sets off in an act.
  struct Start {
    /// In seconds of the session.
    var time: Double
    /// Whether an animation was declared, whose start and delay say it.
    var isDeclared: Bool
  }

  /// When an element sets off: as it was declared, else the first of its place, its size, its angle and its opacity.
  func onset(of changes: ArraySlice<Change>, _ number: Int) -> Start {
    let act = acts[number]
    guard let item = changes.first?.item else { return Start(time: act.start, isDeclared: false) }
    let declared = film.declared.filter {
      $0.item == item.name && (act.begin - 0.005..<act.until).contains($0.time)
    }.map { ($0.start ?? $0.time) + $0.delay }.min()
    let shown = film.times[changes.map(\.first).min() ?? 0]
    // A declared animation may change what cannot be seen, for a while.
    if let declared, shown - declared < Self.longestUnseen {
      return Start(time: declared, isDeclared: true)
    }
    let frames = framesAfter(number)
    let range = max(0, frames.lowerBound - 1)..<frames.upperBound
    let changed = Set(changes.map(\.channel))
    let groups: [[ElementTrack.Channel]] = [[.x, .y], [.width, .height], [.angle], [.alpha]]
    let onsets = groups.compactMap { channels -> Instant? in
      let moved = channels.filter(changed.contains)
      guard !moved.isEmpty else { return nil }
      return Onset.instant(
        film.instants[range], moved.map { Array(item.values($0)[range]) },
        unit: moved[0].isLength ? film.unit : "1")
    }
    let first = film.times[changes.map(\.first).min() ?? range.lowerBound]
    return Start(time: onsets.min()?.seconds ?? first, isDeclared: false)
  }

  /// The changes of each element, in the order of elements.
  static func byElement(_ changes: [Change]) -> [ArraySlice<Change>] {
    var groups: [ArraySlice<Change>] = []
    var first = 0
    for (index, change) in changes.enumerated() where change.item.name != changes[first].item.name {
      groups.append(changes[first..<index])
      first = index
    }
    return changes.isEmpty ? [] : groups + [changes[first...]]
  }

  private mutating func describe(
    _ changes: ArraySlice<Change>, _ act: StoryAct, _ curves: inout Int
  ) {
    guard let item = changes.first?.item, let first = changes.map(\.first).min(),
      let last = changes.map(\.last).max()
    else { return }
    let range = max(0, first - 1)...last
    var told = StoryDetail.Moving()
    func change(_ channel: ElementTrack.Channel) -> Change? {
      changes.first { $0.channel == channel }
    }
    let isPlaced = change(.x) != nil || change(.y) != nil
    let (x, y) = (
      Self.anchored(item.x, item.width, range), Self.anchored(item.y, item.height, range)
    )
    let way =
      isPlaced
      ? range.map { hypot(x[$0] - x[range.lowerBound], y[$0] - y[range.lowerBound]) }.max() ?? 0
      : 0
    let across = change(.x).map { _ in x[last] - x[range.lowerBound] } ?? 0
    let down = change(.y).map { _ in y[last] - y[range.lowerBound] } ?? 0
    let isSized = change(.width) != nil || change(.height) != nil
    let isScaled =
      change(.width) != nil && change(.height) != nil && item.width[range].extent > 4
    if let fade = change(.alpha) {
      let values = item.alpha[max(0, fade.first - 1)...fade.last]
      let (from, to) = (values[values.startIndex], values[values.endIndex - 1])
      func beyond(_ value: Double) -> Double { max(value - max(from, to), min(from, to) - value) }
      told.fade = .init(
        from: from, to: to, turn: values.max { beyond($0) < beyond($1) } ?? to,
        frames: fade.last - fade.first,
        shown: shown(values))
    }
    if isSized { told.size = sized(item, range, isScaled: isScaled) }
    // What grows about a point of its own goes nowhere.
    var isAbout = false
    if case .sized(_, _, .some) = told.size { isAbout = true }
    if !isScaled || !isAbout && way > Self.leastWayOfSized, way > 1.5 {
      told.way = .init(way: way, across: across, down: down)
    }
    if let turn = change(.angle) {
      told.turn = item.angle[turn.last] - item.angle[max(0, turn.first - 1)]
    }
    guard !told.isNothing else { return }
    let channels = changes.map(\.channel).filter { $0 != .alpha }
    let main =
      channels.max { item.values($0)[range].extent < item.values($1)[range].extent } ?? .alpha
    let took = film.times[last] - film.times[range.lowerBound]
    let isLast = act.until == .infinity
    if let animation = declared(for: item.name, act) {
      told.end = .declared(animation)
      let duration = animation.duration * 1000
      add(
        StoryFact(
          item.name, .duration, Estimated(duration, low: duration - 2, high: duration + 2),
          unit: "ms", rank: .silent))
      add(StoryFact(item.name, .easing, saying: .easing(animation), rank: .silent))
      add(moving(item.name, first, way, told, .motion))
      if animation.easing == "linear", (0.08...1.5).contains(animation.duration),
        way > MotionFault.linearWay,
        animation.iterations == 1
      {
        tellLinear(item.name, first, animation.duration)
      }
    } else if last - first < 2 || told.isStepped {
      add(moving(item.name, first, way, told, .detail))
    } else {
      told.end = .took(took)
      add(moving(item.name, first, way, told, .motion))
      if main != .alpha, main != .angle, isLast {
        curves += 1
        let isFitted = curves <= Self.mostCurves
        if !isFitted { skippedCurves += 1 }
        tellScripted(item, main, range, act, isFitted: isFitted)
      }
    }
    if isReduced, way > MotionFault.reducedWay, last - first >= 3 {
      let size = Estimated(way, low: way - 1, high: way + 1)
      add(
        StoryFact(
          item.name, .reducedMotion, at: film.times[first], size, unit: film.unit,
          saying: .movesUnlessReduced(way: way)))
    }
  }

  /// The middle or the edge of an element that goes the shortest way: what grows from an edge does not move.
  private static func anchored(
    _ places: [Double], _ sizes: [Double], _ range: ClosedRange<Int>
  ) -> [Double] {
    guard sizes[range].extent > ElementTrack.Channel.width.range else { return places }
    let edges = [-0.5, 0.5].map { side in zip(places, sizes).map { $0 + side * $1 } }
    return ([places] + edges).min { $0[range].extent < $1[range].extent } ?? places
  }

  /// How long something is there that comes and goes without a fade, in seconds. `nil`: it is something else.
  private func shown(_ alpha: ArraySlice<Double>) -> Double? {
    guard let from = alpha.first, let to = alpha.last, abs(from - to) < 0.02 else { return nil }
    let steps = alpha.indices.dropFirst().filter {
      abs(alpha[$0] - alpha[$0 - 1]) > ElementTrack.Channel.alpha.step
    }
    guard steps.count == 2 else { return nil }
    return film.times[steps[1]] - film.times[steps[0]]
  }

  private func moving(
    _ name: String, _ frame: Int, _ way: Double, _ told: StoryDetail.Moving,
    _ rank: StoryFact.Rank
  ) -> StoryFact {
    StoryFact(
      name, .moves, at: film.times[frame], Estimated(way, low: way - 1, high: way + 1),
      unit: film.unit, saying: .moves(told), rank: rank)
  }

  /// Curve and constant speed of what a script moves.
  private mutating func tellScripted(
    _ item: ElementTrack, _ channel: ElementTrack.Channel, _ range: ClosedRange<Int>,
    _ act: StoryAct, isFitted: Bool
  ) {
    let values = item.values(channel)
    let first = max(range.lowerBound + 1, firstOfSettle(act))
    // What code drives may be at rest when it is released.
    guard first <= range.upperBound else { return }
    let isDriven = first > range.lowerBound + 1
    func spring(_ first: Int) -> FreeSpring? {
      guard isFitted else { return nil }
      let found = try? FreeSpring(
        times: Array(film.times[first...range.upperBound]),
        values: Array(values[first...range.upperBound]))
      return found?.isGood == true ? found : nil
    }
    let settle = first...range.upperBound
    // A click's contact says which frames had not heard of its end.
    let rest =
      act.contact.flatMap { Drive.frames(of: $0, in: film.read) }.flatMap {
        Settle(
          film.shown(values), behind: $0, until: film.instants[values.count - 1], unit: film.unit)
      }
      ?? Settle(
        times: film.instants[range.lowerBound...], values: values[range.lowerBound...],
        held: first - 1, first: first, unit: film.unit)
    tellSettle(
      item.name, rest, since: act.lift, values, settle,
      (isDriven ? nil : spring(range.lowerBound)) ?? spring(first), after: act.settleInstant,
      isFitted: isFitted)
    let moved = first..<range.upperBound
    if settle.count > 8, values[moved].extent > MotionFault.linearWay,
      ConstantSpeed.holds(film.times[moved], values[moved])
    {
      tellLinear(
        item.name, settle.lowerBound, film.times[range.upperBound] - film.times[first - 1])
    }
  }

  /// The first frame that shows no more what code set before it released a transition. 0 of other acts.
  private func firstOfSettle(_ act: StoryAct) -> Int {
    act.kind == .transition && act.lift > act.start
      ? film.times.partitioningIndex { $0 > act.lift } : 0
  }

  private mutating func tellLinear(_ name: String, _ frame: Int, _ seconds: Double) {
    let time = Estimated(seconds, low: seconds - film.frame, high: seconds + film.frame)
    add(
      StoryFact(
        name, .linear, at: film.times[frame], time.scaled(by: 1000), unit: "ms",
        saying: .linear(duration: seconds)))
  }

  /// The first finite animation that was declared for an element within an act.
  private func declared(for name: String, _ act: StoryAct) -> DeclaredAnimation? {
    film.declared.first {
      guard $0.isFinite, $0.time < act.until else { return false }
      let isGroup = $0.item.hasPrefix("::view-transition-group") && $0.item.contains("(\(name))")
      return isGroup || $0.item == name && $0.time >= act.start - 0.005
    }
  }

  /// How it grows or shrinks, and which point of it stays.
  private mutating func sized(
    _ item: ElementTrack, _ range: ClosedRange<Int>, isScaled: Bool
  ) -> StoryDetail.Sizing {
    let shown = range.filter { item.isShown[$0] }
    guard let first = shown.first, let last = shown.last else { return .unknown }
    func size(_ frame: Int) -> Size2D {
      Size2D(width: item.width[frame], height: item.height[frame])
    }
    let most =
      shown.max {
        abs(item.width[$0] - item.width[first]) + abs(item.height[$0] - item.height[first])
          < abs(item.width[$1] - item.width[first]) + abs(item.height[$1] - item.height[first])
      } ?? last
    // Sizes that are printed alike are one.
    if Wording.text(size(last)) == Wording.text(size(first)) {
      return .back(from: size(first), by: size(most))
    }
    guard isScaled, shown.count > 5,
      let x = origin(shown.map { item.width[$0] }, shown.map { item.left[$0] }),
      let y = origin(shown.map { item.height[$0] }, shown.map { item.top[$0] })
    else { return .sized(from: size(first), to: size(last), about: nil) }
    for (kind, share) in [(StoryFact.Kind.originX, x), (.originY, y)] {
      add(
        StoryFact(
          item.name, kind, Estimated(share * 100, low: share * 100 - 2, high: share * 100 + 2),
          unit: "%", rank: .silent))
    }
    return .sized(from: size(first), to: size(last), about: Point2D(x: x, y: y))
  }

  /// The share of a length at which the point lies that stays where it is: edge(t) = E + s (L - l(t)).
  private func origin(_ lengths: [Double], _ edges: [Double]) -> Double? {
    guard let length = lengths.last, let edge = edges.last, length > 0 else { return nil }
    let (u, v) = (lengths.map { length - $0 }, edges.map { $0 - edge })
    let count = Double(u.count)
    let (meanU, meanV) = (u.reduce(0, +) / count, v.reduce(0, +) / count)
    let variance = u.reduce(0) { $0 + ($1 - meanU) * ($1 - meanU) }
    guard variance > 1e-9 else { return nil }
    let slope = zip(u, v).reduce(0) { $0 + ($1.0 - meanU) * ($1.1 - meanV) } / variance
    let worst = zip(u, v).map { abs($1 - meanV - slope * ($0 - meanU)) }.max() ?? 0
    return worst < 2 && (-0.2...1.2).contains(slope) ? slope : nil
  }
}
