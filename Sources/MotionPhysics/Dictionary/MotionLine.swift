import TimelineModel

/// A pasted line of an animation system, understood: a spring with a start and a target, or a curve of time.
package struct MotionLine: Sendable {
  enum Content: Sendable {
    case spring(SpringMotion)
    case curve(TimingCurve)
  }

  /// Whose line it is. `nil` for one that means the same in every system, and for a curve.
  package let system: SpringSystem?
  /// What a reader must know of the line, as sentences.
  package private(set) var remarks: [String] = []
  let content: Content
  /// The spring. `nil` for a curve.
  package var motion: SpringMotion? {
    if case .spring(let motion) = content { motion } else { nil }
  }
  let words: MotionWords
  /// Whether the spring is a guess, because its system does not publish its equation.
  private(set) var isGuess = false

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - text: The line, in the words of any system of ``SpringSystem/all`` or CSS.
  ///   - system: Whose line it is. `nil`: told by its words.
  ///   - from: The value at the start.
  ///   - to: The target.
  ///   - velocity: Units per second. `nil`: that of the line, else 0.
  /// - Throws: ``MotionLineError`` if the line is none, says too little, or means different springs in different systems.
  ///   ``PhysicsError`` or ``EasingError`` for numbers that make no motion.
  package init(
    reading text: String, system: SpringSystem? = nil, from: Double = 0, to: Double = 1,
    velocity: Double? = nil
  ) throws {
    let words = MotionWords(text)
    self.words = words
    try words.refuseClamps()
    if let curve = try TimingCurve(reading: words) {
      self.system = nil
      content = .curve(curve)
      if !curve.hasDuration {
        remarks.append(
          "The line has no duration, so this is for 1 s. Put one before it: '500ms \(text)'.")
      }
      if velocity != nil || words.has("velocity") {
        remarks.append("A curve has no velocity of its own, so that one is left out.")
      }
      return
    }
    let own = try system ?? MotionLine.system(named: words)
    self.system = own
    var way = LineContext(from: from, to: to, velocity: velocity)
    if own?.name == "flutter", words.names.contains("springsimulation"), words.unnamed.count >= 3 {
      let numbers = words.unnamed.suffix(3).map(\.value)
      way = LineContext(from: numbers[0], to: numbers[1], velocity: velocity)
    }
    let read = try own?.read(words, way) ?? words.commonSpring()
    guard let read else { throw MotionLine.nothingRead(own) }
    isGuess = read.isGuess
    remarks = read.remark.map { [$0] } ?? []
    let motionVelocity = try MotionLine.velocity(words, own, way, asked: velocity)
    content = .spring(
      SpringMotion(read.spring, from: way.from, to: way.to, velocity: motionVelocity))
    if own == nil {
      let damping = words.has("damping") ? "damping" : "damping ratio"
      remarks.append(
        words.has("mass")
          ? "Mass, stiffness and \(damping) mean the same in every system."
          : "Stiffness and \(damping) mean the same in every system. The mass is 1.")
    }
  }

  /// The initial velocity, units per second.
  private static func velocity(
    _ words: MotionWords, _ system: SpringSystem?, _ way: LineContext, asked: Double?
  ) throws -> Double {
    let simulated =
      system?.name == "flutter" && words.names.contains("springsimulation")
      ? words.unnamed.last?.value : nil
    // Motion and Popmotion give a spring of a duration no velocity.
    let hasNone =
      ["motion", "popmotion"].contains(system?.name)
      && words.has("duration", "milliseconds", "bounce", "visualduration")
      && !words.has("stiffness", "damping", "mass")
    guard let number = try words.lineVelocity() ?? simulated, number != 0 else {
      if hasNone, let asked, asked != 0 {
        throw MotionLineError(
          message:
            "\(system?.title ?? "") ignores the velocity of a spring that has a duration. Remove --velocity."
        )
      }
      return asked ?? 0
    }
    if asked != nil {
      throw MotionLineError(
        message: "The line has a velocity of its own. Remove it or --velocity.")
    }
    if hasNone { return 0 }
    guard let system else {
      guard abs(way.distance) == 1 else {
        throw MotionLineError(
          message:
            "A velocity counts units per second in Motion, and distances to the target per second in UIKit. Add --system motion or --system uikit."
        )
      }
      return number * way.distance
    }
    guard let unit = system.velocityUnit else {
      throw MotionLineError(
        message: "\(system.title) has no word for a velocity. Remove it, or give --velocity V.")
    }
    return unit.unitsPerSecond(number, distance: way.distance)
  }

  /// The system that the words name. `nil` if they name none, and the numbers need none.
  private static func system(named words: MotionWords) throws -> SpringSystem? {
    var named = SpringSystem.all.filter { !$0.words.isDisjoint(with: words.names) }
    // Names of Material's tokens go through `motion`, and its schemes are Compose's.
    if words.names.contains("md") || named.contains(where: { $0.name == "material3" }) {
      named.removeAll { $0.name == "motion" || $0.name == "compose" }
    }
    if named.isEmpty, words.choices["type"] == "spring" { named = [.motion] }
    if named.isEmpty, words.names.contains("config"),
      words.has("tension", "friction", "frequency")
        || SpringSystem.reactSpringPresets.keys.contains(where: words.names.contains)
    {
      named = [.reactSpring]
    }
    if named.count > 1 {
      throw undecided(
        named, "The line has words of \(named.map(\.title).joined(separator: " and ")).")
    }
    if let only = named.first { return only }
    // What these numbers mean differs.
    if words.has("tension", "friction") {
      if words.has("mass") { return .reactSpring }
      throw undecided(
        [.reactSpring, .reactNative],
        "Tension and friction are stiffness and damping in react-spring, and Origami's scale in React Native."
      )
    }
    if words.has("stiffness") || words.has("damping") { return nil }
    if words.has("bounce") {
      throw undecided(
        [.swiftUI, .motion, .flutter],
        "A duration with a bounce is the time of a swing in SwiftUI and Flutter, and a time to rest in Motion."
      )
    }
    if words.has("duration", "milliseconds"), words.has("dampingratio") {
      throw undecided(
        [.reanimated, .uikit],
        "Reanimated and UIKit look for different springs of a duration and a damping ratio.")
    }
    return nil
  }

  private static func undecided(_ systems: [SpringSystem], _ reason: String) -> MotionLineError {
    let flags = systems.map { "--system \($0.name)" }.joined(separator: " or ")
    return MotionLineError(message: "\(reason) Add \(flags).")
  }

  private static func nothingRead(_ system: SpringSystem?) -> MotionLineError {
    MotionLineError(
      message: system.map {
        "\($0.title) has no spring of these words. Give one such as '\($0.example)'."
      }
        ?? "The line has no spring and no curve. Give one such as 'stiffness 300 damping 26' or '300ms ease-out'."
    )
  }
}

extension SpringSystem {
  /// A line of it: the spring of stiffness 300 and damping 26.
  var example: String {
    let spring = try? DampedSpring(mass: 1, stiffness: 300, damping: 26)
    return spring.flatMap { write(SpringMotion($0, from: 0, to: 1, velocity: 0)).text }
      ?? "MotionScheme.expressive().fastSpatialSpec()"
  }
}

extension MotionWords {
  /// The velocity of a line in its system's unit. A vector has one number, or the same twice, or one that is not 0.
  func lineVelocity() throws -> Double? {
    if let velocity = value("velocity") { return velocity }
    // libadwaita's call has the animation before the number.
    if let number = numbers(behind: "adwspringanimationsetinitialvelocity").last {
      return number.value
    }
    guard has("dx", "dy") else { return nil }
    let (across, along) = (value("dx") ?? 0, value("dy") ?? 0)
    guard across == 0 || along == 0 || across == along else {
      throw MotionLineError(
        message: "The line has two velocities, dx \(across) and dy \(along). Keep one of them.")
    }
    return across == 0 ? along : across
  }

  /// A spring of stiffness with damping or damping ratio, both given.
  fileprivate func commonSpring() throws -> ReadSpring? {
    guard has("stiffness") || has("damping") else { return nil }
    let others = values.keys.filter {
      !["stiffness", "damping", "dampingratio", "mass", "velocity"].contains($0)
    }
    if let other = others.min() {
      throw MotionLineError(
        message: "'\(other)' means something in some systems only. Remove it, or add --system NAME."
      )
    }
    if let number = unnamed.first {
      throw MotionLineError(
        message: "The number \(number.value) has no name. Remove it, or add --system NAME.")
    }
    guard has("stiffness"), has("damping", "dampingratio") else {
      throw MotionLineError(
        message:
          "Systems have different values for what the line leaves out. Give both stiffness and damping, or --system NAME."
      )
    }
    return try massSpring(title: "a line without a system")
  }

  /// A clamp ends a motion at its target, which no other system's spring says.
  fileprivate func refuseClamps() throws {
    for key in ["clamp", "overshootclamping"] where isOn(key) {
      throw MotionLineError(
        message:
          "A spring that is clamped at its target has no words in other systems. Remove '\(key)'.")
    }
  }
}
