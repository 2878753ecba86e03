import KymographCLibrary

/// One way in which an item may follow a source: what it does with the source's places, and what that leaves.
struct FollowCandidate {
  /// The delay, or what else the source's places were changed by.
  var number: Double
  var gain: Double
  var jump: Double
  /// The weighted sum of squares that is left.
  var squares: Double
  /// How many numbers are fitted.
  var count: Int

  /// Akaike's corrected criterion (C. Hurvich and C. Tsai, Regression and time series model selection in small samples,
  /// 1989) of a sum that stands for -2 ln L.
  func criterion(_ likelihood: Double, of total: Int) -> Double {
    let (count, total) = (Double(count), Double(total))
    let rest = total - count - 1
    return likelihood + 2 * count
      + (rest > 0 ? 2 * count * (count + 1) / rest : FollowCandidate.noFreedom)
  }

  /// What a candidate costs that has as many numbers as there are frames: more than any other.
  private static let noFreedom = 1e3
}

/// Weighted sums of a source's places u, of a step that is 1 once these have moved, and of the item's places x: the normal
/// equations of x = g u + a step.
struct FollowSums {
  private var (uu, us, ss, ux, sx, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

  /// Adds a frame.
  mutating func add(_ u: Double, _ step: Double, _ x: Double, weight: Double = 1) {
    uu += weight * u * u
    us += weight * u * step
    ss += weight * step * step
    ux += weight * u * x
    sx += weight * step * x
    xx += weight * x * x
  }

  /// The four ways to follow: the gain fixed at 1 or free, the jump fixed at 0 or free. What the sums do not determine is
  /// left out, and so is what overflows.
  func candidates(_ number: Double) -> [FollowCandidate] {
    let plain = xx - 2 * ux + uu
    var found = [FollowCandidate(number: number, gain: 1, jump: 0, squares: plain, count: 1)]
    if ss > 0 {
      let jump = (sx - us) / ss
      found.append(
        .init(number: number, gain: 1, jump: jump, squares: plain - jump * (sx - us), count: 2))
    }
    if uu > 0 {
      let gain = ux / uu
      found.append(
        .init(number: number, gain: gain, jump: 0, squares: xx - gain * ux, count: 2))
      let determinant = uu * ss - us * us
      if determinant > FollowSums.leastDeterminant * uu * ss {
        let gain = (ux * ss - sx * us) / determinant
        let jump = (sx * uu - ux * us) / determinant
        found.append(
          .init(
            number: number, gain: gain, jump: jump, squares: xx - gain * ux - jump * sx, count: 3))
      }
    }
    // What rounding makes of a perfect fit.
    for index in found.indices { found[index].squares = max(0, found[index].squares) }
    return found.filter { $0.squares.isFinite && $0.gain.isFinite && $0.jump.isFinite }
  }

  /// The share of its largest value below which a determinant is rounding.
  private static let leastDeterminant = 1e-10
}
