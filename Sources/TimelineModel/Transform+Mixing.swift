extension Transform {
  /// The transform between two others; see ``TransformMixing`` for the ways.
  ///
  /// Exactly `from` at progress 0 and exactly `to` at 1; beyond, it goes on. Decomposed, two flat
  /// transforms stay flat. Where one end cannot be decomposed (it maps onto a line or a point, or is
  /// not finite) the mix is `from` before the middle and `to` from there on. Always finite for finite
  /// ends.
  ///
  /// - Parameters:
  ///   - from: The transform at progress 0.
  ///   - to: The transform at progress 1.
  ///   - progress: No unit; may leave 0 to 1.
  ///   - mixing: By components or decomposed.
  public static func mixed(
    _ from: Transform, _ to: Transform, progress: Double, mixing: TransformMixing
  ) -> Transform {
    if progress == 0 || progress.isNaN || from == to { return from }
    if progress == 1 { return to }
    if let flatFrom = from.flattened, let flatTo = to.flattened {
      return .flat(AffineTransform.mixed(flatFrom, flatTo, progress: progress, mixing: mixing))
    }
    let mixed = Transform3D.mixed(from.spatial, to.spatial, progress: progress, mixing: mixing)
    return mixed.affine.map(Transform.flat) ?? .spatial(mixed)
  }

  /// The transform as six numbers, if six suffice.
  private var flattened: AffineTransform? {
    switch self {
    case .flat(let flat): flat
    case .spatial(let spatial): spatial.affine
    }
  }
}

extension AffineTransform {
  /// The flat transform between two others; see ``Transform/mixed(_:_:progress:mixing:)``.
  static func mixed(
    _ from: AffineTransform, _ to: AffineTransform, progress: Double, mixing: TransformMixing
  ) -> AffineTransform {
    switch mixing {
    case .componentwise:
      return AffineTransform(
        a: lerp(from.a, to.a, progress), b: lerp(from.b, to.b, progress),
        c: lerp(from.c, to.c, progress), d: lerp(from.d, to.d, progress),
        tx: lerp(from.tx, to.tx, progress), ty: lerp(from.ty, to.ty, progress))
    case .decomposed:
      guard let start = from.decomposed, let end = to.decomposed else {
        return progress < 0.5 ? from : to
      }
      return AffineTransform(
        AffineTransform.Decomposition.mixed(start, end, progress: progress))
    }
  }
}

extension Transform3D {
  /// The transform in space between two others; see ``Transform/mixed(_:_:progress:mixing:)``.
  static func mixed(
    _ from: Transform3D, _ to: Transform3D, progress: Double, mixing: TransformMixing
  ) -> Transform3D {
    switch mixing {
    case .componentwise:
      let numbers = zip(from.components, to.components).map { lerp($0, $1, progress) }
      return Transform3D(components: numbers) ?? from
    case .decomposed:
      guard let start = from.decomposed, let end = to.decomposed else {
        return progress < 0.5 ? from : to
      }
      return Transform3D(Transform3D.Decomposition.mixed(start, end, progress: progress))
    }
  }
}

/// The number, or the nearest finite one; 0 for what is no number.
func finite(_ value: Double) -> Double {
  if value.isFinite { return value }
  if value.isNaN { return 0 }
  return value < 0 ? -.greatestFiniteMagnitude : .greatestFiniteMagnitude
}
