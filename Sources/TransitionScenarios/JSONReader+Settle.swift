import GestureInput
import JSONText
import MotionPhysics

/// How the rest of the motion runs, as in scenario files.
extension JSONReader {
  /// The settle of a scenario: `{"type": "spring", …}`, `timing` or `cubic`. A spring where no type stands.
  func settleParameters() throws(JSONError) -> SettleParameters {
    let type = try object()["type"]?.choice(SettleType.self) ?? .spring
    switch type {
    case .spring: return try springSettle()
    case .timing: return try timingSettle()
    case .cubic: return try cubicSettle()
    }
  }

  private func springSettle() throws(JSONError) -> SettleParameters {
    let fields = try object(allowing: SpringForm.fields + ["type", "overshoot", "definition"])
    return SettleParameters(
      spring: try spring(fields), overshoot: try fields["overshoot"]?.bool() ?? true,
      definition: try fields["definition"]?
        .choice(SettleDefinition.self, offering: SettleDefinition.offered) ?? .coreAnimation)
  }

  private func timingSettle() throws(JSONError) -> SettleParameters {
    let fields = try object(allowing: ["type", "duration", "completionSpeed", "easing"])
    let duration = try fields.required("duration").nonNegativeNumber()
    let speed = try fields["completionSpeed"]?.positiveNumber() ?? 1
    let easing = try fields["easing"]?.easing() ?? SettleParameters.standardEasing
    return try refusingHere {
      try SettleParameters(timing: duration, completionSpeed: speed, easing: easing)
    }
  }

  private func cubicSettle() throws(JSONError) -> SettleParameters {
    let fields = try object(allowing: ["type", "duration", "overshoot"])
    let duration = try fields.required("duration").nonNegativeNumber()
    let overshoot = try fields["overshoot"]?.bool() ?? true
    return try refusingHere { try SettleParameters(cubic: duration, overshoot: overshoot) }
  }

  /// A curve by its name, or by a CSS function.
  func easing() throws(JSONError) -> Easing {
    try refusingHere { try Easing(reading: string()) }
  }

  /// The spring, told in one of the ways of ``SpringForm``.
  private func spring(_ fields: JSONFields) throws(JSONError) -> DampedSpring {
    let form = SpringForm(fields)
    for name in SpringForm.fields where !form.allowed.contains(name) {
      guard let field = fields[name] else { continue }
      throw field.failure(
        "'\(name)' cannot be combined with '\(form.name)'. Remove one of them.")
    }
    let mass = try fields["mass"]?.positiveNumber() ?? DampedSpring.standard.mass
    let stiffness = try fields["stiffness"]?.positiveNumber() ?? DampedSpring.standard.stiffness
    let ratio = try fields["dampingRatio"]?.nonNegativeNumber()
    return try refusingHere {
      switch form {
      case .bounce:
        let duration = try fields.required("duration").positiveNumber()
        let bounce = try fields.required("bounce")
        guard try bounce.number() > -1 else {
          throw bounce.failure("Must be a bounce above -1, where 0 does not bounce.")
        }
        return try DampedSpring(duration: duration, bounce: bounce.number())
      case .response:
        let response = try fields.required("response").positiveNumber()
        _ = try fields.required("dampingRatio")
        return try DampedSpring(response: response, dampingRatio: ratio ?? 1, mass: mass)
      case .ratio:
        return try DampedSpring(dampingRatio: ratio ?? 1, stiffness: stiffness, mass: mass)
      case .plain:
        return try DampedSpring(
          mass: mass, stiffness: stiffness,
          damping: fields["damping"]?.nonNegativeNumber() ?? DampedSpring.standard.damping)
      }
    }
  }

  /// Calls a function that refuses numbers, and adds where in the document they are.
  private func refusingHere<Found>(_ make: () throws -> Found) throws(JSONError) -> Found {
    do {
      return try make()
    } catch let error as JSONError {
      throw error
    } catch {
      throw failure("\(error)")
    }
  }
}

/// The ways to tell a spring.
private enum SpringForm {
  /// SwiftUI's duration and bounce.
  case bounce
  /// A response and a damping ratio, perhaps a mass.
  case response
  /// A damping ratio, perhaps with stiffness and mass.
  case ratio
  /// Mass, stiffness and damping, each with a default.
  case plain

  /// Every field that tells a spring.
  static let fields = [
    "mass", "stiffness", "damping", "dampingRatio", "response", "duration", "bounce",
  ]

  /// The settle that the fields name.
  init(_ fields: JSONFields) {
    if fields["duration"] != nil || fields["bounce"] != nil {
      self = .bounce
    } else if fields["response"] != nil {
      self = .response
    } else if fields["dampingRatio"] != nil {
      self = .ratio
    } else {
      self = .plain
    }
  }

  /// The field that stands for it in messages.
  var name: String {
    switch self {
    case .bounce: "bounce"
    case .response: "response"
    case .ratio: "dampingRatio"
    case .plain: "damping"
    }
  }

  /// The fields that go with it.
  var allowed: [String] {
    switch self {
    case .bounce: ["duration", "bounce"]
    case .response: ["response", "dampingRatio", "mass"]
    case .ratio: ["dampingRatio", "stiffness", "mass"]
    case .plain: ["mass", "stiffness", "damping"]
    }
  }
}
