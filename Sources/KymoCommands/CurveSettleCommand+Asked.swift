import MotionPhysics

/// What `kymo curve settle` was asked for: a way to a target, or a decay without one.
enum AskedSettle {
  case motion(SettleMotion)
  case decay(Decay, from: Double, velocity: Double)

  /// Into how many equal times the table is cut when nothing else is asked for.
  static let tableSteps = 20
  /// A guard against a mistyped rate, which would fill the terminal.
  static let mostFrames = 1e6

  func value(atSeconds time: Double) -> Double {
    switch self {
    case .motion(let motion): motion.value(atSeconds: time)
    case .decay(let decay, let start, let velocity):
      decay.value(from: start, velocity: velocity, atSeconds: time)
    }
  }

  func velocity(atSeconds time: Double) -> Double {
    switch self {
    case .motion(let motion): motion.velocity(atSeconds: time)
    case .decay(let decay, _, let velocity): decay.velocity(velocity, atSeconds: time)
    }
  }

  /// Until when a table goes, in seconds: what never comes to rest, or would take longer, is shown for the
  /// longest time that a settle may take.
  func seconds(by definition: SettleDefinition, _ tolerance: SettleTolerance) -> Double {
    let time: Double?
    switch self {
    case .motion(let motion):
      time = motion.settlingTimeSeconds(by: definition, tolerance: tolerance)
    case .decay(let decay, _, let velocity):
      time = decay.secondsUntil(speed: tolerance.epsilon ?? settleEpsilon, velocity: velocity)
    }
    return min(time ?? AskedSettle.longestSeconds, AskedSettle.longestSeconds)
  }

  /// The rows of `--settling-times`.
  func settlingTimes(_ tolerance: SettleTolerance) -> [SettlingTime] {
    switch self {
    case .motion(let motion): motion.settlingTimes(tolerance)
    case .decay(let decay, _, let velocity):
      [decay.settlingTime(velocity: velocity, epsilon: tolerance.epsilon ?? settleEpsilon)]
    }
  }

  /// The longest time that a settle may take, in seconds.
  private static let longestSeconds = 102.4
}

extension Invocation {
  /// The settle that the flags describe.
  func askedSettle() throws -> AskedSettle {
    let from = try value(SettleFlags.start) ?? 0
    let kinds = given(SettleFlags.decay, SettleFlags.timing, SettleFlags.cubic)
    if kinds.count > 1 {
      throw Failure.usage("--\(kinds[0]) and --\(kinds[1]) cannot be combined. Remove one of them")
    }
    for flag in given(SettleFlags.discrete, SettleFlags.completionSpeed) {
      let kind =
        flag == SettleFlags.discrete.name ? SettleFlags.decay.name : SettleFlags.timing.name
      guard kinds == [kind] else {
        throw Failure.usage("--\(flag) can only be used with --\(kind)")
      }
    }
    if has(SettleFlags.velocity), has(SettleFlags.relativeVelocity) {
      throw Failure.usage(
        "--velocity and --relative-velocity cannot be combined. Remove one of them")
    }
    if kinds == [SettleFlags.decay.name] { return try askedDecay(from: from) }
    let to = try value(SettleFlags.target) ?? 1
    let velocity =
      try value(SettleFlags.relativeVelocity).map { absoluteVelocity($0, remaining: to - from) }
      ?? value(SettleFlags.velocity) ?? 0
    let parameters = try settleParameters(kind: kinds.first)
    return .motion(
      SettleMotion(parameters.forRest(abs(to - from)), from: from, to: to, velocity: velocity))
  }

  private func askedDecay(from: Double) throws -> AskedSettle {
    try refuse(
      SettleFlags.spring + [
        SettleFlags.noOverdamping, SettleFlags.noOvershoot, SettleFlags.definition,
      ], with: SettleFlags.decay)
    if has(SettleFlags.relativeVelocity) {
      throw Failure.usage(
        "--relative-velocity and --decay cannot be combined, because a decay has no target. Use --velocity"
      )
    }
    if has(SettleFlags.target) {
      console.note("--target is ignored, because a decay has no target")
    }
    guard let velocity = try value(SettleFlags.velocity), let rate = try value(SettleFlags.decay)
    else {
      throw Failure.usage("missing --velocity V, which --decay needs")
    }
    return .decay(
      try Decay(rate: rate, form: has(SettleFlags.discrete) ? .discrete : .continuous), from: from,
      velocity: velocity)
  }

  private func settleParameters(kind: String?) throws -> SettleParameters {
    let overshoot = !has(SettleFlags.noOvershoot)
    let others: [any FlagSource] =
      SettleFlags.spring(without: SettleFlags.duration) + [SettleFlags.noOverdamping]
    switch kind {
    case "timing":
      try refuse(
        others + [
          SettleFlags.noOvershoot, SettleFlags.definition, SettleFlags.velocity,
          SettleFlags.relativeVelocity,
        ], with: SettleFlags.timing)
      return try SettleParameters(
        timing: partner(SettleFlags.duration, of: SettleFlags.timing),
        completionSpeed: value(SettleFlags.completionSpeed) ?? 1,
        easing: requiredValue(SettleFlags.timing))
    case "cubic":
      try refuse(others + [SettleFlags.definition], with: SettleFlags.cubic)
      return try SettleParameters(
        cubic: partner(SettleFlags.duration, of: SettleFlags.cubic), overshoot: overshoot)
    default:
      let spring = try askedSpring()
      return SettleParameters(
        spring: has(SettleFlags.noOverdamping) ? spring.withoutOverdamping : spring,
        overshoot: overshoot)
    }
  }

  /// The spring, in one of the ways to describe one.
  private func askedSpring() throws -> DampedSpring {
    if has(SettleFlags.settlingDuration) {
      try refuse(
        SettleFlags.spring(without: SettleFlags.settlingDuration, SettleFlags.dampingRatio),
        with: SettleFlags.settlingDuration)
      return try DampedSpring(
        settlingDuration: partner(SettleFlags.settlingDuration, of: SettleFlags.settlingDuration),
        dampingRatio: partner(SettleFlags.dampingRatio, of: SettleFlags.settlingDuration),
        epsilon: settleTolerance().epsilon ?? settleEpsilon)
    }
    if has(SettleFlags.duration) || has(SettleFlags.bounce) {
      let flag = has(SettleFlags.duration) ? SettleFlags.duration : SettleFlags.bounce
      try refuse(
        SettleFlags.spring(without: SettleFlags.duration, SettleFlags.bounce), with: flag)
      return try DampedSpring(
        duration: partner(SettleFlags.duration, of: SettleFlags.bounce),
        bounce: partner(SettleFlags.bounce, of: SettleFlags.duration))
    }
    let mass = try value(SettleFlags.mass) ?? DampedSpring.standard.mass
    if has(SettleFlags.response) {
      try refuse([SettleFlags.stiffness, SettleFlags.damping], with: SettleFlags.response)
      return try DampedSpring(
        response: partner(SettleFlags.response, of: SettleFlags.response),
        dampingRatio: partner(SettleFlags.dampingRatio, of: SettleFlags.response), mass: mass)
    }
    let stiffness = try value(SettleFlags.stiffness) ?? DampedSpring.standard.stiffness
    if let ratio = try value(SettleFlags.dampingRatio) {
      try refuse([SettleFlags.damping], with: SettleFlags.dampingRatio)
      return try DampedSpring(dampingRatio: ratio, stiffness: stiffness, mass: mass)
    }
    return try DampedSpring(
      mass: mass, stiffness: stiffness,
      damping: value(SettleFlags.damping) ?? DampedSpring.standard.damping)
  }

  private func refuse<Value>(_ flags: [any FlagSource], with other: Flag<Value>) throws {
    if let flag = given(flags).first {
      throw Failure.usage("--\(flag) and --\(other.name) cannot be combined. Remove one of them")
    }
  }

  /// The number of a flag without which another one says too little.
  private func partner<Value>(_ flag: Flag<Double>, of other: Flag<Value>) throws -> Double {
    guard let number = try value(flag) else {
      throw Failure.usage(
        "missing --\(flag.name) \(flag.declaration.value ?? ""), which --\(other.name) needs")
    }
    return number
  }
}

extension SettleFlags {
  fileprivate static var spring: [any FlagSource] { spring() }

  fileprivate static func spring(without others: Flag<Double>...) -> [any FlagSource] {
    [mass, stiffness, damping, dampingRatio, response, duration, bounce, settlingDuration]
      .filter { flag in !others.contains { $0.name == flag.name } }
  }
}
