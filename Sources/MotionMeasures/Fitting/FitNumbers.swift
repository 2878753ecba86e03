import KymographCLibrary
import MotionPhysics
import TimelineModel

/// The numbers of a fit as people know them, with intervals, and what the samples do not determine.
struct FitNumbers {
  let model: MotionFit.Model
  /// The numbers, in the order in which they are shown.
  private(set) var parameters: [MotionFit.Parameter] = []
  /// How much slower the recorded time is than the known one.
  private(set) var timeScale: MotionFit.Parameter?
  /// Sentences.
  private(set) var limits: [String] = []

  private let uncertainty: FitUncertainty
  private let samples: FitSamples
  private let unit: String
  /// Recorded seconds in one of the known time, and how the logarithm of that changes with the fit's numbers.
  private var scale = (value: 1.0, gradient: [Double]())

  /// The damping ratio above which only the slow rate of a spring is printed.
  static let mostRatio = 4.0
  /// An interval whose ends are further apart than this factor leaves a number open, ours.
  private static let openFactor = 3.0

  /// The value of a number. `nil` where the model has none of that name.
  subscript(name: String) -> Double? { parameters.first { $0.name == name }?.value }

  /// Whether a spring surely creeps: its damping ratio is above 1 throughout the interval.
  var isOverdamped: Bool {
    guard let ratio = parameters.first(where: { $0.name == "damping_ratio" }) else { return false }
    return (ratio.interval?.lowerBound ?? ratio.value) > 1
  }

  init(
    _ chosen: FitCandidate, of samples: FitSamples, unit: String, known: MotionFit.Known
  ) {
    model = chosen.model
    (self.samples, self.unit) = (samples, unit)
    let fitted = chosen.fitted
    uncertainty = FitUncertainty(of: fitted, in: samples)
    let width = fitted.shape.parameterCount + fitted.shape.columnCount
    scale.gradient = Array(repeating: 0, count: width)
    // The logarithm of the duration that can be known is the first number, of a spring with the other sign.
    let own: Double? =
      switch fitted.shape {
      case .spring, .springFromRest: 2 * .pi / exp(fitted.numbers[0])
      case .cubic, .bezier, .easing: exp(fitted.numbers[0])
      case .decay, .decayFromRest: nil
      }
    let isWithoutDuration =
      switch fitted.shape {
      case .spring, .springFromRest: FitNumbers.creeps(fitted)
      case .decay, .decayFromRest: true
      case .cubic, .bezier, .easing: false
      }
    if let duration = known.durationSeconds, let own, !isWithoutDuration {
      scale.value = own / duration
      scale.gradient[0] = model == .spring ? -1 : 1
      timeScale = MotionFit.Parameter(
        name: "time_scale", value: scale.value,
        interval: factor(scale.gradient).flatMap { interval(scale.value, by: $0) }, unit: "1")
    }
    switch fitted.shape {
    case .spring, .springFromRest: addSpring(fitted, known)
    case .decay, .decayFromRest: addDecay(fitted)
    case .cubic: addCubic(fitted)
    case .bezier: addBezier(fitted)
    case .easing: addEasing(fitted)
    }
    addOpen()
    if timeScale == nil {
      limits.append(
        "The time scale cannot be determined: all times are recorded ones"
          + (isWithoutDuration ? "." : ". A known duration determines it."))
    }
    if samples.isShortened {
      limits.append("Only the first \(FitSamples.most) samples were fitted.")
    }
  }

  /// Whether a spring creeps so that only its slow rate is printed.
  private static func creeps(_ spring: FittedShape) -> Bool { exp(spring.numbers[1]) > mostRatio }

  // MARK: Intervals

  /// By how much the logarithm may be off. `nil` where that is open.
  private func factor(_ gradient: [Double]) -> Double? {
    guard let error = uncertainty.standardError(gradient), let quantile = uncertainty.quantile
    else {
      return nil
    }
    return quantile * error
  }

  private func interval(_ value: Double, by factor: Double) -> ClosedRange<Double>? {
    let (low, high) = (value * exp(-factor), value * exp(factor))
    return high.isFinite && low <= high ? low...high : nil
  }

  /// Adds a number above 0 by how its logarithm changes with the fit's numbers.
  ///
  /// - Parameter power: With which power of the time scale it grows: -1 for a time, 1 for a rate.
  private mutating func add(
    _ name: String, _ value: Double, _ unit: String, log gradient: [Double], power: Double = 0
  ) {
    let value = clampedToFinite(value * pow(scale.value, power))
    let all = zip(gradient, scale.gradient).map { $0 + power * $1 }
    parameters.append(
      MotionFit.Parameter(
        name: name, value: value, interval: factor(all).flatMap { interval(value, by: $0) },
        unit: unit))
  }

  /// Adds a number by how it changes with the fit's numbers.
  private mutating func add(
    _ name: String, _ value: Double, _ unit: String, gradient: [Double], power: Double = 0,
    within range: ClosedRange<Double>? = nil
  ) {
    let scaled = pow(scale.value, power)
    let all = zip(gradient, scale.gradient).map { scaled * ($0 + power * value * $1) }
    let center = clampedToFinite(value * scaled)
    var bounds: ClosedRange<Double>?
    if let error = factor(all), (center - error).isFinite, (center + error).isFinite {
      bounds = (center - error)...(center + error)
    }
    if let range { bounds = bounds?.clamped(to: range) }
    parameters.append(
      MotionFit.Parameter(name: name, value: center, interval: bounds, unit: unit))
  }

  /// Adds a value in the samples' unit, by what it is made of.
  private mutating func add(end name: String, _ value: Double, gradient: [Double]) {
    add(
      name, samples.offset + samples.range * value, unit,
      gradient: gradient.map { $0 * samples.range })
  }

  private mutating func addVelocity(_ value: Double, gradient: [Double]) {
    add(
      "velocity", samples.range * value, unit == "1" ? "1/s" : "\(unit)/s",
      gradient: gradient.map { $0 * samples.range }, power: 1)
  }

  /// Adds when motion begins, if that is not at the origin. It has an interval if it was fitted.
  private mutating func addDelay(_ fitted: FittedShape) {
    let start = fitted.shape.start(fitted.numbers)
    if let unit = fitted.shape.delayUnit {
      var gradient = Array(repeating: 0.0, count: scale.gradient.count)
      gradient[fitted.numbers.count - 1] = unit
      add("delay", start, "s", gradient: gradient, power: -1)
    } else if start > 0 {
      parameters.append(
        MotionFit.Parameter(name: "delay", value: start / scale.value, interval: nil, unit: "s"))
    }
  }

  // MARK: Models

  private mutating func addSpring(_ fitted: FittedShape, _ known: MotionFit.Known) {
    let (frequency, ratio) = (exp(fitted.numbers[0]), exp(fitted.numbers[1]))
    let (target, offset) = (fitted.coefficients[0], fitted.coefficients[1])
    let decay = ratio * frequency
    // Both kinds have two numbers, then one more, then target and offset.
    let isFromRest = fitted.shape.delayUnit != nil
    let toTarget: [Double] = isFromRest ? [0, 0, 0, 1, 0] : [0, 0, 1, 0, 0]
    let toFrom: [Double] = isFromRest ? [0, 0, 0, 1, 1] : [0, 0, 1, 1, 0]
    guard !FitNumbers.creeps(fitted) else {
      addSlowRate(frequency, ratio)
      add(end: "target", target, gradient: toTarget)
      add(end: "from", target + offset, gradient: toFrom)
      addDelay(fitted)
      limits.append(
        "The damping ratio is above \(Int(FitNumbers.mostRatio)), or may be, and frequency and damping ratio then look "
          + "alike. slow_rate is frequency / (2 damping ratio), the rate at which the distance left fades."
      )
      return
    }
    let mass = known.mass ?? 1
    add("response", 2 * .pi / frequency, "s", log: [-1, 0, 0, 0, 0], power: -1)
    add("damping_ratio", ratio, "1", log: [0, 1, 0, 0, 0])
    add("angular_frequency", frequency, "rad/s", log: [1, 0, 0, 0, 0], power: 1)
    parameters.append(MotionFit.Parameter(name: "mass", value: mass, interval: nil, unit: "1"))
    add("stiffness", mass * frequency * frequency, "1", log: [2, 0, 0, 0, 0], power: 2)
    add("damping", 2 * mass * decay, "1", log: [1, 1, 0, 0, 0], power: 1)
    add(end: "target", target, gradient: toTarget)
    add(end: "from", target + offset, gradient: toFrom)
    if isFromRest {
      parameters.append(
        MotionFit.Parameter(
          name: "velocity", value: 0, interval: nil, unit: unit == "1" ? "1/s" : "\(unit)/s"))
    } else {
      addVelocity(
        fitted.coefficients[2] - decay * offset,
        gradient: [-decay * offset, -decay * offset, 0, -decay, 1])
    }
    addDelay(fitted)
    if known.mass == nil { limits.append("The mass cannot be determined. It is printed as 1.") }
    if isOverdamped {
      limits.append(
        "Core Animation and SwiftUI run a damping ratio above 1 as 1 unless overdamping is allowed."
      )
    }
    let view = samples.times[samples.times.count - 1] - fitted.shape.start(fitted.numbers)
    let last = samples.values.suffix(2)
    if view < 2 * .pi / frequency, last.first != last.last {
      limits.append(
        "The value still moves at the end, and only \(NumberText.short(view * frequency / (2 * .pi), digits: 2)) of a response is in view. "
          + "With 0.3 of a response the damping ratio was 12 % off in trials.")
    }
  }

  /// Adds the rate ω/(2ζ). What samples have is ω/(ζ + √(ζ² - 1)), from which it differs by what the ratio is, at most by
  /// 1.6 %: the interval holds all of that.
  private mutating func addSlowRate(_ frequency: Double, _ ratio: Double) {
    let (seen, asked) = (frequency / slowing(ratio), frequency / (2 * ratio))
    let share = slowing(FitNumbers.mostRatio) / (2 * FitNumbers.mostRatio)
    let root = (ratio * ratio - 1).squareRoot()
    let bounds = factor([1, -ratio / root, 0, 0, 0]).flatMap { interval(seen, by: $0) }
    parameters.append(
      MotionFit.Parameter(
        name: "slow_rate", value: asked,
        interval: bounds.map { min(asked, $0.lowerBound * share)...max(asked, $0.upperBound) },
        unit: "1/s"))
  }

  private mutating func addDecay(_ fitted: FittedShape) {
    let rate = exp(fitted.numbers[0])
    let (rest, offset) = (fitted.coefficients[0], fitted.coefficients[1])
    let free = fitted.shape.delayUnit == nil ? [] : [0.0]
    add("rate", rate, "1/s", log: [1] + free + [0, 0], power: 1)
    let own = parameters[0]
    parameters.append(
      MotionFit.Parameter(
        name: "deceleration_rate", value: exp(-own.value / 1000),
        interval: own.interval.map { exp(-$0.upperBound / 1000)...exp(-$0.lowerBound / 1000) },
        unit: "1"))
    add(end: "target", rest, gradient: [0] + free + [1, 0])
    add(end: "from", rest + offset, gradient: [0] + free + [1, 1])
    addVelocity(-rate * offset, gradient: [-rate * offset] + free + [0, -rate])
    addDelay(fitted)
    let start = fitted.shape.start(fitted.numbers)
    let left = exp(-rate * (samples.times[samples.times.count - 1] - start))
    if left > 0.05 {
      limits.append(
        "The end is not in view: \(NumberText.short(100 * left, digits: 2)) % of the distance to the target is left, which is extrapolated."
      )
    }
  }

  private mutating func addCubic(_ fitted: FittedShape) {
    let duration = exp(fitted.numbers[0])
    let (target, offset, velocity) = (
      fitted.coefficients[0], fitted.coefficients[1], fitted.coefficients[2]
    )
    add("duration", duration, "s", log: [1, 0, 0, 0], power: -1)
    add(end: "target", target, gradient: [0, 1, 0, 0])
    add(end: "from", target + offset, gradient: [0, 1, 1, 0])
    addVelocity(velocity, gradient: [0, 0, 0, 1])
    addDelay(fitted)
    addEnd(of: fitted)
  }

  private mutating func addBezier(_ fitted: FittedShape) {
    let free = fitted.shape.delayUnit == nil ? [] : [0.0]
    let (start, first, second, way) = (
      fitted.coefficients[0], fitted.coefficients[1], fitted.coefficients[2], fitted.coefficients[3]
    )
    func gradient(_ nonlinear: [Double], _ linear: [Double]) -> [Double] {
      nonlinear + free + linear
    }
    add(
      "duration", exp(fitted.numbers[0]), "s", log: gradient([1, 0, 0], [0, 0, 0, 0]), power: -1)
    addDelay(fitted)
    let unit = -1e300...1e300
    for (x, y, position, column) in [("x1", "y1", 1, 1), ("x2", "y2", 2, 2)] {
      var across = [0.0, 0, 0]
      across[position] = 1
      add(
        x, logistic(fitted.numbers[position]), "1", gradient: gradient(across, [0, 0, 0, 0]),
        within: 0...1)
      let height = column == 1 ? first : second
      var up = [0.0, 0, 0, -height / way / way]
      up[column] = 1 / way
      add(y, height / way, "1", gradient: gradient([0, 0, 0], up), within: unit)
    }
    add(end: "from", start, gradient: gradient([0, 0, 0], [1, 0, 0, 0]))
    add(end: "target", start + way, gradient: gradient([0, 0, 0], [1, 0, 0, 1]))
    if fitted.shape.delayUnit != nil {
      limits.append(
        "Motion does not begin in the first interval, so that duration, delay and x1 make up for each other."
      )
    }
    addEnd(of: fitted)
  }

  private mutating func addEasing(_ fitted: FittedShape) {
    let free = fitted.shape.delayUnit == nil ? [] : [0.0]
    add("duration", exp(fitted.numbers[0]), "s", log: [1] + free + [0, 0], power: -1)
    addDelay(fitted)
    let (start, way) = (fitted.coefficients[0], fitted.coefficients[1])
    add(end: "from", start, gradient: [0] + free + [1, 0])
    add(end: "target", start + way, gradient: [0] + free + [1, 1])
    addEnd(of: fitted)
  }

  // MARK: What is open

  /// Says if a curve of time ends after the last sample.
  private mutating func addEnd(of fitted: FittedShape) {
    let end = fitted.shape.start(fitted.numbers) + exp(fitted.numbers[0])
    guard end > samples.times[samples.times.count - 1] + samples.interval else { return }
    limits.append("The end is not in view. Duration and target are extrapolated.")
  }

  /// Names the numbers that the samples leave open.
  private mutating func addOpen() {
    let open = parameters.filter { parameter in
      guard parameter.unit == "s" || parameter.unit == "1/s" || parameter.name == "damping_ratio",
        parameter.name != "delay", parameter.name != "velocity"
      else { return false }
      guard let bounds = parameter.interval else { return true }
      return bounds.upperBound > FitNumbers.openFactor * bounds.lowerBound
    }.map(\.name)
    guard !open.isEmpty else { return }
    limits.append("The samples leave \(open.joined(separator: " and ")) open.")
  }
}
