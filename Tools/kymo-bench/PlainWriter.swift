import BenchYardsticks
import TimelineRecorder

/// The writer in C, with the recorder's own settings.
final class PlainWriter {
  /// Rows of a transaction, in columns.
  struct Rows {
    fileprivate var times: [Int64] = []
    fileprivate var slots: [Int64] = []
    fileprivate var values: [Double] = []

    mutating func append(_ time: Int64, slot: Int64, _ value: Double) {
      times.append(time)
      slots.append(slot)
      values.append(value)
    }
  }

  private let pointer: OpaquePointer
  private let settings = RecorderSettings()
  private var commits = 0

  init(_ path: String) {
    guard let writer = yardstick_writer_open(path) else {
      fatalError("\(path) cannot be opened for the writer in C.")
    }
    pointer = writer
  }

  deinit { yardstick_writer_close(pointer) }

  /// Writes a transaction.
  func write(_ rows: Rows) {
    commits += 1
    guard
      yardstick_write(
        pointer, rows.times, rows.slots, rows.values, Int32(rows.times.count),
        commits.isMultiple(of: settings.commitsPerDurable), Int32(settings.checkpointPages))
    else { fatalError("The writer in C could not write.") }
  }
}
