extension SpringSystem {
  /// React Native's Animated: stiffness, damping and mass, or Origami's two scales for mass 1.
  static let reactNative = SpringSystem(
    name: "react-native", title: "React Native", velocityUnit: .unitsPerSecond,
    words: [
      "reactnative", "animated", "bounciness", "usenativedriver", "origami", "rebound",
    ],
    source: "SpringAnimation.js and SpringConfig.js of React Native",
    read: { words, _ in
      if let read = try words.massSpring(stiffness: 100, damping: 10, title: "React Native") {
        return read.withoutOverdamping("React Native")
      }
      if words.has("mass") {
        throw MotionLineError(
          message: "React Native takes a mass only with stiffness and damping. Remove it.")
      }
      if words.has("bounciness", "speed") {
        return ReadSpring(
          spring: try DampedSpring(
            bounciness: words.value("bounciness") ?? 8, speed: words.value("speed") ?? 12)
        ).withoutOverdamping("React Native")
      }
      guard words.has("tension", "friction") || words.names.contains("spring") else { return nil }
      return ReadSpring(
        spring: try DampedSpring(
          tension: words.value("tension") ?? 40, friction: words.value("friction") ?? 7)
      ).withoutOverdamping("React Native")
    },
    write: { motion in
      motion.cappedLine(
        "Animated.spring(value, { toValue: \(motion.full(motion.to)), stiffness: \(motion.stiffnessText), damping: \(motion.dampingText), mass: \(motion.massText)\(motion.velocityPart("velocity: ", motion.velocityText)), useNativeDriver: true })",
        "React Native runs a spring above critical damping as critical.")
    },
    rest: { motion, words in motion.reactNativeRest(words) })

  /// Reanimated 4, whose standard mass is 4.
  static let reanimated = SpringSystem(
    name: "reanimated", title: "Reanimated", velocityUnit: .unitsPerSecond,
    words: [
      "reanimated", "withspring", "energythreshold", "wigglyspringconfig", "gentlespringconfig",
      "snappyspringconfig", "reanimated3defaultspringconfig", "wigglyspringconfigwithduration",
      "gentlespringconfigwithduration", "snappyspringconfigwithduration",
      "reanimated3defaultspringconfigwithduration", "withtiming",
    ],
    source: "springUtils.ts and springConfigs.ts of Reanimated 4",
    read: { words, way in
      if words.names.contains(where: { $0.hasPrefix("snappyspringconfig") }) {
        throw MotionLineError(
          message:
            "SnappySpringConfig clamps the overshoot, which no other system's line says. Give its numbers without the clamp."
        )
      }
      let named = words.names.first { $0.rest(after: "springconfig") != nil }
      let isWiggly = named?.hasPrefix("wiggly") == true
      let isThird = named?.hasPrefix("reanimated3") == true
      let hasDuration =
        words.has("duration", "milliseconds", "dampingratio")
        || named?.hasSuffix("withduration") == true
      if hasDuration {
        if words.has("stiffness", "damping") {
          throw MotionLineError(
            message:
              "Reanimated takes either a duration with a damping ratio, or stiffness with damping. Remove one pair."
          )
        }
        guard way.distance != 0 else {
          throw MotionLineError(
            message: "Reanimated's duration needs a distance. Give --start and --target.")
        }
        let ratio = words.value("dampingratio") ?? (isWiggly ? 0.75 : isThird ? 0.5 : 1)
        let spring = try DampedSpring(
          reanimatedDuration: words.seconds(bare: 0.001) ?? (isThird ? 1.333 : 0.55),
          dampingRatio: ratio, mass: words.value("mass") ?? 4,
          threshold: words.value("energythreshold") ?? SpringMotion.energyThreshold,
          offset: -way.distance, velocity: try words.lineVelocity() ?? way.velocity ?? 0)
        return ReadSpring(spring: spring).withoutOverdamping("Reanimated")
      }
      guard
        words.has("stiffness", "damping", "mass") || words.names.contains("withspring")
          || named != nil
      else { return nil }
      let mass = words.value("mass") ?? (isThird ? 1 : 4)
      var read = ReadSpring(
        spring: try DampedSpring(
          mass: mass, stiffness: words.value("stiffness") ?? (isThird ? 100 : 900),
          damping: words.value("damping") ?? (isThird ? 10 : isWiggly ? 90 : 120)))
      read = read.withoutOverdamping("Reanimated")
      if !words.has("mass"), !isThird, read.remark == nil {
        read.remark = "Reanimated 4 takes mass 4 if a line has none. Version 3 took 1."
      }
      return read
    },
    write: { motion in
      motion.cappedLine(
        "withSpring(\(motion.full(motion.to)), { mass: \(motion.massText), stiffness: \(motion.stiffnessText), damping: \(motion.dampingText)\(motion.velocityPart("velocity: ", motion.velocityText)) })",
        "Reanimated runs a spring above critical damping as critical.")
    },
    rest: { motion, words in motion.reanimatedRest(words) })

  /// react-spring: tension and friction are stiffness and damping. Velocities are per millisecond.
  static let reactSpring = SpringSystem(
    name: "react-spring", title: "react-spring", velocityUnit: .unitsPerMillisecond,
    words: [
      "reactspring", "usespring", "precision", "restvelocity", "wobbly", "molasses",
    ],
    source: "SpringValue.ts, AnimationConfig.ts and constants.ts of react-spring",
    read: { words, _ in
      let mass = words.value("mass") ?? 1
      if let frequency = words.value("frequency") {
        return ReadSpring(
          spring: try DampedSpring(
            response: frequency, dampingRatio: words.value("damping") ?? 1, mass: mass))
      }
      let preset = reactSpringPresets.first { words.names.contains($0.key) }?.value
      guard words.has("tension", "friction") || preset != nil else {
        guard words.has("stiffness") else { return nil }
        throw MotionLineError(
          message: "react-spring says tension and friction for stiffness and damping. Rename them.")
      }
      let (tension, friction) = preset ?? (170, 26)
      return ReadSpring(
        spring: try DampedSpring(
          mass: mass, stiffness: words.value("tension") ?? tension,
          damping: words.value("friction") ?? friction))
    },
    write: { motion in
      SystemLine(
        text:
          "config: { mass: \(motion.massText), tension: \(motion.stiffnessText), friction: \(motion.dampingText)\(motion.velocityPart("velocity: ", motion.full(motion.velocity / 1000))) }",
        remark:
          "At 60 frames a second react-spring runs 2 % fast, because it takes 17 steps of 1 ms a frame."
      )
    },
    rest: { motion, words in motion.reactSpringRest(words) })

  /// react-spring's `config`: tension and friction.
  static let reactSpringPresets: [String: (Double, Double)] = [
    "default": (170, 26), "gentle": (120, 14), "wobbly": (180, 12), "stiff": (210, 20),
    "slow": (280, 60), "molasses": (280, 120),
  ]

  static let motion = SpringSystem(
    name: "motion", title: "Motion", velocityUnit: .unitsPerSecond,
    words: ["motion", "framer", "framermotion", "visualduration", "transition"],
    source: "the spring generator of motion-dom",
    read: { words, _ in
      if let read = try words.massSpring(stiffness: 100, damping: 10, title: "Motion") {
        return read
      }
      let given = words.positional(in: "spring")
      if let duration = words.seconds("visualduration") ?? given.first {
        let bounce = min(
          max(words.value("bounce") ?? given.dropFirst().first ?? (given.isEmpty ? 0 : 0.3), 0),
          0.95)
        return ReadSpring(
          spring: try DampedSpring(visualDuration: duration, bounce: bounce),
          remark: velocityRemark(words, "Motion"))
      }
      guard words.has("duration", "milliseconds", "bounce") else {
        guard words.choices["type"] == "spring" || words.has("mass") else { return nil }
        return ReadSpring(
          spring: try DampedSpring(
            mass: words.value("mass") ?? 1, stiffness: 100, damping: 10))
      }
      return ReadSpring(
        spring: try DampedSpring(
          motionDuration: motionSeconds(words) ?? 0.8, bounce: words.value("bounce") ?? 0.3),
        remark: velocityRemark(words, "Motion"))
    },
    write: { motion in
      SystemLine(
        text:
          "transition: { type: \"spring\", stiffness: \(motion.stiffnessText), damping: \(motion.dampingText), mass: \(motion.massText)\(motion.velocityPart("velocity: ", motion.velocityText)) }"
      )
    },
    rest: { motion, words in durationRest(words) ?? motion.motionRest(words) })

  static let popmotion = SpringSystem(
    name: "popmotion", title: "Popmotion", velocityUnit: .unitsPerSecond,
    words: ["popmotion"],
    source: "spring.ts and find-spring.ts of Popmotion 11",
    read: { words, _ in
      if let read = try words.massSpring(stiffness: 100, damping: 10, title: "Popmotion") {
        return read
      }
      guard words.has("duration", "milliseconds", "bounce") else {
        return ReadSpring(
          spring: try DampedSpring(
            mass: words.value("mass") ?? 1, stiffness: 100, damping: 10))
      }
      return ReadSpring(
        spring: try DampedSpring(
          motionDuration: words.seconds(bare: 0.001) ?? 0.8, bounce: words.value("bounce") ?? 0.25),
        remark: velocityRemark(words, "Popmotion"))
    },
    write: { motion in
      SystemLine(
        text:
          "animate({ from: \(motion.full(motion.from)), to: \(motion.full(motion.to)), type: \"spring\", stiffness: \(motion.stiffnessText), damping: \(motion.dampingText), mass: \(motion.massText)\(motion.velocityPart("velocity: ", motion.velocityText)) })"
      )
    },
    rest: { motion, words in
      durationRest(words, bare: 0.001) ?? motion.popmotionRest(words)
    })

  /// Motion's duration: seconds in its own options, milliseconds in its generator's, which are above its limit of 10 s.
  private static func motionSeconds(_ words: MotionWords) -> Double? {
    guard let seconds = words.seconds() else { return nil }
    return seconds > 10 ? seconds / 1000 : seconds
  }

  private static func velocityRemark(_ words: MotionWords, _ title: String) -> String? {
    (words.value("velocity") ?? 0) == 0
      ? nil : "\(title) ignores the velocity of a spring that has a duration."
  }

  /// A spring that was found for a duration ends after it.
  private static func durationRest(_ words: MotionWords, bare: Double? = nil) -> RestTime? {
    guard !words.has("stiffness", "damping", "mass"), words.has("duration", "milliseconds") else {
      return nil
    }
    let seconds = bare.map { words.seconds(bare: $0) } ?? motionSeconds(words)
    return seconds.map { RestTime(min(max($0, 0.01), 10), "the duration of the line") }
  }
}
