#if canImport(UIKit)
  internal import AppTimeline
  public import UIKit

  extension KymographRecording {
    /// Records a property animator as a transition: its fraction with each frame, and its end.
    ///
    /// An animator that is paused when a frame is shown, and runs at the next, was released in between; how far on is
    /// one frame's matter. A second grab of it shows in its values alone.
    ///
    /// - Parameters:
    ///   - animator: The animator, before it starts or is paused. It is not kept.
    ///   - name: What the transition is called.
    public func follow(_ animator: UIViewPropertyAnimator, as name: String) {
      timeline.start(from: name, to: name, at: CACurrentMediaTime(), expectsRelease: false)
      layout = nil
      var isHeld = false
      readFraction = { [weak self, weak animator] shown in
        guard let self, let animator else { return }
        self.timeline.setProgress(Double(animator.fractionComplete), at: shown)
        if isHeld, animator.isRunning, self.timeline.phase == .driving {
          self.timeline.release(finish: !animator.isReversed, at: shown)
        }
        isHeld = animator.state == .active && !animator.isRunning
      }
      animator.addCompletion { [weak self] position in
        self?.complete(completed: position != .current, finished: position == .end)
      }
      refresh()
    }

    /// Records a view controller's transition by its coordinator: its progress with each frame, the end of its
    /// interactive part, and its completion.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator, while the transition begins. It is not kept.
    ///   - from: The name of what is left.
    ///   - to: The name of what is shown.
    public func follow(
      _ coordinator: any UIViewControllerTransitionCoordinator, from: String, to: String
    ) {
      timeline.start(
        from: from, to: to, at: CACurrentMediaTime(), expectsRelease: coordinator.isInteractive)
      layout = nil
      readFraction = { [weak self, weak coordinator] shown in
        guard let self, let coordinator else { return }
        self.timeline.setProgress(Double(coordinator.percentComplete), at: shown)
      }
      coordinator.notifyWhenInteractionChanges { [weak self] context in
        // It may be taken up again; the release that counts is the first.
        guard let self, !context.isInteractive, self.timeline.phase == .driving else { return }
        self.timeline.release(finish: !context.isCancelled, at: CACurrentMediaTime())
      }
      coordinator.animate(alongsideTransition: nil) { [weak self] context in
        self?.complete(completed: true, finished: !context.isCancelled)
      }
      refresh()
    }

    /// The completion of what is followed ran.
    func complete(completed: Bool, finished: Bool) {
      readFraction = nil
      timeline.complete(completed: completed, finished: finished, at: CACurrentMediaTime())
      refresh()
    }
  }
#endif
