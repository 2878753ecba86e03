package import TimelineModel

extension ElementTransform {
  /// The transform between two others. See `TransformMixing` for the ways.
  ///
  /// Exactly `from` at progress 0 and exactly `to` at 1. Beyond, it goes on. Decomposed, two flat
  /// transforms stay flat. Where one end cannot be decomposed (it maps onto a line or a point, or is
  /// not finite) the mix is `from` before the middle and `to` from there on. Always finite for finite
  /// ends. For many mixes of the same two, `PoseMix` takes them apart once.
  ///
  /// - Parameters:
  ///   - from: The transform at progress 0.
  ///   - to: The transform at progress 1.
  ///   - progress: No unit. May leave 0 to 1.
  ///   - mixing: By components or decomposed.
  package static func mixed(
    _ from: ElementTransform, _ to: ElementTransform, progress: Double, mixing: TransformMixing
  ) -> ElementTransform {
    TransformMix(from: from, to: to, mixing: mixing).transform(at: progress)
  }

  /// The transform as six numbers, if six suffice.
  var flattened: Transform2D? {
    switch self {
    case .flat(let flat): flat
    case .spatial(let spatial): spatial.affine
    }
  }

  /// The same, held as six numbers if six suffice.
  var simplified: ElementTransform { flattened.map(ElementTransform.flat) ?? self }
}

/// How two transforms are mixed. The raw values are the names in scenario files.
package enum TransformMixing: String, Hashable, Sendable, CaseIterable {
  /// Every number of the matrix on its own, as TLLayoutTransitioning does. Half a turn collapses on
  /// its way.
  case componentwise
  /// By turning, scaling, shearing and shifting, as animations of Core Animation look.
  case decomposed
}
