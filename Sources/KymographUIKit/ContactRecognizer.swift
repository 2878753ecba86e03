#if canImport(UIKit)
  internal import AppTimeline
  internal import TimelineModel
  internal import UIKit

  // What a subclass of a recognizer may override and set is declared there. The stubs have it in UIKit itself.
  #if !KYMOGRAPH_STUBS
    internal import UIKit.UIGestureRecognizerSubclass
  #endif

  /// Sees every touch of a view and never recognises anything.
  final class ContactRecognizer: UIGestureRecognizer, UIGestureRecognizerDelegate {
    private let timeline: HostTimeline
    /// The touches that are recorded, in the order of their landing.
    private var down: [ObjectIdentifier] = []

    init(timeline: HostTimeline) {
      self.timeline = timeline
      super.init(target: nil, action: nil)
      cancelsTouchesInView = false
      delaysTouchesBegan = false
      delaysTouchesEnded = false
      requiresExclusiveTouchType = false
      delegate = self
    }

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent) {
      take(touches, event)
    }
    override func touchesMoved(_ touches: Set<UITouch>, with event: UIEvent) {
      take(touches, event)
    }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent) {
      lift(touches, event)
    }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent) {
      lift(touches, event)
    }

    override func canPrevent(_ preventedGestureRecognizer: UIGestureRecognizer) -> Bool { false }
    override func canBePrevented(by preventingGestureRecognizer: UIGestureRecognizer) -> Bool {
      false
    }
    override func shouldRequireFailure(
      of otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
    override func shouldBeRequiredToFail(
      by otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }

    func gestureRecognizer(
      _ gestureRecognizer: UIGestureRecognizer,
      shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { true }

    override func reset() {
      // A contact that is still down will not be reported any more: the recognizer was switched off, say.
      for touch in down {
        timeline.touch(touch, .cancelled, Point2D(x: .nan, y: .nan), at: CACurrentMediaTime())
      }
      down.removeAll()
      super.reset()
    }

    private func lift(_ touches: Set<UITouch>, _ event: UIEvent) {
      take(touches, event)
      let lifted = touches.map { ObjectIdentifier($0) }
      down.removeAll { lifted.contains($0) }
      // Only when no finger is left: UIKit then resets it, and it is ready for the next sequence.
      if down.isEmpty { state = .failed }
    }

    /// Takes every report since the last event, and none of those that the system predicts, in the window's
    /// coordinates, so that scrolling does not move a finger that rests.
    private func take(_ touches: Set<UITouch>, _ event: UIEvent) {
      // A set has no order. Contacts are numbered as they land.
      for touch in touches.sorted(by: { $0.timestamp < $1.timestamp }) {
        guard let phase = TouchPhase(touch.phase) else { continue }
        let contact = ObjectIdentifier(touch)
        if phase == .began, !isSecret(touch) { down.append(contact) }
        guard down.contains(contact) else { continue }
        let reports = event.coalescedTouches(for: touch) ?? [touch]
        for (index, report) in reports.enumerated() {
          // A contact lands with the first report and is lifted with the last, whatever phase UIKit gives the others.
          let isEdge = index == (phase == .began ? 0 : reports.count - 1)
          timeline.touch(
            contact, isEdge ? phase : .moved, Point2D(report.preciseLocation(in: nil)),
            at: report.timestamp)
        }
      }
    }

    /// Whether a touch is on a field whose text is secret.
    private func isSecret(_ touch: UITouch) -> Bool {
      var view = touch.view
      while let field = view {
        if (field as? any UITextInputTraits)?.isSecureTextEntry == true { return true }
        view = field.superview
      }
      return false
    }
  }

  extension TouchPhase {
    /// nil for anything but a report of a contact.
    init?(_ phase: UITouch.Phase) {
      switch phase {
      case .began: self = .began
      case .moved: self = .moved
      case .ended: self = .ended
      case .cancelled: self = .cancelled
      case .stationary, .regionEntered, .regionMoved, .regionExited: return nil
      @unknown default: return nil
      }
    }
  }
#endif
