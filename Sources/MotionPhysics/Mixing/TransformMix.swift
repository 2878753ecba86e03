import TimelineModel

/// The path from one transform to another, with all of the work done once that does not depend on the
/// progress.
struct TransformMix: Sendable {
  private let from: ElementTransform
  private let to: ElementTransform
  private let way: Way

  private enum Way {
    /// Both ends are the same.
    case still
    /// Part by part, where one end has no parts: the one, and from the middle on the other.
    case switching
    case flat(FlatTransformMix)
    case spatialNumbers(Transform3D, Transform3D)
    case spatialParts(SpatialTransformMix)
  }

  init(from: ElementTransform, to: ElementTransform, mixing: TransformMixing) {
    self.from = from
    self.to = to
    if from == to {
      way = .still
    } else if let start = from.flattened, let end = to.flattened {
      way =
        switch mixing {
        case .componentwise: .flat(FlatTransformMix(numbersFrom: start, to: end))
        case .decomposed:
          FlatTransformMix(partsFrom: start, to: end).map(Way.flat) ?? .switching
        }
    } else {
      let (start, end) = (from.spatial, to.spatial)
      way =
        switch mixing {
        case .componentwise: .spatialNumbers(start, end)
        case .decomposed:
          SpatialTransformMix(from: start, to: end).map(Way.spatialParts) ?? .switching
        }
    }
  }

  /// The path between the ends, where it is flat.
  var flat: FlatTransformMix? {
    if case .flat(let mix) = way { mix } else { nil }
  }

  /// The transform at a progress. See ``ElementTransform/mixed(_:_:progress:mixing:)``.
  func transform(at progress: Double) -> ElementTransform {
    if progress == 0 || progress.isNaN { return from }
    switch way {
    case .still: return from
    case _ where progress == 1: return to
    case .switching: return progress < 0.5 ? from.simplified : to.simplified
    case .flat(let mix): return .flat(mix.transform(at: progress))
    case .spatialNumbers(let start, let end):
      return ElementTransform.spatial(.mixed(start, end, progress: progress)).simplified
    case .spatialParts(let parts):
      return ElementTransform.spatial(parts.transform(at: progress)).simplified
    }
  }
}

extension Transform3D {
  /// Linear interpolation, number by number.
  fileprivate static func mixed(
    _ from: Transform3D, _ to: Transform3D, progress: Double
  ) -> Transform3D {
    let (start, end) = (from.rows, to.rows)
    func row(_ start: Row, _ end: Row) -> Row {
      Row(
        lerp(start.x, end.x, progress), lerp(start.y, end.y, progress),
        lerp(start.z, end.z, progress), lerp(start.w, end.w, progress))
    }
    return Transform3D(
      row(start.0, end.0), row(start.1, end.1), row(start.2, end.2), row(start.3, end.3))
  }
}

/// The path from one transform in space to another, part by part: each linearly, the turn along the shorter
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
