import MotionPhysics
import Testing
import TimelineModel

@testable import TransitionEngine

/// Pictures that travel between two views.
@Suite struct SnapshotAnimatorTests {
  @Test func `what is visible in the source takes part, and nothing else`() throws {
    let scene = try Scene()
    let visible = scene.source.view.visibleAttributes().map(\.path.indexPath)
    #expect(scene.animator().participants.map(\.indexPath) == visible)
    #expect(visible.count == 20)
  }

  @Test func `poses go between the two views' places, offsets and frames`() throws {
    let scene = try Scene()
    scene.destination.view.scroll(to: Point2D(x: 0, y: 40))
    var options = SnapshotAnimator.Options()
    options.sourceOrigin = Point2D(x: 0, y: 100)
    options.destinationOrigin = Point2D(x: 20, y: 0)
    let animator = scene.animator(options)
    // Item 1: five to a row in the source, (320 − 250)/4 apart; in the second row of 210 in the destination.
    let one = animator.participants[1]
    #expect(one.identity.id == "s0/1")
    #expect(one.from.frame == Rect2D(x: 67.5, y: 100, width: 50, height: 50))
    #expect(one.to.frame == Rect2D(x: 30, y: 170, width: 300, height: 200))
    animator.setProgress(0.5)
    scene.source.through(0)
    #expect(
      near(scene.frames[0].pose("s0/1")?.frame, Rect2D(x: 48.75, y: 135, width: 175, height: 125)))
    #expect(scene.frames[0].state.progress == 0.5)
    #expect(scene.frames[0].state.contentOffset == .zero)
    #expect(scene.frames[0].state.contentSize == Size2D(width: 340, height: 580))
  }

  @Test func `the time drives it to the exact end, once`() throws {
    let scene = try Scene()
    let animator = scene.animator()
    var told: [Bool] = []
    try animator.animate(duration: 0.5) { told.append($0) }
    scene.source.through(0.25)
    let middle = try #require(scene.frames.last)
    #expect(near(middle.state.progress, 0.5))
    #expect(middle.state.phase == .settling)
    scene.source.through(2)
    #expect(told == [true])
    let last = try #require(scene.frames.last)
    #expect(last.state.progress == 1)
    #expect(
      zip(animator.participants, last.poses).allSatisfy { $0.to == $1.pose })
    // Frames 0 to 30, at sixty a second.
    #expect(scene.frames.count == 31)
    #expect(animator.isOver)
    #expect(scene.sink.events.map(\.kind) == [.animation, .settle, .animationCompletion])
  }

  @Test func `what arrives fades in where it will stand, if it is asked for`() throws {
    let scene = try Scene(sourceItems: 5, destinationOffset: 1000)
    #expect(scene.animator().participants.count == 5)
    var options = SnapshotAnimator.Options()
    options.includesArriving = true
    let animator = scene.animator(options)
    let arriving = animator.participants.filter { $0.presence == .appearing }
    let seen = scene.destination.view.visibleAttributes().map(\.path.indexPath)
    // Item 4 is on both screens.
    #expect(seen.map(\.item) == [4, 5, 6, 7])
    #expect(arriving.map(\.indexPath) == Array(seen.dropFirst()))
    #expect(arriving.allSatisfy { $0.from.alpha == 0 && $0.to.alpha == 1 })
    #expect(arriving.allSatisfy { $0.from.frame == $0.to.frame })
    animator.setProgress(0.25)
    scene.source.through(0)
    #expect(scene.frames.last?.pose(arriving[0].identity.id)?.alpha == 0.25)
  }

  @Test func `pictures find their places by identity, and fade where there is none`() throws {
    let scene = try Scene(sourceItems: 3)
    scene.destination.view.data = CollectionData(
      sections: [.init(id: "other", count: 2), .init(id: "s0", items: ["s0/2", "s0/0"])])
    let animator = scene.animator()
    #expect(animator.participants.map(\.presence) == [.surviving, .disappearing, .surviving])
    let view = scene.destination.view
    #expect(
      animator.participants[2].to
        == view.collectionViewLayout.layoutAttributesForItem(
          at: ItemIndexPath(section: 1, item: 0))?
        .pose)
    #expect(animator.participants[1].to.alpha == 0)
    #expect(animator.participants[1].to.frame == animator.participants[1].from.frame)
  }

  @Test func `supplementary views take part too`() throws {
    let header = Size2D(width: 0, height: 30)
    let source = try Stage(items: [2, 2], from: grid("a") { $0.headerReferenceSize = header })
    let destination = try Stage(items: [2, 2], from: grid("b") { $0.headerReferenceSize = header })
    // The sections stand the other way round there.
    destination.view.data.sections.reverse()
    let animator = SnapshotAnimator(
      from: source.view, to: destination.view, sink: RecordedTimeline())
    let headers = animator.participants.filter { $0.identity.category == .supplementary }
    #expect(headers.map(\.identity.id) == ["s0/header", "s1/header"])
    #expect(headers.allSatisfy { $0.presence == .surviving })
    #expect(headers[0].to.frame.minY == headers[1].from.frame.minY)
  }

  @Test func `it goes back as well, and a hand stops it`() throws {
    let scene = try Scene()
    let animator = scene.animator()
    var told: [String] = []
    animator.setProgress(0.6)
    try animator.animate(duration: 1) { told.append("there \($0)") }
    scene.source.through(0.5)
    try animator.animate(to: 0, duration: 1) { told.append("back \($0)") }
    #expect(told == ["there false"])
    scene.source.through(0.8)
    animator.setProgress(0.3)
    #expect(told == ["there false", "back false"])
    scene.source.through(0.9)
    #expect(scene.frames.last?.state.phase == .driving)
    try animator.animate(to: 0, duration: 0.1) { told.append("home \($0)") }
    scene.source.through(2)
    #expect(told.last == "home true")
    #expect(
      zip(animator.participants, try #require(scene.frames.last).poses).allSatisfy {
        $0.from == $1.pose
      })
  }

  @Test func `after the end nothing moves, and it is told`() throws {
    let scene = try Scene()
    let animator = scene.animator()
    var told: [Bool] = []
    try animator.animate(duration: 1) { told.append($0) }
    animator.end()
    animator.end()
    #expect(told == [false])
    let count = scene.frames.count
    scene.source.through(1)
    #expect(scene.frames.count == count)
    animator.setProgress(0.5)
    animator.setProgress(.nan)
    #expect(animator.progress == 0)
    #expect(
      scene.sink.events(.warning).map { $0.field("code") }
        == [.text("detached"), .text("non-finite")])
    #expect(throws: TransitionError.self) { try animator.animate(duration: 1) }
  }

  @Test(arguments: [0, -1, .nan]) func `a duration is above 0`(duration: Double) throws {
    let animator = try Scene().animator()
    do throws(TransitionError) {
      try animator.animate(duration: duration)
      Issue.record("The duration was taken.")
    } catch {
      #expect(error.code == .badValue)
    }
    #expect(throws: TransitionError.self) { try animator.animate(to: .infinity, duration: 1) }
  }

  @Test func `an animator that is let go completes with false`() throws {
    let scene = try Scene()
    var told: [Bool] = []
    do {
      let animator = scene.animator()
      try animator.animate(duration: 1) { told.append($0) }
    }
    #expect(told == [false])
    scene.source.through(1)
    #expect(scene.frames.isEmpty)
  }

  @Test(arguments: [0, 1], [Size2D.zero, Size2D(width: 320, height: 480)])
  func `empty data, one item and no viewport give whole frames`(
    count: Int, viewport: Size2D
  ) throws {
    let scene = try Scene(sourceItems: count, viewport: viewport)
    var options = SnapshotAnimator.Options()
    options.includesArriving = true
    options.sourceOrigin = Point2D(x: .nan, y: 1e308)
    let animator = scene.animator(options)
    animator.setProgress(1e308)
    scene.source.through(0.1)
    #expect(scene.frames.count == 7)
    #expect(scene.frames.allSatisfy { $0.poses.allSatisfy { $0.pose.isFinite } })
  }
}

/// A view with a grid of small items, and one with large ones.
private struct Scene {
  let source: Stage
  let destination: Stage
  let sink = RecordedTimeline()

  init(
    sourceItems: Int = 20, destinationOffset: Double = 0,
    viewport: Size2D = Size2D(width: 320, height: 480)
  ) throws {
    source = try Stage(viewport: viewport, items: [sourceItems])
    destination = try Stage(
      viewport: viewport, contentOffset: Point2D(x: 0, y: destinationOffset), items: [20],
      from: grid("large", Size2D(width: 300, height: 200)))
  }

  func animator(_ options: SnapshotAnimator.Options = .init()) -> SnapshotAnimator {
    SnapshotAnimator(from: source.view, to: destination.view, options: options, sink: sink)
  }

  var frames: [RecordedTimeline.Frame] { sink.frames }
}
