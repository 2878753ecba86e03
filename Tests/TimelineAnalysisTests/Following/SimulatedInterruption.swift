import TestSupport

/// A page that goes from one place to another by a spring, and turns back on its way with all of its speed, a half or none.
///
/// Times are seconds, places points.
struct SimulatedInterruption {
  let keep: Double
  /// The frames before the page had heard of the second act, and behind that.
  private(set) var before: (times: [Double], values: [Double]) = ([], [])
  private(set) var after: (times: [Double], values: [Double]) = ([], [])

  /// Draws a page and an instant by chance.
  init(rate: Double, dice: inout SplitMix) {
    let way = Double.random(in: 150...500, using: &dice)
    let frequency = Double.random(in: 120...400, using: &dice).squareRoot()
    let ratio = Double.random(in: 0.6...1.1, using: &dice)
    keep = [0, 0.5, 1].randomElement(using: &dice)!
    let isAtRest = Bool.random(using: &dice)
    let phase = Double.random(in: 0..<1, using: &dice) / rate
    func first(_ time: Double) -> Double { way + spring(frequency, ratio, -way, 0, time) }
    // In the middle of the way, where it moves.
    let count = Int((Double.random(in: 0.09...0.2, using: &dice) * rate).rounded())
    func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }
    for frame in 0...count {
      let time = Double(frame) / rate
      before.times.append(rounded(phase + time, 1e4))
      before.values.append(rounded(first(time), 64))
    }
    let last = Double(count) / rate
    let speed = (first(last + 1e-6) - first(last - 1e-6)) / 2e-6
    for frame in 1...Int(rate) {
      let since = Double(isAtRest ? frame - 1 : frame) / rate
      after.times.append(rounded(phase + last + Double(frame) / rate, 1e4))
      after.values.append(
        rounded(spring(frequency, ratio, first(last), keep * speed, since), 64))
    }
  }
}
