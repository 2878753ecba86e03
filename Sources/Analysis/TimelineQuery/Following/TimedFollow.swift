import KymographCLibrary
import MotionPhysics

/// How an item follows a source by both their own times, for recordings that do not say what was heard of the source when:
/// x(t) = a + g F(t - τ), where the jump a counts once the source has moved.
///
/// The noise of a frame is that of a place, and that of the time which the place may be off, at the source's speed. Choice
/// and intervals are as of ``HeardFollow``, of the four models with a delay. A frame shows a place that is somewhere between
/// new and one report old, so that no interval of a lag is narrower than that.
package struct TimedFollow: Sendable {
  /// How exact a source is.
  package struct Exactness: Hashable, Sendable {
    /// How exact its values are, in its unit.
    package var value: Double
    /// How far a value's time may be off, in seconds.
    package var time: Double

    /// A finger: pixels, and touches that come each 8 ms.
    package static var finger: Exactness { Exactness(value: 0.4, time: 0.004) }
  }

  /// How far the item is behind, in seconds.
  package let lag: Estimated
  /// Units of the item for one of the source.
  package internal(set) var gain: Estimated
  /// How far the item is ahead of the source once this moves, in the item's unit.
  package let jump: Estimated
  /// The share of the item's variance that the model explains: 1 for all of it.
  package let rSquared: Double
  /// The root of the mean square that the model leaves, in the item's unit; its low end is what the source's exactness does
  /// not explain.
  package let rms: Estimated
  /// When most is left, in seconds.
  package let worst: Double

  /// Whether the lag is known to less than three frames at 60 Hz.
  package var isTold: Bool { lag.width <= TimedFollow.widest }

  /// The lags that are tried, in seconds: no item is ahead by more than its frame's time is off.
  private static let (shortest, longest, step) = (-0.004, 0.16, 0.001)
  /// Half a step and a frame's own spread, in seconds.
  private static let (margin, spread) = (0.0015, 0.001)
  private static let widest = 0.05
  private static let (fewestFrames, mostFrames) = (4, 1024)
  /// The least way of a source, in its exactness: 8 points of a finger.
  private static let leastWay = 20.0
  private static let criterionSlack = 6.0
  /// The least variance that counts, as a share of what the exactness comes to.
  private static let leastVariance = 0.25

  /// Fits an item.
  ///
  /// - Parameters:
  ///   - finger: The source's values by time, in seconds; before the first one it stood there.
  ///   - shown: The item's values by time, from rest on.
  ///   - exactness: How exact the source is.
  /// - Throws: why nothing can be told.
  /// - Complexity: 165 walks along both; of the item's values at most 1,024 count and of the source's 8,192, evenly chosen.
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

    var trials: [Trial] = []
    let steps = Int(((TimedFollow.longest - TimedFollow.shortest) / TimedFollow.step).rounded())
    for step in 0...steps {
      let lag = TimedFollow.shortest + Double(step) * TimedFollow.step
      var (sums, weights) = (FollowSums(), 0.0)
      source.walk(times, behind: lag) { index, place, noise in
        let weight = 1 / (scale * noise)
        weights += log(weight)
        sums.add(place, abs(place) > 1e-9 ? 1 : 0, values[index], weight: weight * weight)
      }
      for candidate in sums.candidates(lag) {
        let likelihood = candidate.squares - 2 * weights
        trials.append(
          Trial(
            candidate: candidate, likelihood: likelihood,
            criterion: candidate.criterion(likelihood, of: count)))
      }
    }
    guard let best = trials.min(by: { $0.criterion < $1.criterion }) else { throw .outOfRange }
    let freedom = max(1, count - best.candidate.count)
    // A recording that is more exact than a browser's shows that by what is left.
    let variance = max(TimedFollow.leastVariance, best.candidate.squares / Double(freedom))
    let quantile = studentQuantile95(degreesOfFreedom: freedom) ?? 0
    let slack = quantile * quantile
    let possible = trials.filter {
      $0.likelihood - best.likelihood <= slack * variance
        && $0.criterion <= best.criterion + TimedFollow.criterionSlack + slack * variance
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
    for trial in trials where inner.holds(trial.candidate.number) {
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
    source.walk(times, behind: best.candidate.number) { index, place, off in
      let shown = best.candidate.gain * place + (abs(place) > 1e-9 ? best.candidate.jump : 0)
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

  /// A model with its numbers.
  private struct Trial {
    var candidate: FollowCandidate
    var likelihood: Double
    var criterion: Double
  }
}

/// A source's values with the speed at each of them.
private struct TimedSource {
  private var times: [Double] = []
  private var values: [Double] = []
  private var speeds: [Double] = []
  private let exactness: TimedFollow.Exactness
  /// The most values that are looked at; of more, evenly chosen ones.
  private static let most = 8192
  /// How far it goes, in its unit.
  let way: Double
  /// What its values and times being off come to at its mean speed, in its unit.
  var typicalNoise: Double {
    let path = zip(values.dropFirst(), values).reduce(0) { $0 + abs($1.0 - $1.1) }
    let late = exactness.time * path / (times[times.count - 1] - times[0])
    return (exactness.value * exactness.value + late * late).squareRoot()
  }

  /// Takes what rises in time and is finite; nil where that is one value or none.
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
    // Parabolas through neighbours; at the ends straight lines.
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

  /// Says for each instant where the source was a lag ago, and how exact that is, in its unit.
  func walk(
    _ instants: [Double], behind lag: Double, _ body: (Int, Double, Double) -> Void
  ) {
    var next = 0
    for (index, instant) in instants.enumerated() {
      let time = instant - lag
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
      body(index, place, (exactness.value * exactness.value + late * late).squareRoot())
    }
  }
}
