import MotionPhysics
import TimelineModel

/// What `kymo settle` was asked for: a way to a target, or a decay without one.
enum AskedSettle {
  case motion(SettleMotion, type: SettleType)
  case decay(Decay, from: Double, velocity: Double)

  /// Into how many equal times the table is cut when nothing else is asked for.
  static let tableSteps = 20
  /// A guard against a mistyped rate, which would fill the terminal.
  static let mostFrames = 1e6

  func value(atSeconds time: Double) -> Double {
    switch self {
    case .motion(let motion, _): motion.value(atSeconds: time)
    case .decay(let decay, let start, let velocity):
      decay.value(from: start, velocity: velocity, atSeconds: time)
    }
  }

  func velocity(atSeconds time: Double) -> Double {
    switch self {
    case .motion(let motion, _): motion.velocity(atSeconds: time)
    case .decay(let decay, _, let velocity): decay.velocity(velocity, atSeconds: time)
    }
  }

  /// Until when a table goes, in seconds: what never settles, or would take longer, is shown for the
  /// longest time that a settle may take.
  func seconds(by definition: SettleDefinition, _ tolerance: SettleTolerance) -> Double {
    let time: Double?
    switch self {
    case .motion(let motion, _):
      time = motion.settlingTimeSeconds(by: definition, tolerance: tolerance)
    case .decay(let decay, _, let velocity):
      time = decay.secondsUntil(speed: tolerance.epsilon ?? settleEpsilon, velocity: velocity)
    }
    return min(time ?? AskedSettle.longestSeconds, AskedSettle.longestSeconds)
  }

  /// The rows of `--settling-times`.
  func settlingTimes(_ tolerance: SettleTolerance) -> [[EventField]] {
    switch self {
    case .motion(let motion, .spring):
      return SettleDefinition.allCases.map { row(of: motion, by: $0, tolerance) }
    case .motion(let motion, let type):
      return [
        AskedSettle.row(
          type.rawValue, seconds: motion.settlingTimeSeconds(),
          meaning: type == .timing
            ? "the timing curve's own time: the way left times duration / completion speed"
            : "the cubic's own time, after which it rests at the target")
      ]
    case .decay(let decay, _, let velocity):
      let epsilon = tolerance.epsilon ?? settleEpsilon
      return [
        AskedSettle.row(
          "decay", seconds: decay.secondsUntil(speed: epsilon, velocity: velocity),
          epsilon: epsilon, meaning: "the speed has fallen to epsilon, in units per second")
      ]
    }
  }

  private func row(
    of motion: SettleMotion, by definition: SettleDefinition, _ tolerance: SettleTolerance
  ) -> [EventField] {
    let distance = motion.to - motion.from
    let given = definition.hasFixedThresholds ? SettleTolerance() : tolerance
    let speed = definition.standardVelocityEpsilon(distance: distance)
    let seconds = motion.settlingTimeSeconds(by: definition, tolerance: tolerance)
    let isWhole = definition == .compose || definition == .libadwaita
    return AskedSettle.row(
      definition.rawValue, seconds: seconds,
      milliseconds: isWhole ? seconds.map { ($0 * 1000).rounded(.down) } : nil,
      epsilon: given.epsilon ?? definition.standardEpsilon(distance: distance),
      velocityEpsilon: speed.map { given.velocityEpsilon ?? $0 }, meaning: definition.meaning)
  }

  private static func row(
    _ name: String, seconds: Double?, milliseconds: Double? = nil, epsilon: Double? = nil,
    velocityEpsilon: Double? = nil, meaning: String
  ) -> [EventField] {
    [
      EventField("definition", .text(name)), EventField("settleTime_s", FieldValue(seconds)),
      EventField("wholeTime_ms", FieldValue(milliseconds)),
      EventField("epsilon", FieldValue(epsilon)),
      EventField("velocityEpsilon", FieldValue(velocityEpsilon)),
      EventField("meaning", .text(meaning)),
    ]
  }

  /// The longest time that a settle may take, in seconds.
  private static let longestSeconds = 102.4
}

extension Invocation {
  /// The settle that the flags describe.
  func askedSettle() throws -> AskedSettle {
    let from = try number("from") ?? 0
    let kinds = ["decay", "timing", "cubic"].filter(has)
    if kinds.count > 1 {
      throw Failure.usage("--\(kinds[0]) and --\(kinds[1]) are two settles; give one of them")
    }
    for (flag, kind) in [("discrete", "decay"), ("completion-speed", "timing")] where has(flag) {
      guard kinds == [kind] else {
        throw Failure.usage("--\(flag) belongs to --\(kind); give both or neither")
      }
    }
    if has("velocity"), has("relative-velocity") {
      throw Failure.usage("--velocity and --relative-velocity say the same; give one of them")
    }
    if kinds == ["decay"] { return try askedDecay(from: from) }
    let to = try number("to") ?? 1
    let velocity =
      try number("relative-velocity").map { absoluteVelocity($0, remaining: to - from) }
      ?? number("velocity") ?? 0
    let parameters = try settleParameters(kind: kinds.first)
    let motion = SettleMotion(
      parameters.forRest(abs(to - from)), from: from, to: to, velocity: velocity)
    return .motion(motion, type: parameters.type)
  }

  private func askedDecay(from: Double) throws -> AskedSettle {
    try refuse(
      Invocation.springFlags + ["no-overdamping", "no-overshoot", "definition"], with: "decay")
    if has("relative-velocity") {
      throw Failure.usage("a decay has no target to be relative to; give --velocity")
    }
    if has("to") { console.note("--to is not used: a decay rests where its velocity takes it") }
    guard let velocity = try number("velocity"), let rate = try number("decay") else {
      throw Failure.usage("--decay needs --velocity V")
    }
    return .decay(
      try Decay(rate: rate, form: has("discrete") ? .discrete : .continuous), from: from,
      velocity: velocity)
  }

  private func settleParameters(kind: String?) throws -> SettleParameters {
    let overshoot = !has("no-overshoot")
    let others = Invocation.springFlags.filter { $0 != "duration" } + ["no-overdamping"]
    switch kind {
    case "timing":
      try refuse(
        others + ["no-overshoot", "definition", "velocity", "relative-velocity"], with: "timing")
      return try SettleParameters(
        timing: partner("duration", of: "timing"),
        completionSpeed: number("completion-speed") ?? 1,
        easing: Easing(reading: requiredText("timing")))
    case "cubic":
      try refuse(others + ["definition"], with: "cubic")
      return try SettleParameters(
        cubic: partner("duration", of: "cubic"), overshoot: overshoot)
    default:
      let spring = try askedSpring()
      return SettleParameters(
        spring: has("no-overdamping") ? spring.withoutOverdamping : spring, overshoot: overshoot)
    }
  }

  /// The spring, in one of the ways to tell one.
  private func askedSpring() throws -> DampedSpring {
    if has("settling-duration") {
      try refuse(
        Invocation.springFlags.filter { !["settling-duration", "damping-ratio"].contains($0) },
        with: "settling-duration")
      return try DampedSpring(
        settlingDuration: partner("settling-duration", of: ""),
        dampingRatio: partner("damping-ratio", of: "settling-duration"),
        epsilon: settleTolerance().epsilon ?? settleEpsilon)
    }
    if has("duration") || has("bounce") {
      let flag = has("duration") ? "duration" : "bounce"
      try refuse(
        Invocation.springFlags.filter { !["duration", "bounce"].contains($0) }, with: flag)
      return try DampedSpring(
        duration: partner("duration", of: "bounce"), bounce: partner("bounce", of: "duration"))
    }
    let mass = try number("mass") ?? DampedSpring.standard.mass
    if has("response") {
      try refuse(["stiffness", "damping"], with: "response")
      return try DampedSpring(
        response: partner("response", of: ""),
        dampingRatio: partner("damping-ratio", of: "response"), mass: mass)
    }
    let stiffness = try number("stiffness") ?? DampedSpring.standard.stiffness
    if let ratio = try number("damping-ratio") {
      try refuse(["damping"], with: "damping-ratio")
      return try DampedSpring(dampingRatio: ratio, stiffness: stiffness, mass: mass)
    }
    return try DampedSpring(
      mass: mass, stiffness: stiffness, damping: number("damping") ?? DampedSpring.standard.damping)
  }

  private func refuse(_ flags: [String], with name: String) throws {
    if let flag = flags.first(where: has) {
      throw Failure.usage("--\(flag) does not go with --\(name); leave one of them out")
    }
  }

  /// The number of a flag without which another one says too little.
  private func partner(_ name: String, of other: String) throws -> Double {
    guard let number = try number(name) else {
      throw Failure.usage("--\(other) needs --\(name) as well")
    }
    return number
  }

  private static let springFlags = [
    "mass", "stiffness", "damping", "damping-ratio", "response", "duration", "bounce",
    "settling-duration",
  ]
}
