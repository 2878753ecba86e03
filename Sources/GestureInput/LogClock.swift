/// The times that a log put before its lines, one after another.
struct LogClock {
  /// Nanoseconds, a time for each stamp.
  private(set) var times: [Int64]
  /// How the stamps are read, if not as they are written.
  private(set) var warning: String?

  private static let day: Int64 = 86_400_000_000_000

  init(_ stamps: [WrittenClock]) {
    times = Self.acrossMidnight(stamps.map(\.nanoseconds))
    let widths = Set(stamps.map(\.digits))
    guard widths.count > 1, !Self.isForward(times), let first = stamps.first else { return }
    // Some programs count the fraction without zeros before it, or do not carry it over: 07.995, 07.1007.
    let digits = first.digits <= 3 ? 3 : first.digits <= 6 ? 6 : 9
    let scale = (digits..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
    let counted = Self.acrossMidnight(
      stamps.map { stamp in
        let own = (stamp.digits..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
        return stamp.nanoseconds - stamp.fraction * own + stamp.fraction * scale
      })
    guard Self.isForward(counted) else { return }
    times = counted
    let unit = digits == 3 ? "milliseconds" : digits == 6 ? "microseconds" : "nanoseconds"
    warning =
      "The fractions of the log's seconds are taken as \(unit). As they are written, times run backwards."
  }

  private static func isForward(_ times: [Int64]) -> Bool {
    zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// The times with a day added where a clock without a date begins again.
  private static func acrossMidnight(_ times: [Int64]) -> [Int64] {
    var days: Int64 = 0
    var last = times.first ?? 0
    return times.map { time in
      if time < last - day / 2, time < day, last < day { days += day }
      last = time
      return time + days
    }
  }
}

extension TouchRows {
  /// Refuses rows of which a tenth are before the row of the same contact above them.
  func refuseBackwardTimes(_ source: GestureSource) throws(GestureError) {
    var last: [String: Int64] = [:]
    var backwards: [Int] = []
    for row in rows {
      guard let time = row.time.nanoseconds(in: .nanoseconds) else { continue }
      if let before = last[row.identifier], time < before { backwards.append(row.line) }
      last[row.identifier] = time
    }
    guard let first = backwards.first, backwards.count * 10 >= rows.count else { return }
    throw source.error(
      .unsupported, line: first,
      "Times run backwards \(backwards.count) times, first in line \(first). Sort the lines, or keep those of one program."
    )
  }
}
