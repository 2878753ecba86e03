package import TimelineModel

/// Lets two fingers resize the item between them, in a view with a ``PinchFlowLayout``.
///
/// Give it every touch, grouped by instant, in points of the viewport. It moves the view's clock on to
/// each group. While two contacts are down the item under their middle is as large as they are apart.
/// When fewer are left, by a lift or because the system took one away, it goes back in an empty batch
/// update.
package final class ItemPincher {
  /// The view whose item is resized.
  package let view: CollectionView
  /// How long the item takes to go back, in seconds.
  package let resetDurationSeconds: Double
  private var contacts: [(number: Int, coordinate: Point2D)] = []
  private var isPinching = false

  /// Makes one for a view.
  package init(
    view: CollectionView,
    resetDurationSeconds: Double = CollectionView.defaultUpdateDurationSeconds
  ) {
    self.view = view
    self.resetDurationSeconds = resetDurationSeconds
  }

  /// Takes in the touches of one instant. Of more than two contacts the first two count. A lift at another
  /// place than the contact's last one is a move, too.
  package func handle(_ touches: [TouchSample]) {
    guard let first = touches.first else { return }
    view.clock.advance(before: first.time)
    var lifted: Set<Int> = []
    var movedLast = false
    for touch in touches {
      let isLift = touch.phase == .ended || touch.phase == .cancelled
      if let known = contacts.firstIndex(where: { $0.number == touch.contact }) {
        if touch.reportsPosition(after: contacts[known].coordinate) {
          contacts[known].coordinate = touch.position
          movedLast = movedLast || isLift
        }
        if isLift { lifted.insert(touch.contact) }
      } else if touch.phase == .began {
        contacts.append((touch.contact, touch.position))
      }
    }
    if isPinching, movedLast { pinch() }
    contacts.removeAll { lifted.contains($0.number) }
    if contacts.count >= 2 { pinch() } else if isPinching { end() }
  }

  private func pinch() {
    guard let layout = view.collectionViewLayout as? PinchFlowLayout else { return }
    if !isPinching {
      isPinching = true
      view.log.record(.gestureBegan, ["recognizer": "pinch"])
    }
    let offset = view.contentOffset
    func inContent(_ point: Point2D) -> Point2D {
      Point2D(x: point.x + offset.x, y: point.y + offset.y)
    }
    layout.resizeItem(
      underTouches: inContent(contacts[0].coordinate), inContent(contacts[1].coordinate))
    view.invalidateLayout()
  }

  private func end() {
    isPinching = false
    view.log.record(.gestureEnded, ["recognizer": "pinch"])
    guard let layout = view.collectionViewLayout as? PinchFlowLayout else { return }
    // Cannot fail: nothing of the data changes.
    try? view.performBatchUpdates(duration: resetDurationSeconds) { layout.resetPinchedItem() }
  }
}

/// It changes its view in place. Use it from one thread at a time.
@available(*, unavailable)
extension ItemPincher: Sendable {}
