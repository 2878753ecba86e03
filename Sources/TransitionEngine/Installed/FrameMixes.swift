import MotionPhysics
import TimelineModel

/// The elements of a transition with both of their ends, ready for one frame after the other: nothing is
/// asked or looked up any more.
struct FrameMixes {
  /// Which elements, in the order in which they are recorded.
  var elements: ContiguousArray<(item: ItemHandle, indexPath: ItemIndexPath)> = []
  /// Where each of them stands in the numbering. Those that are not in the data too, and then not at the
  /// same places.
  var paths: [ElementPath] = []
  /// How each of them goes, by its place in ``elements``.
  var poses = PoseMixes()
  /// The two ends of each path, for a hook. Empty without one.
  var ends: [(from: Pose, to: Pose)] = []
  var transforms: TransformMixing
  /// Whether ``ends`` was filled.
  var hasEnds: Bool

  /// Whether every path is an element of the data.
  var isComplete: Bool { paths.count == elements.count }
}

extension InstalledLayout {
  /// The elements of the transition under way with both of their ends, if its layout is a stock one, whose
  /// poses follow from the two ends and the prepared progress alone, but for a shift and the hook. They are
  /// gathered once for each preparation of its two layouts.
  ///
  /// - Parameter keepsKnown: Whether what was gathered last still holds whatever the layout says of it.
  func frameMixes(keepsKnown: Bool = false) -> FrameMixes? {
    guard let between, between === layout, let visible = between.visibleRects,
      type(of: between) == TransitionLayout.self || type(of: between) == FollowTransitionLayout.self
    else { return nil }
    let isHooked = between.updateLayoutAttributes != nil
    if let known = between.frameMixes,
      keepsKnown || known.transforms == between.transforms && known.hasEnds == isHooked
    {
      return known
    }
    var mixes = FrameMixes(transforms: between.transforms, hasEnds: isHooked)
    let paths = between.union(
      between.currentLayout.layoutAttributesForElements(in: visible.from),
      between.nextLayout.layoutAttributesForElements(in: visible.to))
    for path in paths {
      guard let (from, to) = between.ends(at: path) else { continue }
      mixes.paths.append(path)
      if isHooked { mixes.ends.append((from, to)) }
      guard let item = elements.handle(of: path, placedBy: layout) else { continue }
      mixes.elements.append((item, path.indexPath))
      mixes.poses.append(PoseMix(from: from, to: to, transforms: between.transforms))
    }
    between.frameMixes = mixes
    return mixes
  }

  /// The answers of the transition's layout for its elements. From the same source as its frames where it has
  /// no hook.
  func transitionAttributes() -> [LayoutAttributes] {
    guard let between, between.updateLayoutAttributes == nil, let mixes = frameMixes(),
      mixes.isComplete
    else { return layout.layoutAttributesForElements(in: visibleRect) }
    let following = between as? FollowTransitionLayout
    return mixes.paths.enumerated().map { number, path in
      let mixed = mixes.poses.pose(of: number, at: between.preparedProgress)
      return LayoutAttributes(path: path, pose: following?.shifted(mixed) ?? mixed)
    }
  }

  /// The elements as the hook of the transition's layout wants them, without asking the two layouts. `nil`
  /// where they must be asked.
  func hookedElements() -> [Screen.Element]? {
    guard let between, let hook = between.updateLayoutAttributes, let mixes = frameMixes(),
      mixes.isComplete
    else { return nil }
    let following = between as? FollowTransitionLayout
    let progress = between.preparedProgress
    return mixes.paths.enumerated().map { number, path in
      let mixed = mixes.poses.pose(of: number, at: progress)
      let given = LayoutAttributes(path: path, pose: following?.shifted(mixed) ?? mixed)
      let (from, to) = mixes.ends[number]
      let wanted = hook(given, from, to, progress)?.pose ?? given.pose
      return Screen.Element(
        item: mixes.elements[number].item, path: path, pose: wanted.isFinite ? wanted : mixed)
    }
  }
}
