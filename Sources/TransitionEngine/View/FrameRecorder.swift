import MotionPhysics
import TimelineModel

/// Shows the frames of a view: moves on everything that runs by itself, lays out, and records.
final class FrameRecorder {
  private let installed: InstalledLayout
  private let runner: TransitionRunner
  private let changes: ChangeCoordinator
  private let sink: any TimelineSink
  /// The content of the last frame that was looked up, and at which revision and offset.
  private var shown: (revision: Int, offset: Point2D, elements: [Screen.Element])?
  /// The revision at which the last frame came from the transition's mixes instead. The next one may too.
  private var mixedRevision: Int?

  init(installed: InstalledLayout, runner: TransitionRunner, changes: ChangeCoordinator) {
    self.installed = installed
    self.runner = runner
    self.changes = changes
    sink = installed.log.sink
  }

  /// Shows one frame of the display.
  func showFrame(at time: Instant) {
    let ended = runner.advance(at: time)
    installed.prepareIfNeeded()
    var frame = FrameState(
      time: time, phase: runner.state, progress: installed.between?.preparedProgress,
      contentOffset: installed.offset, contentSize: installed.layout.contentSize)
    if !changes.isUnderWay, ended == nil, showMixes(in: frame) { return }
    if ended == nil, let changing = changes.frame(frame, of: visibleElements) {
      frame = changing.state
      if frame.phase == .idle { frame.phase = .settling }
      changes.endIfOver(at: time)
      sink.beginFrame(frame.limited)
      changing.record(sink)
      sink.endFrame()
      return
    }
    var elements: [Screen.Element]
    // A completion may have started the next transition. Then its first frame is shown instead.
    if let ended, runner.state == .idle {
      frame.phase = .settling
      frame.progress = ended.progress
      elements = installed.identified(ended.finalAttributes(in: installed))
    } else {
      elements = visibleElements()
    }
    if changes.isUnderWay {
      let screen = changes.blended(
        Screen(elements: elements, offset: installed.offset, contentSize: frame.contentSize),
        at: time)
      elements = screen.elements
      frame.contentOffset = screen.offset
      frame.contentSize = screen.contentSize
      if frame.phase == .idle { frame.phase = .settling }
      changes.endIfOver(at: time)
    }
    sink.beginFrame(frame.limited)
    // By number, which does not copy the whole element.
    for number in elements.indices {
      sink.record(
        elements[number].pose, of: elements[number].item, at: elements[number].path.indexPath)
    }
    sink.endFrame()
  }

  /// The elements that take part. While nothing was prepared or scrolled they are those of the frame
  /// before: a layout answers the same until it prepares again.
  private func visibleElements() -> [Screen.Element] {
    if let shown, isCurrent(shown.revision, shown.offset) { return shown.elements }
    let elements = installed.hookedElements() ?? installed.visibleElements()
    shown = (installed.revision, installed.offset, elements)
    mixedRevision = nil
    return elements
  }

  private func isCurrent(_ revision: Int, _ offset: Point2D) -> Bool {
    revision == installed.revision && offset == installed.offset
  }

  /// Shows a frame from the mixes alone, where there is nothing but them: the layout has no hook, and what
  /// was looked up for the frame before, if it still holds, came from there too.
  ///
  /// - Returns: Whether it did.
  private func showMixes(in frame: FrameState) -> Bool {
    if let shown, isCurrent(shown.revision, shown.offset) { return false }
    let showsMixes = mixedRevision == installed.revision
    guard let layout = installed.between, layout.updateLayoutAttributes == nil || showsMixes,
      let mixes = installed.frameMixes(keepsKnown: showsMixes)
    else { return false }
    sink.beginFrame(frame.limited)
    record(mixes, of: layout)
    sink.endFrame()
    mixedRevision = installed.revision
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
}

extension FrameState {
  /// The same with lengths that a recording can hold.
  fileprivate var limited: FrameState {
    var frame = self
    frame.contentOffset = contentOffset.asLengths
    frame.contentSize = Size2D(
      width: contentSize.width.asLength, height: contentSize.height.asLength)
    return frame
  }
}
