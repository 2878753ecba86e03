/// In how many ways chance can arrange ranks so that a sum comes out: the distribution behind an exact p.
///
/// Counts are floating-point numbers: exact up to 2^53, and to some 14 digits beyond.
struct ArrangementCounts {
  /// How many arrangements have the sum of the index.
  let counts: [Double]
  /// How many there are.
  let total: Double

  /// Chooses `size` of the ranks in every way, and counts the sums.
  ///
  /// - Parameters:
  ///   - size: How many are chosen, 0 to the count of ranks.
  ///   - ranks: Whole numbers of 1 or more.
  /// - Complexity: O(count · size · sum), less than 3 million additions for 30 of 60 ranks without ties.
  init(choosing size: Int, of ranks: [Int]) {
    let largest = ranks.sorted(by: >).prefix(size).reduce(0, +)
    let width = largest + 1
    var table = Array(repeating: 0.0, count: (size + 1) * width)
    table[0] = 1
    table.withUnsafeMutableBufferPointer { table in
      for (taken, rank) in ranks.enumerated() {
        var chosen = min(size, taken + 1)
        while chosen > 0 {
          let row = chosen * width
          let before = row - width
          var sum = largest
          while sum >= rank {
            table[row + sum] += table[before + sum - rank]
            sum -= 1
          }
          chosen -= 1
        }
      }
    }
    self.init(counts: Array(table[(size * width)...]))
  }

  /// Takes each of the ranks or not, in every way, and counts the sums.
  ///
  /// - Complexity: O(count · sum), half a million additions for 100 ranks without ties.
  init(subsetsOf ranks: [Int]) {
    let largest = ranks.reduce(0, +)
    var table = Array(repeating: 0.0, count: largest + 1)
    table[0] = 1
    table.withUnsafeMutableBufferPointer { table in
      for rank in ranks {
        var sum = largest
        while sum >= rank {
          table[sum] += table[sum - rank]
          sum -= 1
        }
      }
    }
    self.init(counts: table)
  }

  private init(counts: [Double]) {
    self.counts = counts
    total = counts.reduce(0, +)
  }

  /// Twice the smaller of the probabilities to come out at or below a sum and at or above it, at most 1.
  func twoSided(_ sum: Int) -> Double {
    let below = counts[...sum].reduce(0, +)
    let above = counts[sum...].reduce(0, +)
    return min(1, 2 * (min(below, above) / total))
  }

  /// The largest sum at or below which chance comes out with at most a probability. `nil` where even the smallest
  /// sum is too likely. The second number is that probability.
  func largestSum(withTail probability: Double) -> (sum: Int, tail: Double)? {
    var tail = 0.0
    var found: (sum: Int, tail: Double)?
    for (sum, count) in counts.enumerated() {
      tail += count
      guard tail / total <= probability else { return found }
      if count > 0 { found = (sum, tail / total) }
    }
    return found
  }
}
