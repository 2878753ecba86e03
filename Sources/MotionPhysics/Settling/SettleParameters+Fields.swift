public import TimelineModel

extension SettleParameters {
  /// What a recording says of these parameters, by the names of scenario files: the type, then what that
  /// type uses. Numbers are written so that reading gives the same bits.
  ///
  /// - spring: `mass`, `stiffness`, `damping`, `overshoot`, `definition`.
  /// - timing: `duration` (seconds of the whole way), `completionSpeed`, `easing`.
  /// - cubic: `duration` (seconds), `overshoot`.
  public var fields: [Field] {
    let type = Field("type", .text(type.rawValue))
    let duration = Field("duration", .number(durationSeconds))
    let overshoot = Field("overshoot", .flag(overshoot))
    switch self.type {
    case .spring:
      return [
        type, Field("mass", .number(spring.mass)), Field("stiffness", .number(spring.stiffness)),
        Field("damping", .number(spring.damping)), overshoot,
        Field("definition", .text(definition.rawValue)),
      ]
    case .timing:
      return [
        type, duration, Field("completionSpeed", .number(completionSpeed)),
        Field("easing", .text(easing.name)),
      ]
    case .cubic: return [type, duration, overshoot]
    }
  }
}
