import Testing
import TimelineModel

@testable import TransitionEngine

/// What lies within a cell follows the cell's size on every frame, with a rule for a label.
@Suite struct SubLayoutTests {
  /// The font of a cell's label, in points, by the cell's width.
  private func fontSize(_ width: Double) -> Double { width * 17 / 128 }

  @Test func `a label's font by the widths 128, 232 and 336`() throws {
    let stage = try Stage.resize()
    let between = try stage.view.startInteractiveTransition(to: stage.to)
    var fonts: [Double] = []
    for (number, progress) in [0, 0.5, 1].enumerated() {
      between.transitionProgress = progress
      stage.view.invalidateLayout()
      stage.through(Double(number) * 0.1)
      let widths = Set(stage.lastFrame.poses.map(\.pose.size.width))
      #expect(widths.count == 1)
      fonts += widths.map(fontSize)
    }
    #expect(fonts == [17, 30.8125, 44.625])
  }

  @Test func `on every frame of a push the font goes with the progress, without a jump`()
    throws
  {
    let stage = try Stage.resize()
    let navigation = try NavigationController(
      root: CollectionViewController(collectionView: stage.view))
    let pushed = CollectionViewController(layout: stage.to)
    pushed.useLayoutToLayoutNavigationTransitions = true
    try navigation.pushViewController(pushed, animated: true, duration: 0.5)
    stage.through(0.5)
    var fonts: [Double] = []
    for frame in stage.timeline.frames {
      let progress = try #require(frame.state.progress)
      let font = fontSize(try #require(frame.pose("s0/0")).size.width)
      #expect(near(font, 17 + (44.625 - 17) * progress))
      fonts.append(font)
    }
    // Thirty frames for 27.625 points.
    #expect(fonts.count == 31)
    #expect(zip(fonts, fonts.dropFirst()).allSatisfy { $1 > $0 && $1 - $0 < 1 })
  }
}
