import MotionMeasures
import TimelineModel
import TimelineSession

extension MotionSource {
  /// How long after one event another instant comes, the first of each.
  func order(_ rule: MotionExpectation, _ moment: MotionMoment, _ least: Double) -> [Verdict] {
    guard case .event(let name) = rule.subjects.first, let window = rest(from: rule.from) else {
      return []
    }
    let text = MotionSubject.event(name).text
    let measure = "between_ms"
    guard let first = times(of: name).first(where: { $0 >= window.anchor }),
      let second = windows(from: moment).map(\.anchor).filter({ $0 >= window.anchor }).min()
    else {
      return [
        Verdict(
          text, measure, unknown: "it or \(moment.text) does not come in the time that counts")
      ]
    }
    return [
      Verdict(
        text, measure, second.seconds(since: first) * 1000, atLeast: least * 1000,
        // Half of a frame never lets the other order pass.
        tolerance: min(Double(halfFrame) / 1e6, max(0, least * 1000)), at: second,
        note: "until \(moment.text)")
    ]
  }

  /// How evenly frames come.
  func hitches(_ rule: MotionExpectation, _ longest: Double, _ ratio: Double) -> [Verdict] {
    guard let window = rest(from: rule.from) else { return [] }
    let clock = data.frames
    let judged = clock.keeping(clock.times.indices.filter { clock.times[$0] >= window.anchor })
    let metrics = FrameMetrics(judged)
    let name = MotionSubject.frames.text
    guard let intervals = metrics.intervals, let hitches = metrics.hitchRatio else {
      return [
        Verdict(name, "longest_ms", unknown: "there are no two frames in the time that counts")
      ]
    }
    let judgesAll = !judged.isMoving.contains(true)
    let worst = judged.times.indices.dropFirst().first { index in
      (judgesAll || judged.isMoving[index - 1])
        && judged.times[index].seconds(since: judged.times[index - 1]) == intervals.longest
    }
    return [
      Verdict(
        name, "longest_ms", intervals.longest * 1000, atMost: longest * 1000,
        at: worst.map { judged.times[$0] }),
      Verdict(
        name, Measure.hitchRatio.rawValue, hitches, atMost: ratio,
        at: metrics.lateFrames.first.map { judged.times[$0] }),
    ]
  }
}
