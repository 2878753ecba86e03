/// A number with bounds that hold the true value in 90 of 100 cases. The number is never outside of its bounds.
package struct Estimated: Hashable, Sendable {
  /// The value that fits best.
  package let value: Double
  /// The lower bound.
  package let low: Double
  /// The upper bound.
  package let high: Double

  /// Takes a number and its bounds. A bound that is beyond the number is moved to it.
  package init(_ value: Double, low: Double, high: Double) {
    self.value = value
    self.low = low > value ? value : low
    self.high = high < value ? value : high
  }

  /// The same number and bounds, none of them below a limit.
  package func atLeast(_ least: Double) -> Estimated {
    Estimated(max(least, value), low: max(least, low), high: max(least, high))
  }

  /// The number of points, frames or whatever its unit is from bound to bound.
  package var width: Double { high - low }

  /// Whether the bounds hold a number.
  package func holds(_ number: Double) -> Bool { low <= number && number <= high }

  /// Whether both bounds are on the same side of 0.
  package var hasSign: Bool { low > 0 || high < 0 }

  /// The bounds of all pairs of a value of this and a value of another one that is not 0.
  package func divided(by other: Estimated) -> Estimated {
    let ends = [low / other.low, low / other.high, high / other.low, high / other.high]
    return Estimated(
      value / other.value, low: ends.min() ?? -.infinity, high: ends.max() ?? .infinity)
  }

  /// The bounds of all pairs of a value of this and a value of another one.
  package func multiplied(by other: Estimated) -> Estimated {
    let ends = [low * other.low, low * other.high, high * other.low, high * other.high]
    return Estimated(
      value * other.value, low: ends.min() ?? -.infinity, high: ends.max() ?? .infinity)
  }

  /// The estimate in another unit.
  package func scaled(by factor: Double) -> Estimated {
    let ends = [low * factor, high * factor]
    return Estimated(value * factor, low: min(ends[0], ends[1]), high: max(ends[0], ends[1]))
  }
}

extension Estimated {
  /// The root of the mean square that a model leaves. Its low end is the part that noise does not explain.
  ///
  /// - Parameters:
  ///   - squares: The sum of squares that is left.
  ///   - noise: The sum of squares that noise comes to.
  ///   - count: How many values were fitted.
  package init(rootMeanSquareOf squares: Double, noise: Double, count: Int) {
    let count = Double(count)
    // The 95 % quantile of chi squared over its degrees of freedom, about.
    let explained = noise * (1 + (2 / count).squareRoot() * 1.645)
    let root = (squares / count).squareRoot()
    self.init(root, low: (max(0, squares - explained) / count).squareRoot(), high: root)
  }

  /// On which side of a limit the number is.
  package enum Side: Hashable, Sendable {
    /// Both bounds are within the limit.
    case within
    /// Both bounds are beyond it.
    case beyond
    /// The limit is between the bounds.
    case undecided
  }

  /// Holds the bounds against a stretch of numbers. A bound that is not a number decides nothing.
  package func side(of limits: ClosedRange<Double>) -> Side {
    if low >= limits.lowerBound, high <= limits.upperBound { return .within }
    if high < limits.lowerBound || low > limits.upperBound { return .beyond }
    return .undecided
  }
}
