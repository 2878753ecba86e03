/// A distance over time as a ``Tolerances/Ladder`` asks for it, gathered stretch by stretch.
struct LadderMeasure: Sendable {
  let ladder: Tolerances.Ladder
  /// The largest distance outside the ignored stretches; nil without any time outside them.
  private(set) var maximum: Double?
  private var squares = 0.0
  private var seconds = 0.0
  /// Seconds above the warn and the fail limit of `maxAbs`.
  private var secondsOver = (warn: 0.0, fail: 0.0)

  init(_ ladder: Tolerances.Ladder) { self.ladder = ladder }

  /// Adds a stretch in which the distance goes straight from one number to another, its times in seconds
  /// on the common clock.
  mutating func add(from start: Double, _ here: Double, to end: Double, _ there: Double) {
    var from = start
    for window in ladder.ignored where window.upperBound >= from && window.lowerBound <= end {
      if window.lowerBound > from {
        let edge = LadderMeasure.between(start, here, end, there, at: window.lowerBound)
        addPiece(
          window.lowerBound - from, LadderMeasure.between(start, here, end, there, at: from), edge)
      }
      from = max(from, window.upperBound)
      // What lies exactly at a window's end is ignored with it.
      if from >= end { return }
    }
    addPiece(end - from, LadderMeasure.between(start, here, end, there, at: from), there)
  }

  private mutating func addPiece(_ length: Double, _ here: Double, _ there: Double) {
    let (here, there) = (abs(here), abs(there))
    maximum = max(maximum ?? 0, here, there)
    guard length > 0 else { return }
    seconds += length
    squares += length * (here * here + here * there + there * there) / 3
    let middle = (here + there) / 2
    if let warn = ladder.maxAbs?.warn, middle > warn { secondsOver.warn += length }
    if let fail = ladder.maxAbs?.fail, middle > fail { secondsOver.fail += length }
  }

  private static func between(
    _ start: Double, _ here: Double, _ end: Double, _ there: Double, at time: Double
  ) -> Double {
    guard end > start else { return there }
    let share = max(0, min(1, (time - start) / (end - start)))
    return (1 - share) * here + share * there
  }

  /// The root mean square over time; the largest distance where there is only one instant, nil without any.
  private var rms: Double? {
    seconds > 0 ? (squares / seconds).squareRoot() : maximum
  }

  private func overPercent(_ over: Double) -> Double { seconds > 0 ? 100 * over / seconds : 0 }

  /// What the ladder says: one verdict for each limit.
  func verdicts(
    of subject: String, rule: Tolerances.RuleReference?, level: Tolerances.Level
  ) -> [Verdict] {
    var found: [Verdict] = []
    func judge(_ measure: String, _ value: Double?, _ bound: Tolerances.Bound) {
      found.append(
        Verdict(subject, measure, value, within: bound, rule: rule, level: level))
    }
    if let maxAbs = ladder.maxAbs {
      if let allowed = ladder.overPercent {
        // Each limit has its own share of the time.
        let warn = Tolerances.Bound(warn: maxAbs.warn == nil ? nil : allowed.warn)
        let fail = Tolerances.Bound(fail: maxAbs.fail == nil ? nil : allowed.fail)
        if warn.warn != nil { judge("over_percent.warn", overPercent(secondsOver.warn), warn) }
        if fail.fail != nil { judge("over_percent", overPercent(secondsOver.fail), fail) }
      } else {
        judge("max_abs", maximum, maxAbs)
      }
    }
    if let rms = ladder.rms { judge("rms", self.rms, rms) }
    if let hard = ladder.hard { judge("hard", maximum, Tolerances.Bound(fail: hard)) }
    return found
  }
}
