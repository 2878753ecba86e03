public import TimelineModel

/// A sink that keeps nothing but the numbers of elements: for a view that is only asked, or that nobody
/// records.
public final class DiscardingTimeline: TimelineSink {
  private var items: [ElementIdentity: ItemHandle] = [:]

  /// Makes a sink.
  public init() {}

  /// Gives the number 0 to every key.
  public func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    KeyHandle(rawValue: 0)
  }

  /// Gives each element a number of its own.
  public func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    if let known = items[identity] { return known }
    let handle = ItemHandle(rawValue: Int32(truncatingIfNeeded: items.count))
    items[identity] = handle
    return handle
  }

  /// Keeps nothing.
  public func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {}

  /// Keeps nothing.
  public func beginFrame(_ state: FrameState) {}

  /// Keeps nothing.
  public func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {}

  /// Keeps nothing.
  public func endFrame() {}

  /// Keeps nothing.
  public func record(_ touch: TouchSample) {}

  /// Keeps nothing.
  public func record(_ event: TimelineEvent) {}

  /// Keeps nothing.
  public func record(_ decision: ReleaseDecision) {}

  /// Keeps nothing.
  public func record(_ estimate: ReleaseEstimate) {}
}

/// It counts elements. Use it from one thread at a time.
@available(*, unavailable)
extension DiscardingTimeline: Sendable {}
