/// The way from one transform in space to another, part by part: each linearly, the turn along the shorter
/// arc.
struct SpatialTransformMix {
  private let from: Transform3D.Decomposition
  private let to: Transform3D.Decomposition
  private let rotation: QuaternionMix

  /// nil when one of the two has no parts.
  init?(from: Transform3D, to: Transform3D) {
    guard let start = from.decomposed, let end = to.decomposed else { return nil }
    self.from = start
    self.to = end
    rotation = QuaternionMix(from: start.rotation, to: end.rotation)
  }

  /// The transform at a progress.
  func transform(at progress: Double) -> Transform3D {
    Transform3D(
      Transform3D.Decomposition(
        translation: .mixed(from.translation, to.translation, progress: progress),
        scale: .mixed(from.scale, to.scale, progress: progress),
        shear: .mixed(from.shear, to.shear, progress: progress),
        rotation: rotation.turn(at: progress),
        perspective: .mixed(from.perspective, to.perspective, progress: progress),
        perspectiveW: lerp(from.perspectiveW, to.perspectiveW, progress)))
  }
}
