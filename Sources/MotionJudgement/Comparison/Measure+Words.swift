package import MotionMeasures
import TimelineModel

extension Measure {
  /// What limits may judge, in the order of verdicts, each with its unit. Empty for a key's own unit.
  package static let judged: [(measure: Measure, unit: String)] =
    RunComparison.Key.judged.measures() + RunComparison.judged.measures()
    + LayoutComparison.Item.judged.measures()

  /// The field by which a limit names what it is about. `nil` for a number of the sessions as a whole.
  var subjectName: String? {
    if RunComparison.Key.judged.field(of: self) != nil { return "key" }
    return LayoutComparison.Item.judged.field(of: self) == nil ? nil : "item"
  }

  /// How a figure of the second session is off that of the first, up to the name of the first. `nil`: it is not a figure that
  /// both have.
  ///
  /// - Parameters:
  ///   - change: The figure of the second session minus that of the first.
  ///   - limit: What is allowed. The printed number is above it if the change is.
  ///   - hasSign: Whether the sign is known. That of many sessions together is not.
  func offset(_ change: Double, limit: Double?, hasSign: Bool = true) -> String? {
    let scale: Double = abs(change) >= 10 ? 10 : 1000
    var size = NumberText.short((abs(change) * scale).rounded() / scale)
    if let limit, Double(size) ?? 0 <= limit, abs(change) > limit {
      size = NumberText.short(abs(change), digits: 6)
    }
    func word(_ more: String, _ less: String) -> String {
      hasSign ? change > 0 ? more : less : "\(more) or \(less)"
    }
    return switch self {
    case .settle2: "settles \(size) ms \(word("later", "earlier")) than"
    case .settle5: "settles (within 5 %) \(size) ms \(word("later", "earlier")) than"
    case .rise: "rises for \(size) ms \(word("longer", "less")) than"
    case .overshoot: "overshoots by \(size) % of its distance \(word("more", "less")) than"
    case .undershoot: "first goes back by \(size) % of its distance \(word("more", "less")) than"
    case .turns: "turns \(size) times \(word("more", "less")) often than"
    case .finalValue: "ends \(size) \(word("above", "below"))"
    case .peakVelocity:
      "has a peak velocity that is \(size) per second \(word("above", "below")) that of"
    case .releaseVelocity:
      "has a velocity at the release that is \(size) per second \(word("above", "below")) that of"
    case .lag: "comes \(size) ms \(word("later", "earlier")) than"
    default: nil
    }
  }

  /// The words for a lag that is at the end of its search.
  static func lagBeyond(_ milliseconds: Double) -> String {
    "has a lag beyond \(NumberText.short(abs(milliseconds))) ms, \(milliseconds > 0 ? "later" : "earlier") than"
  }
}

extension Verdict {
  /// ``offset`` of a number of many sessions together, whose signs may differ.
  var offsetOfMany: String? {
    Measure(rawValue: measure).flatMap { measure in
      value.flatMap { measure.offset($0, limit: limit, hasSign: false) }
    }
  }
}
