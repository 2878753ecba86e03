@testable import TimelineStore

/// Reads a block word by word, as its format's description says, with nothing of the codec's own code.
enum PlainBlockReader {
  static func words(_ bytes: [UInt8], series: [Int]) -> [UInt64] {
    var at = 2
    let sort = bytes[1] & 15
    let order = Int(bytes[1] >> 4)
    let count = Int(number(bytes, &at))
    var residuals: [UInt64] = []
    while at < bytes.count {
      let control = Int(bytes[at])
      at += 1
      if control < 64 {
        let more = control == 63 ? Int(number(bytes, &at)) : 0
        residuals += Array(repeating: 0, count: control + 1 + more)
      } else if control < 128 {
        residuals.append(word(bytes, &at, (control - 64) / 8 + 1) << (8 * (control % 8)))
      } else {
        for _ in 0...control % 16 {
          residuals.append(word(bytes, &at, (control - 128) / 16 + 1))
        }
      }
    }
    precondition(residuals.count == count)
    return restored(residuals, sort: sort, order: order, series: series)
  }

  private static func number(_ bytes: [UInt8], _ at: inout Int) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    repeat {
      value += UInt64(bytes[at] % 128) << shift
      shift += 7
      at += 1
    } while bytes[at - 1] >= 128
    return value
  }

  private static func word(_ bytes: [UInt8], _ at: inout Int, _ length: Int) -> UInt64 {
    defer { at += length }
    return bytes[at..<at + length].reversed().reduce(0) { $0 * 256 + UInt64($1) }
  }

  private static func restored(
    _ residuals: [UInt64], sort: UInt8, order: Int, series: [Int]
  ) -> [UInt64] {
    var rest = residuals[...]
    var all: [UInt64] = []
    var firstBefore: UInt64 = 0
    for length in series {
      var words: [UInt64] = []
      for _ in 0..<length {
        let predicted = prediction(words, order: order, sort: sort) ?? firstBefore
        let residual = rest.removeFirst()
        if sort < 2 {
          words.append(residual ^ predicted)
        } else {
          let distance =
            residual % 2 == 0 ? Int64(residual / 2) : -1 - Int64(residual / 2)
          words.append(predicted &+ UInt64(bitPattern: distance))
        }
      }
      firstBefore = words.first ?? firstBefore
      all += words
    }
    switch sort {
    case 1: return all.map { Double(Float(bitPattern: UInt32($0))).bitPattern }
    case 2: return all.map { (Double(Int64(bitPattern: $0)) / 1024).bitPattern }
    default: return all
    }
  }

  /// Newton's backward formula over the newest words of a series; nil before the first.
  private static func prediction(_ words: [UInt64], order: Int, sort: UInt8) -> UInt64? {
    guard let last = words.last else { return nil }
    if words.count == 1 || words[words.count - 2] == last { return last }
    let newest = words.suffix(order + 1)
    if sort >= 2 { return backwardSum(Array(newest), &-, &+) }
    let numbers = newest.map {
      sort == 0 ? Double(bitPattern: $0) : Double(Float(bitPattern: UInt32($0)))
    }
    let sum = backwardSum(numbers, -, +)
    if sort == 0 { return sum.isFinite ? sum.bitPattern : last }
    return Float(sum).isFinite ? UInt64(Float(sum).bitPattern) : last
  }

  private static func backwardSum<Number>(
    _ newest: [Number], _ minus: (Number, Number) -> Number, _ plus: (Number, Number) -> Number
  ) -> Number {
    var row = newest
    var sum = row[row.count - 1]
    while row.count > 1 {
      row = (1..<row.count).map { minus(row[$0], row[$0 - 1]) }
      sum = plus(sum, row[row.count - 1])
    }
    return sum
  }
}
