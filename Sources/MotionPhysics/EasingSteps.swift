/// A staircase of equal treads.
struct EasingSteps: Sendable, Hashable {
  /// How many treads; at least 1.
  let count: Int
  /// Where it rises.
  let position: EasingStepPosition

  /// The height at an x, by "Output of a step easing function" of CSS Easing Functions 2 without the
  /// before flag: at a rise it is the upper tread, and outside 0 to 1 the stairs go on.
  func value(at x: Double) -> Double {
    var step = (x * Double(count)).rounded(.down)
    if position == .jumpStart || position == .jumpBoth { step += 1 }
    if x >= 0 { step = max(step, 0) }
    if x <= 1 { step = min(step, rises) }
    return step / rises
  }

  /// How many rises there are between 0 and 1, both included.
  private var rises: Double {
    switch position {
    case .jumpStart, .jumpEnd: Double(count)
    case .jumpNone: Double(count) - 1
    case .jumpBoth: Double(count) + 1
    }
  }
}

/// Where a staircase rises. The raw values are CSS's names.
public enum EasingStepPosition: String, CaseIterable, Sendable {
  /// At 0 and between the treads; CSS also says `start`.
  case jumpStart = "jump-start"
  /// Between the treads and at 1; CSS also says `end`.
  case jumpEnd = "jump-end"
  /// Only between the treads.
  case jumpNone = "jump-none"
  /// At 0, between the treads and at 1.
  case jumpBoth = "jump-both"

  /// The position of a CSS name, `start` and `end` included; nil for another text.
  public init?(named name: String) {
    switch name {
    case "start": self = .jumpStart
    case "end": self = .jumpEnd
    default: self.init(rawValue: name)
    }
  }
}
