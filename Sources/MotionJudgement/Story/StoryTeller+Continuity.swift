import KymographCLibrary
import MotionMeasures
import TimelineModel
import TimelineSession

extension StoryTeller {
  /// A step of less than this is no jump, in points: what stands still for a frame is a missed frame.
  private static let leastStep = 4.0
  /// What changes by less than this between two frames rests, in points.
  private static let rest = 0.3
  /// A jump has so many frames that move among the ``around`` frames on each side. A lone step is a motion at once.
  private static let (leastMoving, around) = (3, 6)

  /// Steps that neither neighbour explains, and opacity that flashes.
  mutating func tellSteps() {
    for item in items {
      tellJumps(of: item)
      tellFlashes(of: item)
    }
    tellArrivals()
  }

  /// What is pushed less far as something comes was not pushed, in points.
  private static let leastPush = 8.0

  /// What comes with a part of its height, as its padding, pushes all below it by that at once, though its growth is
  /// animated.
  private mutating func tellArrivals() {
    for animation in film.declared where animation.isFinite && animation.properties == ["height"] {
      guard let item = items.first(where: { $0.name == animation.item }), let end = animation.end,
        case let begin = (animation.start ?? animation.time) + animation.delay,
        let frame = item.isShown.indices.dropFirst().first(where: {
          item.isShown[$0] && !item.isShown[$0 - 1] && abs(film.times[$0] - begin) < 2 * film.frame
        })
      else { continue }
      let last = min(film.times.count - 1, film.index(at: end) + 1)
      let (size, growth) = (item.height[frame], item.height[last] - item.height[frame])
      guard last > frame, size >= Self.leastPush, growth >= Self.leastPush else { continue }
      let isPushing = items.contains { other in
        guard other.isShown[frame - 1], other.carrier != item.name else { return false }
        let (step, rest) = (other.y[frame] - other.y[frame - 1], other.y[last] - other.y[frame])
        return abs(step - size) < 1 && abs(rest - growth) < 1
      }
      guard isPushing else { continue }
      let told = StoryDetail.Stepping(
        size: size, isBack: false, before: 0, after: item.height[frame + 1] - size, when: .arrival)
      add(
        StoryFact(
          item.name, .jump, at: film.times[frame],
          Estimated(size, low: size * 0.9, high: size * 1.1), unit: film.unit,
          saying: .jump(told)))
    }
  }

  private mutating func tellJumps(of item: ElementTrack) {
    let columns = [item.x, item.y]
    let context = jumpContext(of: item)
    var latest = -2
    // What was not seen may have been anywhere, so a step needs a frame before and behind it.
    for run in item.isShown.runs where run.count > 3 {
      let found = Jump.beyond(
        MotionFault.jump, film.instants, columns, in: run.lowerBound + 1..<run.upperBound - 1,
        context)
      for jump in found where abs(jump.step) >= Self.leastStep {
        guard isAmongMotion(jump, columns) || isAfterStandstill(jump, of: item) else { continue }
        guard !isDropped(jump, columns), !isDeclared(jump, of: item) else { continue }
        guard !isUnevenFrame(jump, of: item, columns) else { continue }
        guard isInWindow(item, jump.sample) || isInWindow(item, jump.sample - 1) else { continue }
        guard isSeen(item, jump.sample), isSeen(item, jump.sample - 1) else { continue }
        defer { latest = jump.sample }
        // A jump and its way back are one.
        if latest != jump.sample - 1 { tell(jump, of: item) }
      }
    }
  }

  /// Whether other frames about a jump move, too.
  private func isAmongMotion(_ jump: Jump, _ columns: [[Double]]) -> Bool {
    let first = max(1, jump.sample - Self.around)
    let last = min(film.times.count - 1, jump.sample + Self.around)
    return (first...last).count { frame in
      frame != jump.sample
        && columns.contains { abs($0[frame] - $0[frame - 1]) > Self.rest }
    } >= Self.leastMoving
  }

  /// Whether an element is in the window, as far as that is known.
  func isInWindow(_ item: ElementTrack, _ frame: Int) -> Bool {
    guard let window = film.window, !film.scrolls.contains(where: { $0.name == "page" }) else {
      return true
    }
    let (left, top) = (item.left[frame], item.top[frame])
    return left < window.width && left + item.width[frame] > 0 && top < window.height
      && top + item.height[frame] > 0
  }

  /// An element of a lower opacity is not seen. No unit, ours.
  private static let leastSeen = 0.1
  /// So many elements around another one are asked.
  private static let mostCarriers = 16

  /// Whether an element, and what carries it, is opaque enough to be seen.
  private func isSeen(_ item: ElementTrack, _ frame: Int) -> Bool {
    var next: ElementTrack? = item
    for _ in 0..<Self.mostCarriers {
      guard let one = next else { return true }
      if one.alpha[frame] < Self.leastSeen { return false }
      next = one.carrier.flatMap { name in items.first { $0.name == name } }
    }
    return true
  }

  /// What moved before it jumps to its rest did so for so many frames, in so many seconds before, and stood for so many.
  private static let (leastMoved, longestStand, fewestStood) = (6, 1.5, 3)

  /// The frame beside a jump may show so much of it. No unit, ours.
  private static let part = 0.15

  /// Whether an element went smoothly, stood still, and jumps on or back less far than it went, without another act.
  private func isAfterStandstill(_ jump: Jump, of item: ElementTrack) -> Bool {
    let frame = jump.sample
    let across = abs(item.x[frame] - item.x[frame - 1]) > abs(item.y[frame] - item.y[frame - 1])
    let values = across ? item.x : item.y
    /// A step that two frames share is one.
    func isPart(_ index: Int) -> Bool {
      let (part, whole) = (values[index] - values[index - 1], values[frame] - values[frame - 1])
      return abs(index - frame) == 1 && part * whole > 0 && abs(part) < Self.part * abs(whole)
    }
    func moves(_ index: Int) -> Bool {
      abs(values[index] - values[index - 1]) > Self.rest && !isPart(index)
    }
    guard let last = (1..<frame).last(where: moves), frame - last > Self.fewestStood,
      film.times[frame] - film.times[last] <= Self.longestStand,
      !((frame + 1)..<min(values.count, frame + Self.around)).contains(where: moves)
    else { return false }
    // What moved, without longer rests.
    var (first, count) = (last, 0)
    for index in stride(from: last, through: 1, by: -1) {
      guard first - index <= Self.around else { break }
      if moves(index) { (first, count) = (index, count + 1) }
    }
    let moved = values[(first - 1)...last].extent
    let isOneAct = !acts.contains {
      film.times[first] + 0.02 < $0.start && $0.start <= film.times[frame]
    }
    return isOneAct && count >= Self.leastMoved && moved > Self.leastStep
      && abs(jump.step) <= moved
  }

  /// Whether it is the step of what is dropped to where it stays: the answer to the lift.
  private func isDropped(_ jump: Jump, _ columns: [[Double]]) -> Bool {
    let frame = jump.sample
    return acts.indices.contains { number in
      guard acts[number].kind == .swipe, let frames = drives[number]?.frames,
        (frames.upperBound + 1...frames.upperBound + 3).contains(frame)
      else { return false }
      let end =
        acts[number].until < .infinity ? film.index(at: acts[number].until) : film.times.count
      return (frame + 1..<max(frame + 1, end)).allSatisfy { index in
        columns.allSatisfy { abs($0[index] - $0[index - 1]) <= Self.rest }
      }
    }
  }

  /// A declared curve may go so much further in its first frames than it begins to. No unit, ours.
  private static let steeper = 1.5
  /// So many of a declared curve's first frames may be steep.
  private static let steepFrames = 3

  /// Whether a declared animation that just began goes as far in a frame.
  private func isDeclared(_ jump: Jump, of item: ElementTrack) -> Bool {
    let frame = jump.sample
    let time = film.times[frame]
    return film.declared.contains { animation in
      guard animation.item == item.name, animation.movesElement, animation.duration > 0 else {
        return false
      }
      let begin = (animation.start ?? animation.time) + animation.delay
      guard (-film.frame...Double(Self.steepFrames) * film.frame).contains(time - begin) else {
        return false
      }
      let last = max(frame, film.index(at: begin + animation.duration))
      let way = hypot(
        item.x[min(last, item.x.count - 1)] - item.x[frame - 1],
        item.y[min(last, item.y.count - 1)] - item.y[frame - 1])
      let share = (animation.startSlope ?? 4) * 2 * film.frame / animation.duration
      return abs(jump.step) <= way * min(1, share * Self.steeper) + Self.leastStep
    }
  }

  /// Whether a declared animation goes on through a step that is no longer than those beside it: the frame came early or late.
  private func isUnevenFrame(
    _ jump: Jump, of item: ElementTrack, _ columns: [[Double]]
  ) -> Bool {
    let frame = jump.sample
    guard frame > 1, frame + 1 < film.times.count else { return false }
    let isDeclared = film.declared.contains { animation in
      animation.item == item.name && animation.movesElement
        && (animation.start ?? animation.time) < film.times[frame - 1]
        && film.times[frame] < animation.end ?? -.infinity
    }
    return isDeclared
      && columns.allSatisfy { values in
        let step = values[frame] - values[frame - 1]
        let beside = [
          values[frame - 1] - values[frame - 2], values[frame + 1] - values[frame],
        ]
        let most = beside.map(abs).max() ?? 0
        return abs(step) <= most + Self.rest && beside.allSatisfy { $0 * step >= -Self.rest }
      }
  }

  /// What explains steps of an element.
  private func jumpContext(of item: ElementTrack) -> JumpContext {
    let times = film.instants
    var context = JumpContext()
    context.explainsStalls = true
    func explain(_ first: Int, _ last: Int) {
      context.explained.append(times[max(0, first)]...times[min(times.count - 1, last)])
    }
    for pickup in pickups where pickup.item == item.name {
      explain(pickup.frame - 1, pickup.frame + 1)
    }
    // What a missing frame would have shown is not known.
    for frame in times.indices.dropFirst()
    where film.times[frame] - film.times[frame - 1] > 1.5 * film.frame {
      explain(frame - 1, frame + 1)
    }
    for (number, act) in acts.enumerated() {
      if act.kind == .transition {
        // The steps of code that drives a transition are its own. The first frame behind the release shows as much of the
        // settle as there was time for, so the next one may go faster than both of its neighbours.
        let first = film.times.partitioningIndex { $0 >= act.start }
        let last = film.times.partitioningIndex { $0 > act.lift }
        if first < times.count { explain(first, last + 1) }
      }
      guard act.kind == .swipe, let drive = drives[number], let frames = drive.frames else {
        continue
      }
      // How several fingers drive is not fitted, nor what the page did not say that it heard: their steps explain its.
      if act.fingerCount > 1 || !film.knowsHeard {
        explain(frames.lowerBound, frames.upperBound + 1)
      }
      guard followers[number]?.contains(item.name) == true, frames.upperBound + 1 < times.count
      else {
        continue
      }
      if case .steps? = manners[number]?[item.name] {
        explain(frames.lowerBound, film.index(at: act.lift + Self.longestStep))
      }
      // While a finger drives it, its own record judges it.
      explain(frames.lowerBound, frames.upperBound)
      context.lifts.append(lift(of: item, number, drive, frames))
    }
    // The first answer to a click may be a step, as may that to a finger that lands on something else.
    let first = acts.first.flatMap { $0.kind.expectsAnswer ? $0 : nil }
    let landings = acts.filter { act in
      act.kind == .swipe && !isLanded(on: item.name, act, max(0, film.index(at: act.start) - 1))
    }
    for act in landings + (first.map { [$0] } ?? []) {
      guard let start = Instant(seconds: act.start) else { continue }
      context.answers.append(
        start.advanced(byNanoseconds: -5_000_000)...start.advanced(byNanoseconds: 60_000_000))
    }
    return context
  }

  /// What is updated too rarely steps once more behind the lift, in seconds.
  private static let longestStep = 0.3

  /// What is left of a drag in its last frame, and its speed.
  private func lift(
    of item: ElementTrack, _ number: Int, _ drive: Drive, _ frames: ClosedRange<Int>
  ) -> JumpContext.Lift {
    let (act, times) = (acts[number], film.instants)
    let explained = following[number]?[item.name].flatMap {
      drive.explained(film.shown(item.values(act.axis.channel)), $0)
    }
    let rest = explained?.rest ?? 0
    let speed = explained?.speed ?? (try? drive.speed())?.velocity.value ?? 0
    func along(_ value: Double) -> [Double] { act.axis == .x ? [value, 0] : [0, value] }
    let first = frames.upperBound + 1
    return JumpContext.Lift(
      at: drive.lift, times: times[first]...times[min(times.count - 1, first + 1)],
      rest: along(rest),
      speed: along(speed))
  }

  private mutating func tell(_ jump: Jump, of item: ElementTrack) {
    let frame = jump.sample
    let time = film.times[frame]
    var when = StoryDetail.Stepping.When.between
    for (number, act) in acts.enumerated() {
      if act.kind == .swipe, (0..<0.06).contains(time - act.lift) {
        when = .lift
      } else if act.kind != .swipe, number > 0, (0..<0.06).contains(time - act.start) {
        when = .act(act.kind)
      }
    }
    func step(_ values: [Double], _ frame: Int) -> Double { values[frame] - values[frame - 1] }
    let values = abs(step(item.x, frame)) > abs(step(item.y, frame)) ? item.x : item.y
    let (before, after) = (step(values, frame - 1), step(values, frame + 1))
    let rests = ((frame + 1)..<values.count).allSatisfy { abs(step(values, $0)) <= Self.rest }
    if rests { when = .end }
    let isBack =
      step(values, frame) * (abs(after) > 1 ? after : before) < 0
      && max(abs(before), abs(after)) > 1
    let size = jump.excess
    add(
      StoryFact(
        item.name, .jump, at: time, Estimated(size, low: size * 0.9, high: size * 1.1),
        unit: film.unit,
        saying: .jump(
          StoryDetail.Stepping(
            size: size, isBack: isBack, before: before, after: after, when: when))))
  }

  /// What is shown at once and fades in then, and what blinks.
  private mutating func tellFlashes(of item: ElementTrack) {
    let alpha = item.alpha
    let isRemade = film.marks.contains {
      $0.kind == "remade" && $0.fields["item"]?.asText == item.name
    }
    // Something may be meant to be seen through.
    let full = max(alpha.max() ?? 0, Self.leastFull)
    func flash(_ first: Int, _ shown: Double, _ detail: StoryDetail) -> StoryFact {
      let time = Estimated(shown, low: shown - film.frame, high: shown + film.frame)
      return StoryFact(
        item.name, .flash, at: film.times[first], time.scaled(by: 1000), unit: "ms", saying: detail)
    }
    for frame in 1..<max(1, alpha.count - 4) {
      let (now, next) = (alpha[frame], alpha[frame + 1])
      if now >= 0.9 * full, next < now - 0.5 * full {
        var first = frame
        while first > 0, alpha[first - 1] >= 0.9 * full { first -= 1 }
        let rises = alpha[(frame + 1)..<min(alpha.count, frame + 20)]
        let shown = film.times[frame + 1] - film.times[first]
        let isLow = first > 0 && alpha[first - 1] < 0.05
        if isLow, shown < MotionFault.flash, rises.max() ?? 0 > 0.6 * full {
          add(flash(first, shown, .flash(shown: shown, next: next)))
          continue
        }
      }
      if let shown = flashBehindFade(alpha, frame, full) {
        add(flash(frame, shown, .flashBehindFade(shown: shown)))
      }
      if now > 0.05, next < now - 0.4, !isRemade,
        alpha[(frame + 2)..<min(alpha.count, frame + 12)].max() ?? 0 > now - 0.1,
        alpha[max(0, frame - 3)...frame].min() ?? 0 > 0.5
      {
        let depth = (1 - next) * 100
        add(
          StoryFact(
            item.name, .flash, at: film.times[frame + 1],
            Estimated(depth, low: depth - 1, high: depth + 1), unit: "%",
            saying: .blink(from: now, to: next)))
      }
    }
  }
}

extension StoryTeller {
  /// The least opacity that something has when it is there.
  private static let leastFull = 0.3
  /// A fade has so many frames.
  private static let fewestFading = 4

  /// For how long something is there again after it faded out, until it is gone, in seconds. `nil`: it does not come back
  /// with this frame, stays, or goes only later.
  private func flashBehindFade(_ alpha: [Double], _ frame: Int, _ full: Double) -> Double? {
    guard frame > Self.fewestFading, alpha[frame] - alpha[frame - 1] > 0.5 * full else {
      return nil
    }
    let fade = alpha[(frame - Self.fewestFading)..<frame]
    guard zip(fade.dropFirst(), fade).allSatisfy({ $0 < $1 }), fade.extent > 0.1 * full,
      let end = (frame..<alpha.count).first(where: { alpha[$0] < 0.05 })
    else { return nil }
    let shown = film.times[end] - film.times[frame]
    return shown < MotionFault.flash && alpha[end...].allSatisfy { $0 < 0.05 } ? shown : nil
  }
}

extension [Bool] {
  /// The stretches in which all are true.
  fileprivate var runs: [Range<Int>] {
    var (found, first): ([Range<Int>], Int?) = ([], nil)
    for index in 0...count {
      if index < count, self[index] {
        first = first ?? index
      } else if let start = first {
        found.append(start..<index)
        first = nil
      }
    }
    return found
  }
}
