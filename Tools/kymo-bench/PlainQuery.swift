import BenchYardsticks

/// A statement in C, prepared once.
final class PlainQuery {
  private let pointer: OpaquePointer
  /// What the last columns came to, so that none is read for nothing.
  private(set) var sum = 0.0

  init(_ path: String, _ sql: String) {
    guard let query = yardstick_query_open(path, sql) else {
      fatalError("\(path) cannot be asked in C.")
    }
    pointer = query
  }

  deinit { yardstick_query_close(pointer) }

  /// Runs it with whole numbers.
  ///
  /// - Returns: how many rows there were.
  @discardableResult
  func run(_ numbers: Int64...) -> Int64 {
    let rows = yardstick_query_run(pointer, numbers, Int32(numbers.count), &sum)
    precondition(rows >= 0, "The query in C failed.")
    return rows
  }
}
