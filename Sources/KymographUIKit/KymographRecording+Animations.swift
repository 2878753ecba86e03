#if canImport(UIKit)
  internal import AppTimeline
  public import UIKit

  extension KymographRecording {
    /// Records a property animator as a transition: its fraction with each frame, and its end.
    ///
    /// An animator that is paused when a frame is shown, and runs at the next, was released in between. How far on is
    /// one frame's matter. A second grab of it shows in its values alone.
    ///
    /// - Parameters:
    ///   - animator: The animator, before it starts or is paused. It is not kept.
    ///   - name: The name of the transition.
    public func follow(_ animator: UIViewPropertyAnimator, as name: String) {
      let number = timeline.start(
        from: name, to: name, at: CACurrentMediaTime(), expectsRelease: false)
      layout = nil
      var isHeld = animator.state == .active && !animator.isRunning
      var wasActive = false
      readFraction = { [weak self, weak animator] now in
        guard let self else { return }
        // An animator that is stopped without finishing, or let go of, calls no completion.
        guard let animator, animator.state != .inactive || !wasActive else {
          return self.complete(number, completed: false, finished: false)
        }
        self.timeline.setProgress(Double(animator.fractionComplete), at: now)
        if isHeld, animator.isRunning, self.timeline.phase == .driving {
          self.timeline.release(finish: !animator.isReversed, at: now)
        }
        isHeld = animator.state == .active && !animator.isRunning
        wasActive = animator.state != .inactive
      }
      animator.addCompletion { [weak self] position in
        self?.complete(number, completed: position != .current, finished: position == .end)
      }
      refresh()
    }

    /// Records a view controller's transition by its coordinator: its progress with each frame, the end of its
    /// interactive part, and its completion.
    ///
    /// Apple documents the coordinator's progress (`percentComplete`) for the end of the interactive part alone.
    ///
    /// - Parameters:
    ///   - coordinator: The coordinator, while the transition begins. It is not kept.
    ///   - from: The name of the start.
    ///   - to: The name of the destination.
    public func follow(
      _ coordinator: any UIViewControllerTransitionCoordinator, from: String, to: String
    ) {
      let number = timeline.start(
        from: from, to: to, at: CACurrentMediaTime(), expectsRelease: coordinator.isInteractive)
      layout = nil
      readFraction = { [weak self, weak coordinator] now in
        guard let self else { return }
        guard let coordinator else {
          return self.complete(number, completed: false, finished: false)
        }
        self.timeline.setProgress(Double(coordinator.percentComplete), at: now)
      }
      coordinator.notifyWhenInteractionChanges { [weak self] context in
        // It may be taken up again. The release that counts is the first.
        guard let self, !context.isInteractive, self.timeline.phase == .driving else { return }
        self.timeline.release(finish: !context.isCancelled, at: CACurrentMediaTime())
      }
      coordinator.animate(alongsideTransition: nil) { [weak self] context in
        self?.complete(number, completed: true, finished: !context.isCancelled)
      }
      refresh()
    }

    /// The completion of a transition ran, which may be over since another one began.
    func complete(_ number: Int, completed: Bool, finished: Bool) {
      if timeline.complete(
        number, completed: completed, finished: finished, at: CACurrentMediaTime())
      {
        readFraction = nil
      }
      refresh()
    }
  }
#endif
