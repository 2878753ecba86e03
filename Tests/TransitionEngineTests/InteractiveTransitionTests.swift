import Testing
import TimelineModel

@testable import TransitionEngine

/// The view's calls for interactive transitions.
@Suite struct InteractiveTransitionTests {
  /// A delegate that counts and answers as told.
  final class Delegate: CollectionViewDelegate {
    var asked: [(String, String)] = []
    var answer: (any CollectionViewLayout, any CollectionViewLayout) -> TransitionLayout?

    init(
      _ answer: @escaping (any CollectionViewLayout, any CollectionViewLayout) -> TransitionLayout?
    ) {
      self.answer = answer
    }

    func transitionLayout(
      for current: any CollectionViewLayout, to next: any CollectionViewLayout
    ) -> TransitionLayout? {
      asked.append((current.name, next.name))
      return answer(current, next)
    }
  }

  @Test func `a start quietly installs a layout between the two, and nothing moves`() throws {
    let stage = try Stage()
    let before = stage.view.visibleAttributes()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    #expect(stage.view.collectionViewLayout === layout)
    #expect(layout.currentLayout === stage.from)
    #expect(layout.nextLayout === stage.to)
    #expect(layout.transitionProgress == 0)
    #expect(stage.view.visibleAttributes() == before)
    let start = stage.timeline.events(.start)
    #expect(start.count == 1)
    #expect(start[0].field("from") == .text("grid"))
    #expect(start[0].field("to") == .text("detail"))
    #expect(start[0].field("transition") == .integer(0))
  }

  @Test func `the delegate is asked once and its layout is used`() throws {
    let stage = try Stage()
    let delegate = Delegate {
      FollowTransitionLayout(currentLayout: $0, nextLayout: $1, following: [])
    }
    stage.view.delegate = delegate
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    #expect(layout is FollowTransitionLayout)
    #expect(delegate.asked.count == 1)
    #expect(delegate.asked[0] == ("grid", "detail"))
  }

  @Test func `a layout for another pair, or one that was used, is refused`() throws {
    let stage = try Stage()
    let wrong = Delegate { TransitionLayout(currentLayout: $1, nextLayout: $0) }
    stage.view.delegate = wrong
    expect(.wrongTransitionLayout, stage) { () throws(TransitionError) in
      try stage.view.startInteractiveTransition(to: stage.to)
    }
    #expect(stage.view.collectionViewLayout === stage.from)
    #expect(stage.view.state == .idle)

    let one = TransitionLayout(currentLayout: stage.from, nextLayout: stage.to)
    let again = Delegate { _, _ in one }
    stage.view.delegate = again
    try stage.view.startInteractiveTransition(to: stage.to)
    stage.view.interruptTransition()
    expect(.wrongTransitionLayout, stage) { () throws(TransitionError) in
      try stage.view.startInteractiveTransition(to: stage.to)
    }
  }

  @Test func `a progress shows with the next frame after the layout was invalidated`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    let before = stage.view.visibleAttributes()
    layout.transitionProgress = 0.25
    stage.through(0)
    #expect(stage.view.visibleAttributes() == before)
    #expect(stage.lastFrame.state.progress == 0)
    stage.view.invalidateLayout()
    stage.through(0.02)
    #expect(stage.lastFrame.state.progress == 0.25)
    #expect(stage.view.visibleAttributes() != before)
  }

  @Test func `a key's history holds each value with its instant`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.updateValue(10, forAnimatedKey: "PositionX")
    stage.at(0.1)
    layout.updateValue(30, forAnimatedKey: "PositionX")
    #expect(layout.valueForAnimatedKey("PositionX") == 30)
    #expect(
      layout.history(forAnimatedKey: "PositionX") == [
        Sample(time: .zero, value: 10), Sample(time: instant(0.1), value: 30),
      ])
    #expect(stage.timeline.values(of: "PositionX", .driving) == [10, 30])
  }

  @Test(arguments: [-0.5, 0, 0.3, 1, 1.7])
  func `after finish the new layout is installed, and the frames are its own to the bit`(
    progress: Double
  ) throws {
    let stage = try Stage()
    var completions: [[Bool]] = []
    let layout = try stage.view.startInteractiveTransition(to: stage.to) {
      completions.append([$0, $1])
    }
    layout.transitionProgress = progress
    try stage.view.finishInteractiveTransition()
    #expect(stage.view.state == .settling)
    stage.through(3)
    #expect(stage.view.collectionViewLayout === stage.to)
    #expect(stage.view.state == .idle)
    let rest = prepared(grid("r", Size2D(width: 300, height: 200)), items: [7])
    #expect(
      stage.view.visibleAttributes() == rest.layoutAttributesForElements(in: stage.view.visibleRect)
    )
    #expect(completions == [[true, true]])
    #expect(stage.timeline.events(.completion).count == 1)
    #expect(stage.timeline.events(.completion)[0].field("finished") == .flag(true))
    #expect(stage.timeline.events(.install).map { $0.field("layout") } == [.text("detail")])
  }

  @Test(arguments: [-0.5, 0, 0.3, 1, 1.7])
  func `after cancel everything is as before the start`(progress: Double) throws {
    let stage = try Stage(contentOffset: Point2D(x: 0, y: -30))
    let before = (stage.view.visibleAttributes(), stage.view.contentOffset, stage.view.contentSize)
    var completions: [[Bool]] = []
    let layout = try stage.view.startInteractiveTransition(to: stage.to) {
      completions.append([$0, $1])
    }
    layout.toContentOffset = Point2D(x: 5, y: 300)
    layout.transitionProgress = progress
    stage.view.invalidateLayout()
    stage.at(0.1)
    try stage.view.cancelInteractiveTransition()
    stage.through(3)
    #expect(stage.view.collectionViewLayout === stage.from)
    #expect(stage.view.state == .idle)
    #expect(stage.view.visibleAttributes() == before.0)
    #expect(stage.view.contentOffset == before.1)
    #expect(stage.view.contentSize == before.2)
    #expect(completions == [[true, false]])
  }

  @Test func `torn down, the completion runs once and says it was not completed`() throws {
    var completions: [[Bool]] = []
    func stage() throws -> Stage {
      let stage = try Stage()
      try stage.view.startInteractiveTransition(to: stage.to) { completions.append([$0, $1]) }
      return stage
    }
    let driven = try stage()
    driven.view.interruptTransition()
    driven.view.interruptTransition()
    #expect(driven.view.collectionViewLayout === driven.from)
    let finishing = try stage()
    try finishing.view.finishInteractiveTransition()
    finishing.through(0.1)
    finishing.view.interruptTransition()
    finishing.through(3)
    #expect(finishing.view.collectionViewLayout === finishing.to)
    #expect(finishing.view.state == .idle)
    let cancelling = try stage()
    try cancelling.view.cancelInteractiveTransition()
    cancelling.view.interruptTransition()
    #expect(completions == [[false, false], [false, true], [false, false]])
    _ = try stage()
    #expect(completions.count == 4)
    #expect(completions[3] == [false, false])
  }

  @Test func `in the completion the new layout is in place, and the next start is allowed`()
    throws
  {
    let stage = try Stage()
    var seen: [Bool] = []
    try stage.view.startInteractiveTransition(to: stage.to) { _, _ in
      seen.append(stage.view.collectionViewLayout === stage.to)
      stage.view.scroll(to: Point2D(x: 0, y: 77))
      do { try stage.view.startInteractiveTransition(to: stage.from) } catch { seen.append(false) }
    }
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(seen == [true])
    #expect(stage.view.state == .driving)
    #expect(stage.view.transitionCount == 2)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 77))
    #expect(stage.lastFrame.state.phase == .driving)
    #expect(stage.lastFrame.state.progress == 0)
  }

  @Test func `a layout set without animation shows with the next frame`() throws {
    let stage = try Stage()
    stage.through(0)
    var completed: [Bool] = []
    try stage.view.setCollectionViewLayout(stage.to, animated: false) { completed.append($0) }
    #expect(completed == [true])
    #expect(stage.view.state == .idle)
    stage.through(0.02)
    #expect(stage.timeline.frames.map(\.state.phase) == [.idle, .idle])
    #expect(stage.lastFrame.pose("s0/0")?.frame == Rect2D(x: 10, y: 0, width: 300, height: 200))
    #expect(stage.timeline.events(.start).isEmpty)
    #expect(stage.timeline.events(.install).count == 1)
  }

  @Test func `a layout set with animation travels evenly over its time`() throws {
    let stage = try Stage(refreshRate: 100)
    var completed: [Bool] = []
    try stage.view.setCollectionViewLayout(stage.to, animated: true) { completed.append($0) }
    stage.at(0.1)
    expect(.alreadyInTransition, stage) { () throws(TransitionError) in
      try stage.view.startInteractiveTransition(to: stage.to)
    }
    expect(.notInTransition, stage) { () throws(TransitionError) in
      try stage.view.finishInteractiveTransition()
    }
    stage.through(0.29)
    #expect(completed.isEmpty)
    let progress = stage.timeline.frames.map { $0.state.progress ?? -1 }
    for (number, value) in progress.enumerated() {
      #expect(near(value, Double(number) / 30, 1e-12))
    }
    stage.through(0.3)
    #expect(completed == [true])
    #expect(stage.view.collectionViewLayout === stage.to)
    #expect(stage.lastFrame.state.progress == 1)
    #expect(stage.lastFrame.pose("s0/0")?.frame == Rect2D(x: 10, y: 0, width: 300, height: 200))
    #expect(stage.timeline.decisions.isEmpty)
  }

  @Test func `a start while one is under way is refused and changes nothing`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.4
    for _ in 0..<2 {
      expect(.alreadyInTransition, stage) { () throws(TransitionError) in
        try stage.view.startInteractiveTransition(to: stage.from)
      }
      expect(.alreadyInTransition, stage) { () throws(TransitionError) in
        try stage.view.setCollectionViewLayout(stage.from, animated: false)
      }
      #expect(stage.view.collectionViewLayout === layout)
      #expect(layout.transitionProgress == 0.4)
      #expect(stage.view.transitionCount == 1)
      if stage.view.state == .driving { try stage.view.finishInteractiveTransition() }
    }
    #expect(stage.view.state == .settling)
  }

  @Test func `finish, cancel and release need a transition that is driven`() throws {
    let stage = try Stage()
    func refuseAll() {
      expect(.notInTransition, stage) { () throws(TransitionError) in
        try stage.view.finishInteractiveTransition()
      }
      expect(.notInTransition, stage) { () throws(TransitionError) in
        try stage.view.cancelInteractiveTransition()
      }
      expect(.notInTransition, stage) { () throws(TransitionError) in
        try stage.view.releaseInteractiveTransition()
      }
    }
    refuseAll()
    try stage.view.startInteractiveTransition(to: stage.to)
    try stage.view.finishInteractiveTransition()
    refuseAll()
    #expect(stage.view.state == .settling)
    stage.through(3)
    #expect(stage.view.collectionViewLayout === stage.to)
    #expect(stage.timeline.decisions.count == 1)
    #expect(stage.timeline.events(.finish).count == 1)
    refuseAll()
  }

  @Test func `a layout whose transition is over moves nothing any more`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.transitionProgress = 0.9
    try stage.view.finishInteractiveTransition()
    layout.transitionProgress = 0.2
    #expect(stage.timeline.events(.warning).last?.field("code") == .text("settling"))
    stage.through(3)
    #expect(!layout.isInTransition)
    let (samples, before) = (stage.timeline.samples.count, stage.view.visibleAttributes())
    layout.transitionProgress = 0.5
    layout.updateValue(5, forAnimatedKey: "PositionX")
    #expect(
      stage.timeline.events(.warning).suffix(2).map { $0.field("code") }
        == [.text("detached"), .text("detached")])
    stage.view.invalidateLayout()
    #expect(stage.view.visibleAttributes() == before)
    #expect(stage.timeline.samples.count == samples)
  }

  @Test func `idle, driving, settling, idle`() throws {
    let stage = try Stage(refreshRate: 10)
    stage.through(0)
    stage.at(0.1)
    try stage.view.startInteractiveTransition(to: stage.to)
    stage.at(0.2)
    try stage.view.finishInteractiveTransition()
    stage.through(1.4)
    let phases = stage.timeline.frames.map(\.state.phase)
    #expect(phases.first == .idle)
    #expect(phases[1] == .driving)
    #expect(phases[2] == .settling)
    #expect(phases.last == .idle)
    let changes = zip(phases, phases.dropFirst()).filter { $0 != $1 }.count
    #expect(changes == 3)
  }

  @Test func `a layout may lead to itself`() throws {
    let stage = try Stage()
    let layout = try stage.view.startInteractiveTransition(to: stage.from)
    layout.transitionProgress = 0.3
    stage.view.invalidateLayout()
    #expect(
      stage.view.visibleAttributes()
        == stage.from.layoutAttributesForElements(in: stage.view.visibleRect))
    try stage.view.finishInteractiveTransition()
    stage.through(3)
    #expect(stage.view.collectionViewLayout === stage.from)
    #expect(stage.view.state == .idle)
  }

  @Test func `a view lets its clock go on after it is gone`() throws {
    let clock = try DisplayClock(refreshRate: 60)
    let timeline = RecordedTimeline()
    do {
      let view = CollectionView(
        viewport: .zero, data: CollectionData(), layout: grid(), clock: clock, sink: timeline)
      clock.advance(through: .zero)
      #expect(view.state == .idle)
    }
    clock.advance(through: instant(1))
    #expect(timeline.frames.count == 1)
  }

  @Test func `A follower warns of keys that it reads and nobody sets, and the other way round`()
    throws
  {
    func warnings(_ layoutFollows: Bool) throws -> [FieldValue?] {
      final class Giver: CollectionViewDelegate {
        func transitionLayout(
          for current: any CollectionViewLayout, to next: any CollectionViewLayout
        ) -> TransitionLayout? {
          FollowTransitionLayout(
            currentLayout: current, nextLayout: next,
            following: [.init(name: "PositionX", axis: .x), .init(name: "PositionY", axis: .y)])
        }
      }
      let giver = Giver()
      let stage = try Stage()
      if layoutFollows { stage.view.delegate = giver }
      let layout = try stage.view.startInteractiveTransition(to: stage.to)
      layout.updateValue(1, forAnimatedKey: "PositionX")
      layout.updateValue(1, forAnimatedKey: "Positiony")
      stage.view.invalidateLayout()
      stage.through(0.1)
      try stage.view.finishInteractiveTransition()
      stage.through(3)
      return stage.timeline.events(.warning).map { $0.field("code") }
    }
    #expect(try warnings(true) == [.text("key-never-read"), .text("key-never-set")])
    #expect(try warnings(false).isEmpty)
  }

  @Test func `A layout that is exchanged over a time takes the offset along`() throws {
    let stage = try Stage(
      viewport: Size2D(width: 50, height: 100), contentOffset: Point2D(x: 0, y: 1000), items: [50],
      refreshRate: 4, to: grid("detail", Size2D(width: 50, height: 10)))
    stage.through(0)
    try stage.view.setCollectionViewLayout(stage.to, animated: true, duration: 1)
    stage.through(0.5)
    // 50 rows of 10 with 10 between are 990 high, so it rests at 890.
    #expect(stage.lastFrame.state.contentOffset == Point2D(x: 0, y: 945))
    stage.through(1)
    #expect(stage.view.contentOffset == Point2D(x: 0, y: 890))
  }
}
