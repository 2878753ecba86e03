import TimelineModel

/// A sink that keeps everything in memory, and refuses nothing, so that tests see what was sent.
final class RecordedTimeline: TimelineSink {
  struct Key: Hashable {
    var name: String
    var role: KeyRole
    var unit: String
  }

  struct KeyedSample: Equatable {
    var key: String
    var value: Double
    var time: Instant
    var phase: MotionPhase
  }

  struct Frame {
    var state: FrameState
    var poses: [(id: String, indexPath: ItemIndexPath, pose: Pose)] = []

    var ids: [String] { poses.map(\.id) }

    func pose(_ id: String) -> Pose? { poses.first { $0.id == id }?.pose }
  }

  var keys: [Key] = []
  var items: [ElementIdentity] = []
  var samples: [KeyedSample] = []
  var frames: [Frame] = []
  var touches: [TouchSample] = []
  var events: [TimelineEvent] = []
  var decisions: [ReleaseDecision] = []
  var estimates: [ReleaseEstimate] = []
  /// What came, in order: "key name", "frame", "event kind".
  var trace: [String] = []

  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    let number = keys.firstIndex { $0.name == name && $0.role == role }
    if number == nil { keys.append(Key(name: name, role: role, unit: unit)) }
    return KeyHandle(rawValue: Int32(number ?? keys.count - 1))
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    let number = items.firstIndex(of: identity)
    if number == nil { items.append(identity) }
    return ItemHandle(rawValue: Int32(number ?? items.count - 1))
  }

  func record(_ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase) {
    let name = keys[Int(key.rawValue)].name
    samples.append(KeyedSample(key: name, value: value, time: time, phase: phase))
    trace.append("key \(name)")
  }

  func beginFrame(_ state: FrameState) {
    frames.append(Frame(state: state))
    trace.append("frame")
  }

  func record(_ pose: Pose, of item: ItemHandle, at indexPath: ItemIndexPath) {
    frames[frames.count - 1].poses.append((items[Int(item.rawValue)].id, indexPath, pose))
  }

  func endFrame() {}

  func record(_ touch: TouchSample) { touches.append(touch) }

  func record(_ event: TimelineEvent) {
    events.append(event)
    trace.append("event \(event.kind.rawValue)")
  }

  func record(_ decision: ReleaseDecision) { decisions.append(decision) }

  func record(_ estimate: ReleaseEstimate) { estimates.append(estimate) }

  func values(of key: String, _ phase: MotionPhase? = nil) -> [Double] {
    samples.filter { $0.key == key && (phase == nil || $0.phase == phase) }.map(\.value)
  }

  func events(_ kind: TimelineEvent.Kind) -> [TimelineEvent] { events.filter { $0.kind == kind } }

  func estimate(of key: String) -> ReleaseEstimate? {
    estimates.last { keys[Int($0.key.rawValue)].name == key }
  }
}

extension TimelineEvent {
  func field(_ name: String) -> FieldValue? { fields.first { $0.name == name }?.value }
}
