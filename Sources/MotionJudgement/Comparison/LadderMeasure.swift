/// A distance over time as a ``Tolerances/Ladder`` asks for it, gathered stretch by stretch.
struct LadderMeasure: Sendable {
  let ladder: Tolerances.Ladder
  /// The largest distance outside the ignored stretches. `nil` without any time outside them.
  private(set) var maximum: Double?
  private var squares = 0.0
  private var seconds = 0.0
  /// Seconds above the warn and the fail limit of `maxAbs`.
  private var secondsOver = (warn: 0.0, fail: 0.0)

  init(_ ladder: Tolerances.Ladder) { self.ladder = ladder }

  /// Adds a stretch in which the values' separation goes straight from one to another, its times in seconds on the
  /// common clock.
  mutating func add(
    from start: Double, _ here: Separation, to end: Double, _ there: Separation
  ) {
    func place(at time: Double) -> Separation {
      guard end > start else { return there }
      return here.mixed(with: there, max(0, min(1, (time - start) / (end - start))))
    }
    var from = start
    for window in ladder.ignored where window.upperBound >= from && window.lowerBound <= end {
      if window.lowerBound > from {
        addPiece(window.lowerBound - from, place(at: from), place(at: window.lowerBound))
      }
      from = max(from, window.upperBound)
      // What lies exactly at a window's end is ignored with it.
      if from >= end { return }
    }
    addPiece(end - from, from > start ? place(at: from) : here, there)
  }

  private mutating func addPiece(_ length: Double, _ here: Separation, _ there: Separation) {
    maximum = max(maximum ?? 0, here.magnitude, there.magnitude)
    guard length > 0 else { return }
    seconds += length
    squares += length * here.meanSquare(to: there)
    if let warn = ladder.maxAbs?.warn {
      secondsOver.warn += length * here.share(above: warn, to: there)
    }
    if let fail = ladder.maxAbs?.fail {
      secondsOver.fail += length * here.share(above: fail, to: there)
    }
  }

  /// The root mean square over time. The largest distance where there is only one instant, nil without any.
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
