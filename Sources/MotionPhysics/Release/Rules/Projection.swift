import KymographCLibrary
import TimelineModel

extension ReleaseRule.Kind {
  /// Finishes if p - v / (1000 ln d) > T, and the tie cancels. A value that keeps d of its speed each millisecond comes
  /// to rest there (the integral of v d^(1000 t)). d is 0.998, T 0.5.
  public static let projection = Self(.projection)

  /// Finishes if p + (v / 1000) d / (1 - d) > T, and the tie cancels. This is the same in steps of a millisecond, as
  /// Apple's talk "Designing Fluid Interfaces" (WWDC 2018) projects. It is 0.1 % nearer than ``projection`` at its d of
  /// 0.998. T is 0.5.
  public static let projectionDiscrete = Self(.projectionDiscrete)
}

extension RuleDefinition {
  /// A sign of code, which is no dash of a sentence.
  private static let minus = "-"

  static let projection = projection(
    name: "projection", seconds: \.secondsToRest
  ) { rule, velocity in
    [
      "return progress \(minus) \(velocity) / (1000 * log(rate)) > \(FieldValue.jsonNumber(rule.threshold))"
    ]
  }

  static let projectionDiscrete = projection(
    name: "projection-discrete", seconds: \.secondsInSteps
  ) { rule, velocity in
    [
      "return progress + \(velocity) / 1000 * rate / (1 - rate) > "
        + FieldValue.jsonNumber(rule.threshold)
    ]
  }

  /// - Parameter seconds: By how many seconds of its velocity the progress goes on.
  private static func projection(
    name: String, seconds: any KeyPath<ReleaseRule, Double> & Sendable,
    swift: @escaping @Sendable (ReleaseRule, String) -> [String]
  ) -> RuleDefinition {
    RuleDefinition(
      name: name, usual: Numbers(threshold: 0.5, decelerationRate: .usual(0.998)),
      velocity: .overTime, ownNumbers: [],
      swift: { rule, velocity in
        ["let rate = \(FieldValue.jsonNumber(rule.decelerationRate ?? 0))"] + swift(rule, velocity)
      },
      answer: { rule, progress, velocity in
        let rest = progress + velocity * rule[keyPath: seconds]
        return .init(rest > rule.threshold, by: .projection, projected: rest)
      },
      progressBorders: { rule, velocity in [rule.threshold - velocity * rule[keyPath: seconds]] },
      velocityBorders: { rule, progress in [(rule.threshold - progress) / rule[keyPath: seconds]] },
      thresholdBorder: { _, progress, _, projected in projected ?? progress })
  }
}

extension ReleaseRule {
  /// The deceleration rate, if anything comes to rest at it.
  var restingRate: Double? {
    decelerationRate.flatMap { $0 > 0 && $0 < 1 ? $0 : nil }
  }

  /// By how many seconds of its velocity the progress goes on before it rests: -1 / (1000 ln d). 0 for a rate at which
  /// nothing comes to rest.
  var secondsToRest: Double { restingRate.map { -1 / (1000 * log($0)) } ?? 0 }

  /// ``secondsToRest`` in steps of a millisecond: d / (1 - d) / 1000.
  var secondsInSteps: Double { restingRate.map { $0 / (1 - $0) / 1000 } ?? 0 }
}
