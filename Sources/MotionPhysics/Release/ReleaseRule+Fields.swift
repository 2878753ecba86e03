public import TimelineModel

extension ReleaseRule {
  /// The rule and every parameter that it has, by their names in scenario files; the same numbers make
  /// the same rule again, bit for bit.
  public var fields: [Field] {
    var fields = [
      Field("rule", .text(kind.rawValue)), Field("threshold", .number(threshold)),
    ]
    if kind.velocityThresholdUnit != nil {
      fields.append(Field("velocityThreshold", FieldValue(velocityThreshold)))
    }
    if kind.takesDecelerationRate {
      fields.append(Field("decelerationRate", FieldValue(decelerationRate)))
    }
    fields += [
      Field("distance", FieldValue(distance)),
      Field("minimumVelocity", .number(minimumVelocity)),
      Field("maximumVelocity", FieldValue(maximumVelocity)),
    ]
    if kind == .flutterDismissible { fields.append(Field("crossVelocity", .number(crossVelocity))) }
    return fields
  }
}
