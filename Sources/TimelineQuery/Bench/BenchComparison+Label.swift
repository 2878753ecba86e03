extension BenchComparison.Row {
  /// The metric as people read it, with its unit: "settle 2% ms", "peak velocity 1/s".
  public var measureLabel: String {
    let (words, shownUnit): (String, String?) =
      switch name {
      case .duration: ("duration", unit)
      case .frames: ("frames", nil)
      case .intervalP50: ("interval p50", unit)
      case .intervalP95: ("interval p95", unit)
      case .intervalP99: ("interval p99", unit)
      case .hitchRatio: ("hitch", unit)
      case .jank: ("jank", unit)
      case .decision: ("decision", nil)
      case .margin: ("margin", nil)
      case .peakVelocity: ("peak velocity", unit)
      case .peakTime: ("peak time", unit)
      case .releaseVelocity: ("release velocity", unit)
      case .rise: ("rise", unit)
      case .settle2: ("settle 2%", unit)
      case .settle5: ("settle 5%", unit)
      case .overshoot: ("overshoot", unit)
      case .undershoot: ("undershoot", unit)
      case .turns: ("turns", nil)
      case .finalValue: ("final value", unit == "1" ? nil : unit)
      }
    let text = shownUnit.map { "\(words) \($0)" } ?? words
    // Releases are counted from 1 for people.
    return transition == 0 ? text : "\(text) #\(transition + 1)"
  }

  /// The metric with its key: "progress settle 2% ms".
  public var label: String { key.map { "\($0) \(measureLabel)" } ?? measureLabel }
}
