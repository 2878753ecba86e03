import KymographCLibrary
import MotionPhysics
import TimelineModel

/// A fitted motion in the words of eight systems, each an expression that can be pasted.
///
/// Sources: SwiftUI `Animation.spring(duration:bounce:)` (duration 2π/ω, bounce 1 - ζ, or 1/ζ - 1 above 1). Core
/// Animation `CASpringAnimation`, whose velocity is in distances per second, and UIKit `UISpringTimingParameters`, likewise.
/// Compose `spring`, of mass 1 in pixels, and `exponentialDecay`, which multiplies its friction by 4.2. Flutter
/// `SpringDescription` and `FrictionSimulation`, whose drag is what is left of the speed after a second. Motion's `spring`
/// and `inertia`, which goes power × velocity. Reanimated's `withSpring` and `withDecay`, whose deceleration is for a
/// millisecond. CSS Easing Functions 2, `linear()`.
struct FitWords {
  private(set) var all: [MotionFit.Words] = []
  private let numbers: FitNumbers

  /// `linear()` is never finer than this share of the way, and never coarser than that, ours.
  private static let (finest, coarsest) = (0.001, 0.02)
  /// At how many places a curve is looked at for `linear()`.
  private static let lookCount = 600

  init(_ numbers: FitNumbers, fitted: FittedShape, curve: String?, _ samples: FitSamples) {
    self.numbers = numbers
    switch fitted.shape {
    case .spring, .springFromRest: addSpring()
    case .decay, .decayFromRest: addDecay()
    case .cubic:
      // Hermite's cubic is the Bézier curve whose points stand at thirds.
      if let duration = numbers["duration"], let velocity = numbers["velocity"], way != 0 {
        addTiming((1.0 / 3, velocity * duration / (3 * way), 2.0 / 3, 1))
      }
    case .bezier:
      if let x1 = numbers["x1"], let y1 = numbers["y1"], let x2 = numbers["x2"],
        let y2 = numbers["y2"]
      {
        addTiming((x1, y1, x2, y2))
      }
    case .easing(let easing, _):
      if let points = easing.controlPoints {
        addTiming((points.x1, points.y1, points.x2, points.y2))
      }
    }
    addCSS(fitted, curve, samples)
  }

  private mutating func add(_ system: String, _ text: String) {
    all.append(MotionFit.Words(system: system, text: text))
  }

  /// The way to the target. 0 where there is none.
  private var way: Double { (numbers["target"] ?? 0) - (numbers["from"] ?? 0) }

  // MARK: Springs

  private mutating func addSpring() {
    guard let mass = numbers["mass"], let stiffness = numbers["stiffness"],
      let damping = numbers["damping"]
    else { return }
    guard let velocity = numbers["velocity"], let target = numbers["target"],
      let from = numbers["from"]
    else { return }
    guard let spring = try? DampedSpring(mass: mass, stiffness: stiffness, damping: damping),
      let ratio = numbers["damping_ratio"]
    else { return }
    guard let duration = spring.duration, let bounce = spring.bounce else { return }
    let (m, k, c) = (text(mass), text(stiffness), text(damping))
    let relative = text(relativeVelocity(velocity, remaining: way))
    add("SwiftUI", ".spring(duration: \(text(duration)), bounce: \(text(bounce)))")
    add(
      "CASpringAnimation",
      "spring.mass = \(m); spring.stiffness = \(k); spring.damping = \(c); spring.initialVelocity = \(relative)"
        + (numbers.isOverdamped ? "; spring.allowsOverdamping = true" : ""))
    add(
      "UIKit",
      "UISpringTimingParameters(mass: \(m), stiffness: \(k), damping: \(c), initialVelocity: "
        + "CGVector(dx: \(relative), dy: \(relative)))")
    add(
      "Compose",
      "spring(dampingRatio = \(text(ratio))f, stiffness = \(text(stiffness / mass))f)")
    add(
      "Flutter",
      "SpringSimulation(SpringDescription(mass: \(m), stiffness: \(k), damping: \(c)), \(text(from)), "
        + "\(text(target)), \(text(velocity)))")
    let options = "mass: \(m), stiffness: \(k), damping: \(c), velocity: \(text(velocity))"
    add("Motion", "{ type: \"spring\", \(options) }")
    add("Reanimated", "withSpring(\(text(target)), { \(options) })")
  }

  // MARK: Decays

  private mutating func addDecay() {
    guard let rate = numbers["rate"], let velocity = numbers["velocity"], let from = numbers["from"]
    else { return }
    let left = NumberText.short(exp(-rate / 1000), digits: 8)
    add("UIKit", "UIScrollView.DecelerationRate(rawValue: \(left))")
    add(
      "Compose",
      "exponentialDecay<Float>(frictionMultiplier = \(text(rate / FitWords.frictionOfCompose))f)")
    add(
      "Flutter",
      "FrictionSimulation(\(text(exp(-rate))), \(text(from)), \(text(velocity)))")
    add(
      "Motion",
      "{ type: \"inertia\", velocity: \(text(velocity)), power: \(text(1 / rate)), timeConstant: "
        + "\(text(1000 / rate)) }")
    add("Reanimated", "withDecay({ velocity: \(text(velocity)), deceleration: \(left) })")
  }

  /// `ExponentialDecayFriction` of Compose's FloatExponentialDecaySpec.
  private static let frictionOfCompose = 4.2

  // MARK: Curves of time

  private mutating func addTiming(_ points: (x1: Double, y1: Double, x2: Double, y2: Double)) {
    guard let duration = numbers["duration"], let target = numbers["target"] else { return }
    let (x1, y1, x2, y2) = (text(points.x1), text(points.y1), text(points.x2), text(points.y2))
    let list = "\(x1), \(y1), \(x2), \(y2)"
    let milliseconds = text((duration * 1000).rounded())
    add("SwiftUI", ".timingCurve(\(list), duration: \(text(duration)))")
    add("Core Animation", "CAMediaTimingFunction(controlPoints: \(list))")
    add(
      "UIKit",
      "UICubicTimingParameters(controlPoint1: CGPoint(x: \(x1), y: \(y1)), controlPoint2: CGPoint(x: \(x2), "
        + "y: \(y2)))")
    add(
      "Compose",
      "tween(durationMillis = \(milliseconds), easing = CubicBezierEasing(\(x1)f, \(y1)f, \(x2)f, \(y2)f))"
    )
    add("Flutter", "Cubic(\(list))")
    add("Motion", "{ duration: \(text(duration)), ease: [\(list)] }")
    add(
      "Reanimated",
      "withTiming(\(text(target)), { duration: \(milliseconds), easing: Easing.bezier(\(list)) })")
    add("CSS", "\(milliseconds)ms cubic-bezier(\(list))")
  }

  // MARK: CSS

  /// A curve as straight lines, where CSS has no other word for it.
  private mutating func addCSS(_ fitted: FittedShape, _ curve: String?, _ samples: FitSamples) {
    guard !all.contains(where: { $0.system == "CSS" }) else { return }
    let scale = numbers.timeScale?.value ?? 1
    let start = (numbers["delay"] ?? 0) * scale
    guard let end = FitWords.end(of: fitted, from: start) else { return }
    let (first, last) = (fitted.value(at: start), FitWords.target(of: fitted))
    let way = last - first
    // What comes back to where it began has no share of its way.
    guard abs(way) > max(samples.floorStep, 1e-6) else { return }
    let tolerance = max(
      FitWords.finest, min(FitWords.coarsest, samples.floorStep / abs(way)))
    func share(_ time: Double) -> Double { (fitted.value(at: time) - first) / way }
    var seconds = end - start
    if case .easing = fitted.shape {
    } else {
      // It ends where it stays within the tolerance.
      let positions = (0...FitWords.lookCount).map { Double($0) / Double(FitWords.lookCount) }
      guard let moving = positions.last(where: { abs(share(start + seconds * $0) - 1) > tolerance })
      else { return }
      seconds *= min(1, moving + 1 / Double(FitWords.lookCount))
    }
    let count = FitWords.lookCount
    var heights = (0...count).map { share(start + seconds * Double($0) / Double(count)) }
    heights[count] = 1
    guard heights.allSatisfy(\.isFinite) else { return }
    let kept = fewestPoints(of: heights, within: tolerance)
    let stops = kept.map { index -> String in
      let height = NumberText.decimals(heights[index], most: 4)
      guard index > 0, index < count else { return height }
      return "\(height) \(NumberText.decimals(100 * Double(index) / Double(count), most: 2))%"
    }
    let milliseconds = text((seconds / scale * 1000).rounded())
    add("CSS", "\(milliseconds)ms linear(\(stops.joined(separator: ", ")))")
  }

  /// Where the curve comes to rest, as the samples are counted.
  private static func target(of fitted: FittedShape) -> Double {
    switch fitted.shape {
    case .spring, .springFromRest, .decay, .decayFromRest, .cubic: fitted.coefficients[0]
    case .easing: fitted.coefficients[0] + fitted.coefficients[1]
    case .bezier: fitted.coefficients[0] + fitted.coefficients[3]
    }
  }

  /// When a curve is over, or all but. `nil` for one that takes for ever.
  private static func end(of fitted: FittedShape, from start: Double) -> Double? {
    let rate: Double
    switch fitted.shape {
    case .cubic, .bezier, .easing: return start + exp(fitted.numbers[0])
    case .decay, .decayFromRest: rate = exp(fitted.numbers[0])
    case .spring, .springFromRest:
      let (frequency, ratio) = (exp(fitted.numbers[0]), exp(fitted.numbers[1]))
      rate = ratio < 1 ? ratio * frequency : frequency / slowing(ratio)
    }
    // Ten times the time in which the rest falls to 1/e: 0.005 % of it is left.
    let seconds = 10 / rate
    return seconds < 60 ? start + seconds : nil
  }

  // MARK: Numbers

  private func text(_ number: Double) -> String { NumberText.short(number, digits: 5) }
}
