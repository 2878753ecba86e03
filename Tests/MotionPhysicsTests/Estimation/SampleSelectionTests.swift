import MotionPhysics
import TestSupport
import Testing
import TimelineModel

/// The rules of a window as one reads them: forward through the recording, one list that grows.
private func plainSelection(
  _ samples: [Sample], _ resampled: [Bool], lift: Instant, _ window: EstimationWindow
) -> (selected: [Sample], hasStopped: Bool, leftOut: LeftOutSamples) {
  var leftOut = LeftOutSamples()
  var accepted: [Sample] = []
  var (before, gone) = (Double?.none, 0.0)
  for (index, raw) in samples.enumerated() where raw.time <= lift {
    let isMeasured = raw.value.isFinite && !(index < resampled.count && resampled[index])
    let isBackward = accepted.last.map { raw.time < $0.time } ?? false
    if isMeasured, isBackward, window.backward == .leaveOutMovement, let before {
      gone += raw.value - before
    }
    if isMeasured { before = raw.value }
    let sample = gone == 0 ? raw : Sample(time: raw.time, value: raw.value - gone)
    if !sample.value.isFinite {
      leftOut[.notFinite] += 1
    } else if index < resampled.count, resampled[index] {
      leftOut[.resampled] += 1
    } else if let newest = accepted.last, sample.time < newest.time, window.backward != .keep {
      leftOut[.backward] += 1
    } else if let newest = accepted.last, case .merge(let nanoseconds) = window.duplicates,
      sample.time.nanoseconds(since: newest.time) <= nanoseconds
    {
      leftOut[sample.time < newest.time ? .backward : .duplicate] += 1
    } else if let newest = accepted.last, newest.time == sample.time, window.duplicates != .keep {
      leftOut[.duplicate] += 1
      if window.duplicates == .replace { accepted[accepted.count - 1] = sample }
    } else {
      accepted.append(sample)
    }
  }
  guard let newest = accepted.last else { return ([], false, leftOut) }
  let rest = lift.nanoseconds(since: newest.time)
  let most = window.liftGapNanoseconds ?? window.stopGapNanoseconds
  if accepted.count > 1, rest > most || window.stopGapIncludesItsEnd && rest == most {
    leftOut[.gap] += accepted.count
    return ([], true, leftOut)
  }
  var selected: [Sample] = []
  let origin = window.ageOrigin == .lift ? lift : newest.time
  for sample in accepted.reversed() {
    let left = accepted.count - selected.count
    if selected.count >= max(1, window.historyLimit) {
      leftOut[.history] += left
      break
    }
    if let next = selected.first {
      let gap = abs(next.time.nanoseconds - sample.time.nanoseconds)
      if gap > window.stopGapNanoseconds
        || window.stopGapIncludesItsEnd && gap == window.stopGapNanoseconds
      {
        leftOut[.gap] += left
        break
      }
    }
    let aged = window.ageMeasure == .segmentEnd ? selected.first ?? sample : sample
    let age = origin.nanoseconds - aged.time.nanoseconds
    let isNewest = selected.isEmpty && window.ageOrigin == .newestSample
    if !isNewest,
      age > window.horizonNanoseconds
        || !window.horizonIncludesItsEnd && age == window.horizonNanoseconds
    {
      leftOut[.age] += left
      break
    }
    selected.insert(sample, at: 0)
  }
  return (selected, false, leftOut)
}

@Suite struct SampleSelectionTests {
  /// A drag in whole milliseconds with rests, doubled and backward times, numbers that are none,
  /// marks, and samples after the lift.
  private func messyDrag(_ dice: inout SplitMix, tidy: Bool) -> ([Sample], [Bool], Instant) {
    var time: Int64 = 0
    let rows = (0..<Int.random(in: 0...60, using: &dice)).map { _ in
      let kind = tidy ? 20 : Int.random(in: 0...20, using: &dice)
      let step: Int64 =
        switch kind {
        case 0: 0
        case 1: -Int64.random(in: 1...30, using: &dice)
        case 2: 40
        case 3: Int64.random(in: 39...90, using: &dice)
        case 4: 5
        default: Int64.random(in: 1...12, using: &dice)
        }
      time += step
      let value = kind == 5 ? Double.nan : Double.random(in: -9...9, using: &dice)
      return Sample(time: instant(milliseconds: time), value: value)
    }
    let marks = tidy ? [] : rows.map { _ in Int.random(in: 0...9, using: &dice) == 0 }
    let newest = rows.map(\.time).max() ?? .zero
    let lift = newest.advanced(
      byNanoseconds: [-30_000_000, 0, 8_000_000, 40_000_000, 80_000_000, 150_000_000].randomElement(
        using: &dice) ?? 0)
    return (rows, marks, lift)
  }

  private func windows() -> [EstimationWindow] {
    var short = EstimationWindow(
      name: "short", horizonNanoseconds: 30_000_000, stopGapNanoseconds: 11_000_000, historyLimit: 4
    )
    short.duplicates = .skip
    return EstimationPreset.allCases.flatMap { preset in
      [Estimator.lsq2, .int1, .ios3, .impulse].map { preset.window(for: $0) }
    } + [.android, short]
  }

  @Test func `what counts is what the rules say, read forward`() {
    var dice = SplitMix(seed: 5)
    for round in 0..<400 {
      let (rows, marks, lift) = messyDrag(&dice, tidy: round % 4 == 0)
      for window in windows() {
        let plain = plainSelection(rows, marks, lift: lift, window)
        let estimate = Estimator.mean.estimate(rows, resampled: marks, lift: lift, window: window)
        #expect(estimate.sampleCount == plain.selected.count)
        #expect(estimate.leftOut == plain.leftOut, "\(window.name), \(rows), lift \(lift)")
        var whole = window
        whole.horizonNanoseconds = EstimationWindow.unlimited
        whole.stopGapNanoseconds = EstimationWindow.unlimited
        whole.liftGapNanoseconds = EstimationWindow.unlimited
        whole.historyLimit = .max
        whole.duplicates = .keep
        if !plain.hasStopped {
          let alone = Estimator.lsq2.velocity(plain.selected, lift: lift, window: whole)
          #expect(
            Estimator.lsq2.velocity(rows, resampled: marks, lift: lift, window: window) == alone)
        }
      }
    }
  }

  @Test func `the story gives each sample the reason that is counted`() {
    var dice = SplitMix(seed: 6)
    for _ in 0..<200 {
      let (rows, marks, lift) = messyDrag(&dice, tidy: false)
      for window in windows() {
        let estimate = Estimator.lsq1.estimate(rows, resampled: marks, lift: lift, window: window)
        let story = Estimator.lsq1.story(of: rows, resampled: marks, lift: lift, window: window)
        #expect(story.map(\.index) == rows.indices.filter { rows[$0].time <= lift })
        #expect(story.count { $0.reason == nil } == estimate.sampleCount)
        for reason in LeftOutSamples.Reason.allCases {
          #expect(story.count { $0.reason == reason } == estimate.leftOut[reason])
        }
        #expect(story.allSatisfy { ($0.weight > 0) == ($0.reason == nil) })
        let answers = story.compactMap(\.leaveOneOut)
        #expect(answers.min() == estimate.leaveOneOutLow)
        #expect(answers.max() == estimate.leaveOneOutHigh)
      }
    }
  }

  @Test func `a long drag is told by its end, tidy or not`() {
    let long = (0..<100_000 as Range<Int64>).map {
      Sample(time: instant(milliseconds: $0 * 8), value: Double($0 % 17) + Double($0))
    }
    let lift = long[long.count - 1].time
    var untidy = long
    untidy[50_000].value = .nan
    untidy[60_000].time = untidy[59_999].time
    for estimator in [Estimator.lsq2, .kalmanConstantVelocity] {
      let end = estimator.estimate(Array(long.suffix(40)), lift: lift)
      var whole = estimator.estimate(long, lift: lift)
      #expect(whole.leftOut[.age] == 100_000 - whole.sampleCount)
      whole.leftOut = end.leftOut
      #expect(whole == end)
      #expect(estimator.velocity(untidy, lift: lift) == end.velocity)
    }
    // One sample from the future makes all that come after it backward.
    let ahead = [Sample(time: lift, value: 0)] + long.dropLast()
    let estimate = Estimator.lsq2.estimate(ahead, lift: lift)
    #expect(estimate.leftOut[.backward] == 99_999)
    #expect(estimate.velocity == nil)
    #expect(estimate.sampleCount == 1)
  }
}
