import MotionJudgement
import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Elements that one run ends with on the screen and the other one off it, on a screen of 100 by 100.
@Suite struct EndingApartTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  private struct Shown {
    var id: String
    var x: Double
    var y: Double
    var alpha = 1.0
    var isHidden = false
  }

  private struct Moment {
    var offset = Point2D.zero
    var elements: [Shown]
  }

  /// Records a frame every 10 ms.
  private func run(
    _ file: String, _ moments: [Moment], viewport: Size2D? = Size2D(width: 100, height: 100),
    turned: Size2D? = nil
  ) throws -> RecordingReader {
    try made.session(into: file, viewport: viewport) { recorder in
      for (number, moment) in moments.enumerated() {
        recorder.beginFrame(
          FrameState(
            time: at(Int64(number) * 10), phase: .settling, progress: nil,
            contentOffset: moment.offset, contentSize: .zero))
        for element in moment.elements {
          recorder.record(
            Pose(
              center: Point2D(x: element.x, y: element.y), size: Size2D(width: 10, height: 10),
              alpha: element.alpha, isHidden: element.isHidden),
            of: recorder.itemHandle(for: ElementIdentity(category: .cell, id: element.id)),
            at: ItemIndexPath(section: 0, item: 0))
        }
        recorder.endFrame()
      }
      if let turned {
        recorder.record(
          TimelineEvent(
            time: at(5), kind: .bounds, fields: EventField.list(["to": FieldValue(turned)])))
      }
    }
  }

  /// The ids, each with the run that it ends off the screen in.
  private func apart(_ a: RecordingReader, _ b: RecordingReader) throws -> [String] {
    let comparison = try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b)
    return comparison.layout?.endingApart.map { "\($0.identity.id) \($0.offIn)" } ?? []
  }

  @Test func `what both showed at the start comes first, and the nearest to the middle of it`()
    throws
  {
    let start = [
      Shown(id: "edge", x: 10, y: 10), Shown(id: "tapped", x: 50, y: 40),
      Shown(id: "stays", x: 90, y: 90),
    ]
    let a = try run(
      "a.kymo",
      [
        Moment(elements: start),
        Moment(
          offset: Point2D(x: 0, y: 500),
          elements: [
            Shown(id: "edge", x: 10, y: 510), Shown(id: "tapped", x: 50, y: 550),
            Shown(id: "late", x: 50, y: 551), Shown(id: "stays", x: 90, y: 590),
          ]),
      ])
    let b = try run(
      "b.kymo",
      [
        Moment(elements: start),
        Moment(
          elements: [
            Shown(id: "edge", x: 10, y: 510), Shown(id: "tapped", x: 50, y: 550),
            Shown(id: "late", x: 50, y: 551), Shown(id: "stays", x: 90, y: 90),
          ]),
      ])
    #expect(try apart(a, b) == ["tapped B", "edge B", "late B"])
    #expect(try apart(b, a) == ["tapped A", "edge A", "late A"])
    #expect(try apart(a, a) == [])
  }

  @Test func `what went out of sight before it was left out of the frames is off the screen`()
    throws
  {
    let start = Moment(elements: [Shown(id: "x", x: 50, y: 50)])
    let a = try run("a.kymo", [start, start, start])
    // Recorded outside once, and never again; scrolled away; only ever in one frame.
    for (name, rest) in [
      ("b", [Moment(elements: [Shown(id: "x", x: 50, y: 300)]), Moment(elements: [])]),
      ("c", [Moment(elements: []), Moment(offset: Point2D(x: 0, y: 200), elements: [])]),
    ] { #expect(try apart(a, try run("\(name).kymo", [start] + rest)) == ["x B"]) }
  }

  @Test func `what is gone, hidden, transparent or only half outside is not off the screen`() throws
  {
    let start = Moment(elements: [Shown(id: "x", x: 50, y: 50)])
    let a = try run("a.kymo", [start, start])
    for (number, end) in [
      [], [Shown(id: "x", x: 50, y: 50, alpha: 0)],
      [Shown(id: "x", x: 50, y: 50, isHidden: true)], [Shown(id: "x", x: 104, y: 50)],
    ].enumerated() {
      #expect(try apart(a, try run("b\(number).kymo", [start, Moment(elements: end)])) == [])
    }
    // Off the screen in both, or hidden in the one that has it there.
    let off = Moment(elements: [Shown(id: "x", x: 500, y: 50)])
    let unseen = Moment(elements: [Shown(id: "x", x: 50, y: 50, isHidden: true)])
    #expect(
      try apart(try run("c.kymo", [start, off]), try run("d.kymo", [start, unseen])) == [])
  }

  @Test func `the screen at the end is that of the last rotation, and without one nothing is said`()
    throws
  {
    let start = Moment(elements: [Shown(id: "x", x: 50, y: 50)])
    let end = Moment(elements: [Shown(id: "x", x: 150, y: 50)])
    let a = try run("a.kymo", [start, end], turned: Size2D(width: 200, height: 50))
    let b = try run("b.kymo", [start, end])
    #expect(try apart(a, b) == ["x B"])
    #expect(
      try apart(
        try run("c.kymo", [start], viewport: nil), try run("d.kymo", [start, end], viewport: nil))
        == [])
    #expect(try apart(try run("e.kymo", []), b) == [])
  }
}
