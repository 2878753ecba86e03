import TimelineModel

/// A sink that counts poses and keeps nothing.
final class DroppingSink: TimelineSink {
  /// How many poses were given.
  private(set) var poses = 0
  private var items: [ElementIdentity: ItemHandle] = [:]

  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    KeyHandle(rawValue: 0)
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    let next = ItemHandle(rawValue: Int32(items.count))
    let handle = items[identity] ?? next
    items[identity] = handle
    return handle
  }

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: Phase) {}
  func beginFrame(_ state: FrameState) {}
  func record(_ pose: Pose, of item: ItemHandle, at indexPath: IndexPath) { poses += 1 }
  func endFrame() {}
  func record(_ touch: TouchSample) {}
  func record(_ event: Event) {}
  func record(_ decision: ReleaseDecision) {}
  func record(_ estimate: ReleaseEstimate) {}
}
