import TimelineModel

/// A cubic Bézier curve from (0, 0) to (1, 1) by its two control points, whose x lie in 0 to 1, so that
/// there is one y for every x.
package struct EasingBezier: Sendable, Hashable {
  package let x1: Double
  package let y1: Double
  package let x2: Double
  package let y2: Double

  /// Makes a curve. Minus zero becomes zero, so that equal curves have equal names.
  package init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = x1 + 0
    self.y1 = y1 + 0
    self.x2 = x2 + 0
    self.y2 = y2 + 0
  }

  /// The y for an x. May overflow for an absurd one outside 0 to 1.
  func value(at x: Double) -> Double {
    if x < 0 { return startSlope * x }
    if x > 1 { return 1 + endSlope * (x - 1) }
    if x == 0 || x == 1 || (x1 == y1 && x2 == y2) { return x }
    let t = parameter(at: x)
    // The first two weights stay below 1/2, so that their sum stays finite.
    return 3 * (1 - t) * (1 - t) * t * y1 + 3 * (1 - t) * t * t * y2 + t * t * t
  }

  /// The slope dy/dx for an x in 0 to 1. May overflow where the curve stands upright.
  func slope(at x: Double) -> Double {
    if x <= 0 { return startSlope }
    if x >= 1 { return endSlope }
    if x1 == y1 && x2 == y2 { return 1 }
    let t = parameter(at: x)
    let rest = 1 - t
    return (3 * rest * rest * y1 + 6 * rest * t * (y2 - y1) + 3 * t * t * (1 - y2))
      / across(t).slope
  }

  /// The slope before 0.
  private var startSlope: Double { EasingBezier.slope(through: (x1, y1), else: (x2, y2)) }

  /// The slope after 1.
  private var endSlope: Double {
    EasingBezier.slope(through: (1 - x2, 1 - y2), else: (1 - x1, 1 - y1))
  }

  /// The slope of the line from an end of the curve through the nearest control point that is another
  /// point (csswg-drafts 4046): level where that line stands upright, 1 where both lie on the end.
  ///
  /// - Parameters:
  ///   - near: The control point next to the end, seen from it.
  ///   - far: The other one.
  private static func slope(
    through near: (x: Double, y: Double), else far: (x: Double, y: Double)
  ) -> Double {
    let way = near == (0, 0) ? far : near
    if way == (0, 0) { return 1 }
    return way.x > 0 ? way.y / way.x : 0
  }

  /// The t at which the curve reaches an x between 0 and 1.
  ///
  /// Newton's steps, held between bounds that close in on the crossing. Where a step would leave them
  /// (or the curve stands upright) the middle is taken.
  package func parameter(at x: Double) -> Double {
    var low = 0.0
    var high = 1.0
    var t = x
    for _ in 0..<EasingBezier.mostSteps {
      let (position, slope) = across(t)
      if abs(position - x) <= EasingBezier.tolerance * x { return t }
      if position < x { low = t } else { high = t }
      var next = t - (position - x) / slope
      if !(next > low && next < high) { next = low + (high - low) / 2 }
      if next == t { return t }
      t = next
    }
    return t
  }

  /// The x at a t, and how fast it grows there.
  private func across(_ t: Double) -> (position: Double, slope: Double) {
    let rest = 1 - t
    return (
      3 * rest * rest * t * x1 + 3 * rest * t * t * x2 + t * t * t,
      3 * rest * rest * x1 + 6 * rest * t * (x2 - x1) + 3 * t * t * (1 - x2)
    )
  }

  /// How far the x of the answer may be from the x asked for, as a share of it: the distance from 1 to
  /// the next number, about what rounding leaves anyway.
  private static let tolerance = Double.ulpOfOne

  /// A bound for the search: twice the bits of a number, so that halving alone would get there. The
  /// curves of CSS take five steps.
  private static let mostSteps = 106
}

extension Easing {
  /// The control points of a Bézier curve, and of a line, which is one. `nil` for any other curve.
  package var controlPoints: EasingBezier? {
    switch shape {
    case .linear: EasingBezier(0, 0, 1, 1)
    case .bezier(let curve): curve
    case .family, .steps: nil
    }
  }

  /// Whether it moves by jumps alone.
  package var isStaircase: Bool { if case .steps = shape { true } else { false } }

  /// The slope of the curve at a share of the time, progress per share (no unit). Always finite.
  ///
  /// Lines and Bézier curves in closed form. Families by a difference over a ten-thousandth of the time to
  /// each side, of the fourth order (Abramowitz and Stegun 25.3.6), or to one side at the ends. Steps are
  /// level wherever they do not jump.
  func slope(at x: Double) -> Double {
    let x = clampedToUnit(x)
    switch shape {
    case .linear: return 1
    case .bezier(let curve): return clampedToFinite(curve.slope(at: x))
    case .steps: return 0
    case .family(let family, let direction):
      let h = Easing.slopeStep
      let y = { family.value(at: $0, direction) }
      if x < 2 * h { return (4 * y(x + h) - y(x + 2 * h) - 3 * y(x)) / (2 * h) }
      if x > 1 - 2 * h { return (3 * y(x) - 4 * y(x - h) + y(x - 2 * h)) / (2 * h) }
      return (8 * (y(x + h) - y(x - h)) - (y(x + 2 * h) - y(x - 2 * h))) / (12 * h)
    }
  }

  /// The step of the difference, a share of the time: where the error of the formula and of rounding are
  /// about equally small. Our own choice.
  private static let slopeStep = 1e-4
}
