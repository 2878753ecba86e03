import KymographCLibrary
import MotionPhysics
import Testing

/// A line and the spring that it means, told by the formulas of its system.
struct KnownLine: Sendable, CustomStringConvertible {
  let text: String
  /// The name of the system. `nil` if its words tell it.
  var system: String?
  /// Per mass.
  let stiffness: Double
  let damping: Double
  /// Units per second from 0 to 100.
  var velocity = 0.0

  var description: String { text }

  /// Of a frequency, radians per second, and a damping ratio.
  static func ratio(
    _ text: String, _ frequency: Double, _ ratio: Double, system: String? = nil,
    velocity: Double = 0
  ) -> KnownLine {
    KnownLine(
      text: text, system: system, stiffness: frequency * frequency,
      damping: 2 * ratio * frequency, velocity: velocity)
  }

  /// Of a time of one swing, seconds, and a damping ratio.
  static func period(
    _ text: String, _ period: Double, _ ratio: Double, system: String? = nil, velocity: Double = 0
  ) -> KnownLine {
    .ratio(text, 2 * .pi / period, ratio, system: system, velocity: velocity)
  }

  static func plain(
    _ text: String, _ stiffness: Double, _ damping: Double, system: String? = nil,
    velocity: Double = 0
  ) -> KnownLine {
    KnownLine(
      text: text, system: system, stiffness: stiffness, damping: damping, velocity: velocity)
  }
}

@Suite struct MotionLineTests {
  static let known: [KnownLine] = [
    // Words of no system.
    .plain("stiffness 300 damping 26", 300, 26),
    .plain("damping=26.0f; stiffness=300.0f;", 300, 26),
    .plain("mass: 2, stiffness: 300, damping: 26", 150, 13),
    .plain("{ \"stiffness\": 4e2, \"damping\": .5e2, \"mass\": .5 }", 800, 100),
    .plain("STIFFNESS = 1_000, Damping = 20.", 1000, 20),
    .ratio("stiffness 100 damping_ratio 0.5", 10, 0.5),
    .plain("stiffness 100 damping 60", 100, 60),
    // UIKit: velocities are distances per second.
    .plain(
      "UISpringTimingParameters(mass: 2, stiffness: 300, damping: 26, initialVelocity: .zero)", 150,
      13),
    .plain(
      "UISpringTimingParameters(mass: 1, stiffness: 300, damping: 26, initialVelocity: CGVector(dx: 2, dy: 2))",
      300, 26, velocity: 200),
    .plain(
      "UISpringTimingParameters(mass: 1, stiffness: 300, damping: 26, initialVelocity: CGVector(dx: 0, dy: -1.5))",
      300, 26, velocity: -150),
    .period(
      "UIView.animate(springDuration: 0.5, bounce: 0.3, initialSpringVelocity: 1) {", 0.5, 0.7,
      velocity: 100),
    .period("UIView.animate(springDuration: 0.4)", 0.4, 1),
    // Core Animation without allowsOverdamping is critical at most.
    .plain("let a = CASpringAnimation(); a.mass = 2; a.stiffness = 300; a.damping = 26", 150, 13),
    .plain("CASpringAnimation stiffness 100 damping 60", 100, 20),
    .plain("CASpringAnimation: stiffness 100, damping 60, allowsOverdamping = true", 100, 60),
    .plain("CASpringAnimation initialVelocity = -2", 100, 10, velocity: -200),
    .period("CASpringAnimation(perceptualDuration: 0.6, bounce: 0.2)", 0.6, 0.8),
    // SwiftUI.
    .period(".spring(response: 0.5, dampingFraction: 0.8)", 0.5, 0.8),
    .period(".spring(response: 0.3, dampingFraction: 1.5, blendDuration: 0)", 0.3, 1.5),
    .period(".spring(duration: 0.5, bounce: 0.3)", 0.5, 0.7, system: "swiftui"),
    .period("withAnimation(.spring(duration: 0.5, bounce: -0.2)) {", 0.5, 1.25),
    .period(".spring()", 0.5, 1, system: "swiftui"),
    .period(".smooth", 0.5, 1), .period(".snappy", 0.5, 0.85), .period(".bouncy", 0.5, 0.7),
    .period(".bouncy(duration: 0.4, extraBounce: 0.1)", 0.4, 0.6),
    .period(".interactiveSpring()", 0.15, 0.85),
    .period(".interactiveSpring(response: 0.2)", 0.2, 0.86),
    .plain(".interpolatingSpring(stiffness: 170, damping: 15)", 170, 15),
    .plain(
      ".interpolatingSpring(mass: 2, stiffness: 170, damping: 15, initialVelocity: 3)", 85, 7.5,
      velocity: 300),
    .plain(".interpolatingSpring(stiffness: 100, damping: 60)", 100, 20),
    .plain("SwiftUI Spring(mass: 1, stiffness: 100, damping: 60, allowOverDamping: true)", 100, 60),
    // Jetpack Compose.
    .ratio(
      "spring(dampingRatio = Spring.DampingRatioMediumBouncy, stiffness = Spring.StiffnessLow)",
      200.squareRoot(), 0.5),
    .ratio("spring<Float>(stiffness = Spring.StiffnessMediumLow)", 20, 1),
    .ratio("spring(Spring.DampingRatioHighBouncy)", 1500.squareRoot(), 0.2),
    .ratio("compose spring(0.6f, 300f)", 300.squareRoot(), 0.6),
    .ratio(
      "SpringForce().setStiffness(SpringForce.STIFFNESS_LOW).setDampingRatio(0.3f)",
      200.squareRoot(), 0.3),
    .ratio(
      "animatable.animateTo(100f, spring(0.75f), initialVelocity = 250f)", 1500.squareRoot(), 0.75,
      velocity: 250),
    .ratio("SpringSpec(dampingRatio = 2f, stiffness = 50f)", 50.squareRoot(), 2),
    // Material 3.
    .ratio("MotionScheme.expressive().fastSpatialSpec()", 800.squareRoot(), 0.6),
    .ratio("MaterialTheme.motionScheme.slowEffectsSpec()", 800.squareRoot(), 1),
    .ratio("md.sys.motion.spring.fast.spatial.damping", 1400.squareRoot(), 0.9),
    .ratio("ExpressiveMotionTokens.SpringDefaultSpatialDamping", 380.squareRoot(), 0.8),
    // Flutter.
    .plain("const SpringDescription(mass: 0.5, stiffness: 100, damping: 15)", 200, 30),
    .ratio("SpringDescription.withDampingRatio(mass: 4, stiffness: 400, ratio: 1.2)", 10, 1.2),
    .period(
      "SpringDescription.withDurationAndBounce(duration: const Duration(milliseconds: 300), bounce: 0.3)",
      0.3, 0.7),
    .plain(
      "SpringSimulation(const SpringDescription(mass: 1, stiffness: 300, damping: 15), 0, 100, 42)",
      300, 15, velocity: 42),
    // React Native: Origami's scale.
    .plain("Animated.spring(x, { toValue: 1, tension: 40, friction: 7 })", 230.2, 22),
    .plain("tension 170, friction 26", 700.8, 2 * 700.8.squareRoot(), system: "react-native"),
    .plain(
      "Animated.spring(x, { stiffness: 300, damping: 26, mass: 2, velocity: 5 })", 150, 13,
      velocity: 5),
    .plain("Animated.spring(x, { stiffness: 100, damping: 60 })", 100, 20),
    .plain("Animated.spring(x, { toValue: 1, useNativeDriver: true })", 230.2, 22),
    // Reanimated.
    .plain(
      "withSpring(100, { mass: 1, stiffness: 300, damping: 26, velocity: -7 })", 300, 26,
      velocity: -7),
    .plain("withSpring(100)", 225, 30),
    .plain("withSpring(100, WigglySpringConfig)", 225, 22.5),
    .plain("withSpring(100, Reanimated3DefaultSpringConfig)", 100, 10),
    .plain("withSpring(100, { stiffness: 100, damping: 10, energyThreshold: 1e-6 })", 25, 2.5),
    // react-spring: velocities are per millisecond.
    .plain("config: { tension: 170, friction: 26 }", 170, 26),
    .plain(
      "useSpring({ config: { mass: 2, tension: 280, friction: 120, velocity: 0.005 } })", 140, 60,
      velocity: 5),
    .plain("tension 120 friction 14 mass 0.5", 240, 28),
    .plain("config.wobbly", 180, 12), .plain("config: config.molasses", 280, 120),
    .period("config: { frequency: 0.5, damping: 0.4 }", 0.5, 0.4),
    // Motion and Popmotion.
    .plain(
      "{ type: \"spring\", stiffness: 300, damping: 26, mass: 0.5, velocity: 80 }", 600, 52,
      velocity: 80),
    .plain("transition={{ type: 'spring', stiffness: 100, damping: 60 }}", 100, 60),
    .plain("transition={{ type: 'spring' }}", 100, 10),
    .period("visualDuration: 0.4, bounce: 0.2", 0.48, 0.8),
    .period("motion spring(0.4, 0.2)", 0.48, 0.8),
    .plain("const config = { mass: 1, damping: 15, stiffness: 120 }", 120, 15),
    .plain("popmotion spring({ stiffness: 200, damping: 8, mass: 2 })", 100, 4),
    // libadwaita.
    .ratio("adw_spring_params_new (0.7, 1.0, 300)", 300.squareRoot(), 0.7),
    .plain("adw_spring_params_new_full (26, 2, 300)", 150, 13),
    .ratio("Adw.SpringParams.new(1.5, 0.5, 50)", 10, 1.5),
    .plain("Adw.SpringParams.new_full(10, 1, 100)", 100, 10),
    // Hyprland.
    .plain(
      "hl.curve(\"easy\", { type = \"spring\", mass = 2, stiffness = 71, dampening = 16 })", 35.5, 8
    ),
  ]

  @Test func `more than sixty lines are known`() {
    #expect(MotionLineTests.known.count > 60)
  }

  @Test(arguments: known) func `a line is the spring of its system's formula`(_ line: KnownLine)
    throws
  {
    let read = try MotionLine(
      reading: line.text, system: line.system.flatMap(SpringSystem.named), from: 0, to: 100)
    let motion = try #require(read.motion)
    let (stiffness, damping) = (
      motion.spring.stiffness / motion.spring.mass, motion.spring.damping / motion.spring.mass
    )
    #expect(abs(stiffness / line.stiffness - 1) < 1e-12)
    #expect(abs(damping / line.damping - 1) < 1e-12)
    #expect(abs(motion.velocity - line.velocity) <= 1e-12 * abs(line.velocity))
  }

  @Test(arguments: known) func `a line comes back from every system that can say it`(
    _ line: KnownLine
  ) throws {
    let first = try MotionLine(
      reading: line.text, system: line.system.flatMap(SpringSystem.named), from: 0, to: 100)
    let motion = try #require(first.motion)
    let rows = first.translations()
    #expect(rows.filter(\.isExact).count >= 5)
    for row in rows where row.isExact {
      let text = try #require(row.line)
      let back = try MotionLine(
        reading: text, system: SpringSystem.named(row.system), from: 0, to: 100)
      try expectSame(try #require(back.motion), motion, row.system)
    }
  }

  @Test func `springs of any mass, damping and velocity come back from every system`() throws {
    var count = 0
    for mass in [1, 0.25, 7.3] {
      for ratio in [0.07, 0.5, 0.93, 1, 1.7, 6] {
        for frequency in [3.1, 23] {
          for velocity in [0.0, 310, -77.7] {
            let spring = try DampedSpring(
              dampingRatio: ratio, stiffness: mass * frequency * frequency, mass: mass)
            let text = "mass \(spring.mass) stiffness \(spring.stiffness) damping \(spring.damping)"
            let line = try MotionLine(reading: text, from: 20, to: -130, velocity: velocity)
            let motion = try #require(line.motion)
            for row in line.translations() where row.isExact {
              count += 1
              let back = try MotionLine(
                reading: try #require(row.line), system: SpringSystem.named(row.system), from: 20,
                to: -130)
              try expectSame(try #require(back.motion), motion, row.system)
            }
          }
        }
      }
    }
    #expect(count > 700)
  }

  private func expectSame(_ a: SpringMotion, _ b: SpringMotion, _ system: String) throws {
    func near(_ x: Double, _ y: Double, _ what: String) {
      #expect(abs(x - y) <= 1e-9 * max(abs(x), abs(y)), "\(what) of \(system): \(x), not \(y)")
    }
    near(a.spring.stiffness / a.spring.mass, b.spring.stiffness / b.spring.mass, "stiffness")
    near(a.spring.damping / a.spring.mass, b.spring.damping / b.spring.mass, "damping")
    near(a.velocity, b.velocity, "velocity")
    near(a.to - a.from, b.to - b.from, "the way")
  }

  // MARK: Refusals

  @Test(
    arguments: [
      ("tension 170 friction 26", "--system react-spring or --system react-native"),
      ("duration 0.5 bounce 0.3", "--system swiftui or --system motion or --system flutter"),
      ("duration 500 dampingRatio 0.7", "--system reanimated or --system uikit"),
      ("withSpring(1, visualDuration: 2)", "words of Reanimated and Motion"),
      ("stiffness 300", "Give both"), ("hello", "no spring and no curve"), ("", "no spring"),
      ("useSpring stiffness 3 damping 3", "tension and friction"),
      (".spring(dampingFraction: 0.5)", "Add 'response S'"),
      ("config: { tension: 1, friction: 2, clamp: true }", "clamped"),
      ("withSpring(1, SnappySpringConfig)", "clamps"),
      ("hl.curve stiffness 3 dampening 2 velocity 4", "no word for a velocity"),
      ("UIView stiffness 3 damping 2 CGVector(dx: 1, dy: 2)", "two velocities"),
      ("spring(stiffness = Spring.StiffnessLow, damping = 3)", "no damping"),
      ("steps(4)", "stands still"), ("linear(0)", "two points"), ("linear(0, x)", "not a point"),
      ("linear(0, 1 2)", "not a point"), ("0s cubic-bezier(0, 0, 1, 1)", "above 0"),
      ("material fast", "expressive fast spatial"), ("stiffness 3 damping 2 5", "no name"),
      ("stiffness 3 damping 2 duration 1", "'duration' means"),
      ("stiffness 3 damping 2 dampingRatio 1", "damping and a damping ratio"),
      (".bouncy.speed(2)", "Remove it"), ("{ duration: 1, ease: 'circOut' }", "'circout'"),
      ("SpringForce().setStiffness(200f)", "standards of its own"),
      ("Spring(settlingDuration: 1, dampingRatio: 0.5)", "settlingDuration"),
    ])
  func `a line that says too little or two things is refused`(_ line: String, _ part: String) {
    let error = #expect(throws: MotionLineError.self) { try MotionLine(reading: line) }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `numbers that make no spring are refused`() {
    for line in [
      "stiffness -3 damping 2", "stiffness 3 damping 2 mass 0", "stiffness 1e400 damping 2",
    ] {
      #expect(throws: PhysicsError.self) { try MotionLine(reading: line) }
    }
    #expect(throws: EasingError.self) { try MotionLine(reading: "cubic-bezier(2, 0, 0, 1)") }
  }

  @Test func `a velocity without a system is refused unless the distance is 1`() throws {
    let line = "stiffness 3 damping 2 velocity 4"
    #expect(try MotionLine(reading: line).motion?.velocity == 4)
    #expect(throws: MotionLineError.self) { try MotionLine(reading: line, from: 0, to: 2) }
  }

  @Test func `a velocity that is given twice is refused`() throws {
    #expect(throws: MotionLineError.self) {
      try MotionLine(reading: "stiffness 3 damping 2 velocity 4", velocity: 5)
    }
    let line = "transition duration 0.5 bounce 0.3"
    #expect(throws: MotionLineError.self) { try MotionLine(reading: line, velocity: 5) }
    #expect(try MotionLine(reading: line + " velocity 4").motion?.velocity == 0)
  }
}
