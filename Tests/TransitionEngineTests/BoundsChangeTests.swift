import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

@Suite struct BoundsChangeTests {
  private func stage(_ layout: FlowLayout, refreshRate: Double = 4) throws -> Stage {
    try Stage(refreshRate: refreshRate, from: layout)
  }

  @Test func `a rotation moves every item evenly from its place to its place`() throws {
    let stage = try stage(grid())
    stage.through(0)
    stage.view.setViewport(Size2D(width: 480, height: 320), duration: 1)
    stage.through(0.5)
    #expect(near(stage.lastFrame.pose("s0/5")?.frame.minX, 153.571429))
    #expect(near(stage.lastFrame.pose("s0/5")?.frame.minY, 30))
    #expect(stage.lastFrame.poses.allSatisfy { $0.pose.alpha == 1 })
    stage.through(1)
    #expect(near(stage.lastFrame.pose("s0/5")?.frame.minX, 307.142857))
    #expect(stage.lastFrame.pose("s0/5")?.frame.minY == 0)
  }

  @Test func `pairs of queries between prepare with the old bounds and finalize`() throws {
    let layout = HookTrace(name: "trace")
    layout.parameters.itemSize = Size2D(width: 320, height: 200)
    let stage = try stage(layout)
    stage.through(0)
    layout.calls = []
    stage.view.setViewport(Size2D(width: 480, height: 200), duration: 1)
    // Visible before: 0, 1, 2 within 480; after: 0 alone within 200.
    #expect(
      layout.calls == [
        "prepare", "prepare bounds 320x480", "final 0.0", "final 0.1", "final 0.2", "initial 0.0",
        "finalize bounds",
      ])
  }

  @Test func `a layout that does not depend on the change is left alone`() throws {
    let layout = HookTrace(name: "trace")
    let stage = try stage(layout)
    stage.through(0)
    layout.calls = []
    stage.view.viewport = Size2D(width: 320, height: 100)
    stage.view.scroll(to: Point2D(x: 0, y: 10))
    stage.through(0.25)
    #expect(layout.calls.isEmpty)
    stage.view.viewport = Size2D(width: 300, height: 100)
    stage.through(0.5)
    #expect(layout.calls == ["prepare"])
  }

  @Test func `A layout that depends on scrolling prepares anew, and may move the offset`() throws {
    final class Sticky: FlowLayout {
      var prepared: [Point2D] = []
      override func prepare(in context: LayoutContext) {
        super.prepare(in: context)
        prepared.append(context.contentOffset)
      }
      override func shouldInvalidateLayout(forBoundsChange newBounds: Rect2D) -> Bool { true }
      override func invalidationContext(forBoundsChange newBounds: Rect2D)
        -> LayoutInvalidationContext
      {
        let context = super.invalidationContext(forBoundsChange: newBounds)
        context.contentOffsetAdjustment = Point2D(x: 0, y: 5)
        return context
      }
    }
    let layout = Sticky()
    let stage = try stage(layout)
    stage.through(0)
    stage.view.scroll(to: Point2D(x: 0, y: 10))
    stage.through(0.25)
    #expect(layout.prepared == [.zero, Point2D(x: 0, y: 15)])
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 15))
  }

  @Test func `contexts adjust nothing by default, a flow layout's wants everything`() {
    let plain = LayoutInvalidationContext()
    #expect(plain.contentOffsetAdjustment == .zero)
    #expect(plain.contentSizeAdjustment == .zero)
    #expect(!plain.invalidateEverything)
    #expect(!plain.invalidateDataSourceCounts)
    let flow = FlowLayoutInvalidationContext()
    #expect(flow.invalidateFlowLayoutDelegateMetrics)
    #expect(flow.invalidateFlowLayoutAttributes)
    #expect(
      FlowLayout().invalidationContext(forBoundsChange: .init(x: 0, y: 0, width: 1, height: 1))
        is FlowLayoutInvalidationContext)
  }

  @Test func `in a transition both layouts are prepared anew and the progress stays`() throws {
    let (from, to) = (grid(), grid("detail", Size2D(width: 300, height: 200)))
    let stage = try Stage(refreshRate: 4, from: from, to: to)
    stage.through(0)
    let layout = try stage.view.startInteractiveTransition(to: to)
    layout.transitionProgress = 0.25
    stage.view.invalidateLayout()
    stage.view.viewport = Size2D(width: 480, height: 320)
    stage.through(0.25)
    let (start, end) = (
      prepared(grid(), width: 480, height: 320, items: [7]),
      prepared(grid("", Size2D(width: 300, height: 200)), width: 480, height: 320, items: [7])
    )
    for item in 0..<7 {
      let path = ItemIndexPath(section: 0, item: item)
      let mixed = Pose.mixed(
        start.layoutAttributesForItem(at: path)!.pose, end.layoutAttributesForItem(at: path)!.pose,
        progress: 0.25, transforms: .decomposed)
      #expect(stage.lastFrame.pose("s0/\(item)") == mixed)
    }
    #expect(stage.lastFrame.state.progress == 0.25)
  }

  @Test func `a settle moves on undisturbed when the bounds change nothing of it`() throws {
    func run(_ disturb: (CollectionView) throws -> Void) throws -> [Double] {
      let stage = try Stage(
        items: [1], refreshRate: 1000, from: fixed("a", [Rect2D(x: 0, y: 0, width: 9, height: 9)]),
        to: fixed("b", [Rect2D(x: 100, y: 0, width: 9, height: 9)]))
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.transitionProgress = 0.2
      try stage.view.finishInteractiveTransition()
      stage.at(0.15)
      try disturb(stage.view)
      stage.through(2)
      return stage.timeline.frames.compactMap { $0.poses.first?.pose.center.x }
    }
    let plain = try run { _ in }
    let turned = try run { $0.setViewport(Size2D(width: 200, height: 300), duration: 0.4) }
    let updated = try run { try $0.performBatchUpdates(duration: 0.4, {}) }
    for (number, value) in plain.enumerated() {
      #expect(near(turned[number], value, 1e-9))
      #expect(near(updated[number], value, 1e-9))
    }
  }

  @Test func `a settle goes on while its places move, without a jump or a stop`() throws {
    let stage = try Stage(items: [1], refreshRate: 1000, from: grid(), to: grid("detail") { _ in })
    let line = grid("line", Size2D(width: 300, height: 50))
    let layout = try stage.view.startInteractiveTransition(to: line)
    layout.transitionProgress = 0.2
    try stage.view.finishInteractiveTransition()
    stage.at(0.15)
    stage.view.setViewport(
      Size2D(width: 400, height: 480), duration: 0.4, easing: Easing(.sine, .inOut))
    stage.through(2)
    let values = stage.timeline.frames.compactMap { $0.poses.first?.pose.center.x }
    for number in 3..<values.count {
      let bend = values[number] - 2 * values[number - 1] + values[number - 2]
      #expect(abs(bend) < 0.2)
    }
    #expect(near(values.last, 200))
  }

  @Test func `A quick progress under a change stays between the old places and the new ones`()
    throws
  {
    let stage = try Stage(
      refreshRate: 100, from: fixed("a", [Rect2D(x: 10, y: 0, width: 10, height: 10)]),
      to: fixed(
        "b",
        [Rect2D(x: 300, y: 0, width: 10, height: 10), Rect2D(x: 200, y: 0, width: 10, height: 10)]))
    stage.view.data = CollectionData(sections: [.init(id: "s", items: ["0", "1"])])
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.9
    stage.view.invalidateLayout()
    stage.at(0.1)
    try stage.view.performBatchUpdates(duration: 0.4) {
      stage.view.data = CollectionData(sections: [.init(id: "s", items: ["1"])])
      try? stage.view.deleteItems(at: [ItemIndexPath(section: 0, item: 0)])
    }
    stage.at(0.15)
    layout.transitionProgress = 0.1
    stage.view.invalidateLayout()
    stage.through(0.15)
    // Old: it stood at 205 only. New: between 15 and 305, at 44. An eighth of the way: 205 - 161 / 8.
    #expect(near(stage.lastFrame.pose("1")?.center.x, 184.875))
  }

  @Test func `The offset is kept within the content when the viewport grows`() throws {
    let stage = try Stage(
      viewport: Size2D(width: 50, height: 100), items: [5], refreshRate: 4, from: grid())
    stage.through(0)
    stage.view.scroll(to: Point2D(x: 0, y: 190))
    stage.view.viewport = Size2D(width: 50, height: 200)
    stage.through(0.25)
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 90))
  }

  @Test func `animated, the layout says where the viewport rests`() throws {
    let layout = HookTrace(name: "trace")
    layout.target = Point2D(x: 0, y: 100)
    let stage = try stage(layout)
    stage.through(0)
    stage.view.setViewport(Size2D(width: 300, height: 100), duration: 1)
    stage.through(0.5)
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 50))
    stage.through(1)
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 100))
  }

  @Test func `A wrong rotation: a start that is always special sends every item flying`() throws {
    let layout = HookTrace(name: "trace")
    for item in 0..<7 {
      let path = ItemIndexPath(section: 0, item: item)
      layout.starts[path] = LayoutAttributes(
        path: .cell(path),
        pose: Pose(center: Point2D(x: 160, y: 480), size: Size2D(width: 50, height: 50)))
    }
    let stage = try stage(layout)
    stage.through(0)
    stage.view.setViewport(Size2D(width: 480, height: 320), duration: 1)
    stage.through(0.25)
    #expect(stage.lastFrame.poses.count == 7)
    #expect(stage.lastFrame.poses.allSatisfy { $0.pose.center.y > 300 })
  }

  @Test func `Every extent and duration leaves every number finite`() throws {
    let sizes = [0, -1, .nan, .infinity, 1e308, 320].map { Size2D(width: $0, height: $0) }
    for size in sizes {
      for duration in [0, -1, .nan, 0.5, 1e300] {
        let stage = try stage(grid())
        stage.through(0)
        var completions = 0
        stage.view.setViewport(size, duration: duration) { _ in completions += 1 }
        stage.through(103)
        #expect(completions == 1)
        #expect(stage.view.viewport.isFinite)
        #expect(stage.view.contentOffset.isFinite)
        #expect(stage.timeline.frames.flatMap(\.poses).allSatisfy { $0.pose.isFinite })
      }
    }
  }

  @Test func `Content insets change at once and are recorded`() throws {
    let stage = try stage(grid())
    stage.through(0)
    stage.view.contentInset = ContentInsets(top: 1, left: 2, bottom: 3, right: 4)
    stage.view.contentInset = ContentInsets(top: 1, left: 2, bottom: 3, right: 4)
    #expect(stage.timeline.events(.inset).count == 1)
  }
}
