/// p values that may be held against a level as if there were only one test: Holm's step-down adjustment.
///
/// With m tests in rising order of p, the i-th becomes the largest of `(m − j + 1) · p_j` for j up to i, at most 1
/// (Holm, A simple sequentially rejective multiple test procedure, 1979). The chance that any of them is called
/// significant though nothing changed stays at the level, whatever the tests have to do with each other.
///
/// - Parameter values: p values in any order. One that is nil or no number is no test: it does not count, and stays
///   nil.
/// - Returns: The adjusted values in the same order.
/// - Complexity: O(m log m).
public func holmAdjusted(_ values: [Double?]) -> [Double?] {
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
