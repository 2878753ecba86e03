import MotionJudgement
import MotionMeasures
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct LayoutComparisonTests {
  let made: HandMade

  init() throws { made = try HandMade() }

  /// An element at a moment.
  private struct Shown {
    var id: String
    var x: Double
    var y = 0.0
    var width = 10.0
    var height = 10.0
    var alpha = 1.0
    var z = 0
  }

  /// Records frames, each with what is shown in it.
  private func run(
    _ file: String, _ frames: [(Int64, [Shown])], fill: (Recorder) -> Void = { _ in }
  ) throws -> RecordingReader {
    try made.session(into: file) { recorder in
      fill(recorder)
      for (time, elements) in frames {
        recorder.beginFrame(
          FrameState(
            time: at(time), phase: .settling, progress: nil, contentOffset: .zero,
            contentSize: .zero))
        for element in elements {
          let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: element.id))
          recorder.record(
            Pose(
              center: Point2D(x: element.x, y: element.y),
              size: Size2D(width: element.width, height: element.height),
              alpha: element.alpha, zIndex: element.z), of: item,
            at: ItemIndexPath(section: 0, item: 0))
        }
        recorder.endFrame()
      }
    }
  }

  private func compare(
    _ a: RecordingReader, _ b: RecordingReader, _ tolerances: String? = nil
  ) throws -> RunComparison {
    var options = RunComparison.Options()
    options.tolerances = try tolerances.map { try Tolerances(json: Array($0.utf8)) }
    return try RunComparison.compare(
      a.session(selectedBy: "last"), in: a, with: b.session(selectedBy: "last"), in: b,
      options: options)
  }

  private func frames(
    _ count: Int, every step: Int64 = 10, from first: Int64 = 0, _ shown: (Double) -> [Shown]
  ) -> [(Int64, [Shown])] {
    var found: [(Int64, [Shown])] = []
    for index in 0..<count {
      let time: Int64 = first + Int64(index) * step
      found.append((time, shown(Double(index))))
    }
    return found
  }

  @Test func `runs without a key are compared by their elements`() throws {
    let a = try run("a.kymo", frames(20) { [Shown(id: "x", x: $0 * 5)] })
    let same = try compare(a, a)
    #expect(same.isSame)
    #expect(!same.isEmpty)
    #expect(same.keys.isEmpty)
    let layout = try #require(same.layout)
    #expect(layout.instantCount == 20)
    #expect(abs(layout.overlapSeconds - 0.19) < 1e-9)
    #expect(layout.items.map(\.isIdentical) == [true])
    let b = try run("b.kymo", frames(20) { [Shown(id: "x", x: $0 * 5 + ($0 > 10 ? 8 : 0))] })
    let other = try compare(a, b)
    #expect(!other.isSame)
    let item = try #require(other.layout?.items.first)
    #expect(item.maxDistance == 8)
    #expect(item.timeOfMaxDistance == at(110))
    #expect(item.extentInA == 95)
    #expect(abs((item.minIoU ?? 0) - 2.0 / 18) < 1e-9)
  }

  @Test func `between frames places go straight`() throws {
    let a = try run("a.kymo", frames(20) { [Shown(id: "x", x: $0 * 10)] })
    let b = try run(
      "b.kymo", frames(19, from: 5) { [Shown(id: "x", x: $0 * 10 + 5)] })
    let item = try #require(compare(a, b).layout?.items.first)
    #expect(item.maxDistance < 1e-9)
    #expect(item.isSame)
    // A jump of one frame that the other's frames do not see is seen all the same.
    var jumps = frames(39, every: 5) { [Shown(id: "x", x: $0 * 5)] }
    jumps[7].1[0].x += 30
    let c = try run("c.kymo", jumps)
    #expect(try compare(a, c).layout?.items.first?.maxDistance == 30)
  }

  @Test func `size, alpha and order are told`() throws {
    let a = try run(
      "a.kymo",
      frames(5) { _ in
        [Shown(id: "x", x: 0, z: 1), Shown(id: "y", x: 50, z: 2), Shown(id: "w", x: 90, z: 3)]
      })
    let b = try run(
      "b.kymo",
      frames(5) { _ in
        [
          Shown(id: "x", x: 0, width: 14, z: 9), Shown(id: "y", x: 50, alpha: 0.5, z: 2),
          Shown(id: "w", x: 90, z: 3),
        ]
      })
    let layout = try #require(compare(a, b).layout)
    let items = Dictionary(uniqueKeysWithValues: layout.items.map { ($0.identity.id, $0) })
    #expect(items["x"]?.maxSizeError == 4)
    #expect(items["x"]?.orderSwaps == 2)
    #expect(items["y"]?.maxAlphaError == 0.5)
    #expect(items["y"]?.orderSwaps == 1)
    #expect(items["w"]?.orderSwaps == 1)
    #expect(items["w"]?.maxDistance == 0)
    #expect(layout.orderSwaps == 2)
    #expect(!layout.isSame)
    // Equal levels are no order.
    let c = try run(
      "c.kymo",
      frames(5) { _ in [Shown(id: "x", x: 0), Shown(id: "y", x: 50), Shown(id: "w", x: 90)] })
    #expect(try compare(a, c).layout?.orderSwaps == 0)
  }

  @Test func `appearing at another time is told`() throws {
    let a = try run(
      "a.kymo",
      frames(20) {
        $0 >= 5 && $0 < 15 ? [Shown(id: "x", x: 0), Shown(id: "y", x: 0)] : [Shown(id: "y", x: 0)]
      })
    let b = try run(
      "b.kymo",
      frames(20) {
        $0 >= 8 && $0 < 15 ? [Shown(id: "x", x: 0), Shown(id: "y", x: 0)] : [Shown(id: "y", x: 0)]
      })
    let item = try #require(compare(a, b).layout?.items.first { $0.identity.id == "x" })
    #expect(item.changesInA == 2)
    #expect(item.changesInB == 2)
    #expect(item.changeSeconds == 0.03)
    let c = try run("c.kymo", frames(20) { _ in [Shown(id: "y", x: 0)] })
    let missing = try #require(compare(a, c).layout?.items.first)
    #expect(missing.onlyIn == "A")
    #expect(!missing.isSame)
  }

  @Test func `a delay that the keys let pass is taken out before elements are judged`() throws {
    func moving(_ file: String, late: Double) throws -> RecordingReader {
      try run(
        file, frames(50) { [Shown(id: "x", x: max(0, $0 * 10 - late) * 2)] },
        fill: { recorder in
          recorder.values(of: "k", track(50, every: 10) { max(0, $0 * 10 - late) * 2 })
        })
    }
    let a = try moving("a.kymo", late: 0)
    let b = try moving("b.kymo", late: 8)
    let found = try compare(a, b)
    #expect(found.isSame)
    #expect(abs(found.layoutLagSeconds - 0.008) < 1e-4)
    #expect((found.layout?.items.first?.maxDistance ?? 0) > 15)
  }

  @Test func `rules are about elements' values`() throws {
    let a = try run("a.kymo", frames(10) { _ in [Shown(id: "x", x: 0), Shown(id: "y", x: 0)] })
    let b = try run(
      "b.kymo", frames(10) { _ in [Shown(id: "x", x: 3), Shown(id: "y", x: 0, alpha: 0.8)] })
    func isSame(_ rules: String) throws -> Bool {
      try compare(a, b, "{\"version\": 1, \"rules\": [\(rules)]}").isSame
    }
    #expect(try !isSame(""))
    #expect(
      try isSame(
        "{\"key\": \"item.*.frame.*\", \"max_abs\": 4}, {\"key\": \"item.*\", \"hard\": 0.3}"))
    #expect(
      try !isSame(
        "{\"key\": \"item.*.frame.*\", \"max_abs\": 2}, {\"key\": \"item.*\", \"hard\": 0.3}"))
    #expect(
      try !isSame(
        "{\"key\": \"item.*.frame.*\", \"max_abs\": 4}, {\"key\": \"item.*\", \"hard\": 0.1}"))
    #expect(try isSame("{\"item\": \"?\", \"level\": \"off\"}"))
    #expect(
      try !isSame(
        "{\"item\": \"?\", \"level\": \"off\"}, {\"metric\": \"layout_distance_pt\", \"fail\": 2}"))
  }

  @Test func `distances are integrated between the instants`() throws {
    // The second frame is as far on the other side: at its middle the element is where it belongs.
    func pair(_ name: String, _ from: Shown, _ to: Shown) throws -> LayoutComparison.Item {
      let still = Shown(id: "x", x: 0)
      let a = try run("a\(name).kymo", [(0, [still]), (100, [still])])
      let b = try run("b\(name).kymo", [(0, [from]), (100, [to])])
      return try #require(try compare(a, b).layout?.items.first)
    }
    let across = try pair("c", Shown(id: "x", x: -3, y: -4), Shown(id: "x", x: 3, y: 4))
    #expect(across.maxDistance == 5)
    #expect(abs(across.rmsDistance - 5 / 3.0.squareRoot()) < 1e-12)
    // Width goes from 4 too small to 4 too large, and height from 2 too large to 2 too small.
    let size = try pair(
      "s", Shown(id: "x", x: 0, width: 6, height: 12),
      Shown(id: "x", x: 0, width: 14, height: 8))
    #expect(size.maxSizeError == 4)
    #expect(abs(size.rmsSizeError - 4 / 3.0.squareRoot()) < 1e-12)
    // The larger axis is the width in one half, and the height in the other.
    let turn = try pair(
      "t", Shown(id: "x", x: 0, width: 14, height: 10),
      Shown(id: "x", x: 0, width: 10, height: 14))
    #expect(abs(turn.rmsSizeError - (28.0 / 3).squareRoot()) < 1e-12)
  }

  @Test(arguments: [("2", 60.0), ("0", 100.0), ("4.9", 2.0), ("5", 0.0)])
  func `the time above a limit is that of the distance itself`(
    _ limit: String, _ percent: Double
  ) throws {
    let a = try run("a.kymo", [(0, [Shown(id: "x", x: 0)]), (100, [Shown(id: "x", x: 0)])])
    let b = try run(
      "b.kymo",
      [(0, [Shown(id: "x", x: -3, y: -4)]), (100, [Shown(id: "x", x: 3, y: 4)])])
    let found = try compare(
      a, b,
      """
      {"version": 1, "rules": [
        {"key": "item.x.frame.center", "max_abs": \(limit), "over_percent": 50, "rms": 9}]}
      """)
    let verdicts = found.allVerdicts
    let over = try #require(verdicts.first { $0.measure == "over_percent" }?.value)
    #expect(abs(over - percent) < 1e-9)
    let rms = try #require(verdicts.first { $0.measure == "rms" }?.value)
    #expect(rms == found.layout?.items.first?.rmsDistance)
  }

  @Test func `frames that go back in time or stand twice do no harm`() throws {
    let a = try run(
      "a.kymo",
      [
        (0, []), (10, [Shown(id: "x", x: 1)]), (10, [Shown(id: "x", x: 2)]),
        (5, [Shown(id: "x", x: 9)]), (20, [Shown(id: "x", x: 3)]),
      ])
    let found = try compare(a, a)
    #expect(found.isSame)
    #expect(found.layout?.items.map(\.isIdentical) == [true])
    let none = try run("b.kymo", [])
    #expect(try !compare(a, none).isSame)
    let apart = try run("c.kymo", [(500, [Shown(id: "x", x: 1)]), (510, [Shown(id: "x", x: 1)])])
    #expect(try !compare(a, apart).isSame)
  }
}
