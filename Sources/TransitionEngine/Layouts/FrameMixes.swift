import TimelineModel

/// The elements of a transition with both of their ends, ready for one frame after the other: nothing is
/// asked or looked up any more.
struct FrameMixes {
  /// Which elements, in the order in which they are recorded.
  var elements: ContiguousArray<(item: ItemHandle, indexPath: IndexPath)> = []
  /// Where each of them stands in the numbering; those that are not in the data too, and then not at the
  /// same places.
  var paths: [ElementPath] = []
  /// How each of them goes, by its place in ``elements``.
  var poses = PoseMixes()
  /// The two ends of each path, for a hook; empty without one.
  var ends: [(from: Pose, to: Pose)] = []
  /// How their transforms are mixed.
  var transforms: TransformMixing
  /// Whether ``ends`` was filled.
  var hasEnds: Bool
}

extension TransitionLayout {
  /// Whether its poses follow from the two ends and the prepared progress alone, but for a shift and the
  /// hook: the stock layouts. Then ``FrameMixes`` gives the same poses bit for bit.
  var isStock: Bool {
    type(of: self) == TransitionLayout.self || type(of: self) == FollowTransitionLayout.self
  }
}
