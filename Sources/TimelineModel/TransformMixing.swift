/// How two transforms are mixed. The raw values are the names in scenario files.
public enum TransformMixing: String, Hashable, Sendable, CaseIterable {
  /// Every number of the matrix on its own, as TLLayoutTransitioning does; half a turn collapses on
  /// its way.
  case componentwise
  /// By turning, scaling, shearing and shifting, as animations of Core Animation look.
  case decomposed
}
