import TimelineModel

extension SpringSystem {
  /// Jetpack Compose: a damping ratio and a stiffness for mass 1.
  static let compose = SpringSystem(
    name: "compose", title: "Jetpack Compose", velocityUnit: .unitsPerSecond,
    words: [
      "compose", "springspec", "animationspec", "visibilitythreshold", "animateto", "animatable",
      "dampingratiohighbouncy", "dampingratiomediumbouncy", "dampingratiolowbouncy",
      "dampingrationobouncy", "stiffnesshigh", "stiffnessmedium", "stiffnessmediumlow",
      "stiffnesslow", "stiffnessverylow", "cubicbeziereasing", "springforce",
    ],
    source: "SpringSimulation.kt and SpringEstimation.kt of androidx.compose.animation.core",
    read: { words, _ in
      guard words.has("dampingratio", "stiffness") || words.names.contains("spring") else {
        return nil
      }
      if words.has("damping", "mass") {
        throw MotionLineError(
          message:
            "Jetpack Compose has no damping and no mass. Give 'dampingRatio Z' and 'stiffness K'.")
      }
      if words.names.contains("springforce"), !words.has("dampingratio") || !words.has("stiffness")
      {
        throw MotionLineError(
          message: "SpringForce has standards of its own. Give its stiffness and its damping ratio."
        )
      }
      let given = words.positional(in: "spring")
      return ReadSpring(
        spring: try DampedSpring(
          dampingRatio: words.value("dampingratio") ?? given.first ?? 1,
          stiffness: words.value("stiffness") ?? given.dropFirst().first ?? 1500))
    },
    write: { motion in
      guard let text = composeSpring(motion) else {
        return SystemLine(remark: "Jetpack Compose has no spring without stiffness.")
      }
      guard motion.velocity != 0 else { return SystemLine(text: text) }
      return SystemLine(
        text:
          "animatable.animateTo(\(motion.full(motion.to))f, \(text), initialVelocity = \(motion.velocityText)f)"
      )
    },
    rest: { motion, words in
      composeRest(motion, words)
    })

  /// Material 3: the springs of its two motion schemes, which are Compose's.
  static let material3 = SpringSystem(
    name: "material3", title: "Material 3", velocityUnit: nil,
    words: [
      "material3", "material", "motionscheme", "expressivemotiontokens", "standardmotiontokens",
      "expressive", "m3", "md",
    ],
    source: "StandardMotionTokens and ExpressiveMotionTokens of androidx.compose.material3",
    read: { words, _ in
      let text = words.text.lowercased()
      func says(_ word: String) -> Bool { text.rest(after: word) != nil }
      let isExpressive = says("expressive")
      let token = MaterialSpring.all.first { token in
        token.isExpressive == isExpressive && says(token.speed) && says(token.kind)
      }
      guard let token else {
        throw MotionLineError(
          message:
            "Material 3 has springs such as 'expressive fast spatial': standard or expressive, default, fast or slow, spatial or effects. Give one of them."
        )
      }
      return ReadSpring(
        spring: try DampedSpring(dampingRatio: token.ratio, stiffness: token.stiffness),
        remark: isExpressive || says("standard")
          ? nil : "The line names no scheme, so this is the standard one.")
    },
    write: { motion in
      let ratio = motion.spring.dampingRatio ?? 0
      let stiffness = motion.spring.stiffness / motion.spring.mass
      let token = MaterialSpring.all.first {
        abs(ratio - $0.ratio) <= 1e-9 && abs(stiffness / $0.stiffness - 1) <= 1e-9
      }
      guard let token else {
        return SystemLine(
          remark: "Material 3 has no token of this spring. Compose's line can say it.")
      }
      return SystemLine(
        text: token.call, losesVelocity: motion.velocity != 0,
        remark: motion.velocity != 0
          ? "A token says no velocity. animateTo of Jetpack Compose does." : nil)
    },
    rest: { motion, words in composeRest(motion, words) })

  /// Flutter: mass, stiffness and damping, or SwiftUI's duration and bounce.
  static let flutter = SpringSystem(
    name: "flutter", title: "Flutter", velocityUnit: .unitsPerSecond,
    words: [
      "flutter", "springdescription", "springsimulation", "withdampingratio",
      "withdurationandbounce", "scrollspringsimulation",
    ],
    source: "spring_simulation.dart of Flutter",
    read: { words, _ in
      if let read = try words.massSpring(title: "Flutter") { return read }
      guard
        words.has("duration", "milliseconds", "seconds", "bounce")
          || words.names.contains("withdurationandbounce")
      else { return nil }
      return ReadSpring(
        spring: try DampedSpring(
          duration: words.seconds() ?? 0.5, bounce: words.value("bounce") ?? 0))
    },
    write: { motion in
      SystemLine(
        text:
          "SpringSimulation(SpringDescription(mass: \(motion.massText), stiffness: \(motion.stiffnessText), damping: \(motion.dampingText)), \(motion.full(motion.from)), \(motion.full(motion.to)), \(motion.velocityText))"
      )
    },
    rest: { motion, words in
      RestTime(
        motion.seconds(by: .flutter),
        "SpringSimulation.isDone with Tolerance.defaultTolerance, 0.001, spring_simulation.dart")
    })

  private static func composeSpring(_ motion: SpringMotion) -> String? {
    motion.spring.dampingRatio.map { ratio in
      "spring(dampingRatio = \(motion.full(ratio))f, stiffness = \(motion.full(motion.spring.stiffness / motion.spring.mass))f)"
    }
  }

  private static func composeRest(_ motion: SpringMotion, _ words: MotionWords) -> RestTime {
    let threshold =
      words.value("visibilitythreshold")
      ?? SettleDefinition.compose.standardEpsilon(distance: motion.distance)
    let seconds = motion.seconds(by: .compose, SettleTolerance(epsilon: threshold))
    return RestTime(
      seconds.map { ($0 * 1000).rounded(.down) / 1000 },
      "estimateAnimationDurationMillis with a threshold of \(NumberText.short(threshold)), SpringEstimation.kt"
    )
  }
}

/// A spring of Material 3's motion schemes.
private struct MaterialSpring {
  let isExpressive: Bool
  /// default, fast or slow.
  let speed: String
  /// spatial or effects.
  let kind: String
  let ratio: Double
  let stiffness: Double

  /// How Compose asks for it.
  var call: String {
    let scheme = isExpressive ? "expressive" : "standard"
    return
      "MotionScheme.\(scheme)().\(speed)\(kind.first?.uppercased() ?? "")\(kind.dropFirst())Spec()"
  }

  private init(
    _ isExpressive: Bool, _ speed: String, _ kind: String, _ ratio: Double, _ stiffness: Double
  ) {
    (self.isExpressive, self.speed, self.kind) = (isExpressive, speed, kind)
    (self.ratio, self.stiffness) = (ratio, stiffness)
  }

  static let all =
    [false, true].flatMap { isExpressive in
      [
        MaterialSpring(
          isExpressive, "default", "spatial", isExpressive ? 0.8 : 0.9, isExpressive ? 380 : 700),
        MaterialSpring(
          isExpressive, "fast", "spatial", isExpressive ? 0.6 : 0.9, isExpressive ? 800 : 1400),
        MaterialSpring(
          isExpressive, "slow", "spatial", isExpressive ? 0.8 : 0.9, isExpressive ? 200 : 300),
        MaterialSpring(isExpressive, "default", "effects", 1, 1600),
        MaterialSpring(isExpressive, "fast", "effects", 1, 3800),
        MaterialSpring(isExpressive, "slow", "effects", 1, 800),
      ]
    }
}
