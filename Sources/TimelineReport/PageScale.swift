import TimelineModel

/// How finely the report holds its numbers: whole steps, so that they pack well. The report reads these from
/// its own data, and says them.
enum PageScale {
  /// Steps in a point: half of one, 1/2048 point, is far below what a display of today can show.
  static let length = 1024.0
  /// Steps of an alpha from 0 to 1: sixteen for each of a display's 256 levels. No unit.
  static let alpha = 4096.0
  /// Steps of a transform's own numbers: a corner 150 points from the center is off by 1/900 point at
  /// most. No unit.
  static let turn = 65536.0
  /// Steps of the numbers that divide, the first two per point: 1/500 is held to fifteen millionths of itself.
  static let divisor = 16_777_216.0
  /// Steps from a key's smallest to its largest value: a millionth. No unit.
  static let value = 1_048_576.0
  /// Steps of the progress from 0 to 1: a millionth. No unit.
  static let progress = 1_048_576.0
  /// The most rows of a block that is unpacked at once.
  static let blockRows = 1024

  /// A number in whole steps. One that is no number is 0, one beyond what a column takes its limit.
  static func steps(_ number: Double, _ scale: Double) -> Int64 {
    let scaled = (number * scale).rounded()
    guard !scaled.isNaN else { return 0 }
    let limit = Double(BitWriter.largestMagnitude)
    return Int64(max(-limit, min(limit, scaled)))
  }

  /// A whole number within what a column takes.
  static func whole(_ number: Int) -> Int64 {
    max(-BitWriter.largestMagnitude, min(BitWriter.largestMagnitude, Int64(number)))
  }
}

/// The clock of a report: whole ticks of one nanosecond, or of a thousand, a million, … where a session's
/// times lie so far apart that a column could not hold them.
struct PageClock {
  /// Nanoseconds in a tick.
  let tick: Int64
  /// The largest distance of an instant that a column takes, in nanoseconds: no division for each of millions of values.
  private let reach: UInt64

  /// The clock for instants of at most this distance from the session's start.
  init(reaching farthest: Int64) {
    var tick: Int64 = 1
    while farthest / tick >= BitWriter.largestMagnitude { tick *= 1000 }
    self.tick = tick
    let (past, overflow) = UInt64(BitWriter.largestMagnitude + 1)
      .multipliedReportingOverflow(by: UInt64(tick))
    reach = overflow ? .max : past - 1
  }

  /// Whether a column takes the instant, as it does all those that the clock was made for.
  func reaches(_ time: Instant) -> Bool { time.nanoseconds.magnitude <= reach }

  func ticks(_ time: Instant) -> Int64 { time.nanoseconds / tick }
}

extension MotionPhase {
  /// The phase as the report numbers them.
  var pageNumber: Int64 {
    switch self {
    case .idle: 0
    case .driving: 1
    case .settling: 2
    }
  }
}
