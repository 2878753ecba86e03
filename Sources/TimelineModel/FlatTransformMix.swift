#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The way from one flat transform to another, part by part: each linearly, the angle the shorter way
/// round. Exactly half a turn goes the way its numbers say: from pi to 0 down through pi/2.
struct FlatTransformMix {
  private let from: AffineTransform.Decomposition
  private let to: AffineTransform.Decomposition
  /// How far it turns, in radians.
  private let turn: Double
  /// Cosine and sine of the first angle: those of the whole way when nothing turns.
  private let cosine: Double
  private let sine: Double

  /// nil when one of the two has no parts.
  init?(from: AffineTransform, to: AffineTransform) {
    guard let start = from.decomposed, let end = to.decomposed else { return nil }
    self.from = start
    self.to = end
    var turn = end.angle - start.angle
    if turn > .pi + halfTurnTolerance { turn -= 2 * .pi }
    if turn < -.pi - halfTurnTolerance { turn += 2 * .pi }
    self.turn = turn
    cosine = cos(start.angle)
    sine = sin(start.angle)
  }

  /// The transform at a progress.
  func transform(at progress: Double) -> AffineTransform {
    let parts = AffineTransform.Decomposition(
      translation: lerp(from.translation, to.translation, progress),
      angle: finite(from.angle + progress * turn),
      shear: lerp(from.shear, to.shear, progress),
      scale: lerp(from.scale, to.scale, progress))
    return parts.angle.bitPattern == from.angle.bitPattern
      ? AffineTransform(parts, cosine: cosine, sine: sine) : AffineTransform(parts)
  }
}
