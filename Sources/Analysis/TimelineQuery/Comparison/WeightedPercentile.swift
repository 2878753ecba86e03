/// How many numbers are sorted rather than narrowed down further.
private let fewNumbers = 64
/// Bins of one narrowing.
private let binCount = 256
/// After so many narrowings the rest is sorted, whatever it is: 256 bins tell apart 2^64 numbers in eight.
private let mostNarrowings = 8

/// The smallest of the numbers that a share of all weight lies at or below; 0 without any weight.
///
/// Narrows down by counting into bins, and sorts only the last few.
///
/// - Parameters:
///   - share: 0 to 1.
///   - numbers: Finite numbers of 0 or more.
///   - weights: Their weights, 0 or more.
/// - Complexity: linear for numbers that are spread out, O(n log n) at worst.
func weightedPercentile(_ share: Double, of numbers: [Double], weights: [Double]) -> Double {
  let total = weights.reduce(0, +)
  guard total > 0, var low = numbers.min(), var high = numbers.max() else { return 0 }
  let goal = share * total
  var left = Array(numbers.indices)
  var below = 0.0
  for _ in 0..<mostNarrowings where left.count > fewNumbers && high > low {
    let width = (high - low) / Double(binCount)
    guard width > 0, width.isFinite else { break }
    func bin(_ index: Int) -> Int { min(binCount - 1, Int((numbers[index] - low) / width)) }
    var sums = Array(repeating: 0.0, count: binCount)
    for index in left { sums[bin(index)] += weights[index] }
    var chosen = 0
    var passed = below
    var sum = below
    for (bin, weight) in sums.enumerated() where weight > 0 {
      // The last bin with any weight stands where a share of 1 misses its goal by rounding.
      (chosen, passed) = (bin, sum)
      sum += weight
      if sum >= goal { break }
    }
    let within = left.filter { bin($0) == chosen }
    guard within.count < left.count, !within.isEmpty else { break }
    below = passed
    left = within
    low = left.reduce(Double.infinity) { min($0, numbers[$1]) }
    high = left.reduce(-Double.infinity) { max($0, numbers[$1]) }
  }
  left.sort { (numbers[$0], $0) < (numbers[$1], $1) }
  for index in left {
    below += weights[index]
    if below >= goal { return numbers[index] }
  }
  return left.last.map { numbers[$0] } ?? 0
}
