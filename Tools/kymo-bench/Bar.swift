/// What the design asks of a number. It is said beside the number and decides nothing.
struct Bar: Sendable {
  /// What is compared.
  enum Measure: String, Sendable {
    /// Nanoseconds of a unit.
    case time
    /// A unit's share of a core at the display's rate, in percent.
    case share
    /// How fast it is beside the group's first case: 1 is as fast.
    case speed
  }

  /// What is compared.
  var measure: Measure
  /// The number that is asked for.
  var limit: Double
  /// Whether more is better.
  var isAtLeast = false

  /// A unit in at most so many nanoseconds.
  static func nanoseconds(_ limit: Double) -> Bar { Bar(measure: .time, limit: limit) }

  /// A frame in at most so many percent of a core.
  static func percentOfCore(_ limit: Double) -> Bar { Bar(measure: .share, limit: limit) }

  /// At least so fast, the group's first case being 1.
  static func speed(_ limit: Double) -> Bar {
    Bar(measure: .speed, limit: limit, isAtLeast: true)
  }

  /// How much of what is allowed a value takes: above 1 the bar is missed.
  func part(_ value: Double) -> Double { isAtLeast ? limit / value : value / limit }
}
