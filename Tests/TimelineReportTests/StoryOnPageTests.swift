import Foundation
import JSONText
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import MotionJudgement
@testable import MotionMeasures
@testable import TimelineReport

/// The story of a session's motion on its page.
@Suite struct StoryOnPageTests {
  let made: HandMadeRun

  init() throws { made = try HandMadeRun() }

  /// A finger goes 240 points down in 0.3 s, and a card follows it in the next frame; two seconds later once more.
  ///
  /// - Parameter settle: Where the card is so many seconds after the lift, in points from where it rested; nil: it stays, and
  ///   goes back at once before the next drag.
  private func recordDrags(
    of id: String = "card", count: Int = 2, settle: ((Double) -> Double)? = nil
  ) throws {
    try made.record(end: Instant(seconds: Double(2 * count))) { recorder in
      let card = recorder.itemHandle(for: ElementIdentity(category: .cell, id: id))
      func way(_ time: Double) -> Double {
        let share = min(max((time - 0.1) / 0.3, 0), 1)
        return 240 * share * share
      }
      for number in 0..<count {
        let start = Double(2 * number)
        for step in 0...38 {
          let time = 0.1 + Double(step) / 125
          recorder.record(
            TouchSample(
              time: Instant(seconds: start + time) ?? .zero, contact: 7,
              phase: step == 0 ? .began : step == 38 ? .ended : .moved,
              position: Point2D(x: 100, y: 200 + way(time))))
        }
        for frame in 0..<200 {
          let time = Double(frame) / 120
          recorder.beginFrame(
            FrameState(
              time: Instant(seconds: start + time) ?? .zero, phase: .idle, progress: nil,
              contentOffset: .zero, contentSize: Size2D(width: 320, height: 480)))
          let since = time - 1 / 120 - 0.4
          let settled = settle.map { $0(max(0, since)) } ?? (time < 1.2 ? 240 : 0)
          let shown = since < 0 ? way(time - 1 / 120) : settled
          recorder.record(
            Pose(frame: Rect2D(x: 20, y: 100 + shown, width: 200, height: 80)), of: card,
            at: ItemIndexPath(section: 0, item: 0))
          recorder.endFrame()
        }
      }
    }
  }

  private func story(_ run: ReportRun) throws -> JSONFields {
    try PageReader(ReportPage(run)).json("run-A").required("story").object()
  }

  @Test func `a page has the lines of the story with their instants`() throws {
    try recordDrags()
    let reader = try RecordingReader(path: made.path)
    let session = try #require(try reader.lastSessionRecord())
    let told = try MotionStory(session, in: reader)
    let story = try story(made.run())
    #expect(try story.required("verdict").string() == told.verdict)
    #expect(try story.required("did").string() == told.did)
    let lines = try story.required("lines").array()
    try #require(lines.count == told.lines.count && lines.count > 3)
    for (line, right) in zip(lines, told.lines) {
      let fields = try line.object()
      #expect(try fields.required("text").string() == right.told)
      #expect(right.text.dropFirst(2).hasPrefix(right.told))
      #expect(try fields.required("isFault").bool() == right.fact.isFault)
      let instant = right.fact.time.flatMap { Instant(seconds: $0) }
      #expect(try fields.required("t").value == (instant.map { .integer($0.nanoseconds) } ?? .null))
    }
  }

  @Test func `the subject's curve comes back, with each drag from where the card rested`() throws {
    try recordDrags()
    let page = PageReader(ReportPage(try made.run()))
    let story = try page.json("run-A").required("story").object()
    let curve = try #require(story.required("curves").array().first).object()
    #expect(try curve.required("item").string() == "card")
    #expect(try curve.required("role").string() == "subject")
    #expect(try curve.required("attribute").string() == "way along y")
    let block = try #require(curve.required("blocks").array().first).numbers(count: 3).map {
      Int($0)
    }
    let packed = Array(try page.element("data-A").utf8)
    var bits = BitReader(base64: packed[block[0]..<(block[0] + block[1])])
    let (times, steps) = (bits.column(block[2]), bits.column(block[2]))
    let frames = try made.frames()
    try #require(times.count == frames.count)
    let (low, high) = (try curve.required("low").number(), try curve.required("high").number())
    for (index, frame) in frames.enumerated() {
      #expect(times[index] == frame.frame.state.time.nanoseconds)
      let value = low + Double(steps[index]) / PageScale.value * (high - low)
      let center = try #require(frame.elements.first).pose.center.y
      #expect(abs(value - (center - 140)) <= (high - low) / PageScale.value)
    }
    let drags = try curve.required("drags").array().map { try $0.object() }
    try #require(drags.count == 2)
    for (number, drag) in drags.enumerated() {
      let start = Int64(number) * 2_000_000_000
      #expect(try drag.required("contact").integer() == 7)
      #expect(try drag.required("start").integer() == start + 100_000_000)
      #expect(try drag.required("lift").integer() == start + 404_000_000)
      #expect(try abs(drag.required("home").number()) < 1e-9)
      let lag = try drag.required("lag").numbers(count: 3)
      #expect(lag[1] <= 1 / 120.0, "\(lag)")
      #expect(lag[2] >= 1 / 120.0, "\(lag)")
      #expect(try drag.required("spring").value == .null, "it stays where it was let go")
    }
  }

  @Test func `a page has the spring of each settle that is one's`() throws {
    try recordDrags(
      count: 1,
      settle: { time in
        let share: Double = exp(-14 * time) * (1 + 14 * time)
        return 240 - 60 * (1 - share)
      })
    let reader = try RecordingReader(path: made.path)
    let told = try MotionStory(try #require(try reader.lastSessionRecord()), in: reader)
    let right = try #require(told.curves.first).drags
    let curve = try #require(story(made.run()).required("curves").array().first).object()
    let drags = try curve.required("drags").array().map { try $0.object() }
    try #require(drags.count == right.count && right.count == 1)
    for (drag, right) in zip(drags, right) {
      let spring = try #require(right.spring, "\(told.text)")
      let packed = try drag.required("spring").object()
      #expect(abs(spring.stiffness - 196) < 4, "\(spring)")
      #expect(abs(spring.damping - 28) < 0.6, "\(spring)")
      #expect(try packed.required("stiffness").number() == spring.stiffness)
      #expect(try packed.required("damping").number() == spring.damping)
      #expect(try packed.required("start").integer() == Instant(seconds: spring.start)?.nanoseconds)
      #expect(try packed.required("end").integer() == Instant(seconds: spring.end)?.nanoseconds)
      #expect(try packed.required("words").string() == spring.words)
    }
  }

  @Test func `the same drags give the same bytes, and a hostile name stays data`() throws {
    let name = "</script><script>alert(1)</script>"
    try recordDrags(of: name)
    let (one, other) = (ReportPage(try made.run()), ReportPage(try made.run()))
    #expect(one.bytes == other.bytes)
    let page = PageReader(one)
    #expect(!page.text.contains(name))
    let curves = try story(made.run()).required("curves").array()
    #expect(try #require(curves.first).object().required("item").string() == name)
  }

  @Test func `a small page leaves curves out, keeps the lines, and says so`() throws {
    try recordDrags(count: 8)
    let run = try made.run(byteLimit: 3000)
    let story = try story(run)
    #expect(try story.required("curves").array().isEmpty)
    #expect(try !story.required("lines").array().isEmpty)
    let notes = try PageReader(ReportPage(run)).json("run-A").required("notes").array().map {
      try $0.string()
    }
    #expect(notes.contains { $0.contains("too small for 1 of the curves") }, "\(notes)")
  }

  @Test func `a session that is too long for a story has a page without one, and says so`() throws {
    try recordDrags()
    let reader = try RecordingReader(path: made.path)
    var session = try #require(try reader.lastSessionRecord())
    session.counts?.attributes = MotionStory.mostPoses + 1
    let overview = try SessionOverview(session, in: reader)
    #expect(MotionStory.isTooLong(overview))
    var many = try SessionOverview(try #require(try reader.lastSessionRecord()), in: reader)
    #expect(!MotionStory.isTooLong(many))
    many.itemCount = Int(MotionStory.mostCells) / many.frameCount + 1
    #expect(MotionStory.isTooLong(many), "few rows of many elements in many frames")
    let page = PageReader(ReportPage(try ReportRun(session: session, in: reader)))
    let header = try page.json("run-A")
    #expect(try header.required("story").value == .null)
    let notes = try header.required("notes").array().map { try $0.string() }
    #expect(notes.contains { $0.contains("too long for a story") }, "\(notes)")
  }
}
