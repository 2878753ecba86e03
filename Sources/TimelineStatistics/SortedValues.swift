/// Finite numbers in rising order, for medians and quantiles.
package struct SortedValues: Sendable, Hashable {
  /// The numbers, smallest first.
  package let values: [Double]
  /// How many of the given numbers were left out because they are not finite.
  package let leftOutCount: Int

  /// Sorts numbers. Those that are not finite are left out and counted.
  ///
  /// - Complexity: O(n log n).
  package init(_ numbers: some Sequence<Double>) {
    var finite: [Double] = []
    var others = 0
    for number in numbers {
      if number.isFinite { finite.append(number) } else { others += 1 }
    }
    finite.sort()
    values = finite
    leftOutCount = others
  }

  /// Takes numbers that are finite and in order already.
  init(sorted values: [Double]) {
    self.values = values
    leftOutCount = 0
  }

  package var count: Int { values.count }

  package var isEmpty: Bool { values.isEmpty }

  /// Whether all numbers are the same one. True for none and for one.
  package var isConstant: Bool { values.first == values.last }

  /// The middle number, or half the sum of the two in the middle. `nil` for none.
  package var median: Double? { quantile(0.5) }

  /// The number below which a share of the numbers lies.
  ///
  /// Definition 7 of Hyndman and Fan (Sample quantiles in statistical packages, 1996), which is that of NumPy,
  /// R and spreadsheets: the place is `share · (n − 1)`, counted from 0, and between two numbers it is a
  /// straight line.
  ///
  /// - Parameter share: 0 to 1, no unit. A share outside counts as these.
  /// - Returns: nil for no numbers, and for a share that is NaN.
  package func quantile(_ share: Double) -> Double? {
    guard !values.isEmpty, !share.isNaN else { return nil }
    let position = max(0, min(1, share)) * Double(values.count - 1)
    let lower = Int(position)
    guard lower + 1 < values.count else { return values[values.count - 1] }
    return straightLine(values[lower], values[lower + 1], at: position - Double(lower))
  }
}

/// A point between two numbers, which never overflows: 0 gives the first, 1 the second.
private func straightLine(_ start: Double, _ end: Double, at part: Double) -> Double {
  let way = end - start
  guard way.isFinite else { return start * (1 - part) + end * part }
  return part < 0.5 ? start + way * part : end - way * (1 - part)
}
