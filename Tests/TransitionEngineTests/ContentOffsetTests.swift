import Testing
import TimelineModel

@testable import TransitionEngine

/// Where the viewport is during and after a transition, and which hooks of the layouts are called.
@Suite struct ContentOffsetTests {
  @Test func `an offset that is not driven is clamped to the new content after finish`() throws {
    let stage = try Stage(
      contentOffset: Point2D(x: 0, y: 900), items: [7],
      from: grid("a", Size2D(width: 300, height: 200)),
      to: grid("b"))
    try stage.view.startInteractiveTransition(to: stage.to)
    stage.through(0)
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 900))
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(stage.view.contentOffset == .zero)
  }

  /// Rests at a place of its own choice, and writes down what it hears.
  final class LoggedLayout: CollectionViewLayout {
    let name: String
    let rest: Point2D?
    var heard: (String) -> Void = { _ in }

    init(_ name: String, rest: Point2D? = nil) {
      self.name = name
      self.rest = rest
    }

    var contentSize: Size2D { Size2D(width: 320, height: 2000) }
    func prepare(in context: LayoutContext) { heard("prepare \(name)") }
    func layoutAttributesForAllElements() -> [LayoutAttributes] {
      heard("attributes \(name)")
      return []
    }
    func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? { nil }
    func targetContentOffset(forProposedContentOffset proposal: Point2D) -> Point2D {
      rest ?? proposal
    }
    func prepareForTransition(to next: any CollectionViewLayout) { heard("to \(next.name)") }
    func prepareForTransition(from old: any CollectionViewLayout) { heard("from \(old.name)") }
    func finalizeLayoutTransition() { heard("finalize \(name)") }
  }

  @Test func `the new layout may choose where the viewport rests`() throws {
    let stage = try Stage(
      contentOffset: Point2D(x: 0, y: 11), from: LoggedLayout("a"),
      to: LoggedLayout("b", rest: Point2D(x: 0, y: 100)))
    try stage.view.setCollectionViewLayout(LoggedLayout("c"), animated: false)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 11))
    try stage.view.startInteractiveTransition(to: stage.to)
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 100))
  }

  @Test func `both layouts hear of the transition before it and after it`() throws {
    let (old, new) = (LoggedLayout("old"), LoggedLayout("new"))
    let stage = try Stage(from: old, to: new)
    _ = stage.view.visibleAttributes()
    var heard: [String] = []
    for layout in [old, new] { layout.heard = { heard.append($0) } }
    try stage.view.startInteractiveTransition(to: new)
    #expect(heard.prefix(4) == ["to new", "from old", "prepare old", "prepare new"])
    try stage.view.cancelInteractiveTransition()
    heard = []
    stage.through(3)
    let end = heard.firstIndex(of: "finalize old") ?? 0
    #expect(heard[..<end].contains("attributes old"))
    #expect(heard[..<end].contains("attributes new"))
    #expect(heard[end...].prefix(3) == ["finalize old", "finalize new", "prepare old"])
    #expect(heard.filter { $0.hasPrefix("finalize") }.count == 2)
  }

  @Test func `the offset at the start is kept, whatever the view does afterwards`() throws {
    let stage = try Stage.resize(contentOffset: Point2D(x: 0, y: 1000))
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.toContentOffset = Point2D(x: 0, y: 8316)
    layout.transitionProgress = 0.5
    stage.view.invalidateLayout()
    stage.through(0.1)
    #expect(layout.fromContentOffset == Point2D(x: 0, y: 1000))
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 4658))
  }

  @Test func `an offset that is driven follows the progress and is not clamped`() throws {
    let stage = try Stage.resize(contentOffset: Point2D(x: 0, y: 1000))
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    #expect(layout.fromContentOffset == Point2D(x: 0, y: 1000))
    layout.toContentOffset = Point2D(x: 0, y: 8316)
    for (progress, y) in [(0.25, 2829.0), (0.5, 4658), (1.05, 8681.8), (-0.1, 268.4), (2, 15632)] {
      layout.transitionProgress = progress
      stage.view.invalidateLayout()
      #expect(near(stage.view.contentOffset, Point2D(x: 0, y: y), 1e-9))
    }
  }

  @Test func `a target that changes on the way shows at once, one that is not finite never`()
    throws
  {
    let stage = try Stage.resize()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.5
    #expect(stage.view.contentOffset == .zero)
    layout.toContentOffset = Point2D(x: 0, y: 100)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 50))
    layout.toContentOffset = Point2D(x: 0, y: 300)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 150))
    layout.toContentOffset = Point2D(x: 0, y: .nan)
    #expect(layout.toContentOffset == Point2D(x: 0, y: 300))
    #expect(stage.timeline.events(.warning).count == 1)
  }

  @Test func `after finish the offset is the target exactly, after cancel the start's`() throws {
    for finishes in [true, false] {
      let stage = try Stage.resize(contentOffset: Point2D(x: 0, y: 1000))
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.toContentOffset = stage.view.toContentOffset(
        for: layout, items: [ItemIndexPath(section: 0, item: 50)], placement: .center)
      layout.transitionProgress = 0.7
      stage.view.invalidateLayout()
      stage.at(0.05)
      if finishes {
        try stage.view.finishInteractiveTransition()
      } else {
        try stage.view.cancelInteractiveTransition()
      }
      stage.through(3)
      #expect(stage.view.contentOffset == Point2D(x: 0, y: finishes ? 8316 : 1000))
      #expect(stage.lastFrame.state.contentOffset == stage.view.contentOffset)
    }
  }
}
