import TimelineModel

extension CollectionView {
  /// The elements of the transition under way with both of their ends, if its layout is a stock one. They
  /// are gathered once for each preparation of its two layouts.
  func frameMixes() -> FrameMixes? {
    guard let layout = transition?.layout, layout === collectionViewLayout, layout.isStock,
      let visible = layout.visibleRects
    else { return nil }
    // What was looked up for the frame before holds until something is prepared.
    let isHooked = layout.updateLayoutAttributes != nil
    if let known = layout.frameMixes,
      showsMixes || known.transforms == layout.transforms && known.hasEnds == isHooked
    {
      return known
    }
    var mixes = FrameMixes(transforms: layout.transforms, hasEnds: isHooked)
    let paths = layout.union(
      layout.currentLayout.layoutAttributesForElements(in: visible.from),
      layout.nextLayout.layoutAttributesForElements(in: visible.to))
    for path in paths {
      guard let (from, to) = layout.ends(at: path) else { continue }
      mixes.paths.append(path)
      if isHooked { mixes.ends.append((from, to)) }
      guard let item = item(at: path) else { continue }
      mixes.elements.append((item, path.indexPath))
      mixes.poses.append(PoseMix(from: from, to: to, transforms: layout.transforms))
    }
    layout.frameMixes = mixes
    return mixes
  }

  /// Shows a frame from the mixes alone, where there is nothing but them: the layout has no hook, and what
  /// was looked up for the frame before, if it still holds, came from there too.
  ///
  /// - Returns: Whether it did.
  func showMixes(in frame: FrameState) -> Bool {
    if let shown, shown.offset == offset { return false }
    guard let layout = transition?.layout, layout.updateLayoutAttributes == nil || showsMixes,
      let mixes = frameMixes()
    else { return false }
    sink.beginFrame(frame)
    record(mixes, of: layout)
    sink.endFrame()
    showsMixes = true
    return true
  }

  /// Records the elements as they stand at the layout's prepared progress.
  ///
  /// - Complexity: O(number of elements), without allocating where transforms are flat.
  private func record(_ mixes: FrameMixes, of layout: TransitionLayout) {
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
    guard let layout = transition?.layout, layout.updateLayoutAttributes == nil,
      let mixes = frameMixes(),
      mixes.paths.count == mixes.elements.count
    else { return nil }
    let following = layout as? FollowTransitionLayout
    return mixes.paths.enumerated().map { number, path in
      let mixed = mixes.poses.pose(of: number, at: layout.preparedProgress)
      return LayoutAttributes(path: path, pose: following?.shifted(mixed) ?? mixed)
    }
  }

  /// The elements as the hook of the transition's layout wants them, without asking the two layouts; nil
  /// where they must be asked.
  func hookedElements() -> [Screen.Element]? {
    guard let layout = transition?.layout, let hook = layout.updateLayoutAttributes,
      let mixes = frameMixes(), mixes.hasEnds, mixes.paths.count == mixes.elements.count
    else { return nil }
    let following = layout as? FollowTransitionLayout
    let progress = layout.preparedProgress
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
