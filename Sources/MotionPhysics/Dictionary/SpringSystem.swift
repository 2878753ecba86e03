import TimelineModel

/// An animation system of the dictionary: how it says a spring, how its lines are read, and when it calls one at rest.
package struct SpringSystem: Sendable {
  /// The name of a row and of `--system`.
  package let name: String
  /// The name in sentences.
  package let title: String
  /// The unit of its initial velocity. `nil` if it has no word for one.
  let velocityUnit: VelocityUnit?
  /// Words that only this system's lines have, as ``MotionWords`` writes them.
  let words: Set<String>
  /// The file or page from which the conversion comes.
  package let source: String
  /// Reads the spring of a line that is this system's. `nil` if the line has none of its forms.
  let read: @Sendable (MotionWords, LineContext) throws -> ReadSpring?
  /// Says a motion.
  let write: @Sendable (SpringMotion) -> SystemLine
  /// The time of rest by its own rule, with the thresholds of a line of its own.
  let rest: @Sendable (SpringMotion, MotionWords) -> RestTime

  /// The systems, in the order of rows.
  package static let all: [SpringSystem] = [
    uikit, coreAnimation, swiftUI, compose, material3, flutter, reactNative, reanimated,
    reactSpring, motion, popmotion, libadwaita, hyprland,
  ]

  /// The system of a name. `nil` for another name.
  package static func named(_ name: String) -> SpringSystem? { all.first { $0.name == name } }
}

/// What an initial velocity counts.
enum VelocityUnit: Sendable {
  /// Units of the value per second.
  case unitsPerSecond
  /// Units of the value per millisecond.
  case unitsPerMillisecond
  /// The distance to the target per second, positive towards it.
  case distancesPerSecond

  /// A number of this unit as the engine counts it. `distance` is that to the target.
  func unitsPerSecond(_ number: Double, distance: Double) -> Double {
    switch self {
    case .unitsPerSecond: number
    case .unitsPerMillisecond: number * 1000
    case .distancesPerSecond: absoluteVelocity(number, remaining: distance)
    }
  }
}

/// The distance that a line is read for.
struct LineContext: Sendable {
  let from: Double
  let to: Double
  /// The velocity that was asked for beside the line, units per second.
  let velocity: Double?
  var distance: Double { to - from }
}

/// A spring that was read, with what a reader must know of it.
struct ReadSpring: Sendable {
  var spring: DampedSpring
  /// Set if the spring is not all that the system says or does.
  var remark: String?
  /// Set if the source of the conversion is not published, so that no row is exact.
  var isGuess = false
}

/// How a system says a motion.
struct SystemLine: Sendable {
  /// What can be pasted. `nil` if the system has no words for it.
  var text: String?
  /// The spring that the system runs for that text. `nil`: that of the motion.
  var runs: DampedSpring?
  /// Set if the text does not say the initial velocity.
  var losesVelocity = false
  var remark: String?
}

// MARK: Reading

extension MotionWords {
  /// A spring of stiffness, damping or damping ratio, and mass. `nil` if the line has neither.
  ///
  /// - Parameter standard: The system's own values for those that the line leaves out.
  /// - Throws: ``MotionLineError`` if one is missing that has no standard.
  func massSpring(
    stiffness standard: Double? = nil, damping standardDamping: Double? = nil, mass: Double = 1,
    title: String
  ) throws -> ReadSpring? {
    guard has("stiffness") || has("damping") else { return nil }
    guard let stiffness = value("stiffness") ?? standard else {
      throw MotionLineError(message: "The line has no stiffness. Add 'stiffness N'.")
    }
    let mass = value("mass") ?? mass
    guard !has("damping") || !has("dampingratio") else {
      throw MotionLineError(
        message: "The line has a damping and a damping ratio. Remove one of them.")
    }
    if let ratio = value("dampingratio") {
      return ReadSpring(
        spring: try DampedSpring(dampingRatio: ratio, stiffness: stiffness, mass: mass))
    }
    guard let damping = value("damping") ?? standardDamping else {
      throw MotionLineError(
        message: "The line has no damping, and \(title) gives none. Add 'damping N'.")
    }
    return ReadSpring(
      spring: try DampedSpring(mass: mass, stiffness: stiffness, damping: damping))
  }

  /// The value of a length of time. A bare number is multiplied for seconds.
  func seconds(_ key: String = "duration", bare factor: Double = 1) -> Double? {
    if let number = values[key] { return number.seconds(of: factor) }
    guard key == "duration" else { return nil }
    return values["milliseconds"].map { $0.value / 1000 } ?? values["seconds"]?.value
  }

  /// Whether a switch of the line is on.
  func isOn(_ key: String) -> Bool { choices[key] == "true" || choices[key] == "yes" }
}

extension ReadSpring {
  /// The spring that a system runs which takes a spring that creeps as critical.
  func withoutOverdamping(_ title: String) -> ReadSpring {
    guard spring.withoutOverdamping != spring else { return self }
    var read = self
    read.spring = spring.withoutOverdamping
    read.remark = "\(title) runs this spring as critical, so that one is printed."
    return read
  }
}

// MARK: Writing

extension SpringMotion {
  /// Whether the spring creeps by more than rounding.
  var isOverdamped: Bool {
    if case .over = SettleCurve(spring).cleared { return true }
    return false
  }

  /// The line of a system that runs a spring above critical damping as critical.
  func cappedLine(_ text: String, _ remark: String) -> SystemLine {
    guard isOverdamped else { return SystemLine(text: text) }
    return SystemLine(text: text, runs: spring.withoutOverdamping, remark: remark)
  }

  var massText: String { full(spring.mass) }
  var stiffnessText: String { full(spring.stiffness) }
  var dampingText: String { full(spring.damping) }
  var velocityText: String { full(velocity) }
  var relativeText: String { full(relativeVelocity) }

  /// `, NAME VALUE` for a velocity that is not 0, else nothing.
  func velocityPart(_ name: String, _ text: String) -> String {
    velocity == 0 ? "" : ", \(name)\(text)"
  }

  /// A number with twelve digits, so that what is read back is the same motion.
  func full(_ number: Double) -> String { NumberText.short(number, digits: 12) }
}
