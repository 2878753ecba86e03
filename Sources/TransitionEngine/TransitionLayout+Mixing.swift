import TimelineModel

extension TransitionLayout {
  /// The paths of two lists, each once: the first list's in order, then the rest of the second's.
  func union(_ first: [LayoutAttributes], _ second: [LayoutAttributes]) -> [ElementPath] {
    var paths = first.map(\.path)
    let known = Set(paths)
    for attributes in second where !known.contains(attributes.path) {
      paths.append(attributes.path)
    }
    return paths
  }

  /// One element between its two ends; nil when neither layout places it.
  func mixedAttributes(at path: ElementPath) -> LayoutAttributes? {
    guard let (from, to) = ends(at: path) else { return nil }
    let mixed = Pose.mixed(from, to, progress: preparedProgress, transforms: transforms)
    let shown = pose(mixed, of: path, from: from, to: to)
    return LayoutAttributes(path: path, pose: shown.isFinite ? shown : mixed)
  }

  /// Both end poses; a missing end, or one that is not finite, is the other with alpha 0.
  func ends(at path: ElementPath) -> (from: Pose, to: Pose)? {
    let from = TransitionLayout.finitePose(currentLayout.layoutAttributes(at: path))
    let to = TransitionLayout.finitePose(nextLayout.layoutAttributes(at: path))
    guard let start = from ?? to, let end = to ?? from else { return nil }
    var ends = (from: start, to: end)
    if from == nil { ends.from.alpha = 0 }
    if to == nil { ends.to.alpha = 0 }
    return ends
  }

  private static func finitePose(_ attributes: LayoutAttributes?) -> Pose? {
    attributes.flatMap { $0.pose.isFinite ? $0.pose : nil }
  }
}
