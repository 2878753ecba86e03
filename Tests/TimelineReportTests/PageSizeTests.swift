import JSONText
import MotionPhysics
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@testable import TimelineReport

/// Frames of a gesture: a finger drives the progress in the first half, then it settles.
private let framesOfGesture = 24

@Suite struct PageSizeTests {
  let made: HandMadeRun

  init() throws { made = try HandMadeRun() }

  /// Records gestures one after the other; the last one has the transition 0, so that the order of numbers is not that
  /// of time.
  private func record(gestures: Int) throws {
    try made.record(outcome: .finished) { recorder in
      let key = recorder.keyHandle(for: "progress", role: .progress, unit: "1")
      for gesture in 0..<gestures {
        for step in 0..<framesOfGesture {
          let time = frameTime(gesture * (framesOfGesture + 2) + step)
          let isDriven = step < framesOfGesture / 2
          let way = Double(step * step) / 200
          let place = Point2D(x: 100, y: 300 * way)
          if isDriven {
            recorder.record(
              TouchSample(
                time: time, contact: gesture, phase: step == 0 ? .began : .moved, position: place))
          }
          recorder.record(
            isDriven ? way : 1 - 1 / Double(step), for: key, at: time,
            phase: isDriven ? .driving : .settling)
          guard step == framesOfGesture / 2 - 1 else { continue }
          let lift = time.advanced(byNanoseconds: 4_000_000)
          recorder.record(
            TouchSample(time: lift, contact: gesture, phase: .ended, position: place))
          recorder.record(
            ReleaseDecision(
              transition: gestures - 1 - gesture, time: lift, outcome: .finish, decidedBy: "rule",
              rule: "progress", ruleOutcome: .finish, threshold: 0.5, progress: way,
              progressVelocity: 1, marginProgress: way - 0.5))
        }
      }
    }
  }

  /// How many bytes a run takes in the page.
  private func size(_ run: ReportRun) -> Int { run.header.json.utf8.count + run.packed.count }

  private func transitions(_ name: String, _ header: JSONFields) throws -> [Int] {
    try PageReader.rows(of: name, in: header).map {
      Int(try #require($0["transition"]).number())
    }
  }

  @Test func `a session of many releases that fits is packed whole`() throws {
    try record(gestures: 100)
    let run = try made.run()
    #expect(run.thinning.isEmpty)
    let header = try PageReader(ReportPage(run)).json("run-A")
    #expect(try transitions("decisions", header) == Array((0..<100).reversed()))
    #expect(try Set(transitions("estimates", header)) == Set(0..<100))
  }

  @Test(arguments: [16_000, 30_000])
  func `a session of many releases keeps to its limit, and the page says what is left out`(
    byteLimit: Int
  ) throws {
    try record(gestures: 100)
    let run = try made.run(byteLimit: byteLimit)
    #expect(size(run) <= byteLimit)
    #expect(size(run) > byteLimit * 8 / 10, "what has room is there")
    let header = try PageReader(ReportPage(run)).json("run-A")
    let kept = try transitions("decisions", header)
    #expect(
      kept == Array(((100 - kept.count)..<100).reversed()),
      "the earliest ones, in the order of the recording")
    #expect(try Set(transitions("estimates", header)) == Set(kept))
    let first = frameTime(kept.count * (framesOfGesture + 2) + framesOfGesture / 2 - 1)
      .advanced(byNanoseconds: 4_000_000)
    let from = FieldValue.jsonNumber((first.seconds * 1000).rounded() / 1000)
    let sentence =
      "The releases from \(from) s on, \(100 - kept.count) of 100, are left out."
    #expect(run.thinning.contains(sentence), "\(run.thinning)")
  }

  @Test func `touches and values of keys have a share each`() throws {
    try record(gestures: 300)
    let run = try made.run(byteLimit: 60_000)
    #expect(run.thinning.contains { $0.hasSuffix("reports of touches are left out.") })
    #expect(run.thinning.contains { $0.contains("the smallest and the largest of every") })
    let header = try PageReader(ReportPage(run)).json("run-A")
    let touches = try header.required("touchBlocks").array().map { try $0.numbers(count: 3)[1] }
    // A block more, of 1024 rows in less than 10 kB.
    #expect(touches.reduce(0, +) <= 6000 + 10_000)
    let key = try header.required("keys").array()[0].object()
    let values = try key.required("blocks").array().map { try $0.numbers(count: 3)[1] }
    #expect(values.reduce(0, +) <= 24_000)
    #expect(!values.isEmpty)
  }

  @Test
  func `one release stays however small the limit, and the page says by how much it is missed`()
    throws
  {
    try record(gestures: 3)
    let run = try made.run(byteLimit: 500)
    let header = try PageReader(ReportPage(run)).json("run-A")
    #expect(try transitions("decisions", header) == [2])
    let sentence = try #require(run.thinning.last)
    #expect(sentence.hasPrefix("The session takes "), "\(run.thinning)")
    #expect(sentence.contains(" bytes more than its limit"))
  }
}
