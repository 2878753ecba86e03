import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// The layouts in a view whose changes take a second, seen four times a second.
@Suite struct LayoutsInAViewTests {
  private func stage(
    _ layout: any CollectionViewLayout, _ ids: [String] = ["a", "b"],
    transforms: TransformMixing = .decomposed
  ) throws -> Stage {
    let stage = try Stage(refreshRate: 4, from: layout)
    stage.view.transforms = transforms
    stage.view.data = CollectionData(sections: [.init(id: "s", items: ids)])
    stage.through(0)
    return stage
  }

  private func update(
    _ stage: Stage, to ids: [String], _ operation: (CollectionView) throws -> Void
  ) throws {
    var refusal: (any Error)?
    try stage.view.performBatchUpdates(duration: 1) {
      stage.view.data = CollectionData(sections: [.init(id: "s", items: ids)])
      do { try operation(stage.view) } catch { refusal = error }
    }
    #expect(refusal == nil)
  }

  private func path(_ item: Int) -> ItemIndexPath { ItemIndexPath(section: 0, item: item) }

  @Test func `an inserted item flies in and turns, the others travel straight`() throws {
    let stage = try stage(FlyInFlowLayout())
    try update(stage, to: ["x", "a", "b"]) { view in
      try view.insertItems(at: [path(0)])
    }
    let diagonal = 0.5.squareRoot()
    for (time, scale, cosine) in [(0.25, 0.4, -diagonal), (0.5, 0.6, 0), (0.75, 0.8, diagonal)] {
      stage.through(time)
      let pose = try #require(stage.lastFrame.pose("x"))
      // From below the middle of the viewport, (160, 480), to the first place.
      #expect(near(pose.center, Point2D(x: 160 - 135 * time, y: 480 - 455 * time)))
      let right = pose.transform.applied(to: Point2D(x: 1, y: 0))
      #expect(near((right.x * right.x + right.y * right.y).squareRoot(), scale))
      #expect(near(right.x, scale * cosine))
      #expect(pose.alpha == 1)
      let neighbour = try #require(stage.lastFrame.pose("a"))
      #expect(near(neighbour.frame, Rect2D(x: 67.5 * time, y: 0, width: 50, height: 50)))
    }
    stage.through(1)
    #expect(stage.lastFrame.pose("x")?.frame == Rect2D(x: 0, y: 0, width: 50, height: 50))
    #expect(stage.lastFrame.pose("x")?.transform == .identity)
  }

  @Test func `a deleted item flies out towards the viewer`() throws {
    let stage = try stage(FlyInFlowLayout(), transforms: .componentwise)
    try update(stage, to: ["b"]) { view in
      try view.deleteItems(at: [path(0)])
    }
    for (time, scale) in [(0.25, 1.322314), (0.5, 1.951220), (0.75, 3.720930)] {
      stage.through(time)
      let pose = try #require(stage.lastFrame.pose("a"))
      #expect(near(pose.frame.size.width, 50 * scale, 1e-4))
      #expect(near(pose.alpha, 1 - 0.8 * time))
      #expect(near(pose.center, Point2D(x: 25 + 135 * time, y: 25 + 215 * time)))
      #expect(pose.zIndex == 1)
      #expect(stage.lastFrame.pose("b")?.alpha == 1)
    }
    stage.through(1)
    #expect(stage.lastFrame.ids == ["b"], "at the end it is gone")
  }

  @Test func `in a rotation nothing flies, unless updates are not tracked`() throws {
    for tracksUpdates in [true, false] {
      let stage = try stage(FlyInFlowLayout(tracksUpdates: tracksUpdates))
      stage.view.setViewport(Size2D(width: 480, height: 320), duration: 1)
      stage.through(0.25)
      let pose = try #require(stage.lastFrame.pose("a"))
      #expect((pose.transform == .identity) == tracksUpdates)
      #expect(
        near(
          pose.center,
          tracksUpdates ? Point2D(x: 25, y: 25) : Point2D(x: 240 - 215 * 0.25, y: 320 - 295 * 0.25))
      )
      stage.through(1)
      #expect(stage.lastFrame.pose("a")?.frame == Rect2D(x: 0, y: 0, width: 50, height: 50))
    }
  }

  @Test func `in a circle items come out of the middle and shrink into it`() throws {
    let stage = try stage(CircleLayout(), ["a", "b"])
    try update(stage, to: ["a", "c"]) { view in
      try view.deleteItems(at: [path(1)])
      try view.insertItems(at: [path(1)])
    }
    stage.through(0.5)
    let (came, went) = (stage.lastFrame.pose("c"), stage.lastFrame.pose("b"))
    // The middle is (160, 240), the place on the left (32, 240).
    for pose in [came, went] {
      #expect(near(pose?.center, Point2D(x: 96, y: 240)))
      #expect(pose?.alpha == 0.5)
    }
    #expect(came?.transform == .identity)
    #expect(near(went?.frame.size.width, 70 * 0.55))
    #expect(stage.lastFrame.pose("a")?.frame == Rect2D(x: 253, y: 205, width: 70, height: 70))
  }

  @Test func `an empty batch lets a pinched item travel back, without any fading`() throws {
    let layout = PinchFlowLayout()
    let stage = try stage(layout)
    layout.resizeItem(underTouches: Point2D(x: 25, y: -55), Point2D(x: 25, y: 105))
    stage.view.invalidateLayout()
    stage.through(0.25)
    #expect(stage.lastFrame.pose("a")?.size == Size2D(width: 160, height: 160))
    #expect(stage.lastFrame.pose("a")?.zIndex == 100)
    try stage.view.performBatchUpdates(duration: 1) { layout.resetPinchedItem() }
    for (time, side) in [(0.5, 132.5), (0.75, 105), (1, 77.5), (1.25, 50)] {
      stage.through(time)
      #expect(stage.lastFrame.pose("a")?.size == Size2D(width: side, height: side))
      #expect(stage.lastFrame.pose("a")?.center == Point2D(x: 25, y: 25))
      #expect(stage.lastFrame.poses.allSatisfy { $0.pose.alpha == 1 })
    }
  }

  @Test func `a line is zoomed anew wherever it is scrolled to, and snaps after a rotation`() throws
  {
    let stage = try stage(LineLayout(), ["a", "b", "c"])
    // Centers at 100, 350 and 600; the middle of the viewport is 160 from its edge.
    stage.view.scroll(to: Point2D(x: 190, y: 0))
    stage.through(0.25)
    #expect(near(stage.lastFrame.pose("b")?.frame.size.width, 260))
    stage.view.scroll(to: Point2D(x: 290, y: 0))
    stage.through(0.5)
    #expect(near(stage.lastFrame.pose("b")?.frame.size.width, 230))
    stage.view.setViewport(Size2D(width: 480, height: 320), duration: 1)
    stage.through(1.5)
    // (230, 270) shows the middle 480; of 350 and 600 the first is nearer to it.
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 110, y: 0))
    #expect(near(stage.lastFrame.pose("b")?.frame.size.width, 260))
  }

  @Test func `a pile opens into a grid: hidden items show, the order stays, the backdrop fades`()
    throws
  {
    let pile = StackLayout()
    pile.parameters.visibleBelowTop = 1
    pile.parameters.backdropMargin = 5
    let stage = try stage(pile, ["a", "b", "c"])
    #expect(stage.lastFrame.pose("c")?.isHidden == true)
    let transition = try stage.view.startInteractiveTransition(to: grid())
    transition.transitionProgress = 0.5
    stage.view.invalidateLayout()
    stage.through(0.25)
    #expect(stage.lastFrame.poses.allSatisfy { !$0.pose.isHidden })
    #expect(["a", "b", "c"].map { stage.lastFrame.pose($0)?.zIndex } == [2, 1, 0])
    let backdrop = try #require(stage.lastFrame.poses.first { $0.pose.zIndex == -1 })
    #expect(backdrop.pose.alpha == 0.5)
    #expect(near(stage.lastFrame.pose("a")?.center, Point2D(x: 92.5, y: 132.5)))
  }

  @Test func `what is inside an item follows its size on every frame`() throws {
    // TLLayoutTransitioning's resize example: the label's font is 17 where the item is 128 wide.
    let stage = try Stage.resize()
    let transition = try stage.view.startInteractiveTransition(to: stage.to)
    for (progress, font) in [(0.0, 17.0), (0.5, 30.8125), (1, 44.625)] {
      transition.transitionProgress = progress
      stage.view.invalidateLayout()
      stage.view.layoutIfNeeded()
      let width = transition.layoutAttributesForItem(at: path(7))?.pose.size.width
      #expect(width.map { $0 * 17 / 128 } == font)
    }
  }
}
