import TimelineModel
import TransitionEngine

/// A view whose items all stay visible in a transition from one flow to another and back.
struct TransitionStage {
  /// Frames per second of the display.
  static let refreshRate = 120.0

  let clock: DisplayClock
  let view: CollectionView
  private let small: FlowLayout
  private let large: FlowLayout

  init(items: Int, sink: any TimelineSink) throws {
    // 200 items of 40 and 45 points fill half of 1,000 points square. Other counts in proportion.
    let scale = (200 / Double(items)).squareRoot()
    small = TransitionStage.flow("small", 40 * scale, spacing: 10 * scale)
    large = TransitionStage.flow("large", 45 * scale, spacing: 10 * scale)
    clock = try DisplayClock(refreshRate: TransitionStage.refreshRate)
    view = CollectionView(
      viewport: Size2D(width: 1000, height: 1000),
      data: CollectionData(sections: [.init(id: "s", count: items)]), layout: small, clock: clock,
      sink: sink)
  }

  private static func flow(_ name: String, _ side: Double, spacing: Double) -> FlowLayout {
    var parameters = FlowLayoutParameters()
    parameters.itemSize = Size2D(width: side, height: side)
    parameters.minimumLineSpacing = spacing
    parameters.minimumInteritemSpacing = spacing
    return FlowLayout(name: name, parameters: parameters)
  }

  /// Starts a transition to the layout that is not shown, with the stock layout or what the view's
  /// delegate makes.
  func start() throws -> TransitionLayout {
    try view.startInteractiveTransition(to: view.collectionViewLayout === small ? large : small)
  }

  /// Moves the transition and shows a frame.
  func drive(_ transition: TransitionLayout, to progress: Double) {
    transition.transitionProgress = progress
    view.invalidateLayout()
    clock.advanceToNextFrame()
  }

  /// A whole interactive transition: half a second under the finger, then until it is at rest.
  ///
  /// - Returns: How many frames were shown.
  func runTransition() throws -> Int {
    let driven = Int(TransitionStage.refreshRate / 2)
    let transition = try start()
    for frame in 1...driven { drive(transition, to: Double(frame) / Double(2 * driven)) }
    try view.finishInteractiveTransition()
    var frames = driven
    while view.state != .idle {
      clock.advanceToNextFrame()
      frames += 1
    }
    return frames
  }
}

/// A sink that counts poses and keeps nothing.
final class DroppingSink: TimelineSink {
  private(set) var poses = 0
  private var items: [ElementIdentity: ItemHandle] = [:]

  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    KeyHandle(rawValue: 0)
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    if let known = items[identity] { return known }
    let handle = ItemHandle(rawValue: Int32(items.count))
    items[identity] = handle
    return handle
  }

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {}
  func beginFrame(_ state: FrameState) {}
  func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) { poses += 1 }
  func endFrame() {}
  func record(_ touch: TouchSample) {}
  func record(_ event: TimelineEvent) {}
  func record(_ decision: ReleaseDecision) {}
  func record(_ estimate: ReleaseEstimate) {}
}
