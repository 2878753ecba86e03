import KymographCLibrary
import MotionPhysics
package import TimelineModel

/// How an item follows a source by both their own times, for recordings that do not say what was heard of the source when:
/// x(t) = a + g F(t - τ), where the jump a counts once the source has moved, or the same eased: in each frame the item covers
/// a share of the way that is left. Its lag is then the one that it comes to at constant speed.
///
/// The noise of a frame is that of a place, and that of the time which the place may be off, at the source's speed. Choice
/// and intervals are as of ``DispatchedFollow``. A frame shows a place that is somewhere between new and one report old, so that
/// no interval of a lag is narrower than that.
package struct TimedFollow: Sendable {
  /// How exact a source is.
  package struct Exactness: Hashable, Sendable {
    /// How exact its values are, in its unit.
    package var value: Double
    /// How far a value's time may be off, in seconds.
    package var time: Double

    package init(value: Double, time: Double) {
      self.value = value
      self.time = time
    }

    /// A finger: pixels, and touches that come each 8 ms.
    package static var finger: Exactness { Exactness(value: 0.4, time: 0.004) }
  }

  /// How far the item is behind, in seconds.
  package let lag: Estimated
  /// Units of the item for one of the source.
  package private(set) var gain: Estimated
  /// How far the item is ahead of the source once this moves, in the item's unit.
  package let jump: Estimated
  /// The share of the item's variance that the model explains: 1 for all of it.
  package let rSquared: Double
  /// The root of the mean square that the model leaves, in the item's unit. Its low end is what the source's exactness does
  /// not explain.
  package let rms: Estimated
  /// When most is left, in seconds.
  package let worst: Double

  /// Whether the lag is known to less than three frames at 60 Hz.
  package var isTold: Bool { lag.width <= TimedFollow.widest }

  /// Half a step and a frame's own spread, in seconds.
  private static let (margin, spread) = (0.0015, 0.001)
  private static let widest = 0.05
  private static let (fewestFrames, mostFrames) = (4, 1024)
  /// The least way of a source, in its exactness: 8 points of a finger.
  private static let leastWay = 20.0
  private static let criterionSlack = 6.0
  /// The same of the family that does not fit best: above it there is considerably less support (K. Burnham and D. Anderson,
  /// Multimodel inference, 2004).
  private static let familySlack = 4.0
  /// The least variance that counts, as a share of what the exactness comes to.
  private static let leastVariance = 0.25
  /// The same of an eased item, which carries how far one place was off into the next ones, so that they say less.
  private static let leastEasedVariance = 3.0

  /// Fits an item.
  ///
  /// - Parameters:
  ///   - finger: The source's values by time, in seconds. Before the first one it stood there.
  ///   - shown: The item's values by time, from rest on.
  ///   - exactness: How exact the source is.
  /// - Throws: why nothing can be told.
  /// - Complexity: 285 walks along both. Of the item's values at most 1,024 count and of the source's 8,192, evenly chosen.
  package init(
    finger: (times: [Double], values: [Double]), shown: (times: [Double], values: [Double]),
    exactness: Exactness = .finger
  ) throws(TooShortToTell) {
    guard let source = TimedSource(finger, exactness) else { throw .fewFrames }
    var (times, values): ([Double], [Double]) = ([], [])
    let given = min(shown.times.count, shown.values.count)
    let every = (given + TimedFollow.mostFrames - 1) / TimedFollow.mostFrames
    for index in stride(from: 0, to: given, by: max(1, every))
    where shown.times[index].isFinite && abs(shown.values[index]) < 1e12
      && shown.times[index] > times.last ?? -.infinity
    {
      times.append(shown.times[index])
      values.append(shown.values[index] - (shown.values.first ?? 0))
    }
    let count = times.count
    guard count >= TimedFollow.fewestFrames else { throw .fewFrames }
    guard source.way >= TimedFollow.leastWay * exactness.value else { throw .littleWay }
    let extent = (values.max() ?? 0) - (values.min() ?? 0)
    guard extent > 0 else { throw .noMotion }
    // The source's noise in the item's unit.
    let scale = extent / source.way

    let frames = TimedFrames(times)
    var trials: [Trial] = []
    for model in TimedModel.all {
      var (sums, weights) = (FollowSums(), 0.0)
      source.walk(frames, model) { index, place, step, noise in
        let weight = 1 / (scale * noise)
        weights += log(weight)
        sums.add(place, step, values[index], weight: weight * weight)
      }
      for var candidate in sums.candidates(model.lag(of: frames.interval)) {
        if model.share != nil { candidate.count += 1 }
        let likelihood = candidate.squares - 2 * weights
        trials.append(
          Trial(
            model: model, candidate: candidate, likelihood: likelihood,
            criterion: candidate.criterion(likelihood, of: count)))
      }
    }
    guard let best = trials.min(by: { $0.criterion < $1.criterion }) else { throw .outOfRange }
    let freedom = max(1, count - best.candidate.count)
    // A recording that is more exact than a browser's shows that by what is left.
    let variance = max(TimedFollow.leastVariance, best.candidate.squares / Double(freedom))
    let quantile = studentQuantile95(degreesOfFreedom: freedom) ?? 0
    let slack = quantile * quantile
    // Which family it is, the criterion alone says. Within one, the likelihood excludes, too.
    var possible: [Trial] = []
    for isEased in [false, true] {
      let family = trials.filter { $0.model.isEased == isEased }
      guard let own = family.min(by: { $0.criterion < $1.criterion }) else { continue }
      let room = slack * (isEased ? max(variance, TimedFollow.leastEasedVariance) : variance)
      let most =
        best.criterion
        + (isEased == best.model.isEased
          ? TimedFollow.criterionSlack + room : TimedFollow.familySlack)
      possible += family.filter {
        $0.likelihood - own.likelihood <= room && $0.criterion <= most
      }
    }
    func bounds(_ trials: [Trial], _ number: (FollowCandidate) -> Double) -> Estimated {
      let numbers = trials.map { number($0.candidate) }
      let value = number(best.candidate)
      return Estimated(value, low: numbers.min() ?? value, high: numbers.max() ?? value)
    }
    let lag = bounds(possible, \.number).widened(by: TimedFollow.margin)
    let least = exactness.time + TimedFollow.spread
    self.lag = Estimated(
      lag.value, low: min(lag.low, lag.value - least), high: max(lag.high, lag.value + least))
    // Gain and jump are those of any lag that is possible, and times that are off all the same way look like either.
    var near: [Trial] = []
    let exact = min(1, variance.squareRoot())
    let inner = Estimated(
      lag.value, low: min(lag.low, lag.value - least * exact),
      high: max(lag.high, lag.value + least * exact))
    for trial in trials
    where inner.holds(trial.candidate.number) && trial.model.isEased == best.model.isEased {
      if near.last?.candidate.number != trial.candidate.number {
        near.append(trial)
      } else if let last = near.last, trial.criterion < last.criterion {
        near[near.count - 1] = trial
      }
    }
    let off = exact * scale * source.typicalNoise
    gain = bounds(possible + near, \.gain).widened(by: off / source.way)
    jump = bounds(possible + near, \.jump).widened(by: off)

    var (rest, noise, most, worst) = (0.0, 0.0, -1.0, times[0])
    source.walk(frames, best.model) { index, place, step, off in
      let shown = best.candidate.gain * place + best.candidate.jump * step
      let left = values[index] - shown
      rest += left * left
      noise += scale * off * scale * off
      if abs(left) > most { (most, worst) = (abs(left), times[index]) }
    }
    self.worst = worst
    rms = Estimated(rootMeanSquareOf: rest, noise: noise, count: count)
    let mean = values.reduce(0, +) / Double(count)
    let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    rSquared = square > 0 ? 1 - rest / square : 0
  }

  /// The same for a source in another unit.
  func scaled(by factor: Double) -> TimedFollow {
    var follow = self
    follow.gain = gain.scaled(by: factor)
    return follow
  }

  /// A model with its numbers.
  private struct Trial {
    var model: TimedModel
    var candidate: FollowCandidate
    var likelihood: Double
    var criterion: Double
  }
}

/// What an item does with a source's places.
private struct TimedModel: Hashable {
  /// How old the places are that a frame is made of, in seconds.
  var delay: Double
  /// The share of its way that an item covers in a frame. `nil`: all of it.
  var share: Double?

  var isEased: Bool { share != nil }

  /// How far it is behind the source at constant speed, in seconds.
  func lag(of frame: Double) -> Double { delay + (share.map { frame * (1 - $0) / $0 } ?? 0) }

  /// Delays: no item is ahead by more than its frame's time is off. Eased, the places are as old as those of a page that
  /// shows at once what it hears.
  static let all: [TimedModel] =
    (0...164).map { TimedModel(delay: -0.004 + Double($0) * 0.001) }
    + (0..<30).flatMap { step in
      let share = 0.06 * exp(log(0.95 / 0.06) * Double(step) / 29)
      return [0, 0.004, 0.008, 0.012].map { TimedModel(delay: $0, share: share) }
    }
}

/// The instants at which an item was shown, in seconds.
private struct TimedFrames {
  let times: [Double]
  /// The usual time from one to the next.
  let interval: Double

  init(_ times: [Double]) {
    self.times = times
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    interval = intervals.upperMedian ?? 1
  }
}

/// A source's values with the speed at each of them.
private struct TimedSource {
  private var times: [Double] = []
  private var values: [Double] = []
  private var speeds: [Double] = []
  private let exactness: TimedFollow.Exactness
  /// The most values that are looked at. Of more, evenly chosen ones.
  private static let most = 8192
  /// How far it goes, in its unit.
  let way: Double
  /// What its values and times being off come to at its mean speed, in its unit.
  var typicalNoise: Double {
    let path = zip(values.dropFirst(), values).reduce(0) { $0 + abs($1.0 - $1.1) }
    let late = exactness.time * path / (times[times.count - 1] - times[0])
    return (exactness.value * exactness.value + late * late).squareRoot()
  }

  /// Takes what rises in time and is finite. `nil` where that is one value or none.
  init?(_ given: (times: [Double], values: [Double]), _ exactness: TimedFollow.Exactness) {
    self.exactness = exactness
    let count = min(given.times.count, given.values.count)
    let every = (count + TimedSource.most - 1) / TimedSource.most
    for (time, value) in stride(from: 0, to: count, by: max(1, every)).lazy.map({
      (given.times[$0], given.values[$0])
    })
    where time.isFinite && abs(value) < 1e12 && time > times.last ?? -.infinity {
      times.append(time)
      values.append(value)
    }
    guard let first = values.first, values.count > 1, exactness.value > 0 else { return nil }
    for index in values.indices { values[index] -= first }
    way = (values.max() ?? 0) - (values.min() ?? 0)
    // Parabolas through neighbours. At the ends straight lines.
    for index in values.indices {
      let (before, after) = (max(0, index - 1), min(values.count - 1, index + 1))
      let straight = (values[after] - values[before]) / (times[after] - times[before])
      guard before < index, index < after else {
        speeds.append(straight)
        continue
      }
      let (one, two) = (times[index] - times[before], times[after] - times[index])
      let (left, right) = (
        (values[index] - values[before]) / one, (values[after] - values[index]) / two
      )
      speeds.append((left * two + right * one) / (one + two))
    }
  }

  /// Says for each frame where an item of gain 1 without a jump is, the share of a jump, and how exact the place is, in
  /// the source's unit.
  func walk(
    _ frames: TimedFrames, _ model: TimedModel, _ body: (Int, Double, Double, Double) -> Void
  ) {
    var next = 0
    var eased = (place: 0.0, step: 0.0)
    for (index, instant) in frames.times.enumerated() {
      let time = instant - model.delay
      while next < times.count, times[next] <= time { next += 1 }
      let (place, speed): (Double, Double)
      if next == 0 {
        (place, speed) = (0, speeds[0])
      } else if next == times.count {
        (place, speed) = (values[next - 1], speeds[next - 1])
      } else {
        let share = (time - times[next - 1]) / (times[next] - times[next - 1])
        place = values[next - 1] + share * (values[next] - values[next - 1])
        speed = speeds[next - 1] + share * (speeds[next] - speeds[next - 1])
      }
      // A time that is off by at most so much is spread evenly.
      let late = exactness.time / 3.0.squareRoot() * speed
      let noise = (exactness.value * exactness.value + late * late).squareRoot()
      let step = abs(place) > 1e-9 ? 1.0 : 0
      guard let share = model.share else {
        body(index, place, step, noise)
        continue
      }
      // A frame that was not shown covers its share all the same.
      let passed = index > 0 ? (instant - frames.times[index - 1]) / frames.interval : 1
      let covered = abs(passed - 1) < 0.1 ? share : 1 - pow(1 - share, passed)
      eased.place += covered * (place - eased.place)
      eased.step += covered * (step - eased.step)
      body(index, eased.place, eased.step, noise)
    }
  }
}
