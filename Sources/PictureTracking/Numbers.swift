import KymographCLibrary

func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }

/// A symmetric matrix of at most six rows.
struct SmallMatrix {
  let count: Int
  private var values: [Double]

  init(count: Int) {
    self.count = count
    values = [Double](repeating: 0, count: count * count)
  }

  subscript(row: Int, column: Int) -> Double {
    get { values[row * count + column] }
    set { values[row * count + column] = newValue }
  }

  /// The inverse by Gauss and Jordan. `nil`: it has none.
  func inverse() -> SmallMatrix? {
    var left = self
    var right = SmallMatrix(count: count)
    for index in 0..<count {
      right[index, index] = 1
      left[index, index] += 1e-9 * left[index, index] + 1e-9
    }
    for column in 0..<count {
      let pivot = (column..<count).max { abs(left[$0, column]) < abs(left[$1, column]) } ?? column
      guard abs(left[pivot, column]) > 1e-12, left[pivot, column].isFinite else { return nil }
      if pivot != column {
        for index in 0..<count {
          (left[column, index], left[pivot, index]) = (left[pivot, index], left[column, index])
          (right[column, index], right[pivot, index]) = (right[pivot, index], right[column, index])
        }
      }
      let factor = 1 / left[column, column]
      for index in 0..<count {
        left[column, index] *= factor
        right[column, index] *= factor
      }
      for row in 0..<count where row != column {
        let share = left[row, column]
        for index in 0..<count {
          left[row, index] -= share * left[column, index]
          right[row, index] -= share * right[column, index]
        }
      }
    }
    return right
  }

  func times(_ vector: [Double]) -> [Double] {
    (0..<count).map { row in (0..<count).reduce(0) { $0 + self[row, $1] * vector[$1] } }
  }

  func times(_ other: SmallMatrix) -> SmallMatrix {
    var product = SmallMatrix(count: count)
    for row in 0..<count {
      for column in 0..<count {
        product[row, column] = (0..<count).reduce(0) { $0 + self[row, $1] * other[$1, column] }
      }
    }
    return product
  }
}

extension Array where Element == Double {
  /// The middle value, of an even number the mean of both. 0 if there is none.
  var middle: Double {
    guard !isEmpty else { return 0 }
    let ordered = sorted()
    let half = count / 2
    return count % 2 == 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2
  }
}

extension Array where Element == Float {
  /// The middle value, of an even number the mean of both. Puts the values in order.
  mutating func sortedMiddle() -> Float {
    guard !isEmpty else { return 0 }
    sort()
    let half = count / 2
    return count % 2 == 1 ? self[half] : (self[half - 1] + self[half]) / 2
  }
}

/// Does a piece of work for each number below a count, on as many threads as there are processors, at most four.
///
/// - Parameter work: The pieces must not touch each other's data.
package func concurrently(_ count: Int, _ work: @escaping (Int) -> Void) {
  let threads = max(1, min(count, 4, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  func share(_ first: Int) {
    for number in stride(from: first, to: count, by: threads) { work(number) }
  }
  var others: [pthread_t] = []
  for first in stride(from: 1, to: threads, by: 1) {
    if let thread = startThread({ share(first) }) { others.append(thread) } else { share(first) }
  }
  if count > 0 { share(0) }
  for thread in others { pthread_join(thread, nil) }
}
