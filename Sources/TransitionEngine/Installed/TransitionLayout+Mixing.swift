import MotionPhysics
import TimelineModel

extension TransitionLayout {
  /// The paths of two lists, each once: the first list's in order, then the rest of the second's.
  func union(_ first: [LayoutAttributes], _ second: [LayoutAttributes]) -> [ElementPath] {
    first.map(\.path) + second.lacking(in: first).map(\.path)
  }

  /// One element between its two ends. `nil` when neither layout places it.
  func mixedAttributes(at path: ElementPath) -> LayoutAttributes? {
    guard let (from, to) = ends(at: path) else { return nil }
    let mixed = Pose.mixed(from, to, progress: preparedProgress, transforms: transforms)
    var shown = pose(mixed, of: path, from: from, to: to)
    if let updateLayoutAttributes {
      let given = LayoutAttributes(path: path, pose: shown.isFinite ? shown : mixed)
      shown = updateLayoutAttributes(given, from, to, preparedProgress)?.pose ?? given.pose
    }
    return LayoutAttributes(path: path, pose: shown.isFinite ? shown : mixed)
  }

  /// Both end poses. A missing end, or one that is not finite, is what the other layout's hook says of an
  /// element that appears or disappears. Without an answer the other end with alpha 0.
  func ends(at path: ElementPath) -> (from: Pose, to: Pose)? {
    let from = currentLayout.finitePose(at: path)
    let to = nextLayout.finitePose(at: path)
    switch (from, to) {
    case (let from?, let to?): return (from, to)
    case (let from?, nil):
      return (
        from,
        missingEnd(at: path, else: from, "finalLayoutAttributes", of: currentLayout) {
          currentLayout.finalLayoutAttributesForDisappearingElement(at: path)
        }
      )
    case (nil, let to?):
      return (
        missingEnd(at: path, else: to, "initialLayoutAttributes", of: nextLayout) {
          nextLayout.initialLayoutAttributesForAppearingElement(at: path)
        },
        to
      )
    case (nil, nil): return nil
    }
  }

  /// The substitute for an end that a layout does not have. Asked once for each preparation.
  private func missingEnd(
    at path: ElementPath, else other: Pose, _ call: String, of layout: any CollectionViewLayout,
    hook: () -> LayoutAttributes?
  ) -> Pose {
    if let known = missingEnds[path] { return known }
    link?.log.recordCall(call, of: layout, at: path)
    let end = hook()?.finitePose ?? other.faded
    missingEnds[path] = end
    return end
  }
}

extension [LayoutAttributes] {
  /// Those whose path is not in the other list. Where both stand in the same order nothing is hashed.
  func lacking(in others: [LayoutAttributes]) -> [LayoutAttributes] {
    var known: Set<ElementPath>?
    var lacking: [LayoutAttributes] = []
    for (number, attributes) in enumerated() {
      if number < others.count, others[number].path == attributes.path { continue }
      let paths = known ?? Set(others.map(\.path))
      known = paths
      if !paths.contains(attributes.path) { lacking.append(attributes) }
    }
    return lacking
  }
}

extension Pose {
  /// The same pose with alpha 0: the end that stands in for one that no layout states.
  var faded: Pose {
    var pose = self
    pose.alpha = 0
    return pose
  }
}
