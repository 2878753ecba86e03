import Foundation
import KymographAnalysis
import KymographEngine
import TestSupport
import Testing

/// What the manual's examples do when they are run.
@Suite struct ExampleRunTests {
  @Test func `the example without the engine records what an app gives, and it can be read again`()
    throws
  {
    let folder = try TemporaryFolder()
    try recordFade(into: folder.path("fade.kymo"))
    let reader = try RecordingReader(path: folder.path("fade.kymo"))
    let session = try #require(try reader.lastSessionRecord())
    #expect(session.isClean)
    #expect(session.outcome == SessionOutcome.none)
    #expect(session.end == Instant(nanoseconds: 119 * 8_333_333))
    #expect(!session.description.software.isEmpty)
    #expect(session.counts?.lost == 0)
    let key = try #require(try reader.keys(in: session.number).first)
    #expect(key.name == "alpha")
    #expect(key.unit == "1")
    let values = try reader.samples(of: key.handle, in: session.number).rest()
    #expect(values.map(\.sample.value) == (0..<120).map { Double($0) / 119 })
    #expect(values.last?.sample.time == Instant(nanoseconds: 119 * 8_333_333))
    #expect(values.allSatisfy { $0.phase == .driving })
  }

  @Test func `the example that chooses a rule decides a release with it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ruled.kymo")
    let recorder = try Recorder(path: path, session: SessionDescription(), policy: .wait)
    let clock = try DisplayClock(refreshRate: 100)
    let view = CollectionView(
      viewport: Size2D(width: 320, height: 480),
      data: CollectionData(sections: [.init(id: "fruit", items: ["apple", "pear"])]),
      layout: FlowLayout(name: "grid"), clock: clock, sink: recorder)
    chooseRule(of: view)
    let transition = try view.startInteractiveTransition(to: FlowLayout(name: "detail"))
    for step in 1...10 {  // 2.5 a second: too fast for the progress to count
      clock.advance(before: Instant(nanoseconds: Int64(step) * 10_000_000))
      transition.transitionProgress = Double(step) / 40
      view.invalidateLayout()
    }
    #expect(try view.releaseInteractiveTransition() == .finish)
    try recorder.finish(at: clock.now)
    let decision = try #require(try RecordingReader(path: path).decisions(in: 1).first)
    #expect(decision.rule == "velocity")
    #expect(decision.threshold == 0.4)
    #expect(decision.decidedBy == "rule")
  }

  @Test func `the example that reads shows every frame of a recording, and the page is written`()
    throws
  {
    let folder = try TemporaryFolder()
    try recordPinch(into: folder.path("pinch.kymo"))
    var shown: [(id: String, pose: Pose, time: Instant)] = []
    try replay(folder.path("pinch.kymo")) { shown.append(($0, $1, $2)) }
    #expect(Set(shown.map(\.id)) == ["photos/7"])
    #expect(Set(shown.map(\.time)).count == 39)
    try writePage(of: folder.path("pinch.kymo"), to: folder.path("pinch.html"))
    #expect(FileManager.default.fileExists(atPath: folder.path("pinch.html")))
  }

  @Test
  func `the pinch records two fingers, keyed values, frames and a decision, and all can be read`()
    throws
  {
    let folder = try TemporaryFolder()
    try recordPinch(into: folder.path("pinch.kymo"))
    let reader = try RecordingReader(path: folder.path("pinch.kymo"))
    let session = try #require(try reader.lastSessionRecord())
    #expect(session.isClean)
    #expect(session.outcome == .finished)
    #expect(session.description.name == "pinch")
    #expect(session.counts?.lost == 0)

    let touches = try reader.touches(in: session.number).rest()
    #expect(touches.count == 28)
    #expect(Set(touches.map(\.contact)) == [0, 1])
    for contact in 0...1 {
      let phases = touches.filter { $0.contact == contact }.map(\.phase)
      #expect(phases.first == .began)
      #expect(phases.last == .ended)
      #expect(phases.dropFirst().dropLast().allSatisfy { $0 == .moved })
    }

    let keys = try reader.keys(in: session.number)
    #expect(keys.map(\.name) == ["progress", "photoWidth"])
    #expect(keys.map(\.role) == [.progress, .animated])
    let progress = try reader.samples(of: keys[0].handle, in: session.number).rest()
    let driven = progress.filter { $0.phase == .driving }
    #expect(driven.count == 12)
    #expect(progress.count == 39)
    let (lifted, settled) = (driven.last?.sample.value ?? 0, progress.last?.sample.value ?? 0)
    #expect(abs(lifted - 0.68) < 1e-12)
    #expect(settled > 0.999)

    let decision = try #require(try reader.decisions(in: session.number).first)
    #expect(decision.outcome == .finish)
    #expect(decision.rule == "progress")
    #expect(decision.progress == lifted)
    #expect(decision.threshold == 0.5)
    #expect(decision.time == touches.last?.time)
    let events = try reader.events(in: session.number).rest().map(\.kind)
    #expect(events.contains(.start))
    #expect(events.contains(.finish))
    #expect(events.last == .completion)
    #expect(try reader.releases(in: session.number).all.map(\.derived) == [nil])

    var frames: [(phase: MotionPhase, width: Double)] = []
    let cursor = try reader.foldedFrames(in: session.number)
    while let frame = try cursor.next() {
      let element = try #require(frame.elements.first)
      frames.append((frame.frame.state.phase, element.pose.size.width))
    }
    #expect(frames.count == 39)
    #expect(frames.prefix(12).allSatisfy { $0.phase == .driving })
    #expect(frames.dropFirst(12).allSatisfy { $0.phase == .settling })
    let widths = try reader.samples(of: keys[1].handle, in: session.number).rest()
    #expect(frames.map(\.width) == widths.map(\.sample.value))
  }

  @Test func `a key that is given by its name is recorded at the moment of the call`() throws {
    let folder = try TemporaryFolder()
    let session = SessionDescription(software: "MyApp 1.0", clock: "app")
    let recorder = try Recorder(path: folder.path("names.kymo"), session: session, policy: .wait)
    recordByName(with: recorder)
    try recorder.finish(at: recorder.now, outcome: .none)
    let reader = try RecordingReader(path: folder.path("names.kymo"))
    let keys = try reader.keys(in: 1)
    #expect(keys.map(\.name) == ["speed", "item.photos/7.cornerRadius"])
    #expect(keys.map(\.unit) == ["pt/s", "pt"])
  }

  @Test func `the products give every public library`() throws {
    // A value of each public library, so that a missing export does not compile.
    #expect(Estimator.lsq2.rawValue == "lsq2")
    #expect(Rect2D(x: 0, y: 0, width: 1, height: 1).maxX == 1)
    #expect(try DisplayClock(refreshRate: 60).now == .zero)
    #expect(GestureFormat.allCases.contains(.evemu))
    #expect(RecordingPolicy.live != .wait)
    #expect(RunComparison.Alignment.allCases.count == 5)
    #expect(!Scenario.schema.isEmpty)
  }
}
