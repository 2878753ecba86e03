import KymographCLibrary
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import MotionJudgement

/// A page that is filmed: a test says what each element shows at a time, and what was done.
struct FilmedPage {
  /// Frames per second.
  var rate = 60.0
  /// The time of a frame, in seconds.
  var frame: Double { 1 / rate }

  /// An element by its name: frame and opacity at a time; nil: it is not there.
  var elements: [(name: String, pose: (Double) -> (frame: Rect2D, alpha: Double)?)] = []
  /// Keys without a unit by their names, with their values at a time.
  var keys: [(name: String, value: (Double) -> Double)] = []
  var touches: [TouchSample] = []
  var events: [TimelineEvent] = []
  var seconds = 1.5
  /// Frames that were over before they could be read, by number.
  var unread: Set<Int> = []
  /// Whether each frame says when its callbacks ran.
  var saysBegan = true
  /// The clock that the recording names; of a page by default.
  var clock = "performance.now"
  /// Frames that did not come.
  var missing: Set<Int> = []

  /// Adds an element that is moved down.
  mutating func add(
    _ name: String, at frame: Rect2D = Rect2D(x: 20, y: 100, width: 100, height: 80),
    _ way: @escaping (Double) -> Double
  ) {
    elements.append(
      (
        name,
        {
          (
            Rect2D(
              x: frame.minX, y: frame.minY + way($0), width: frame.size.width,
              height: frame.size.height), 1
          )
        }
      ))
  }

  /// A finger that goes down a way by a curve, and is heard a millisecond later; it lifts 4 ms after its last place.
  mutating func swipe(
    from start: Double, seconds: Double, by way: Double, x side: Double = 0,
    isHeard: Bool = true, share: (Double) -> Double = { pow($0, 1.6) }
  ) {
    func touch(_ time: Double, _ phase: TouchPhase, _ part: Double) {
      var sample = TouchSample(
        time: Instant(seconds: time) ?? .zero, contact: 0, phase: phase,
        position: Point2D(x: 100 + side * part, y: 140 + way * part))
      if isHeard { sample.heard = Instant(seconds: time + 0.001) }
      touches.append(sample)
    }
    touch(start, .began, 0)
    var time = 0.008
    while time < seconds - 1e-9 {
      touch(start + time, .moved, share(time / seconds))
      time += 0.008
    }
    touch(start + seconds, .moved, 1)
    touch(start + seconds + 0.004, .ended, 1)
  }

  /// Two fingers that go from one place each to another within 200 ms.
  mutating func fingers(_ ways: [(from: Point2D, to: Point2D)], at start: Double) {
    for step in 0...20 {
      for (contact, way) in ways.enumerated() {
        let share = Double(step) / 20
        touches.append(
          TouchSample(
            time: Instant(seconds: start + Double(step) * 0.01) ?? .zero,
            contact: contact, phase: step == 0 ? .began : step == 20 ? .ended : .moved,
            position: Point2D(
              x: way.from.x + (way.to.x - way.from.x) * share,
              y: way.from.y + (way.to.y - way.from.y) * share)))
      }
    }
  }

  /// A click that is released after 16 ms.
  mutating func click(_ target: String, at time: Double) {
    for (wait, phase) in [(0.0, TouchPhase.began), (0.016, .ended)] {
      var touch = TouchSample(
        time: Instant(seconds: time + wait) ?? .zero, contact: 0, phase: phase,
        position: Point2D(x: 50, y: 50))
      touch.heard = Instant(seconds: time + wait + 0.001)
      touches.append(touch)
    }
    events.append(
      TimelineEvent(
        time: Instant(seconds: time) ?? .zero, kind: .init(rawValue: "action"),
        fields: ["kind": "click", "target": target]))
  }

  /// Tells the page's motion.
  func story() throws -> MotionStory {
    try judge { session, reader in try MotionStory(session, in: reader) }
  }

  /// Records the page, and asks something about the recording.
  func judge<Answer>(_ ask: (SessionRecord, RecordingReader) throws -> Answer) throws -> Answer {
    let made = try HandMade()
    let reader = try made.session(rate: rate, clock: clock) { recorder in
      let handles = elements.map {
        recorder.itemHandle(for: ElementIdentity(category: .cell, id: $0.name))
      }
      let keyHandles = keys.map { recorder.keyHandle(for: $0.name, role: .custom, unit: "1") }
      for event in events { recorder.record(event) }
      for touch in touches { recorder.record(touch) }
      for number in 0..<Int(seconds * rate) where !missing.contains(number) {
        let time = Double(number) * frame
        var state = FrameState(
          time: Instant(seconds: time) ?? .zero, phase: .idle, progress: nil, contentOffset: .zero,
          contentSize: .zero)
        state.began = saysBegan ? state.time : nil
        state.isUnread = unread.contains(number)
        recorder.beginFrame(state)
        for (element, handle) in zip(elements, handles) {
          guard let (frame, alpha) = element.pose(time) else { continue }
          var pose = Pose(frame: frame)
          pose.alpha = alpha
          recorder.record(pose, of: handle, at: ItemIndexPath(section: 0, item: 0))
        }
        recorder.endFrame()
        for (key, handle) in zip(keys, keyHandles) {
          recorder.record(key.value(time), for: handle, at: state.time, phase: .idle)
        }
      }
    }
    return try ask(try #require(reader.sessionRecords().first), reader)
  }
}
