/// The ranks of numbers, each tie given the middle of the ranks that it takes up; doubled, so that all are
/// whole numbers.
struct MidRanks {
  /// Twice the rank of each number, in the order given; ranks are counted from 1.
  let doubled: [Int]
  /// Whether two numbers are the same.
  let hasTies: Bool
  /// The sum of t³ − t over all ties of t numbers, for the correction of variances.
  let tieTerm: Double

  init(_ numbers: [Double]) {
    let order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
    var doubled = Array(repeating: 0, count: numbers.count)
    var tieTerm = 0.0
    var start = 0
    while start < order.count {
      var end = start + 1
      while end < order.count, numbers[order[end]] == numbers[order[start]] { end += 1 }
      // They take up the ranks start + 1 to end.
      for place in start..<end { doubled[order[place]] = start + 1 + end }
      let size = Double(end - start)
      tieTerm += size * (size * size - 1)
      start = end
    }
    self.doubled = doubled
    self.tieTerm = tieTerm
    hasTies = tieTerm > 0
  }

  /// The ranks as small whole numbers, and what they were multiplied by: 1 without ties, 2 with.
  var whole: (ranks: [Int], factor: Int) {
    hasTies ? (doubled, 2) : (doubled.map { $0 / 2 }, 1)
  }
}
