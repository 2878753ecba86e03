import TimelineModel

/// The numbers that are good, or those that are not.
package struct Limit: Hashable, Sendable {
  /// The smallest and the largest number.
  package let range: ClosedRange<Double>
  /// Whether the numbers inside are the wrong ones.
  package let isForbidden: Bool

  /// The numbers from one to another.
  static func within(_ range: ClosedRange<Double>) -> Limit {
    Limit(range: range, isForbidden: false)
  }

  /// The numbers up to one.
  static func atMost(_ most: Double) -> Limit { .within(-.infinity...most) }

  /// The numbers from one on.
  static func atLeast(_ least: Double) -> Limit { .within(least ... .infinity) }

  /// All numbers but those between two.
  static func outside(_ range: ClosedRange<Double>) -> Limit {
    Limit(range: range, isForbidden: true)
  }

  /// On which side of the limit a number is: good or bad only if all of its interval is.
  func side(of number: Estimated) -> Estimated.Side {
    guard isForbidden else { return number.side(of: range) }
    if number.low > range.lowerBound, number.high < range.upperBound { return .beyond }
    return number.high <= range.lowerBound || number.low >= range.upperBound ? .within : .undecided
  }

  /// The end that is nearer to a number, or was passed by it.
  func nearest(to number: Double) -> Double {
    number - range.lowerBound < range.upperBound - number ? range.lowerBound : range.upperBound
  }

  /// How far a number is inside. Below 0 it is beyond.
  func margin(of number: Double) -> Double {
    min(number - range.lowerBound, range.upperBound - number)
  }
}
