// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

import AppTimeline
public import KymographCHeader
import MotionPhysics
import TimelineModel

// A timeline: the calls of a user interface.

@implementation @c
public func kymograph_timeline_new(_ recorder: OpaquePointer!, _ distance: Double) -> OpaquePointer!
{
  recorder?.with(RecorderHandle.self) {
    $0.isInForkedChild
      ? nil : OpaquePointer(retaining: TimelineHandle($0, distance: distance.positive))
  }
}

@implementation @c
public func kymograph_timeline_free(_ handle: OpaquePointer!) {
  guard let handle else { return }
  // A copy in a child of fork is its parent's: it stays where it is.
  guard handle.withTimeline({ _ = $0.timeline.close() }) != nil else { return }
  handle.release(TimelineHandle.self)
}

@implementation @c
public func kymograph_timeline_set_rule(
  _ handle: OpaquePointer!, _ rule: UnsafePointer<CChar>!, _ ruleLength: Int, _ threshold: Double,
  _ velocityThreshold: Double, _ error: UnsafeMutablePointer<kymograph_error>!
) -> Int32 {
  guard let handle else { return tellSuccess(error) }
  let name = String(rule, ruleLength) ?? ""
  guard let kind = ReleaseRule.Kind(rawValue: name) else {
    let known = ReleaseRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    return tell(
      KYMOGRAPH_MISUSE,
      "kymograph_timeline_set_rule: unknown rule '\(name)'. Known: \(known).", error)
  }
  handle.withTimeline {
    $0.timeline.rule = ReleaseRule(
      kind: kind, threshold: threshold.known, velocityThreshold: velocityThreshold.known)
  }
  return tellSuccess(error)
}

@implementation @c
public func kymograph_timeline_start(
  _ handle: OpaquePointer!, _ from: UnsafePointer<CChar>!, _ fromLength: Int,
  _ to: UnsafePointer<CChar>!, _ toLength: Int, _ time: Int64
) -> Int32 {
  guard let handle else { return -1 }
  let (from, to) = (String(from, fromLength) ?? "", String(to, toLength) ?? "")
  return handle.withTimeline {
    Int32(
      truncatingIfNeeded: $0.timeline.start(from: from, to: to, at: Instant(nanoseconds: time)))
  } ?? -1
}

@implementation @c
public func kymograph_timeline_progress(
  _ handle: OpaquePointer!, _ progress: Double, _ time: Int64
) {
  handle?.withTimeline {
    $0.timeline.setProgress(progress, at: Instant(nanoseconds: time))
  }
}

@implementation @c
public func kymograph_timeline_value(
  _ handle: OpaquePointer!, _ name: UnsafePointer<CChar>!, _ nameLength: Int,
  _ unit: UnsafePointer<CChar>!, _ unitLength: Int, _ value: Double, _ time: Int64
) {
  guard let handle, let name = String(name, nameLength) else { return }
  let unit = String(unit, unitLength) ?? "1"
  handle.withTimeline {
    $0.timeline.setValue(value, forKey: name, unit: unit, at: Instant(nanoseconds: time))
  }
}

@implementation @c
public func kymograph_timeline_touch(
  _ handle: OpaquePointer!, _ contact: Int64, _ phase: Int32, _ x: Double, _ y: Double,
  _ time: Int64
) {
  handle?.withTimeline {
    guard !$0.leavesOutTouches else { return }
    $0.timeline.touch(
      contact, TouchPhase(header: phase), Point2D(x: x, y: y), at: Instant(nanoseconds: time))
  }
}

@implementation @c
public func kymograph_timeline_release(_ handle: OpaquePointer!, _ outcome: Int32, _ time: Int64) {
  handle?.withTimeline {
    let isLater = Int(outcome) == KYMOGRAPH_LATER
    $0.timeline.release(
      finish: isLater ? nil : ReleaseOutcome(header: outcome) == .finish,
      at: Instant(nanoseconds: time))
  }
}

@implementation @c
public func kymograph_timeline_complete(
  _ handle: OpaquePointer!, _ isFinished: Int32, _ time: Int64
) {
  handle?.withTimeline {
    _ = $0.timeline.complete(
      completed: true, finished: isFinished != 0, at: Instant(nanoseconds: time))
  }
}

@implementation @c
public func kymograph_timeline_see(
  _ handle: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ idLength: Int,
  _ pose: UnsafePointer<kymograph_pose>!
) {
  guard let handle, let id = String(id, idLength) else { return }
  handle.withTimeline {
    $0.timeline.see(ElementIdentity(category: .cell, id: id), pose.map { Pose($0.pointee) })
  }
}

@implementation @c
public func kymograph_timeline_frame(_ handle: OpaquePointer!, _ time: Int64, _ next: Int64) {
  handle?.withTimeline {
    $0.timeline.showFrame(
      at: Instant(nanoseconds: time), next: next == 0 ? nil : Instant(nanoseconds: next))
  }
}

@implementation @c
public func kymograph_timeline_needs_frame(_ handle: OpaquePointer!) -> Int32 {
  handle?.withTimeline { $0.timeline.needsFrame ? 1 : 0 } ?? 0
}
