package import JSONText

/// Puts an app's lines into the order of their time before they are taken.
///
/// A line waits until one has come that is later by more than ``window``; lines of one time keep their order.
/// What has no time (a declaration, a line that will be refused) is not held back.
package struct LineOrder {
  /// A line, its number in the input, and the text that it was read from.
  package typealias Line = (number: Int, reader: JSONReader, bytes: [UInt8])

  /// How far lines may be out of the order of time and still be sorted, in nanoseconds: a fifth of a second of the
  /// app's time. An app that reports touches with the frame that shows them is some frames late.
  package static let window: Int64 = 200_000_000
  /// The most bytes of lines that wait, so that memory is bounded; the oldest of more are taken earlier.
  package static let mostBytes = 8 << 20
  /// So much longer than the window the oldest line waits at most, so that not every line means sorting.
  private static let slack = window / 4

  /// How many lines came too late to be sorted: they are taken where they stand.
  package private(set) var lateCount = 0
  /// The number of the first of those; nil without any.
  package private(set) var firstLate: Int?

  private var waiting: [(time: Int64, line: Line)] = []
  private var bytes = 0
  private var (earliest, newest) = (Int64.max, Int64.min)
  /// The latest time that was taken.
  private var taken = Int64.min

  package init() {}

  /// Adds a line.
  ///
  /// - Returns: The lines that need not wait any longer, in the order in which they are to be taken.
  package mutating func add(_ line: Line) -> [Line] {
    guard let time = try? line.reader.object()["t_ns"]?.integer() else { return [line] }
    if time < taken {
      lateCount += 1
      firstLate = firstLate ?? line.number
      return [line]
    }
    waiting.append((time, line))
    bytes += line.bytes.count
    (earliest, newest) = (min(earliest, time), max(newest, time))
    if bytes > LineOrder.mostBytes { return take { _, left in left > LineOrder.mostBytes / 2 } }
    let newest = newest
    guard age(earliest, at: newest) > LineOrder.window + LineOrder.slack else { return [] }
    return take { time, _ in age(time, at: newest) > LineOrder.window }
  }

  /// Takes all that wait: at the end of the input, and when an app is silent.
  package mutating func rest() -> [Line] { take { _, _ in true } }

  /// Takes the oldest lines, as long as their time, or the bytes that are left, ask for it.
  private mutating func take(while isReady: (_ time: Int64, _ left: Int) -> Bool) -> [Line] {
    // Swift's sort keeps the order of equals, and is quick where most is in order already.
    waiting.sort { $0.time < $1.time }
    let ready = waiting.prefix {
      guard isReady($0.time, bytes) else { return false }
      bytes -= $0.line.bytes.count
      return true
    }
    taken = ready.last?.time ?? taken
    waiting.removeFirst(ready.count)
    earliest = waiting.first?.time ?? .max
    return ready.map(\.line)
  }
}

/// How much earlier a time is than another, in nanoseconds; nothing overflows.
private func age(_ time: Int64, at newest: Int64) -> Int64 {
  let (age, overflow) = newest.subtractingReportingOverflow(time)
  return overflow ? .max : age
}
