import JSONText
import MotionPhysics

extension SettleParameters {
  /// Reads what ``MotionPhysics/SettleParameters/fields`` wrote, bit for bit; what is not there, or not
  /// understood, is left at its default.
  init(_ fields: JSONFields) {
    self.init()
    type = fields.text("type").flatMap(SettleType.init(rawValue:)) ?? type
    let mass = fields.number("mass") ?? spring.mass
    let stiffness = fields.number("stiffness") ?? spring.stiffness
    let damping = fields.number("damping") ?? spring.damping
    spring = (try? Spring(mass: mass, stiffness: stiffness, damping: damping)) ?? spring
    durationSeconds =
      fields.number("duration").flatMap { $0 >= 0 ? $0 : nil } ?? durationSeconds
    completionSpeed =
      fields.number("completionSpeed").flatMap { $0 > 0 ? $0 : nil } ?? completionSpeed
    easing = fields.text("easing").flatMap { Easing(named: $0) } ?? easing
    if case .bool(let flag)? = fields["overshoot"]?.value { overshoot = flag }
    definition = fields.text("definition").flatMap(SettleDefinition.init(rawValue:)) ?? definition
  }
}

extension JSONFields {
  fileprivate func text(_ name: String) -> String? {
    if case .string(let text)? = self[name]?.value { text } else { nil }
  }
}
