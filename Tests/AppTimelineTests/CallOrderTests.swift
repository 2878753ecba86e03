import AppTimeline
import MotionPhysics
import Testing
import TimelineModel
import TimelineStore

/// The order in which UIKit and an app call: one update after the other of a transition that goes well.
@Suite struct CallOrderTests {
  let app: SimulatedApp

  init() throws { app = try SimulatedApp() }

  @Test func `a start is an event before anything else, and the app drives from there`() throws {
    app.drag()
    let reader = try app.finish()
    let names = try reader.eventNames()
    #expect(names == ["start", "finish", "completion"])
    let start = try #require(try reader.events(in: 1).next())
    #expect(start.fieldsJSON == #"{"transition":0,"from":"grid","to":"detail"}"#)
    let first = try #require(try reader.frames(in: 1).next())
    #expect(first.state.phase == .driving)
    #expect(try reader.transitions(in: 1).count == 1)
  }

  @Test func `coalesced touches keep their own times, and the repeat of the last one is dropped`()
    throws
  {
    let (one, two) = (Finger(), Finger())
    app.touch(one, .began, y: 700)
    app.wait(0.016)
    for ago in [0.012, 0.008, 0.004] { app.touch(one, .moved, y: 700 - ago, ago: ago) }
    app.touch(one, .moved, y: 700 - 0.004, ago: 0.004)
    app.touch(two, .began, y: 100)
    app.touch(one, .ended, y: 699)
    app.touch(two, .cancelled, y: 100)
    // UIKit uses an object again for another contact.
    app.wait(1)
    app.touch(one, .began, y: 5)
    app.touch(one, .ended, y: 5)
    let reader = try app.finish()
    let touches = try reader.touches(in: 1).rest()
    #expect(touches.map(\.contact) == [0, 0, 0, 0, 1, 0, 1, 2, 2])
    #expect(
      touches.map(\.phase) == [
        .began, .moved, .moved, .moved, .began, .ended, .cancelled, .began, .ended,
      ])
    #expect(
      touches.prefix(4).map(\.time.nanoseconds) == [0, 4_000_000, 8_000_000, 12_000_000])
  }

  @Test func `progress and keys are samples where their bits differ`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    for value in [0, 0, 0.25, 0.25, -0.0, 0.0] {
      app.timeline.setProgress(value, at: app.now)
      app.timeline.setValue(value, forKey: "dim", unit: "1", at: app.now)
      app.wait(0.01)
    }
    app.timeline.complete(completed: false, finished: false, at: app.now)
    let reader = try app.finish()
    #expect(try reader.values(of: "progress").map(\.sample.value.bitPattern).count == 4)
    #expect(try reader.values(of: "dim").map(\.sample.value) == [0, 0.25, 0, 0])
    #expect(
      try reader.values(of: "dim").map(\.sample.time.nanoseconds)
        == [0, 20_000_000, 40_000_000, 50_000_000])
    #expect(try reader.keys(in: 1).map(\.role) == [.progress, .animated])
  }

  @Test func `a prepare voids what was placed before it, and elements add up until the next`()
    throws
  {
    app.elementCount = 2
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.layOut(0.1, asking: 3)
    app.place(7, 0.1)
    app.show()
    app.layOut(0.2)
    app.place(1, 0.3)
    app.show()
    let reader = try app.finish()
    let frames = try reader.foldedFrames(in: 1).rest()
    let ids = try reader.items(in: 1).map(\.identity.id)
    #expect(ids == ["photo0", "photo1", "photo7"])
    #expect(frames.map { $0.elements.map { Int($0.item.rawValue) } } == [[0, 1, 2], [0, 1]])
    #expect(frames[1].elements.map(\.pose.center.y) == [80, 120])
    #expect(frames.map(\.frame.state.progress) == [0.1, 0.2])
  }

  @Test func `after the commit there is one frame, at the time at which it is shown`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.timeline.setProgress(0.5, at: app.now)
    app.layOut(0.4)
    app.timeline.showFrame(
      at: app.now + 0.0165, next: app.now + 0.025, offset: Point2D(x: 0, y: 12),
      size: Size2D(width: 390, height: 2000))
    let reader = try app.finish()
    let state = try #require(try reader.frames(in: 1).next()).state
    #expect(state.time.nanoseconds == 16_500_000)
    // What is on the screen was prepared with this one.
    #expect(state.progress == 0.4)
    #expect(state.contentOffset.y == 12)
    #expect(state.contentSize.height == 2000)
    #expect(try reader.values(of: "display.interval").count == 1)
  }

  @Test func `finish is an event before UIKit has it, and the decision is dated to the lift`()
    throws
  {
    app.timeline.rule = ReleaseRule(kind: .velocity)
    app.drag()
    let reader = try app.finish()
    let decision = try #require(try reader.decisions(in: 1).first)
    let lift = try #require(try reader.touches(in: 1).rest().last)
    #expect(lift.phase == .ended)
    #expect(decision.time == lift.time)
    let finish = try #require(try reader.events(in: 1).rest().first { $0.kind == .finish })
    #expect(finish.time > lift.time)
    #expect(decision.decidedBy == "app")
    #expect(decision.outcome == .finish)
  }

  @Test func `the rest settles frame by frame, and the completion makes it idle`() throws {
    app.drag(finish: false)
    let reader = try app.finish()
    let phases = try reader.frames(in: 1).rest().map(\.state.phase)
    #expect(phases.first == .driving)
    #expect(phases.dropLast().last == .settling)
    #expect(phases.last == .idle)
    #expect(try reader.frames(in: 1).rest().last?.state.progress == nil)
    let settling = try reader.values(of: "progress").filter { $0.phase == .settling }
    #expect(settling.count == 20)
    #expect(settling.last?.sample.value == 0)
    #expect(try reader.sessionRecord(1).outcome == .cancelled)
  }
}

/// Calls in orders that UIKit does not promise, and mistakes of apps.
@Suite struct OddOrderTests {
  let app: SimulatedApp

  init() throws { app = try SimulatedApp() }

  @Test(arguments: [true, false])
  func `whether app or touches learn of the lift first, the same rows come out`(appFirst: Bool)
    throws
  {
    app.timeline.rule = ReleaseRule()
    app.drag(appFirst: appFirst, keys: ["dim"])
    let other = try SimulatedApp()
    other.timeline.rule = ReleaseRule()
    other.drag(appFirst: !appFirst, keys: ["dim"])
    let (one, two) = (try app.finish(), try other.finish())
    #expect(try one.decisions(in: 1) == two.decisions(in: 1))
    #expect(try one.estimates(in: 1) == two.estimates(in: 1))
    #expect(try one.decisions(in: 1).count == 1 && one.estimates(in: 1).count == 2)
  }

  @Test func `a decision waits for its lift a frame at most`() throws {
    app.timeline.rule = ReleaseRule()
    let finger = Finger()
    app.touch(finger, .began, y: 1)
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.drive(0.75)
    let asked = app.instant
    app.timeline.release(finish: true, at: app.now)
    app.show()
    app.touch(finger, .ended, y: 1)
    app.timeline.complete(completed: true, finished: true, at: app.now)
    let reader = try app.finish()
    #expect(try reader.decisions(in: 1).map(\.time) == [asked])
  }

  @Test func `finish without a start and finish twice are errors, before UIKit refuses them`()
    throws
  {
    app.timeline.release(finish: true, at: app.now)
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.timeline.setProgress(0.5, at: app.now)
    app.timeline.release(finish: true, at: app.now)
    app.timeline.release(finish: false, at: app.now)
    app.timeline.complete(completed: true, finished: true, at: app.now)
    app.timeline.release(finish: false, at: app.now)
    let reader = try app.finish()
    #expect(
      try reader.eventNames() == [
        "error not-in-transition", "start", "finish", "error released-twice", "completion",
        "error not-in-transition",
      ])
    #expect(try reader.releases(in: 1).all.map(\.outcome) == [.finish])
    #expect(try reader.sessionRecord(1).outcome == .finished)
  }

  @Test func `a start during a transition closes the old one, with a warning`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.drive(0.5)
    app.timeline.start(from: "b", to: "c", at: app.now)
    app.drive(0.25)
    let reader = try app.finish()
    #expect(
      try reader.eventNames() == [
        "start", "warning start-during-transition", "completion", "start",
      ])
    #expect(try reader.transitions(in: 1).map(\.number) == [0, 1])
    #expect(try reader.sessionRecord(1).outcome == .open)
  }

  @Test func `the completion of a transition that another one has closed does not end that one`()
    throws
  {
    let closed = app.timeline.start(from: "a", to: "b", at: app.now)
    let open = app.timeline.start(from: "b", to: "c", at: app.now)
    #expect([closed, open] == [0, 1])
    #expect(!app.timeline.complete(closed, completed: true, finished: true, at: app.now))
    #expect(app.timeline.phase == .driving)
    app.timeline.release(finish: true, at: app.now)
    #expect(app.timeline.complete(open, completed: true, finished: true, at: app.now))
    let reader = try app.finish()
    #expect(
      try reader.eventNames() == [
        "start", "warning start-during-transition", "completion", "start",
        "warning completed-twice",
        "finish", "completion",
      ])
    #expect(try reader.sessionRecord(1).outcome == .finished)
  }

  @Test func `a second completion and a late progress are warnings`() throws {
    app.drag()
    app.timeline.complete(completed: true, finished: true, at: app.now)
    app.timeline.setProgress(0.3, at: app.now)
    let reader = try app.finish()
    #expect(
      try reader.eventNames().suffix(2) == ["warning completed-twice", "warning detached"])
    #expect(try reader.values(of: "progress").last?.sample.value == 1)
  }

  @Test func `a progress without an invalidation is a warning in the second frame, once`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.drive(0.1)
    for progress in [0.2, 0.3, 0.4, 0.5] {
      app.timeline.setProgress(progress, at: app.now)
      app.show()
    }
    app.drive(0.6)
    app.timeline.setProgress(0.7, at: app.now)
    app.show()
    app.drive(0.8)
    let reader = try app.finish()
    #expect(try reader.eventNames() == ["start", "warning not-invalidated"])
  }

  @Test func `a frame without a layout pass keeps the poses before`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.drive(0.5)
    app.show()
    let reader = try app.finish()
    let frames = try reader.foldedFrames(in: 1).rest()
    #expect(frames.count == 2)
    #expect(frames[0].elements.count == 6)
    #expect(frames[0].elements.map(\.pose) == frames[1].elements.map(\.pose))
  }

  @Test func `without a completion the session is open, or as it was released`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.drive(0.5)
    #expect(try app.finish().sessionRecord(1).outcome == .open)
    let other = try SimulatedApp()
    other.timeline.start(from: "a", to: "b", at: other.now)
    other.timeline.release(finish: false, at: other.now)
    #expect(try other.finish().sessionRecord(1).outcome == .cancelled)
  }

  @Test func `a transition that ends unreleased is a warning, but for a plain animation`() throws {
    app.timeline.start(from: "a", to: "b", at: app.now)
    app.timeline.complete(completed: true, finished: true, at: app.now)
    app.timeline.start(from: "b", to: "c", at: app.now, expectsRelease: false)
    app.timeline.complete(completed: true, finished: true, at: app.now)
    let reader = try app.finish()
    #expect(
      try reader.eventNames() == [
        "start", "warning not-released", "completion", "start", "completion",
      ])
  }

  @Test func `a contact that was down before begins with its first report`() throws {
    let (one, two) = (Finger(), Finger())
    app.touch(one, .moved, y: 1)
    app.touch(two, .ended, y: 1)
    app.touch(one, .began, y: 2)
    app.wait(0.1)
    app.touch(one, .began, y: 3)
    app.touch(one, .ended, y: .nan)
    let reader = try app.finish()
    let touches = try reader.touches(in: 1).rest()
    #expect(touches.map(\.phase) == [.began, .cancelled, .began, .cancelled, .began, .ended])
    #expect(touches.map(\.contact) == [0, 0, 1, 1, 2, 2])
    #expect(touches.last?.position.y == 3)
  }

  @Test func `times that are not finite and values that are not are kept out of the way`() throws {
    app.timeline.start(from: "a", to: "b", at: .nan)
    app.drive(0.5)
    app.timeline.setProgress(.nan, at: app.now)
    app.timeline.setValue(.infinity, forKey: "dim", at: app.now)
    app.timeline.showFrame(at: .infinity, next: .nan)
    app.timeline.showFrame(at: app.now, next: .nan)
    app.timeline.touch(
      ObjectIdentifier(app), .began, Point2D(x: .nan, y: 0), at: app.now)
    app.timeline.release(finish: true, at: -.infinity)
    app.timeline.complete(completed: true, finished: true, at: 1e300)
    let reader = try app.finish()
    #expect(try reader.frames(in: 1).rest().count == 2)
    #expect(try reader.touches(in: 1).rest().isEmpty)
    #expect(try reader.values(of: "progress").map(\.sample.value) == [0.5])
  }
}
