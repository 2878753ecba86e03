extension Easing {
  /// The slope of the curve at a share of the time, progress per share (no unit). Always finite.
  ///
  /// Lines and Bézier curves in closed form; families by a difference over a ten-thousandth of the time to
  /// each side, of the fourth order (Abramowitz and Stegun 25.3.6), or to one side at the ends; steps are
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
