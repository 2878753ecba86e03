/// The index of something with a number in a list: found without hashing for the numbers that a recorder gives.
package struct IndexByNumber: Sendable {
  private var dense: [Int]
  private var sparse: [Int32: Int] = [:]
  /// An edited file may have any number. A larger number than this costs a hash instead of memory.
  private static let largestDense: Int32 = 65_535

  package init(_ positions: [(number: Int32, index: Int)]) {
    let largest = positions.map(\.number).filter { $0 <= Self.largestDense }.max() ?? -1
    dense = Array(repeating: -1, count: Int(max(-1, largest)) + 1)
    for (number, index) in positions {
      if number >= 0, number <= Self.largestDense {
        dense[Int(number)] = index
      } else {
        sparse[number] = index
      }
    }
  }

  /// The index of a number. -1 without one.
  package subscript(number: Int32) -> Int {
    if number >= 0, number < dense.count { return dense[Int(number)] }
    return sparse.isEmpty ? -1 : sparse[number] ?? -1
  }
}
