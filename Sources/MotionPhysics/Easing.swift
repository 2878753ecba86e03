import TimelineModel

/// An easing curve: how far a motion is (y, its progress) by how much of its time is over (x). Neither
/// has a unit. Both run from 0 to 1, and some curves leave that in between.
///
/// ```swift
/// let easing = Easing(.cubic, .inOut)
/// easing.value(at: 0.25)  // 0.0625
/// ```
///
/// Curves are equal when their names and their shapes are: `ease` and its control points draw the same,
/// and are recorded differently.
public struct Easing: Sendable, Hashable {
  /// One text that tells the curve: a name of ``names``, `cubic-bezier(x1,y1,x2,y2)` or
  /// `steps(n,position)`. ``init(named:)`` makes the same curve of it, bit for bit.
  public let name: String
  let shape: Shape

  enum Shape: Sendable, Hashable {
    case linear
    case family(EasingFamily, EasingDirection)
    case bezier(EasingBezier)
    case steps(EasingSteps)
  }

  init(name: String, shape: Shape) {
    self.name = name
    self.shape = shape
  }

  /// y = x.
  public static let linear = Easing(name: "linear", shape: .linear)

  /// A curve of a family.
  package init(_ family: EasingFamily, _ direction: EasingDirection) {
    self.init(name: family.rawValue + direction.rawValue, shape: .family(family, direction))
  }

  /// A cubic Bézier curve from (0, 0) to (1, 1) by its two control points.
  ///
  /// - Throws: an x that is not in 0 to 1, or a number that is not finite.
  public init(
    bezier x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
  ) throws(EasingError) {
    for x in [x1, x2] where !(x >= 0 && x <= 1) {
      throw EasingError(
        code: .badControlPoint,
        message: "The x of a control point must be from 0 to 1 (got \(x)).")
    }
    for y in [y1, y2] where !y.isFinite {
      throw EasingError(
        code: .badControlPoint,
        message: "The y of a control point must be a finite number (got \(y)).")
    }
    let shape = Shape.bezier(EasingBezier(x1, y1, x2, y2))
    self.init(name: shape.functionText ?? "", shape: shape)
  }

  /// A staircase of equal treads, as in CSS.
  ///
  /// - Throws: fewer than one step. Fewer than two where it rises neither at 0 nor at 1.
  package init(
    steps count: Int, _ position: EasingStepPosition = .jumpEnd
  ) throws(EasingError) {
    let least = position == .jumpNone ? 2 : 1
    guard count >= least else {
      throw EasingError(
        code: .badStepCount,
        message: "The steps of \(position.rawValue) must be at least \(least) (got \(count)).")
    }
    let shape = Shape.steps(EasingSteps(count: count, position: position))
    self.init(name: shape.functionText ?? "", shape: shape)
  }

  /// The progress at a share of the time. Always finite, and the same for the same x.
  ///
  /// Linear and the families are exactly 0 at 0 and 1 at 1, and hold these ends outside. Bézier curves
  /// and steps go on outside as CSS has it: a Bézier curve along the tangents at its ends, steps with
  /// more steps. Steps alone may differ from 0 at 0. A share that is not a number counts as 0.
  ///
  /// - Complexity: constant. A Bézier curve takes about five steps of a search.
  public func value(at x: Double) -> Double {
    let x = clampedToFinite(x)
    switch shape {
    case .linear: return clampedToUnit(x)
    case .family(let family, let direction): return family.value(at: x, direction)
    // Adding 0 makes 0 of minus 0.
    case .bezier(let curve): return clampedToFinite(curve.value(at: x)) + 0
    case .steps(let stairs): return clampedToFinite(stairs.value(at: x)) + 0
    }
  }
}

extension EasingFamily {
  /// The curve at any finite x. Exactly 0 up to 0 and 1 from 1 on.
  func value(at x: Double, _ direction: EasingDirection) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    switch direction {
    case .in: return easeIn(x)
    case .out: return easeOut(x)
    case .inOut: return x < 0.5 ? easeIn(2 * x) / 2 : (1 + easeOut(2 * x - 1)) / 2
    }
  }
}

/// An easing curve that cannot be.
public struct EasingError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Code: String, Sendable, CaseIterable {
    /// A name that no curve has.
    case unknownName
    /// A text `cubic-bezier(…)` or `steps(…)` that cannot be read.
    case badText
    /// A control point whose x leaves 0 to 1, or that is not finite.
    case badControlPoint
    /// Too few steps.
    case badStepCount
  }

  package let code: Code
  /// What is wrong and the remedy, as a sentence.
  public let message: String

  /// The sentence.
  public var description: String { message }
}

/// A staircase of equal treads.
struct EasingSteps: Sendable, Hashable {
  /// How many treads. At least 1.
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
package enum EasingStepPosition: String, CaseIterable, Sendable {
  /// At 0 and between the treads. CSS also says `start`.
  case jumpStart = "jump-start"
  /// Between the treads and at 1. CSS also says `end`.
  case jumpEnd = "jump-end"
  /// Only between the treads.
  case jumpNone = "jump-none"
  /// At 0, between the treads and at 1.
  case jumpBoth = "jump-both"

  /// The position of a CSS name, `start` and `end` included. `nil` for another text.
  package init?(named name: String) {
    switch name {
    case "start": self = .jumpStart
    case "end": self = .jumpEnd
    default: self.init(rawValue: name)
    }
  }
}
