import TimelineModel

/// A sink that keeps in memory what tests of runs ask about.
final class KeptTimeline: TimelineSink {
  struct KeyedSample: Equatable {
    var key: String
    var value: Double
    var time: Int64
    var phase: MotionPhase
  }

  private var keys: [String] = []
  private var items: [ElementIdentity] = []
  var samples: [KeyedSample] = []
  var frames: [FrameState] = []
  /// The poses of each frame by id.
  var poses: [[String: Pose]] = []
  var touches: [TouchSample] = []
  var events: [TimelineEvent] = []
  var decisions: [ReleaseDecision] = []
  var estimates: [ReleaseEstimate] = []

  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    if !keys.contains(name) { keys.append(name) }
    return KeyHandle(rawValue: Int32(keys.firstIndex(of: name) ?? 0))
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    if !items.contains(identity) { items.append(identity) }
    return ItemHandle(rawValue: Int32(items.firstIndex(of: identity) ?? 0))
  }

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    samples.append(
      KeyedSample(
        key: keys[Int(key.rawValue)], value: value, time: time.nanoseconds, phase: phase))
  }

  func beginFrame(_ state: FrameState) {
    frames.append(state)
    poses.append([:])
  }

  func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    poses[poses.count - 1][items[Int(item.rawValue)].id] = pose
  }

  func endFrame() {}

  func record(_ touch: TouchSample) { touches.append(touch) }

  func record(_ event: TimelineEvent) { events.append(event) }

  func record(_ decision: ReleaseDecision) { decisions.append(decision) }

  func record(_ estimate: ReleaseEstimate) { estimates.append(estimate) }

  var eventNames: [String] { events.map(\.kind.rawValue) }

  func values(of key: String, _ phase: MotionPhase) -> [Double] {
    samples.filter { $0.key == key && $0.phase == phase }.map(\.value)
  }
}
