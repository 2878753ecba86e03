extension SpringSystem {
  /// UIKit: springs of Core Animation. A duration with a damping ratio is turned into one by an equation that Apple does not
  /// publish.
  static let uikit = SpringSystem(
    name: "uikit", title: "UIKit", velocityUnit: .distancesPerSecond,
    words: [
      "uikit", "uispringtimingparameters", "uiview", "uiviewpropertyanimator",
      "usingspringwithdamping", "initialspringvelocity", "springduration", "cgvector",
      "uicubictimingparameters",
    ],
    source: "Apple's documentation of UISpringTimingParameters and UIView",
    read: { words, way in
      if let read = try words.massSpring(title: "UIKit") { return read.withoutOverdamping("UIKit") }
      guard let duration = words.seconds() else {
        guard words.has("dampingratio") else { return nil }
        throw MotionLineError(
          message: "UIKit's damping ratio needs the animator's duration. Add 'duration S'.")
      }
      if let ratio = words.value("dampingratio") {
        let velocity =
          try words.lineVelocity()
          ?? way.velocity.map { MotionPhysics.relativeVelocity($0, remaining: way.distance) }
        return ReadSpring(
          spring: try DampedSpring(
            uikitDuration: duration, dampingRatio: ratio, relativeVelocity: velocity ?? 0),
          remark:
            "Apple does not publish how UIKit makes a spring of a duration and a damping ratio. This is the spring that Core Animation calls at rest after that duration.",
          isGuess: true)
      }
      guard words.has("bounce") || words.names.contains("springduration") else { return nil }
      return ReadSpring(
        spring: try DampedSpring(duration: duration, bounce: words.value("bounce") ?? 0))
    },
    write: { motion in
      motion.cappedLine(
        "UISpringTimingParameters(mass: \(motion.massText), stiffness: \(motion.stiffnessText), damping: \(motion.dampingText), initialVelocity: CGVector(dx: \(motion.relativeText), dy: \(motion.relativeText)))",
        "UIKit has no word for allowsOverdamping, without which Core Animation runs the spring as critical."
      ).atTarget(motion)
    },
    rest: { motion, words in
      if let duration = words.seconds(), words.has("dampingratio"), !words.has("stiffness") {
        return RestTime(duration, "the duration of the animator")
      }
      return coreAnimationRest(motion)
    })

  static let coreAnimation = SpringSystem(
    name: "core-animation", title: "Core Animation", velocityUnit: .distancesPerSecond,
    words: [
      "coreanimation", "caspringanimation", "perceptualduration", "allowsoverdamping",
      "camediatimingfunction",
    ],
    source: "Apple's documentation of CASpringAnimation",
    read: { words, _ in
      if let duration = words.seconds("perceptualduration") {
        return ReadSpring(
          spring: try DampedSpring(duration: duration, bounce: words.value("bounce") ?? 0))
      }
      let isNamed = words.names.contains("caspringanimation")
      let standard = try DampedSpring(mass: words.value("mass") ?? 1, stiffness: 100, damping: 10)
      let read =
        try words.massSpring(stiffness: 100, damping: 10, title: "Core Animation")
        ?? (isNamed ? ReadSpring(spring: standard) : nil)
      guard let read else { return nil }
      return words.isOn("allowsoverdamping") ? read : read.withoutOverdamping("Core Animation")
    },
    write: { motion in
      SystemLine(
        text:
          "let spring = CASpringAnimation(); spring.mass = \(motion.massText); spring.stiffness = \(motion.stiffnessText); spring.damping = \(motion.dampingText); spring.initialVelocity = \(motion.relativeText)"
          + (motion.isOverdamped ? "; spring.allowsOverdamping = true" : "")
      ).atTarget(motion)
    },
    rest: { motion, _ in coreAnimationRest(motion) })

  /// SwiftUI: `.spring` has a duration and a bounce and takes the velocity of the animation before.
  /// `.interpolatingSpring` has a velocity of its own and runs a creeping spring as critical.
  static let swiftUI = SpringSystem(
    name: "swiftui", title: "SwiftUI", velocityUnit: .distancesPerSecond,
    words: [
      "swiftui", ".spring", "dampingfraction", "response", "interpolatingspring",
      "interactivespring",
      "blendduration", "smooth", "snappy", "bouncy", "extrabounce", "withanimation",
      "allowoverdamping", "timingcurve", "settlingduration",
    ],
    source: "SpringAnimation.swift and FluidSpringAnimation.swift of OpenSwiftUI",
    read: { words, _ in
      if words.names.contains("speed") {
        throw MotionLineError(message: "A spring with .speed is another spring. Remove it.")
      }
      if words.has("settlingduration") {
        throw MotionLineError(
          message:
            "SwiftUI solves an equation for settlingDuration that is not that of its own time of rest. Give the stiffness and the damping that the Spring has then."
        )
      }
      if let read = try words.massSpring(title: "SwiftUI") {
        return words.isOn("allowoverdamping") ? read : read.withoutOverdamping("SwiftUI")
      }
      let isInteractive = words.names.contains("interactivespring")
      if let response = words.seconds("response") {
        let ratio = words.value("dampingratio") ?? (isInteractive ? 0.86 : 0.825)
        return ReadSpring(
          spring: try DampedSpring(response: response, dampingRatio: ratio)
        ).interpolated(words)
      }
      if words.has("dampingratio") {
        throw MotionLineError(
          message:
            "SwiftUI's standard response differs from version to version. Add 'response S'.")
      }
      let presets = ["smooth": 0.0, "snappy": 0.15, "bouncy": 0.3, "interactivespring": 0.15]
      let preset = presets.first { words.names.contains($0.key) }?.value
      guard words.has("duration", "bounce") || preset != nil else {
        guard words.names.contains("spring") || words.names.contains("interpolatingspring") else {
          return nil
        }
        return ReadSpring(spring: try DampedSpring(duration: 0.5, bounce: 0))
      }
      let bounce = words.value("bounce") ?? ((preset ?? 0) + (words.value("extrabounce") ?? 0))
      return ReadSpring(
        spring: try DampedSpring(
          duration: words.seconds() ?? (isInteractive ? 0.15 : 0.5), bounce: bounce)
      ).interpolated(words)
    },
    write: { motion in
      if motion.velocity != 0, !motion.isOverdamped {
        return SystemLine(
          text:
            ".interpolatingSpring(mass: \(motion.massText), stiffness: \(motion.stiffnessText), damping: \(motion.dampingText), initialVelocity: \(motion.relativeText))"
        ).atTarget(motion)
      }
      guard let duration = motion.spring.duration, let bounce = motion.spring.bounce else {
        return SystemLine(remark: "SwiftUI has no spring without stiffness.")
      }
      let text = ".spring(duration: \(motion.full(duration)), bounce: \(motion.full(bounce)))"
      guard motion.velocity != 0 else { return SystemLine(text: text) }
      return SystemLine(
        text: text, losesVelocity: true,
        remark:
          ".spring takes the velocity of the animation before, and .interpolatingSpring, which has one, runs this spring as critical."
      )
    },
    rest: { motion, _ in
      motion.velocity != 0 && !motion.isOverdamped
        ? RestTime(
          motion.seconds(by: .swiftUI),
          "Spring.settlingDuration with epsilon 0.001, OpenSwiftUI")
        : RestTime(
          motion.seconds(by: .fluid),
          "first step of 1/300 s with speed and force at most 0.06 and 1 % left, FluidSpringAnimation.swift"
        )
    })

  private static func coreAnimationRest(_ motion: SpringMotion) -> RestTime {
    RestTime(
      motion.seconds(by: .coreAnimation),
      "CASpringAnimation.settlingDuration, 0.001 of the distance, found from measured values")
  }
}

extension ReadSpring {
  /// The spring as `.interpolatingSpring` runs it, if the line is one.
  fileprivate func interpolated(_ words: MotionWords) -> ReadSpring {
    words.names.contains("interpolatingspring") ? withoutOverdamping("SwiftUI") : self
  }
}

extension SystemLine {
  /// The line of a system whose velocity counts distances, which there are none of at the target.
  fileprivate func atTarget(_ motion: SpringMotion) -> SystemLine {
    guard motion.distance == 0, motion.velocity != 0 else { return self }
    var line = self
    line.losesVelocity = true
    line.remark = "The velocity counts distances to the target, and there is none."
    return line
  }
}
