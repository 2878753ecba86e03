import TimelineModel

extension CollectionView {
  /// The elements of the transition under way, if this is one whose frames need nothing else. They are
  /// gathered once for each preparation of its two layouts.
  func frameMixes() -> FrameMixes? {
    guard let layout = transition?.layout, layout === collectionViewLayout, layout.mixesPlainly,
      let visible = layout.visibleRects
    else { return nil }
    if let known = layout.frameMixes { return known }
    var mixes = FrameMixes()
    let paths = layout.union(
      layout.currentLayout.layoutAttributesForElements(in: visible.from),
      layout.nextLayout.layoutAttributesForElements(in: visible.to))
    for path in paths {
      guard let (from, to) = layout.ends(at: path) else { continue }
      mixes.paths.append(path)
      guard let item = item(at: path) else { continue }
      mixes.elements.append((item, path.indexPath))
      mixes.poses.append(PoseMix(from: from, to: to, transforms: layout.transforms))
    }
    layout.frameMixes = mixes
    return mixes
  }

  /// Records the elements as they stand at the layout's prepared progress.
  ///
  /// - Complexity: O(number of elements), without allocating where transforms are flat.
  func record(_ mixes: FrameMixes, of layout: TransitionLayout) {
    let progress = layout.preparedProgress
    if let following = layout as? FollowTransitionLayout {
      for (number, element) in mixes.elements.enumerated() {
        let mixed = mixes.poses.pose(of: number, at: progress)
        sink.record(following.shifted(mixed), of: element.item, at: element.indexPath)
      }
    } else {
      for (number, element) in mixes.elements.enumerated() {
        sink.record(
          mixes.poses.pose(of: number, at: progress), of: element.item, at: element.indexPath)
      }
    }
  }

  /// What the transition's layout would answer for its elements, from the same source as its frames; nil
  /// where that must be asked.
  func mixedAttributes() -> [LayoutAttributes]? {
    guard let layout = transition?.layout, let mixes = frameMixes(),
      mixes.paths.count == mixes.elements.count
    else { return nil }
    let following = layout as? FollowTransitionLayout
    return mixes.paths.enumerated().map { number, path in
      let mixed = mixes.poses.pose(of: number, at: layout.preparedProgress)
      return LayoutAttributes(path: path, pose: following?.shifted(mixed) ?? mixed)
    }
  }
}
