import KymographCLibrary
import TimelineModel

extension StoryTeller {
  /// A step of less than this is no jump, in points.
  private static let leastStep = 4.0

  /// Steps that neither neighbour explains, and opacity that flashes.
  mutating func tellSteps() {
    for item in items {
      tellJumps(of: item)
      tellFlashes(of: item)
    }
  }

  private struct Step {
    var channel: StoryFilm.Channel
    var size: Double
    var before: Double
    var after: Double
  }

  private mutating func tellJumps(of item: StoryFilm.Item) {
    var found: [(frame: Int, steps: [Step])] = []
    for channel in [StoryFilm.Channel.x, .y] {
      let values = item.values(channel)
      for frame in 2..<max(2, values.count - 1) {
        guard let step = jump(of: item, channel, values, at: frame) else { continue }
        if let place = found.firstIndex(where: { $0.frame == frame }) {
          found[place].steps.append(step)
        } else {
          found.append((frame, [step]))
        }
      }
    }
    found.sort { $0.frame < $1.frame }
    for (place, jump) in found.enumerated() {
      // A jump and its way back are one.
      if place > 0, found[place - 1].frame == jump.frame - 1 { continue }
      tell(jump.steps, of: item, at: jump.frame)
    }
  }

  /// The step to a frame from the one before, if neither neighbour explains it.
  private func jump(
    of item: StoryFilm.Item, _ channel: StoryFilm.Channel, _ values: [Double], at frame: Int
  ) -> Step? {
    let (times, rate) = (film.times, film.frame)
    let size = values[frame] - values[frame - 1]
    guard abs(size) >= Self.leastStep, item.isSeen[frame - 2], item.isSeen[frame - 1],
      item.isSeen[frame], item.isSeen[frame + 1],
      !pickups.contains(where: { $0.item == item.name && abs($0.frame - frame) <= 1 })
    else { return nil }
    func speed(_ index: Int) -> Double {
      (values[index] - values[index - 1]) / (times[index] - times[index - 1])
    }
    let (before, here, after) = (speed(frame - 1), speed(frame), speed(frame + 1))
    for (number, act) in acts.enumerated() where act.kind == .swipe || act.kind == .transition {
      if act.kind == .transition {
        // The steps of code that drives a transition are its own.
        if times[frame] >= act.start, times[frame - 1] <= act.lift { return nil }
        continue
      }
      guard let drive = drives[number] else { continue }
      // How several fingers drive is not fitted, nor what the page did not say that it heard: their steps explain its.
      let isUnjudged = act.fingerCount > 1 || !film.knowsHeard
      if isUnjudged, drive.contains(frame) || frame == drive.upperBound + 1 { return nil }
      guard followers[number]?.contains(item.name) == true else { continue }
      // While a finger drives it, its own record judges it.
      if drive.contains(frame) { return nil }
      if frame == drive.upperBound + 1,
        isOfLift(size, before, after, item.name, number, drive, channel)
      {
        return nil
      }
      // A settle that begins with the finger's speed may lose it within two frames.
      if let speed = liftSpeeds[number]?.velocity.value, channel == act.axis.channel,
        (1...2).contains(frame - drive.upperBound), size * speed > 0,
        abs(size) <= 1.2 * abs(speed) * rate
      {
        return nil
      }
    }
    // What a missing frame would have shown is not known.
    for index in (frame - 1)...(frame + 1) where times[index] - times[index - 1] > 1.5 * rate {
      return nil
    }
    let room = 0.25 * max(abs(before), abs(after))
    let (low, high) = (min(before, after) - room, max(before, after) + room)
    let excess = max(low - here, here - high, 0) * (times[frame] - times[frame - 1])
    let near = max(abs(before), abs(after)) * rate
    guard excess > Fault.jump, excess > 0.5 * near else { return nil }
    func moves(_ index: Int) -> Bool { abs(speed(index)) * rate > 0.3 }
    let past = (max(1, frame - 6)..<frame).filter(moves)
    let future = ((frame + 1)..<min(values.count, frame + 7)).filter(moves)
    guard past.count + future.count >= 3 else { return nil }
    // The first answer to a click may be a step.
    let isFirst = past.isEmpty
    func isAt(_ act: StoryAct) -> Bool { (-0.005..<0.06).contains(times[frame] - act.start) }
    let isAnswer = acts.contains { $0.kind.expectsAnswer && isAt($0) }
    let isInterruption = acts.dropFirst().contains(where: isAt)
    guard !isFirst || !isAnswer || isInterruption else { return nil }
    return Step(channel: channel, size: size, before: before * rate, after: after * rate)
  }

  /// Whether the frame of a lift shows no more than the rest of the drag and the first step of the settle.
  private func isOfLift(
    _ size: Double, _ before: Double, _ after: Double, _ name: String, _ number: Int,
    _ drive: ClosedRange<Int>, _ channel: StoryFilm.Channel
  ) -> Bool {
    let act = acts[number]
    var rest = 0.0
    if let fit = following[number]?[name], fit.own.value < HeardFollow.atOnce,
      channel == act.axis.channel,
      let known = film.knowledge(act.places, in: drive), let last = act.path.last,
      let first = act.path.first, let shown = known.along(act.axis).last
    {
      rest = fit.gain.value * (last.along(act.axis) - first.along(act.axis) - shown)
    }
    let step = after * film.frame
    let way = rest + step < 0 ? -1.0 : 1
    let due = (rest + step) * way
    let least = 0.3 * min(abs(before), abs(after)) * film.frame
    return size * way >= least - 4
      && size * way <= 1.35 * due + 6 + 0.35 * abs(before) * film.frame
  }

  private mutating func tell(_ steps: [Step], of item: StoryFilm.Item, at frame: Int) {
    guard let main = steps.max(by: { abs($0.size) < abs($1.size) }) else { return }
    let size = steps.reduce(0) { hypot($0, $1.size) }
    let time = film.times[frame]
    var when = ""
    for (number, act) in acts.enumerated() {
      if act.kind == .swipe, (0..<0.06).contains(time - act.lift) {
        when = " at the lift"
      } else if act.kind != .swipe, number > 0, (0..<0.06).contains(time - act.start) {
        when = " at \(act.kind.instantInWords)"
      }
    }
    let values = item.values(main.channel)
    let rests = ((frame + 1)..<values.count).allSatisfy {
      abs(values[$0] - values[$0 - 1]) <= 0.3
    }
    if rests { when = " at the end" }
    let isBack =
      main.size * (abs(main.after) > 1 ? main.after : main.before) < 0
      && max(abs(main.before), abs(main.after)) > 1
    let offCourse =
      isBack
      ? ", \(StoryWords.whole(abs(main.size - (main.before + main.after) / 2))) \(film.unit) off its course"
      : ""
    add(
      StoryFact(
        item.name, .jump, at: time, Estimated(size, low: size * 0.9, high: size * 1.1),
        unit: film.unit,
        "jumps \(isBack ? "back " : "")\(StoryWords.whole(size)) \(film.unit) in one frame\(when)\(offCourse) "
          + "(frames about it: \(StoryWords.signed(main.before)), \(StoryWords.signed(main.after)))"
      ))
  }

  /// What is shown at once and fades in then, and what blinks.
  private mutating func tellFlashes(of item: StoryFilm.Item) {
    let alpha = item.alpha
    let isRemade = film.marks.contains {
      $0.kind == "remade" && $0.fields["item"]?.asText == item.name
    }
    for frame in 1..<max(1, alpha.count - 4) {
      let (now, next) = (alpha[frame], alpha[frame + 1])
      if now >= 0.9, next < now - 0.5 {
        var first = frame
        while first > 0, alpha[first - 1] >= 0.9 { first -= 1 }
        let rises = alpha[(frame + 1)..<min(alpha.count, frame + 20)]
        let shown = film.times[frame + 1] - film.times[first]
        guard first > 0, alpha[first - 1] < 0.05, shown < Fault.flash, rises.max() ?? 0 > 0.6
        else {
          continue
        }
        let time = Estimated(shown, low: shown - film.frame, high: shown + film.frame)
        add(
          StoryFact(
            item.name, .flash, at: film.times[first], time.scaled(by: 1000), unit: "ms",
            "flashes: fully opaque for \(StoryWords.milliseconds(shown)), then "
              + "\(StoryWords.fixed(next, 2)), then fades in"))
      } else if now > 0.05, next < now - 0.4, !isRemade,
        alpha[(frame + 2)..<min(alpha.count, frame + 12)].max() ?? 0 > now - 0.1,
        alpha[max(0, frame - 3)...frame].min() ?? 0 > 0.5
      {
        let depth = (1 - next) * 100
        add(
          StoryFact(
            item.name, .flash, at: film.times[frame + 1],
            Estimated(depth, low: depth - 1, high: depth + 1), unit: "%",
            "blinks: opacity \(StoryWords.fixed(now, 2)) to \(StoryWords.fixed(next, 2)) in one frame and up again"
          ))
      }
    }
  }
}
