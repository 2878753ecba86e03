import TimelineModel
import TimelineSession

/// What counts as a jump where nothing is said, in points: a kick from rest at 900 pt/s shows 4.4.
private let usualExcess = 8.0

/// The same of a key in another unit, as a share of all that it covers: a finger's unevenness makes 2 %.
private let usualExcessShare = 0.05

extension MotionSource {
  /// How far values jump.
  func jumps(
    _ rule: MotionExpectation, _ excess: MotionExpectation.Extent?
  ) throws -> [Verdict] {
    try findings(of: rule.subjects) { track in
      let measure = named("excess", of: track)
      guard
        let limit = length(excess, of: track, points: usualExcess, share: usualExcessShare)
      else { return [Verdict(track.name, measure, unknown: otherUnit(track, "excess"))] }
      // A transition sets its progress anew, which is no jump.
      let windows =
        track.isOfTransition ? windows(from: rule.from) : rest(from: rule.from).map { [$0] } ?? []
      return windows.flatMap { window in
        track.runs.compactMap { run in
          run.largestJump(from: window.anchor, to: window.end).map {
            var finding = Verdict(track.name, measure, $0.excess, atMost: limit, at: $0.time)
            finding.finding.step = $0.step
            return finding
          }
        }
      }
    }
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
        return Verdict(
          track.name, "back_share", range > 0 ? worst.way / range : 0, atMost: slack,
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
        let stretch = MotionStretch(
          start: window.anchor, end: window.end, release: window.stretch.release)
        let curve = track.curve(from: window.anchor, to: window.end)
        guard
          let metrics = MotionMetrics(
            curve, in: stretch, unit: track.unit, isStep: track.isStep, target: target)
        else { return nil }
        guard let beyond = metrics.overshootPercent ?? (metrics.extent == 0 ? 0 : nil) else {
          return Verdict(
            track.name, measure,
            unknown: "it ends at its start, so it has no distance to overshoot", limit: percent
          )
        }
        return Verdict(
          track.name, measure, beyond, atMost: percent, at: metrics.overshootTime)
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
        let judged = MotionStretch(start: stretch.start, end: stretch.end, release: anchor)
        guard
          let metrics = MotionMetrics(
            curve, in: judged, unit: track.unit, isStep: track.isStep, target: target,
            settlePercent: percent)
        else { return nil }
        let isAlwaysThere =
          metrics.extent == 0 && (target ?? metrics.finalValue) == metrics.finalValue
        guard let settled = metrics.settleSeconds ?? (isAlwaysThere ? 0 : nil) else {
          let place = target ?? metrics.finalValue
          return Verdict(
            track.name, measure,
            unknown:
              "it is not within \(NumberText.short(percent, digits: 6)) % of its distance from "
              + "\(NumberText.short(place, digits: 6)) when it ends, at \(NumberText.short(last.seconds, digits: 6)) s",
            limit: seconds * 1000)
        }
        // What begins later than the instant that counts was not at rest before.
        let wait = settled > 0 ? max(0, first.seconds(since: anchor)) : 0
        return Verdict(
          track.name, measure, (wait + settled) * 1000, atMost: seconds * 1000,
          tolerance: Double(halfFrame) / 1e6,
          at: anchor.advanced(
            byNanoseconds: Int64(exactly: ((wait + settled) * 1e9).rounded()) ?? .max))
      }
    }
  }
}

extension Track.Run {
  /// The step whose speed is furthest from what its two neighbours lead to, by how far it goes too far or too short in
  /// the time of a step; nil for fewer than two steps. They lead to all between their speeds, and beyond them to what
  /// goes on changing as it did from one neighbour's neighbour to the neighbour. Of an element only steps count of which
  /// it is on the screen at one end.
  ///
  /// Neighbours beyond the window count as long as there are any; beyond the first and the last sample all stands still,
  /// as far as anything is known. A step that takes longer than both of its neighbours is judged for as long as
  /// they take: of what stood still nothing is recorded for a while.
  fileprivate func largestJump(from start: Instant, to end: Instant) -> (
    excess: Double, step: Double, time: Instant
  )? {
    let first = times.partitioningIndex { $0 >= start }
    let past = times.partitioningIndex { $0 > end }
    guard past - first > 2 else { return nil }
    func step(_ index: Int) -> (seconds: Double, speed: [Double])? {
      guard index >= 0, index + 1 < times.count else { return nil }
      let seconds = times[index + 1].seconds(since: times[index])
      return (seconds, columns.map { ($0[index + 1] - $0[index]) / seconds })
    }
    if columns.count == 1 { return largestJumpOfOne(first..<past) }
    let still = columns.map { _ in 0.0 }
    var worst = (excess: -1.0, step: 0.0, time: times[first])
    var near = (first - 2...first + 1).map(step)
    for index in first..<past - 1 {
      near.append(step(index + 2))
      defer { near.removeFirst() }
      guard let now = near[2], isVisible.isEmpty || isVisible[index] || isVisible[index + 1] else {
        continue
      }
      let seconds = min(now.seconds, max(near[1]?.seconds ?? 0, near[3]?.seconds ?? 0))
      var excess = distance(
        of: now.speed, from: near[1]?.speed ?? still, to: near[3]?.speed ?? still)
      for (one, other) in [(near[1], near[0]), (near[3], near[4])] {
        guard let one, let other else { continue }
        let share = (now.seconds + one.seconds) / (one.seconds + other.seconds)
        let led = zip(one.speed, other.speed).map { $0 + ($0 - $1) * share }
        excess = min(excess, distance(of: now.speed, from: one.speed, to: led))
      }
      excess *= seconds
      guard !(excess <= worst.excess) else { continue }
      worst = (
        excess, distance(of: now.speed, from: still, to: still) * now.seconds, times[index + 1]
      )
      if excess.isNaN { break }
    }
    return worst.excess < 0 ? (0, 0, worst.time) : worst
  }

  /// The same of one column, without a list for each step.
  private func largestJumpOfOne(_ range: Range<Int>) -> (
    excess: Double, step: Double, time: Instant
  )? {
    let values = columns[0]
    func step(_ index: Int) -> (seconds: Double, speed: Double)? {
      guard index >= 0, index + 1 < times.count else { return nil }
      let seconds = times[index + 1].seconds(since: times[index])
      return (seconds, (values[index + 1] - values[index]) / seconds)
    }
    var worst = (excess: -1.0, step: 0.0, time: times[range.lowerBound])
    var (n0, n1) = (step(range.lowerBound - 2), step(range.lowerBound - 1))
    var (n2, n3) = (step(range.lowerBound), step(range.lowerBound + 1))
    for index in range.lowerBound..<range.upperBound - 1 {
      let n4 = step(index + 2)
      defer { (n0, n1, n2, n3) = (n1, n2, n3, n4) }
      guard let now = n2, isVisible.isEmpty || isVisible[index] || isVisible[index + 1] else {
        continue
      }
      let seconds = min(now.seconds, max(n1?.seconds ?? 0, n3?.seconds ?? 0))
      var excess = distance(of: now.speed, from: n1?.speed ?? 0, to: n3?.speed ?? 0)
      if let n0, let n1 {
        excess = min(excess, distance(of: now, from: n1, after: n0))
      }
      if let n3, let n4 {
        excess = min(excess, distance(of: now, from: n3, after: n4))
      }
      excess *= seconds
      guard !(excess <= worst.excess) else { continue }
      worst = (excess, distance(of: now.speed, from: 0, to: 0) * now.seconds, times[index + 1])
      if excess.isNaN { break }
    }
    return worst.excess < 0 ? (0, 0, worst.time) : worst
  }

  /// How far a speed is from all that its neighbour leads to, if that goes on changing as it did since another step.
  private func distance(
    of now: (seconds: Double, speed: Double), from one: (seconds: Double, speed: Double),
    after other: (seconds: Double, speed: Double)
  ) -> Double {
    let share = (now.seconds + one.seconds) / (one.seconds + other.seconds)
    return distance(
      of: now.speed, from: one.speed, to: one.speed + (one.speed - other.speed) * share)
  }

  /// ``distance(of:from:to:)`` of one column.
  private func distance(of place: Double, from start: Double, to end: Double) -> Double {
    let way = end - start
    let (square, product) = (way * way, way * (place - start))
    let share = square > 0 ? max(0, min(1, product / square)) : 0
    let rest = place - start - share * way
    return (rest * rest).squareRoot()
  }

  /// How far a place is from the straight line between two others.
  private func distance(of place: [Double], from start: [Double], to end: [Double]) -> Double {
    var (square, product) = (0.0, 0.0)
    for column in place.indices {
      let way = end[column] - start[column]
      square += way * way
      product += way * (place[column] - start[column])
    }
    let share = square > 0 ? max(0, min(1, product / square)) : 0
    var sum = 0.0
    for column in place.indices {
      let rest = place[column] - start[column] - share * (end[column] - start[column])
      sum += rest * rest
    }
    return sum.squareRoot()
  }
}
