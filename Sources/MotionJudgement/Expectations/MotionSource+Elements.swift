import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineSession

extension MotionSource {
  /// How far elements are outside of a rectangle.
  func stays(_ rule: MotionExpectation, _ rect: Rect2D, _ slack: Double) throws -> [Verdict] {
    guard let window = rest(from: rule.from) else { return [] }
    return try findings(of: rule.subjects) { track in
      var worst: (outside: Double, time: Instant)?
      var (low, high) = (0.0, 0.0)
      for run in track.runs {
        for index in run.times.partitioningIndex(where: { $0 >= window.anchor })..<run.times.count {
          let values = run.values(index)
          // A place is a frame without extent.
          let (right, bottom) = values.count > 2 ? (values[2], values[3]) : (values[0], values[1])
          let (outside, time) = (
            max(
              rect.minX - values[0], rect.minY - values[1], right - rect.maxX, bottom - rect.maxY),
            run.times[index]
          )
          let noise = errors.noise(ofKey: track.name, values, at: time)
          (low, high) = (max(low, outside - noise), max(high, outside + noise))
          if max(0, outside) > worst?.outside ?? -1 { worst = (max(0, outside), time) }
        }
      }
      return worst.map {
        [
          Verdict(
            track.name, "outside_pt", $0.outside, atMost: slack, bounds: low...high,
            at: $0.outside > 0 ? $0.time : nil)
        ]
      } ?? []
    }
  }

  /// How elements set off one after the other.
  func staggers(
    _ rule: MotionExpectation, _ step: Double, _ tolerance: Double,
    _ moved: MotionExpectation.Extent?
  ) throws -> [Verdict] {
    let measure = "gap_ms"
    let windows = windows(from: rule.from)
    // Of each track its name, and when it sets off in each window.
    var all: [(name: String, onsets: [SettingOff])] = []
    try forEachTrack(of: rule.subjects) { track in
      let least = moved.map { length($0, of: track, points: 0, share: 0) }
      let onsets = windows.map { window -> SettingOff in
        // A distance in points says nothing of another unit.
        if case .some(nil) = least { return SettingOff() }
        let samples = track.samples(from: window.anchor, to: window.end)
        func onset(_ error: Double) -> Instant? {
          Onset.instant(
            samples.times, samples.columns, unit: track.unit, beyond: least.flatMap { $0 },
            and: error)
        }
        let noise = errors.noise(
          ofKey: track.name, samples.columns.compactMap(\.first), at: window.anchor)
        let instant = onset(0)
        return noise == 0
          ? SettingOff(instant: instant, earliest: instant, latest: instant)
          : SettingOff(instant: instant, earliest: onset(-noise), latest: onset(noise))
      }
      all.append((track.name, onsets))
    }
    guard all.count > 1 else {
      return [
        Verdict(
          all.first?.name ?? "", measure,
          unknown: "it is alone, and the requirement needs two elements")
      ]
    }
    var found: [Verdict] = []
    for number in windows.indices {
      let onsets = all.map { $0.onsets[number] }
      // Where nothing moves at all another transition ran.
      guard onsets.contains(where: { $0.instant != nil }) else { continue }
      for index in all.indices.dropFirst() {
        guard let before = onsets[index - 1].instant, let onset = onsets[index].instant else {
          let still = onsets[index].instant == nil ? all[index] : all[index - 1]
          found.append(Verdict(all[index].name, measure, unknown: "\(still.name) does not set off"))
          continue
        }
        guard let gaps = onsets[index].gaps(since: onsets[index - 1]) else {
          found.append(
            Verdict(
              all[index].name, measure,
              unseen: "it sets off by less than its positions are known to", limit: step * 1000))
          continue
        }
        let gap = onset.seconds(since: before)
        let off = [gaps.lowerBound - step, gaps.upperBound - step].map { abs($0) * 1000 }
        let least = gaps.contains(step) ? 0 : min(off[0], off[1])
        var verdict = Verdict(
          all[index].name, measure, abs(gap - step) * 1000, atMost: tolerance * 1000,
          // Half of a frame never lets the other order pass.
          tolerance: gap * step < 0 ? 0 : Double(halfFrame) / 1e6,
          bounds: least...max(off[0], off[1]), at: onset)
        verdict.finding.value = gap * 1000
        verdict.finding.interval = verdict.finding.interval.map { _ in
          gaps.lowerBound * 1000...gaps.upperBound * 1000
        }
        let most = verdict.limit ?? 0
        verdict.limit = step * 1000 + (gap > step ? most : -most)
        found.append(verdict)
      }
    }
    return found.isEmpty
      ? [Verdict(all[0].name, measure, unknown: "nothing of it sets off")] : found
  }

  /// When elements are shown.
  func appearances(
    _ rule: MotionExpectation, _ seconds: Double, _ alpha: Double
  ) throws -> [Verdict] {
    let measure = "shown_ms"
    return try rule.subjects.flatMap { subject -> [Verdict] in
      guard case .item(let id, _) = subject else { return [] }
      return try tracks(of: .item(id, .alpha)).flatMap { track -> [Verdict] in
        let name = String(track.name.dropLast(".\(ItemAttribute.alpha.rawValue)".count))
        return windows(from: rule.from).map { window in
          let anchor =
            rule.from == nil
            ? window.stretch.release ?? beginning(of: window.stretch) : window.anchor
          let noise = errors.noise(ofKey: track.name, [alpha], at: anchor)
          /// When it may be shown, if its opacity is off by so much: nobody is more than opaque.
          func reach(_ off: Double) -> Double? {
            let level = off > 0 ? max(alpha, min(1, alpha + off)) : alpha + off
            return track.firstReach(level, from: anchor, to: window.end).map {
              max(0, $0.seconds(since: anchor)) * 1000
            }
          }
          let early = noise > 0 ? reach(-noise) : nil
          if let early, reach(noise) == nil, early <= seconds * 1000 + Double(halfFrame) / 1e6 {
            return Verdict(
              name, measure,
              unseen: "its opacity is known to \(NumberText.short(noise, digits: 2))",
              limit: seconds * 1000)
          }
          guard let shown = track.firstReach(alpha, from: anchor, to: window.end) else {
            return Verdict(
              name, measure,
              unknown: "it is not shown with an opacity of \(NumberText.short(alpha, digits: 6))",
              limit: seconds * 1000)
          }
          return Verdict(
            name, measure, max(0, shown.seconds(since: anchor)) * 1000, atMost: seconds * 1000,
            tolerance: Double(halfFrame) / 1e6,
            bounds: early.flatMap { early in
              reach(noise).map { early...$0 + 1000 * unseenSeconds(before: anchor) }
            }, at: shown)
        }
      }
    }
  }

  /// How near frames come to each other.
  func gaps(_ rule: MotionExpectation, _ gap: Double) throws -> [Verdict] {
    let measure = "gap_pt"
    let all = try rule.subjects.flatMap(tracks)
    guard all.count > 1, let window = rest(from: rule.from) else {
      return [
        Verdict(
          all.first?.name ?? "", measure,
          unknown: "it is alone, and the requirement needs two elements")
      ]
    }
    var cursors = all.map { FrameCursor($0) }
    let times = Set(all.flatMap { $0.runs.flatMap(\.times) }).filter { $0 >= window.anchor }
      .sorted()
    var worst: (gap: Double, one: Int, other: Int, time: Instant)?
    var (low, high) = (Double.infinity, Double.infinity)
    for time in times {
      var shown: [(position: Int, frame: [Double])] = []
      for position in cursors.indices {
        if let frame = cursors[position].frame(at: time) { shown.append((position, frame)) }
      }
      shown.sort { ($0.frame[0], $0.position) < ($1.frame[0], $1.position) }
      for (index, one) in shown.enumerated() {
        for other in shown[(index + 1)...] {
          // All behind it begin further right.
          if let worst, other.frame[0] - one.frame[2] > worst.gap { break }
          let distance = distance(one.frame, other.frame)
          let noise = [one, other].reduce(0) {
            $0 + errors.noise(ofKey: all[$1.position].name, $1.frame, at: time)
          }
          (low, high) = (min(low, distance - noise), min(high, distance + noise))
          if distance < worst?.gap ?? .infinity {
            worst = (
              distance, min(one.position, other.position), max(one.position, other.position), time
            )
          }
        }
      }
    }
    guard let worst else {
      return [Verdict(all[0].name, measure, unknown: "no two of them are ever shown together")]
    }
    return [
      Verdict(
        "\(all[worst.one].name), \(all[worst.other].name)", measure, worst.gap, atLeast: gap,
        bounds: low...high, at: worst.time)
    ]
  }

  /// The distance of two frames. Below 0 where they overlap, by how far one would have to move.
  private func distance(_ one: [Double], _ other: [Double]) -> Double {
    let across = max(other[0] - one[2], one[0] - other[2])
    let down = max(other[1] - one[3], one[1] - other[3])
    return across > 0 && down > 0
      ? (across * across + down * down).squareRoot() : max(across, down)
  }
}

/// When an element sets off.
private struct SettingOff {
  var instant: Instant?
  /// By how exactly its positions are known. `nil`: it cannot be told.
  var earliest: Instant?
  var latest: Instant?

  /// How long it may set off after another one, in seconds. `nil`: it cannot be told.
  func gaps(since other: SettingOff) -> ClosedRange<Double>? {
    guard let earliest, let latest, let first = other.earliest, let last = other.latest else {
      return nil
    }
    let gaps = [earliest.seconds(since: last), latest.seconds(since: first)]
    return min(gaps[0], gaps[1])...max(gaps[0], gaps[1])
  }
}

extension Track {
  /// When a value is first at least so large. At its start where it is so when a run begins.
  fileprivate func firstReach(_ level: Double, from start: Instant, to end: Instant) -> Instant? {
    for run in runs {
      for index in run.times.indices where run.times[index] <= end {
        guard run.columns[0][index] >= level else { continue }
        if run.times[index] >= start {
          guard index > 0, !isStep, run.columns[0][index - 1] < level else {
            return run.times[index]
          }
          return max(start, run.sample(index - 1).crossing(level, to: run.sample(index)))
        }
        // Shown already, and still at the instant that counts.
        let next = index + 1
        if next < run.times.count ? run.times[next] > start : run.times[index] == start {
          return start
        }
      }
    }
    return nil
  }
}

/// Goes through the frames of an element in the order of time.
private struct FrameCursor {
  private let runs: [Track.Run]
  private var run = 0
  private var index = 0

  init(_ track: Track) { runs = track.runs }

  /// Left, top, right and bottom at an instant that is not before the one asked about last. `nil` while it is not shown.
  mutating func frame(at time: Instant) -> [Double]? {
    while run < runs.count, let last = runs[run].times.last, last < time {
      (run, index) = (run + 1, 0)
    }
    guard run < runs.count, runs[run].times[0] <= time else { return nil }
    let times = runs[run].times
    while index + 1 < times.count, times[index + 1] <= time { index += 1 }
    let here = runs[run].values(index)
    guard times[index] < time, index + 1 < times.count else { return here }
    let there = runs[run].values(index + 1)
    let share = time.seconds(since: times[index]) / times[index + 1].seconds(since: times[index])
    return zip(here, there).map { lerp($0, $1, share) }
  }
}
