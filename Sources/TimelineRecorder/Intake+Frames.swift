import TimelineModel
import TimelineStore

extension Intake {
  mutating func beginFrame(_ state: FrameState) {
    guard isOpen else { return }
    endFrame()
    var kept = state
    if let progress = state.progress, !progress.isFinite { kept.progress = nil }
    if !state.contentOffset.isFinite { kept.contentOffset = .zero }
    if !state.contentSize.isFinite { kept.contentSize = .zero }
    if kept != state {
      warnOnce(
        "nonFinite",
        "A frame's progress, content offset or content size is not finite; no progress and zeros "
          + "were kept in their place.", of: "frame", at: state.time)
    }
    folding.begin(kept)
  }

  mutating func take(_ pose: Pose, of item: ItemHandle, at indexPath: IndexPath) {
    precondition(
      folding.isKnown(item),
      "This element's number was not given out by this recorder; ask itemHandle(for:) for it.")
    guard isOpen else { return }
    guard let frame = folding.open else {
      return warnOnce(
        "noFrame", "A pose came outside of a frame and was left out. Call beginFrame(_:) first.",
        of: "pose", at: .zero)
    }
    guard pose.isFiniteInPlace else {
      warnOnce(
        "nonFinite",
        "The pose of element number \(item.rawValue) is not finite; the one before it was kept.",
        of: "item \(item.rawValue)", at: frame.time)
      return folding.keep(item)
    }
    folding.set(pose, indexPath, of: item)
  }

  /// Closes the open frame. A frame that does not fit is lost as a whole: the next one is then
  /// compared with the last that was kept, so nothing that is kept depends on what is lost.
  mutating func endFrame() {
    let before = batch.changes.count
    guard let frame = folding.end(into: &batch.changes) else { return }
    let rows = batch.changes.count - before
    // The frame's changes are in the batch already, so only its own row needs room.
    guard hasRoom(for: 1) else {
      batch.changes.removeLast(rows)
      return losses.add(.frame, at: frame.state.time)
    }
    batch.frames.append(frame)
    folding.accept(frame)
    note(frame.state.time)
  }
}

extension Pose {
  /// Whether every number is finite, without making an array of a flat transform.
  fileprivate var isFiniteInPlace: Bool {
    guard center.isFinite, size.isFinite, alpha.isFinite else { return false }
    switch transform {
    case .flat(let t):
      return t.a.isFinite && t.b.isFinite && t.c.isFinite && t.d.isFinite && t.tx.isFinite
        && t.ty.isFinite
    case .spatial(let t): return t.components.allSatisfy(\.isFinite)
    }
  }
}
