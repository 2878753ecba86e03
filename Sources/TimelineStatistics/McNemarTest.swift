/// Whether a yes or no of pairs changed more often one way than the other: McNemar's test, exact and two-sided.
///
/// Pairs that agree say nothing. Of the others, by chance alone each is as likely to have changed one way as the
/// other: p is twice the binomial tail at the smaller count, at most 1 (McNemar, Note on the sampling error of the
/// difference between correlated proportions, 1947, in its exact form).
package struct McNemarTest: Sendable, Hashable {
  /// Pairs that went from no to yes.
  package var gained: Int
  /// Pairs that went from yes to no.
  package var lost: Int
  /// The probability of so uneven changes or more so by chance alone, 0 to 1. 1 where nothing changed.
  package var p: Double

  /// Tests counts of changes. A negative one counts as 0.
  ///
  /// Above a million changes p is the normal distribution's, which is then off by about a millionth of itself.
  ///
  /// - Complexity: O(n) up to 1000 changes, O(√n) up to a million, constant above.
  package init(gained: Int, lost: Int) {
    self.gained = max(0, gained)
    self.lost = max(0, lost)
    let (sum, overflow) = self.gained.addingReportingOverflow(self.lost)
    p = min(
      1, 2 * binomialHalfTail(overflow ? .max : sum, atMost: min(self.gained, self.lost)))
  }
}

/// p values that may be compared with a level as if there were only one test: Holm's step-down adjustment.
///
/// With m tests in rising order of p, the i-th becomes the largest of `(m − j + 1) · p_j` for j up to i, at most 1
/// (Holm, A simple sequentially rejective multiple test procedure, 1979). The chance that any of them is called
/// significant though nothing changed stays at the level, whatever the tests have to do with each other.
///
/// - Parameter values: p values in any order. One that is nil or NaN is not a test: it does not count, and stays
///   nil.
/// - Returns: The adjusted values in the same order.
/// - Complexity: O(m log m).
package func holmAdjusted(_ values: [Double?]) -> [Double?] {
  let tests = values.indices.filter { values[$0].map { !$0.isNaN } ?? false }
  let order = tests.sorted { (values[$0] ?? 1, $0) < (values[$1] ?? 1, $1) }
  var adjusted: [Double?] = Array(repeating: nil, count: values.count)
  var largest = 0.0
  for (rank, index) in order.enumerated() {
    let p = max(0, min(1, values[index] ?? 1))
    largest = max(largest, min(1, Double(order.count - rank) * p))
    adjusted[index] = largest
  }
  return adjusted
}
