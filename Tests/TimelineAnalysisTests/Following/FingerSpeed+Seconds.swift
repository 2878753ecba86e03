import TimelineModel

@testable import MotionMeasures

extension FingerSpeed {
  /// Takes reports in seconds and points.
  init(times: [Double], values: [Double], lift: Double) throws(TooShortToTell) {
    let samples = zip(times, values).compactMap { time, value in
      Instant(seconds: time).map { Sample(time: $0, value: value) }
    }
    try self.init(samples, lift: Instant(seconds: lift) ?? .zero)
  }
}
