import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// A line of one view that goes over to another view's grid.
@Suite struct LineToGridTests {
  @Test func `the bottom inset leaves room for one row`() {
    let line = lineLayout().parameters
    #expect(LineToGridAnimator.bottomInset(for: line, height: 1024) == 824)
    #expect(LineToGridAnimator.bottomInset(for: line, height: 1024, topInset: 20) == 804)
    #expect(LineToGridAnimator.bottomInset(for: line, height: 100) == 0)
    #expect(LineToGridAnimator.bottomInset(for: line, height: .nan) == 0)
    var varied = line
    varied.itemSizes = [[Size2D(width: 10, height: 300), Size2D(width: 10, height: .nan)]]
    #expect(LineToGridAnimator.bottomInset(for: varied, height: 1024) == 704)
  }

  @Test func `item 3 goes from the line to its place in the grid`() throws {
    let pair = try Pair()
    try pair.animator.start()
    #expect(pair.grid.view.contentInset.bottom == 824)
    // At a whole frame the middle of .6 s is shown exactly.
    pair.grid.through(0)
    #expect(pair.frame("s0/3") == Rect2D(x: 580, y: 10, width: 180, height: 180))
    pair.grid.through(0.3)
    #expect(near(pair.frame("s0/3"), Rect2D(x: 295, y: 105, width: 180, height: 180)))
    pair.grid.through(0.7)
    #expect(pair.frame("s0/3") == Rect2D(x: 10, y: 200, width: 180, height: 180))
    #expect(pair.grid.view.contentInset.bottom == 0)
    #expect(pair.grid.view.collectionViewLayout === pair.grid.from)
    #expect(pair.grid.timeline.events(.warning).isEmpty)
  }

  @Test func `an item that the line did not show comes from its place in the line`() throws {
    let pair = try Pair()
    try pair.animator.start(duration: 0.6)
    pair.grid.through(0)
    // Item 6 stands at 10 + 6 · 190 in the line.
    #expect(pair.frame("s0/6") == Rect2D(x: 1150, y: 10, width: 180, height: 180))
  }

  @Test func `the source view keeps a copy of its layout`() throws {
    let pair = try Pair()
    let line = try #require(pair.line.from as? FlowLayout)
    try pair.animator.start()
    let copy = try #require(pair.line.view.collectionViewLayout as? FlowLayout)
    #expect(copy !== line)
    #expect(copy.name == line.name)
    #expect(!copy.parameters.subtractsContentInset)
    #expect(line.parameters.subtractsContentInset)
    pair.grid.through(1)
    #expect(copy.parameters == line.parameters)
  }

  @Test func `it completes once, and puts the inset back first`() throws {
    let pair = try Pair(bottom: 33)
    var told: [(Bool, Double)] = []
    try pair.animator.start { told.append(($0, pair.grid.view.contentInset.bottom)) }
    #expect(pair.animator.isRunning)
    expect(.alreadyInTransition, pair.grid) { () throws(TransitionError) in
      try pair.animator.start()
    }
    pair.grid.through(2)
    #expect(told.count == 1)
    #expect(told[0] == (true, 33))
    #expect(!pair.animator.isRunning)
  }

  @Test func `interrupted, it puts the inset back and completes with false`() throws {
    let pair = try Pair()
    var told: [Bool] = []
    try pair.animator.start { told.append($0) }
    pair.grid.through(0.2)
    try pair.grid.view.setCollectionViewLayout(pair.grid.to, animated: false)
    #expect(told == [false])
    #expect(pair.grid.view.contentInset.bottom == 0)
    pair.grid.through(2)
    #expect(told == [false])
  }

  @Test func `an animator that nobody keeps still puts the inset back`() throws {
    let pair = try Pair()
    var told: [Bool] = []
    try LineToGridAnimator(from: pair.line.view, to: pair.grid.view).start { told.append($0) }
    pair.grid.through(1)
    #expect(told == [true])
    #expect(pair.grid.view.contentInset.bottom == 0)
  }

  @Test func `a scrolled line begins where it was on the screen`() throws {
    let pair = try Pair()
    pair.line.view.scroll(to: Point2D(x: 190, y: 0))
    try pair.animator.start()
    pair.grid.through(0)
    #expect(pair.grid.lastFrame.state.contentOffset == Point2D(x: 190, y: 0))
    pair.grid.through(1)
    #expect(pair.grid.lastFrame.state.contentOffset == .zero)
  }

  @Test(arguments: [0, -1, .nan])
  func `without a duration the grid shows at once`(duration: Double) throws {
    let pair = try Pair()
    var told: [Bool] = []
    try pair.animator.start(duration: duration) { told.append($0) }
    #expect(told == [true])
    #expect(pair.grid.view.contentInset.bottom == 0)
    #expect(pair.grid.view.collectionViewLayout === pair.grid.from)
  }

  @Test(arguments: [0, 1])
  func `no item and one item go over as well`(count: Int) throws {
    let pair = try Pair(items: count)
    try pair.animator.start()
    pair.grid.through(1)
    #expect(pair.grid.lastFrame.poses.count == count)
    #expect(!pair.animator.isRunning)
  }

  @Test func `only an idle horizontal flow is a line`() throws {
    let pair = try Pair()
    let backwards = LineToGridAnimator(from: pair.grid.view, to: pair.line.view)
    expect(.notALine, pair.line) { () throws(TransitionError) in try backwards.start() }
    let alone = LineToGridAnimator(from: pair.line.view, to: pair.line.view)
    expect(.alreadyInTransition, pair.line) { () throws(TransitionError) in try alone.start() }
    try pair.grid.view.startInteractiveTransition(to: pair.grid.to)
    expect(.alreadyInTransition, pair.grid) { () throws(TransitionError) in
      try pair.animator.start()
    }
    #expect(pair.line.view.collectionViewLayout === pair.line.from)
    #expect(pair.grid.view.contentInset.bottom == 0)
  }
}

/// The article's two views: a line of 180-point items, and a grid of them.
private struct Pair {
  let line: Stage
  let grid: Stage
  let animator: LineToGridAnimator

  init(items: Int = 30, bottom: Double = 0) throws {
    line = try Stage(viewport: Size2D(width: 768, height: 200), items: [items], from: lineLayout())
    grid = try Stage(
      viewport: Size2D(width: 768, height: 1024),
      contentInset: ContentInsets(top: 0, left: 0, bottom: bottom, right: 0), items: [items],
      from: resizeLayout("grid", 180))
    animator = LineToGridAnimator(from: line.view, to: grid.view)
  }

  func frame(_ id: String) -> Rect2D? { grid.lastFrame.pose(id)?.frame }
}

private func lineLayout() -> FlowLayout {
  TransitionEngineTests.grid("line", Size2D(width: 180, height: 180)) {
    $0.scrollDirection = .horizontal
    $0.sectionInset = ContentInsets(top: 10, left: 10, bottom: 10, right: 10)
  }
}
