package import TimelineModel

/// A motion in the words of one system.
package struct MotionTranslation: ResultRow {
  /// The name of the system, or `css`.
  package let system: String
  /// What can be pasted. `nil` if the system cannot say it.
  package private(set) var line: String?
  /// Seconds until the system calls it at rest. `nil` if it never does, or has no line.
  package private(set) var restSeconds: Double?
  /// The rule of that time, with its source.
  package private(set) var restRule: String?
  /// Whether the line is the same motion.
  package let isExact: Bool
  /// The largest distance between the line's motion and the one asked for, as a share of the distance. `nil`: not known.
  package private(set) var largestError: Double?
  package private(set) var points: Int?
  /// What the line leaves out, or does otherwise.
  package private(set) var remark: String?

  package static let fields: [ResultField<MotionTranslation>] = [
    ResultField("system", "The animation system.", \.system),
    ResultField("line", "The motion in its words. Null if it has none.", \.line),
    ResultField("rest_s", "The time until it calls the motion at rest.", \.restSeconds),
    ResultField("exact", "Whether the line says the same motion.", \.isExact),
    ResultField(
      "max_error", unit: "1", "The largest distance from the motion, as a share of the distance.",
      \.largestError),
    ResultField("points", "The points of linear().", inTable: false, \.points),
    ResultField("remark", "What the line leaves out, or does otherwise.", inTable: false, \.remark),
    ResultField("rest_rule", "The rule of rest, with its source.", inTable: false, \.restRule),
  ]

  /// The row of CSS, which has no springs.
  fileprivate init(css linear: TimedLinear?, isExact: Bool, remark: String) {
    system = "css"
    line = linear?.text
    restSeconds = linear?.seconds
    restRule = linear == nil ? nil : "the duration"
    self.isExact = isExact
    largestError = linear?.error
    points = linear?.curve.count
    self.remark = remark
  }

  /// A spring in a system's words.
  ///
  /// - Parameters:
  ///   - known: The error that the spring has already. `nil`: not known.
  fileprivate init(
    _ motion: SpringMotion, in system: SpringSystem, words: MotionWords, error known: Double?
  ) {
    self.system = system.name
    let said = system.write(motion)
    line = said.text
    remark = said.remark
    let runs = SpringMotion(
      said.runs ?? motion.spring, from: motion.from, to: motion.to,
      velocity: said.losesVelocity ? 0 : motion.velocity)
    let isSame = said.text != nil && said.runs == nil && !said.losesVelocity
    isExact = isSame && known == 0
    guard said.text != nil else { return }
    let rest = system.rest(runs, words)
    (restSeconds, restRule) = (rest.seconds, rest.rule)
    if isSame {
      largestError = known
      if system.name == "react-spring", known == 0 { largestError = motion.reactSpringError }
    } else if known == 0 {
      largestError = motion.largestDifference(to: runs)
    }
  }
}

extension MotionLine {
  /// The motion in the words of every system and of CSS. A curve is printed as `linear()`, and by the spring that is nearest
  /// to it.
  ///
  /// - Parameters:
  ///   - from: The start of a curve. A spring has its own.
  ///   - to: Its target.
  /// - Complexity: a few hundred thousand evaluations of a spring.
  package func translations(from: Double = 0, to: Double = 1) -> [MotionTranslation] {
    switch content {
    case .spring(let motion):
      let linear = motion.linear()
      let css = MotionTranslation(
        css: linear, isExact: false,
        remark: linear.map { "\($0.curve.count) points. CSS has no springs." }
          ?? "No linear() is within 0.1 % of a spring that starts at its target, swings more than 40 times or starts very fast."
      )
      return SpringSystem.all.map { other in
        MotionTranslation(
          motion, in: other, words: other.name == system?.name ? words : MotionWords(""),
          error: isGuess ? nil : 0)
      } + [css]
    case .curve(let curve):
      let linear = curve.linear
      let css = MotionTranslation(
        css: linear, isExact: linear.error == 0, remark: "\(linear.curve.count) points.")
      guard let nearest = NearestSpring(to: curve.value(at:), seconds: curve.seconds) else {
        return [css]
      }
      let motion = SpringMotion(nearest.spring, from: from, to: to, velocity: 0)
      // Some systems run no spring above critical damping. They get the nearest of the others.
      let calm =
        motion.isOverdamped
        ? NearestSpring(to: curve.value(at:), seconds: curve.seconds, mostDamped: 1) : nil
      return [css]
        + SpringSystem.all.map { system in
          guard let calm, system.write(motion).runs != nil else {
            return MotionTranslation(
              motion, in: system, words: MotionWords(""), error: nearest.error)
          }
          return MotionTranslation(
            motion.on(calm.spring), in: system, words: MotionWords(""), error: calm.error)
        }
    }
  }

  /// What was read, in a sentence for people.
  package var summary: String {
    switch content {
    case .spring(let motion):
      let spring = motion.spring
      func text(_ number: Double) -> String { NumberText.short(number, digits: 5) }
      var parts = [
        "mass \(text(spring.mass))", "stiffness \(text(spring.stiffness))",
        "damping \(text(spring.damping))",
      ]
      if let ratio = spring.dampingRatio { parts.append("damping ratio \(text(ratio))") }
      if let response = spring.response { parts.append("response \(text(response)) s") }
      if motion.velocity != 0 { parts.append("velocity \(text(motion.velocity)) per second") }
      return
        "\(system.map { "\($0.title)'s spring" } ?? "A spring"): \(parts.joined(separator: ", "))."
    case .curve(let curve):
      return
        "A curve of \(NumberText.short(curve.seconds)) s. Springs are the nearest to it, and none is the same."
    }
  }
}

extension SpringMotion {
  /// How far react-spring's steps are from the spring at 60 frames a second, as a share of the distance. `nil` at the target, and
  /// if the steps run away.
  fileprivate var reactSpringError: Double? {
    guard distance != 0, let end = path.lastEntry(below: abs(distance) / 1000) else { return nil }
    let path = path
    var (position, pace, largest) = (from, velocity / 1000, 0.0)
    for frame in 1...max(1, Int(min(end, longestWalkSeconds) * 60)) {
      for _ in 0..<17 {
        pace +=
          (-spring.stiffness * 1e-6 * (position - to) - spring.damping * 1e-3 * pace) / spring.mass
        position += pace
      }
      largest = max(largest, abs(position - to - path.offset(atSeconds: Double(frame) / 60)))
    }
    return largest.isFinite ? largest / abs(distance) : nil
  }
}
