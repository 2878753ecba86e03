import BenchmarkYardsticks
import TimelineRecorder

/// A statement in C, prepared once.
final class PlainQuery {
  private let pointer: OpaquePointer
  /// The sum of the last columns, so that none is read for nothing.
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

/// A ring in C, as large as the recorder's.
final class PlainRing {
  /// The rows of the C functions.
  let pointer: OpaquePointer

  init() {
    guard let ring = yardstick_ring_make(RecorderSettings().ringBytes) else {
      fatalError("There is no memory for a ring.")
    }
    pointer = ring
  }

  deinit { yardstick_ring_free(pointer) }
}

/// The writer in C, with the recorder's own settings.
final class PlainWriter {
  /// Rows of a transaction, in columns.
  struct Rows {
    fileprivate var times: [Int64] = []
    fileprivate var packedKeys: [Int64] = []
    fileprivate var values: [Double] = []

    mutating func append(_ time: Int64, packed: Int64, _ value: Double) {
      times.append(time)
      packedKeys.append(packed)
      values.append(value)
    }
  }

  private let pointer: OpaquePointer
  private let settings: RecorderSettings
  private var commits = 0

  /// - Parameter isSealing: Whether the recorder that it stands beside seals.
  init(_ path: String, isSealing: Bool = false) {
    var settings = RecorderSettings()
    settings.sealsFromStart = isSealing
    self.settings = settings
    guard let writer = yardstick_writer_open(path) else {
      fatalError("\(path) cannot be opened for the writer in C.")
    }
    pointer = writer
  }

  deinit { yardstick_writer_close(pointer) }

  func write(_ rows: Rows) {
    commits += 1
    guard
      yardstick_write(
        pointer, rows.times, rows.packedKeys, rows.values, Int32(rows.times.count),
        commits.isMultiple(of: settings.durableEvery), Int32(settings.checkpointBytes))
    else { fatalError("The writer in C could not write.") }
  }

  /// Writes a transaction of bytes.
  ///
  /// - Parameter replaced: From when on those before it go. `nil`: none does.
  func write(_ bytes: [UInt8], from first: Int64, to last: Int64, replacing replaced: Int64?) {
    commits += 1
    guard
      yardstick_write_blob(
        pointer, first, last, bytes, Int32(bytes.count), replaced ?? .max,
        commits.isMultiple(of: settings.durableEvery), Int32(settings.checkpointBytes))
    else { fatalError("The writer in C could not write.") }
  }
}
