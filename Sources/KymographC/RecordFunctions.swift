// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import KymographCHeader
import TimelineModel
import TimelineRecorder

// A recorder keeps values, frames, touches, events, decisions.

@implementation @c
public func kymograph_record_value(
  _ handle: OpaquePointer!, _ key: Int32, _ time: Int64, _ value: Double, _ phase: Int32
) {
  handle?.with(RecorderHandle.self) {
    $0.recorder.recordForeign(
      value, for: KeyHandle(rawValue: key), at: Instant(nanoseconds: time),
      phase: MotionPhase(header: phase))
  }
}

@implementation @c
public func kymograph_record_values(
  _ handle: OpaquePointer!, _ count: Int, _ keys: UnsafePointer<Int32>!, _ keyStride: Int,
  _ times: UnsafePointer<Int64>!, _ timeStride: Int, _ values: UnsafePointer<Double>!,
  _ valueStride: Int, _ phase: Int32
) {
  guard let handle, let keys, let times, let values else { return }
  let given = ForeignValues(
    count: count, keys: (UnsafeRawPointer(keys), keyStride),
    times: (UnsafeRawPointer(times), timeStride), values: (UnsafeRawPointer(values), valueStride))
  handle.with(RecorderHandle.self) {
    $0.recorder.recordForeign(given, phase: MotionPhase(header: phase))
  }
}

@implementation @c
public func kymograph_record_frame(
  _ handle: OpaquePointer!, _ frame: UnsafePointer<kymograph_frame>!, _ count: Int,
  _ items: UnsafePointer<Int32>!, _ poses: UnsafePointer<kymograph_pose>!
) {
  guard let handle, let frame else { return }
  handle.with(RecorderHandle.self) { handle in
    let recorder = handle.recorder
    recorder.beginFrame(FrameState(frame))
    if count > 0, let items, let poses {
      for index in 0..<count {
        recorder.recordForeign(Pose(poses[index]), of: ItemHandle(rawValue: items[index]))
      }
    }
    recorder.endFrame()
  }
}

@implementation @c
public func kymograph_frame_begin(
  _ handle: OpaquePointer!, _ frame: UnsafePointer<kymograph_frame>!
) {
  guard let handle, let frame else { return }
  handle.with(RecorderHandle.self) { $0.recorder.beginFrame(FrameState(frame)) }
}

@implementation @c
public func kymograph_frame_pose(
  _ handle: OpaquePointer!, _ item: Int32, _ pose: UnsafePointer<kymograph_pose>!
) {
  guard let handle, let pose else { return }
  handle.with(RecorderHandle.self) {
    $0.recorder.recordForeign(Pose(pose.pointee), of: ItemHandle(rawValue: item))
  }
}

@implementation @c
public func kymograph_frame_end(_ handle: OpaquePointer!) {
  handle?.with(RecorderHandle.self) { $0.recorder.endFrame() }
}

@implementation @c
public func kymograph_record_touch(
  _ handle: OpaquePointer!, _ contact: Int64, _ phase: Int32, _ x: Double, _ y: Double,
  _ time: Int64
) {
  handle?.with(RecorderHandle.self) {
    let time = Instant(nanoseconds: time)
    guard contact >= 0, contact <= Int64(Int32.max) else {
      return $0.recorder.warnOfForeign(
        "unknownContact",
        "A touch came with a contact number below 0 or above 2147483647, and was left out.",
        at: time)
    }
    $0.sink.record(
      TouchSample(
        time: time, contact: Int(contact), phase: TouchPhase(header: phase),
        position: Point2D(x: x, y: y)))
  }
}

@implementation @c
public func kymograph_record_event(
  _ handle: OpaquePointer!, _ kind: UnsafePointer<CChar>!, _ kindLength: Int, _ time: Int64,
  _ fields: UnsafePointer<kymograph_field>!, _ fieldCount: Int, _ isImportant: Int32
) {
  guard let handle, let kind = String(kind, kindLength) else { return }
  var event = TimelineEvent(time: Instant(nanoseconds: time), kind: .init(rawValue: kind))
  if let fields, fieldCount > 0 {
    event.fields = (0..<fieldCount).map { EventField(fields[$0]) }
  }
  handle.with(RecorderHandle.self) {
    $0.recorder.record($0.redaction.redacted(event), isImportant: isImportant != 0)
    if isImportant != 0 { try? $0.recorder.syncForeign() }
  }
}

@implementation @c
public func kymograph_record_decision(
  _ handle: OpaquePointer!, _ decision: UnsafePointer<kymograph_decision>!
) {
  guard let handle, let decision else { return }
  let given = kymograph_decision(of: decision)
  handle.with(RecorderHandle.self) {
    $0.sink.record(
      ReleaseDecision(
        transition: Int(given.transition), time: Instant(nanoseconds: given.time_ns),
        outcome: ReleaseOutcome(header: given.outcome),
        decidedBy: String(given.decided_by).map { DecisionSource(recorded: $0) } ?? .rule,
        rule: RuleName(String(given.rule) ?? ""),
        ruleParameters: String(given.rule_parameters),
        ruleOutcome: ReleaseOutcome(header: given.rule_outcome), threshold: given.threshold,
        progress: given.progress, progressVelocity: given.progress_velocity.known,
        progressStandardError: given.progress_standard_error.known,
        marginProgress: given.margin_progress.known, marginVelocity: given.margin_velocity.known))
  }
}
