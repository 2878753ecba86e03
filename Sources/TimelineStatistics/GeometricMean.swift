import KymographCLibrary

/// The n-th root of the product of n numbers, as `exp(Σ ln x / n)`. The mean of ratios.
package enum GeometricMean: Sendable, Hashable {
  case value(Double)
  /// There is none, and why.
  case refused(Refusal)

  /// Why there is no geometric mean.
  package enum Refusal: Sendable, Hashable {
    /// There are no numbers.
    case empty
    /// The number at this place is 0: the product is 0, whatever the others are.
    case zero(at: Int)
    /// The number at this place is below 0: the product has no root that means anything.
    case negative(at: Int)
    /// The number at this place is not finite.
    case notFinite(at: Int)
  }

  /// Tells the mean. The first number that does not allow one is named.
  ///
  /// - Complexity: O(n).
  package init(of numbers: [Double]) {
    guard !numbers.isEmpty else {
      self = .refused(.empty)
      return
    }
    for (index, number) in numbers.enumerated() where !(number > 0 && number.isFinite) {
      self = .refused(
        !number.isFinite
          ? .notFinite(at: index) : number == 0 ? .zero(at: index) : .negative(at: index))
      return
    }
    let logarithm = numbers.reduce(0) { $0 + log($1) } / Double(numbers.count)
    // The largest numbers' logarithm is rounded up.
    self = .value(min(exp(logarithm), .greatestFiniteMagnitude))
  }

  /// The mean, or nil where there is none.
  package var value: Double? {
    if case .value(let value) = self { return value }
    return nil
  }
}
