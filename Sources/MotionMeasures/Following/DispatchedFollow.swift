import KymographCLibrary
import MotionPhysics
package import TimelineModel

/// How an item follows a finger, from what the page had heard of the finger in each frame.
///
/// Two families of models, each with the gain fixed at 1 or free and the jump fixed at 0 or free, so that there are eight:
/// - delay k: x = g P(i - k) + a, between frames on the straight line;
/// - lerp α: in each frame x covers the share α of what is left of its way to g P + a.
///
/// The model with the least corrected Akaike criterion is taken. An interval holds each number of each model that neither
/// the likelihood (Student's t for 90 %) nor the criterion (6 more than that) excludes, so that a lag that a gain or a jump
/// explains as well shows as a wide interval. With five frames or fewer it holds every model that runs through them.
package struct DispatchedFollow: Sendable {
  /// What an item does with the places that its page heard.
  package enum Model: Hashable, Sendable {
    /// It shows a place some frames later.
    case delay
    /// It covers a share of the way in each frame.
    case lerp
  }

  /// The model that fits best.
  package let model: Model
  /// The models that are possible.
  package let models: Set<Model>
  /// The page's own lag, in frames: k, or (1 - α)/α, which a lerp comes to at constant speed.
  package internal(set) var own: Estimated
  /// Points of the item for a point of the finger.
  package private(set) var gain: Estimated
  /// How far the item is ahead of the finger once this moves, in points. A dead zone is behind it.
  package private(set) var jump: Estimated
  /// Of a lerp, the share of the way that a frame covers. `nil` of a delay.
  package let alpha: Estimated?
  /// The share of the item's variance that the model explains: 1 for all of it.
  package let rSquared: Double
  /// The root of the mean square that the model leaves, in points. Its low end is what no possible model and the
  /// places' exactness explain.
  package private(set) var rms: Estimated
  /// The frame in which most is left.
  package let worst: Int
  /// How many frames tell something: those in which the item had moved, and one.
  package let frameCount: Int

  /// Whether only one model is possible.
  package var isDecided: Bool { models.count == 1 }
  /// Whether the lag is known to less than three frames.
  package var isTold: Bool { own.width <= DispatchedFollow.widest }

  /// Whether it shows all that was heard at once, without a jump, but for a distance in points.
  func isAtFinger(within noise: Double) -> Bool {
    rms.value <= noise && abs(jump.value) <= noise && own.value < Self.atOnce
  }

  /// How exact the places of an item are, in points.
  package static let noise = 0.3
  /// A page whose own lag is less than so many frames shows what it heard at once.
  package static let atOnce = 0.5
  /// The most frames that are looked at, from the first one on: 8 s at 120 Hz.
  package static let mostFrames = 1024
  /// The fewest frames, and the least way of the finger in points, of which something can be told.
  private static let (fewestFrames, leastWay) = (4, 8.0)
  /// An interval of a lag above this, in frames, says nothing.
  private static let widest = 3.0
  /// The most frames by which all models that run through them are possible, and the squares of the noise up to which they
  /// do.
  private static let (fewFrames, through) = (5, 8.0)
  /// The step of the delays that are tried, and what is added to an interval for it, in frames.
  private static let (delayStep, margin) = (0.125, 0.05)
  /// The longest delay in frames.
  private static let longestDelay = 9.0
  private static let shares = (least: 0.06, most: 0.95, last: 0.98, count: 90)
  /// By what a step of the shares is wider than the next.
  private static let shareMargin = 0.015
  /// By how much a criterion may be worse than the best, besides what the likelihood allows.
  private static let criterionSlack = 6.0

  /// Fits an item.
  ///
  /// - Parameters:
  ///   - heard: For each frame the place that the page had heard of last, in points. The first is where the finger landed.
  ///   - shown: For each frame the item's place, in points. The first is where it rested.
  ///   - noise: How exact places are, in points.
  /// - Throws: why nothing can be told.
  /// - Complexity: 330 sums over at most ``mostFrames`` frames.
  package init(
    heard: [Double], shown: [Double], noise: Double = DispatchedFollow.noise
  ) throws(TooShortToTell) {
    let count = min(heard.count, shown.count, DispatchedFollow.mostFrames)
    guard count >= DispatchedFollow.fewestFrames else { throw .fewFrames }
    let places = heard.prefix(count).map { $0 - heard[0] }
    let values = shown.prefix(count).map { $0 - shown[0] }
    guard (places + values).allSatisfy({ abs($0) < 1e9 }), noise > 0 else { throw .outOfRange }
    let way = (places.max() ?? 0) - (places.min() ?? 0)
    guard way >= DispatchedFollow.leastWay else { throw .littleWay }
    let total = min(count, values.filter { abs($0) > 0.05 }.count + 1)
    guard total > 1 else { throw .noMotion }

    var trials = Trials(places, values, total: total, noise: noise)
    trials.search()
    guard let best = trials.best else { throw .outOfRange }
    let possible = trials.possible(best)
    func bounds(_ number: (Trial) -> Double, of trials: [Trial]) -> Estimated {
      let numbers = trials.map(number)
      let value = number(best)
      return Estimated(
        value, low: numbers.min() ?? value, high: numbers.max() ?? value)
    }
    (model, models, frameCount) = (best.model, Set(possible.map(\.model)), total)
    let own = bounds(\.own, of: possible)
    self.own = Estimated(
      own.value, low: max(0, own.low - DispatchedFollow.margin),
      high: own.high + DispatchedFollow.margin)
    gain = bounds(\.candidate.gain, of: possible).widened(by: noise / way)
    jump = bounds(\.candidate.jump, of: possible).widened(by: noise)
    if best.model == .lerp {
      let alpha = bounds(\.candidate.number, of: possible.filter { $0.model == .lerp })
      self.alpha = Estimated(
        alpha.value, low: alpha.low * (1 - DispatchedFollow.shareMargin),
        high: min(1, alpha.high * (1 + DispatchedFollow.shareMargin)))
    } else {
      alpha = nil
    }
    func left(_ squares: Double) -> Estimated {
      Estimated(
        rootMeanSquareOf: squares, noise: Double(count) * noise * noise, count: count)
    }
    // With few frames another model may leave nothing.
    let least = possible.map(\.candidate.squares).reduce(best.candidate.squares, min)
    rms = Estimated(
      left(best.candidate.squares).value, low: left(least).low,
      high: left(best.candidate.squares).high)
    var (most, worst) = (-1.0, 0)
    best.model.walk(best.candidate.number, places) { index, place, step in
      let left = abs(values[index] - best.candidate.gain * place - best.candidate.jump * step)
      if left > most { (most, worst) = (left, index) }
    }
    self.worst = worst
    let mean = values.reduce(0, +) / Double(count)
    let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    rSquared = square > 0 ? 1 - best.candidate.squares / square : 0
  }

  /// How far the item is behind the finger: the page's own lag, and the mean time that a place took from the finger to the
  /// frame that was made of it.
  ///
  /// - Parameters:
  ///   - ages: For each frame in which the finger had moved, its time minus that of the place heard last, in seconds.
  ///   - frame: The time of a frame, in seconds.
  /// - Returns: seconds, with the intervals of both. `nil` without a frame.
  package func lag(ages: [Double], frame: Double) -> Estimated? {
    let ages = ages.suffix(DispatchedFollow.mostFrames).filter(\.isFinite)
    guard !ages.isEmpty else { return nil }
    let count = Double(ages.count)
    let mean = ages.reduce(0, +) / count
    let variance = ages.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
    let spread = DispatchedFollow.spreads * (variance / count).squareRoot() + DispatchedFollow.stamp
    let lag = own.scaled(by: frame)
    return Estimated(lag.value + mean, low: lag.low + mean - spread, high: lag.high + mean + spread)
  }

  /// The same of an item in another unit.
  func scaled(by factor: Double) -> DispatchedFollow {
    var follow = self
    (follow.gain, follow.jump) = (gain.scaled(by: factor), jump.scaled(by: factor))
    follow.rms = rms.scaled(by: abs(factor))
    return follow
  }

  /// Where the item is after a way of the finger if it shows it at once, with the bounds that gain and jump leave.
  ///
  /// - Parameters:
  ///   - way: How far the finger has come, in points.
  ///   - home: Where the item was before the finger moved.
  func place(after way: Double, from home: Double) -> Estimated {
    let (far, ahead) = (gain.scaled(by: way), jump)
    return Estimated(
      home + ahead.value + far.value, low: home + ahead.low + far.low,
      high: home + ahead.high + far.high)
  }

  /// How many standard errors of the mean age hold 90 %, and how exact a browser's times are, in seconds.
  private static let (spreads, stamp) = (1.7, 0.002)

  /// A model with its numbers.
  private struct Trial {
    var model: Model
    var candidate: FollowCandidate
    var criterion: Double

    /// The lag in frames.
    var own: Double {
      model == .delay ? candidate.number : (1 - candidate.number) / candidate.number
    }
  }

  /// Models with what they leave.
  private struct Trials {
    let places: [Double]
    let values: [Double]
    /// Frames that count, and the noise of a place in points.
    let total: Int
    let noise: Double
    private(set) var all: [Trial] = []

    init(_ places: [Double], _ values: [Double], total: Int, noise: Double) {
      (self.places, self.values, self.total, self.noise) = (places, values, total, noise)
    }

    var best: Trial? { all.min { $0.criterion < $1.criterion } }

    /// Tries the whole range, then finer about the best.
    mutating func search() {
      let delays = Int(DispatchedFollow.longestDelay / DispatchedFollow.delayStep)
      for step in 0...delays { tryDelay(Double(step) * DispatchedFollow.delayStep) }
      let shares = DispatchedFollow.shares
      let ratio = log(shares.most / shares.least) / Double(shares.count - 1)
      for step in 0..<shares.count { tryShare(shares.least * exp(ratio * Double(step))) }
      guard let best else { return }
      for step in -20...20 where step != 0 {
        let off = Double(step) / 20
        let number = best.candidate.number
        switch best.model {
        case .delay: tryDelay(max(0, number + DispatchedFollow.delayStep * off))
        case .lerp: tryShare(min(shares.last, number * (1 + ratio * off)))
        }
      }
    }

    private mutating func tryDelay(_ delay: Double) { trial(.delay, delay) }
    private mutating func tryShare(_ share: Double) { trial(.lerp, share) }

    private mutating func trial(_ model: Model, _ number: Double) {
      var sums = FollowSums()
      model.walk(number, places) { index, place, step in sums.add(place, step, values[index]) }
      add(model, sums.candidates(number))
    }

    private mutating func add(_ model: Model, _ candidates: [FollowCandidate]) {
      let (count, least) = (Double(total), Double(total) * noise * noise * 0.1)
      for candidate in candidates {
        let likelihood = count * log(max(candidate.squares, least) / count)
        all.append(
          Trial(
            model: model, candidate: candidate,
            criterion: candidate.criterion(likelihood, of: total)))
      }
    }

    /// The trials that the frames do not exclude.
    func possible(_ best: Trial) -> [Trial] {
      let squares = best.candidate.squares
      guard total > DispatchedFollow.fewFrames else {
        let least = all.map(\.candidate.squares).min() ?? 0
        let through = all.filter {
          ($0.candidate.squares - least) / (noise * noise) <= DispatchedFollow.through
            && abs($0.candidate.gain) > 0.02 && abs($0.candidate.gain) < 5
        }
        return through + [best]
      }
      let freedom = max(1, total - best.candidate.count)
      let variance = max(squares / Double(freedom), noise * noise)
      let quantile = studentQuantile95(degreesOfFreedom: freedom) ?? 0
      let slack = quantile * quantile
      return all.filter {
        ($0.candidate.squares - squares) / variance <= slack
          && $0.criterion <= best.criterion + DispatchedFollow.criterionSlack + slack
      }
    }
  }

  /// How far a place is from rest that has moved, in points.
  fileprivate static let moved = 1e-9
}

extension DispatchedFollow.Model {
  /// Says for each frame the place that an item of gain 1 without a jump shows, and the share of a jump.
  ///
  /// - Parameters:
  ///   - number: The delay in frames, or the share of the way that a frame covers.
  ///   - places: The finger's place in each frame. 0 until it moves.
  fileprivate func walk(
    _ number: Double, _ places: [Double], _ body: (Int, Double, Double) -> Void
  ) {
    switch self {
    case .delay:
      let whole = Int(number)
      let share = number - Double(whole)
      for index in places.indices {
        let newer = index >= whole ? places[index - whole] : 0
        let older = index > whole ? places[index - whole - 1] : 0
        let place = newer + (older - newer) * share
        body(index, place, abs(place) > DispatchedFollow.moved ? 1 : 0)
      }
    case .lerp:
      // What is eased eases a jump, too.
      var (place, step) = (0.0, 0.0)
      for index in places.indices {
        place += number * (places[index] - place)
        step += number * ((abs(places[index]) > DispatchedFollow.moved ? 1 : 0) - step)
        body(index, place, step)
      }
    }
  }
}

extension Estimated {
  /// The estimate with bounds further apart.
  func widened(by margin: Double) -> Estimated {
    Estimated(value, low: low - margin, high: high + margin)
  }
}
