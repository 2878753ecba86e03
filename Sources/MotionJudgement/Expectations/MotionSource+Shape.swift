import MotionMeasures
import TimelineModel
import TimelineSession

/// What counts as a jump of a key in another unit than points if nothing is said, as a share of all that it covers: a finger's unevenness makes 2 %.
private let usualExcessShare = 0.05

extension MotionSource {
  /// How far values jump.
  func jumps(
    _ rule: MotionExpectation, _ excess: MotionExpectation.Extent?
  ) throws -> [Verdict] {
    try findings(of: rule.subjects) { track in
      let measure = named("excess", of: track)
      guard
        let limit = length(
          excess, of: track, points: MotionExpectation.usualExcess, share: usualExcessShare)
      else { return [Verdict(track.name, measure, unknown: otherUnit(track, "excess"))] }
      // A transition sets its progress anew, which is no jump.
      let windows =
        track.isOfTransition ? windows(from: rule.from) : rest(from: rule.from).map { [$0] } ?? []
      var context: JumpContext?
      return windows.flatMap { window in
        track.runs.compactMap { run in
          let first = run.times.partitioningIndex { $0 >= window.anchor }
          let range = first..<max(first, run.times.partitioningIndex { $0 > window.end })
          var found = Jump.largest(run.times, run.columns, isSeen: run.isVisible, in: range)
          // What is within the limit needs no explanation.
          if let jump = found, jump.excess > limit {
            context = context ?? jumpContext(of: track)
            found = Jump.largest(
              run.times, run.columns, isSeen: run.isVisible, in: range, context ?? JumpContext())
          }
          return found.map {
            let time = run.times[$0.sample]
            let noise = errors.noise(ofKey: track.name, run.values($0.sample), at: time)
            var verdict = Verdict(
              track.name, measure, $0.excess, atMost: limit,
              bounds: max(0, $0.excess - noise)...$0.excess + noise, at: time)
            verdict.finding.step = $0.step
            return verdict
          }
        }
      }
    }
  }

  /// What explains steps: the drives of the fingers that a value follows, of an element also frames that came late.
  private func jumpContext(of track: Track) -> JumpContext {
    var context = JumpContext()
    let isPlaced = !track.axes.isEmpty
    let clock = data.frames
    for index in isPlaced ? FrameMetrics(clock).lateFrames : []
    where index + 1 < clock.times.count {
      context.explained.append(clock.times[index - 1]...clock.times[index + 1])
    }
    // A key does not say along which axis a finger drives it.
    let columns = isPlaced ? track.axes.map { [$0] } : [[FingerAxis.x, .y]]
    for turn in data.contacts.turns() {
      guard let lift = turn.contact.lift else { continue }
      let found = columns.indices.map { column in
        columns[column].compactMap { explained(track.column(column), along: $0, turn) }
          .max { $0.share < $1.share }
      }
      let driven = found.compactMap { $0?.driven }
      guard let first = driven.map(\.lowerBound).min(), let last = driven.map(\.upperBound).max()
      else { continue }
      // While a finger drives an element, `follows` judges it.
      if isPlaced { context.explained.append(first...last) }
      for run in track.runs {
        let next = run.times.partitioningIndex { $0 > last }
        guard next > 0, next + 1 < run.times.count else { continue }
        context.lifts.append(
          JumpContext.Lift(
            at: lift, times: run.times[next]...run.times[next + 1],
            rest: found.map { $0?.rest ?? 0 },
            speed: found.map { $0?.speed ?? 0 }))
      }
    }
    return context
  }

  /// What a contact's drive explains of a value.
  private func explained(
    _ track: Track, along axis: FingerAxis, _ turn: (contact: Contact, start: Instant?)
  ) -> Drive.Explained? {
    guard let drive = Drive(turn.contact, along: axis, turn: turn.start, in: data.readFrames)
    else { return nil }
    let shown = drive.shown(track)
    return (try? drive.follow(shown)).flatMap { drive.explained(shown, $0) }
  }

  /// How far values go back.
  func returns(
    _ rule: MotionExpectation, _ isRising: Bool?, _ slack: Double
  ) throws -> [Verdict] {
    try findings(of: rule.subjects) { track in
      let range = track.extent
      return windows(from: rule.from).compactMap { window in
        let curve = track.curve(from: window.anchor, to: window.end)
        guard let first = curve.values.first, let last = curve.values.last else { return nil }
        let sign: Double = isRising ?? (last >= first) ? 1 : -1
        var furthest = first * sign
        var worst = (way: 0.0, time: curve.times[0])
        for (time, value) in zip(curve.times, curve.values) {
          furthest = max(furthest, value * sign)
          if furthest - value * sign > worst.way { worst = (furthest - value * sign, time) }
        }
        let noise = errors.noise(ofKey: track.name, [last], at: worst.time)
        return Verdict(
          track.name, "back_share", range > 0 ? worst.way / range : 0, atMost: slack,
          bounds: range > 0
            ? max(0, worst.way - noise) / range...(worst.way + noise) / range : nil,
          at: worst.way > 0 ? worst.time : nil)
      }
    }
  }

  /// How far values go beyond their target.
  func overshoots(
    _ rule: MotionExpectation, _ percent: Double, _ target: Double?
  ) throws -> [Verdict] {
    let measure = Measure.overshoot.rawValue
    return try findings(of: rule.subjects) { track in
      windows(from: rule.from).compactMap { window in
        guard
          let settle = data.settle(
            of: track, from: window.anchor, release: window.stretch.release, until: window.end,
            target: target)
        else { return nil }
        guard let beyond = settle.overshootPercent ?? (settle.isStill ? 0 : nil) else {
          return Verdict(
            track.name, measure,
            unknown: "it ends at its start, so it has no distance to overshoot", limit: percent
          )
        }
        let noise = errors.noise(
          ofKey: track.name, [settle.target], at: settle.overshootTime ?? settle.last)
        return Verdict(
          track.name, measure, beyond, atMost: percent,
          bounds: settle.percent(of: noise).map { max(0, beyond - $0)...beyond + $0 },
          at: settle.overshootTime)
      }
    }
  }

  /// When values have come to rest.
  func settlings(
    _ rule: MotionExpectation, _ seconds: Double, _ percent: Double, _ target: Double?
  ) throws -> [Verdict] {
    let measure = "settled_ms"
    return try findings(of: rule.subjects) { track in
      windows(from: rule.from).compactMap { window in
        let stretch = window.stretch
        let curve = track.curve(from: stretch.start, to: stretch.end)
        guard let first = curve.times.first, let last = curve.times.last else { return nil }
        let anchor = rule.from == nil ? stretch.release ?? first : window.anchor
        guard
          let settle = data.settle(
            of: track, from: stretch.start, release: anchor, until: stretch.end, target: target)
        else { return nil }
        if settle.last < last, settle.isMoving(within: percent) {
          return Verdict(
            track.name, measure, undecided: "it still moves when the next contact lands",
            limit: seconds * 1000)
        }
        // What begins later than the instant that counts was not at rest before.
        func settled(by noise: Double = 0) -> Double? {
          settle.rest(within: percent, wider: noise).map {
            $0.time > max(anchor, first) ? $0.time.seconds(since: anchor) : 0
          }
        }
        let noise = errors.noise(ofKey: track.name, [settle.target], at: settle.last)
        guard let rest = settled() ?? (noise > 0 ? settled(by: noise) : nil) else {
          return Verdict(
            track.name, measure,
            unknown:
              "it is not within \(NumberText.short(percent, digits: 6)) % of its distance from "
              + "\(NumberText.short(settle.target, digits: 6)) when it ends, at \(NumberText.short(last.seconds, digits: 6)) s",
            limit: seconds * 1000)
        }
        var bounds: ClosedRange<Double>?
        let unseen = unseenSeconds(before: anchor)
        if noise > 0 || unseen > 0, let early = settled(by: noise) {
          guard let late = settled(by: -noise) else {
            return Verdict(
              track.name, measure,
              unseen:
                "its positions are not known to \(NumberText.short(percent, digits: 6)) % of its distance",
              limit: seconds * 1000)
          }
          bounds = early * 1000...(late + unseen) * 1000
        }
        return Verdict(
          track.name, measure, rest * 1000, atMost: seconds * 1000,
          tolerance: Double(halfFrame) / 1e6, bounds: bounds,
          at: anchor.advanced(byNanoseconds: Int64(exactly: (rest * 1e9).rounded()) ?? .max))
      }
    }
  }
}
