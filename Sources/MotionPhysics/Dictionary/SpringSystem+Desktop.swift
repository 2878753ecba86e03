extension SpringSystem {
  /// libadwaita: mass, stiffness, and damping or a damping ratio.
  static let libadwaita = SpringSystem(
    name: "libadwaita", title: "libadwaita", velocityUnit: .unitsPerSecond,
    words: [
      "libadwaita", "adw", "gtk", "springparams", "adwspringparamsnew", "adwspringparamsnewfull",
      "adwspringanimation", "adwspringanimationsetinitialvelocity",
    ],
    source: "adw-spring-params.c and adw-spring-animation.c of libadwaita",
    read: { words, _ in
      let full = ["adwspringparamsnewfull", "newfull"].lazy
        .map { words.numbers(behind: $0) }.first { $0.count >= 3 }
      if let full {
        return ReadSpring(
          spring: try DampedSpring(
            mass: full[1].value, stiffness: full[2].value, damping: full[0].value))
      }
      let short = ["adwspringparamsnew", "new", "springparams"].lazy
        .map { words.numbers(behind: $0) }.first { $0.count >= 3 }
      if let short, !words.has("stiffness") {
        return ReadSpring(
          spring: try DampedSpring(
            dampingRatio: short[0].value, stiffness: short[2].value, mass: short[1].value))
      }
      return try words.massSpring(title: "libadwaita")
    },
    write: { motion in
      SystemLine(
        text:
          "adw_spring_params_new_full (\(motion.dampingText), \(motion.massText), \(motion.stiffnessText))"
          + (motion.velocity == 0
            ? ""
            : "; adw_spring_animation_set_initial_velocity (animation, \(motion.velocityText))"))
    },
    rest: { motion, words in
      let seconds = motion.seconds(
        by: .libadwaita, SettleTolerance(epsilon: words.value("epsilon")))
      return RestTime(
        seconds.map { ($0 * 1000).rounded(.down) / 1000 },
        "calculate_duration with epsilon 0.001, adw-spring-animation.c")
    })

  /// Hyprland 0.55 and later, which run springs of their own. A spring starts at rest, or keeps the velocity of the
  /// animation before.
  static let hyprland = SpringSystem(
    name: "hyprland", title: "Hyprland", velocityUnit: nil,
    words: ["hyprland", "hl", "hl.curve", "dampening", "bezier"],
    source: "Spring.cpp and AnimatedVariable.cpp of hyprutils",
    read: { words, _ in
      guard words.has("stiffness", "damping", "mass") else { return nil }
      return try words.massSpring(stiffness: 250, damping: 25, title: "Hyprland")
    },
    write: { motion in
      SystemLine(
        text:
          "hl.curve(\"spring\", { type = \"spring\", mass = \(motion.massText), stiffness = \(motion.stiffnessText), dampening = \(motion.dampingText) })",
        losesVelocity: motion.velocity != 0,
        remark: motion.velocity != 0
          ? "Hyprland keeps the velocity of the animation before. No word gives one." : nil)
    },
    rest: { motion, _ in motion.hyprlandRest() })
}
