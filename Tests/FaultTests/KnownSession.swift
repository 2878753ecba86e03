import TimelineModel
import TimelineRecorder
import TimelineStore

/// A session of which every row is known from its step, so that what is found in a file can be
/// judged without having been there.
///
/// Each step gives one value of each key, one touch, one frame and, every tenth time, an event; all of
/// them have a place in one order, and what a file holds must be a beginning of that order.
struct KnownSession: Sendable {
  /// Tells sessions of one file apart; values differ with it.
  var number: Int
  var steps = 20
  var keyCount = 2
  var itemCount = 3
  /// Every so many steps an element moves; in the others it is as it was.
  var stepsPerMove = 2
  /// Session time between steps: 50 ms, so that the usual 20 steps fill four commits.
  var intervalNanoseconds: Int64 = 50_000_000

  init(number: Int = 1, steps: Int = 20) {
    self.number = number
    self.steps = steps
  }

  var uuid: String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  var description: SessionDescription {
    var description = SessionDescription(software: "tests", clock: "virtual")
    description.uuid = uuid
    description.wallClockStartNanoseconds = 0
    return description
  }

  func time(_ step: Int) -> Instant {
    Instant(nanoseconds: Int64(step) * intervalNanoseconds)
  }

  var end: Instant { time(steps) }

  // MARK: Rows

  func value(_ key: Int, at step: Int) -> Double {
    // Whole numbers, fractions, and the sign of zero.
    switch (step + key) % 3 {
    case 0: Double(step * number)
    case 1: Double(step) / 3 + Double(key + number)
    default: step % 2 == 0 ? -0.0 : Double(step) * -1e-9
    }
  }

  func pose(_ item: Int, at step: Int) -> Pose {
    let moved = (step + item) / stepsPerMove
    return Pose(
      center: Point2D(x: Double(moved) * 1.25 + Double(number), y: Double(item)),
      size: Size2D(width: 10, height: 20))
  }

  func frame(_ step: Int) -> FrameState {
    FrameState(
      time: time(step), phase: .driving, progress: Double(step) / Double(steps),
      contentOffset: Point2D(x: 0, y: Double(step)), contentSize: Size2D(width: 320, height: 480))
  }

  func touch(_ step: Int) -> TouchSample {
    TouchSample(
      time: time(step), contact: 0, phase: .moved, position: Point2D(x: Double(step) / 7, y: 3))
  }

  func hasEvent(_ step: Int) -> Bool { step % 10 == 9 }

  /// Begins a transition, and the next time asks for its end.
  func event(_ step: Int) -> TimelineEvent {
    TimelineEvent(time: time(step), kind: step / 10 % 2 == 0 ? .start : .finish)
  }

  // MARK: Places in the order

  /// How many rows lie before a step.
  func rows(before step: Int) -> Int { step * (keyCount + 2) + step / 10 }

  var rowCount: Int { rows(before: steps) }

  func rowIndex(ofKey key: Int, at step: Int) -> Int { rows(before: step) + key }
  func rowOfTouch(at step: Int) -> Int { rows(before: step) + keyCount }
  func rowOfFrame(at step: Int) -> Int { rows(before: step) + keyCount + 1 }
  func rowOfEvent(at step: Int) -> Int { rows(before: step) + keyCount + 2 }
}

extension KnownSession {
  /// What a recorder gives out for the session's names.
  struct Handles {
    var keys: [KeyHandle]
    var items: [ItemHandle]
  }

  func handles(of recorder: Recorder) -> Handles {
    Handles(
      keys: (0..<keyCount).map {
        recorder.keyHandle(for: "key \($0)", role: .animated, unit: "pt")
      },
      items: (0..<itemCount).map {
        recorder.itemHandle(for: ElementIdentity(category: .cell, id: "item \($0)"))
      })
  }

  /// Gives one step's rows in their order.
  func record(_ step: Int, into recorder: Recorder, _ handles: Handles) {
    for (key, handle) in handles.keys.enumerated() {
      recorder.record(value(key, at: step), for: handle, at: time(step), phase: .driving)
    }
    recorder.record(touch(step))
    recorder.beginFrame(frame(step))
    for (item, handle) in handles.items.enumerated() {
      recorder.record(
        pose(item, at: step), of: handle, at: ItemIndexPath(section: 0, item: item))
    }
    recorder.endFrame()
    if hasEvent(step) { recorder.record(event(step)) }
  }
}
