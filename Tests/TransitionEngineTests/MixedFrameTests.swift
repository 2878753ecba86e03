import MotionPhysics
import TestSupport
import Testing
import TimelineModel

@testable import TransitionEngine

/// The same as the stock layouts, but a class of its own, for which every frame asks both ends anew.
private final class OwnTransition: TransitionLayout {}
private final class OwnFollowing: FollowTransitionLayout {}

/// Makes the transition layout of a test.
private final class Maker: CollectionViewDelegate {
  enum Kind: CaseIterable { case stock, own, stockFollowing, ownFollowing }

  let kind: Kind
  init(_ kind: Kind) { self.kind = kind }

  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout? {
    let keys = ["x", "y"].compactMap(FollowTransitionLayout.Key.init)
    return switch kind {
    case .stock: nil
    case .own: OwnTransition(currentLayout: current, nextLayout: next)
    case .stockFollowing:
      FollowTransitionLayout(currentLayout: current, nextLayout: next, following: keys)
    case .ownFollowing: OwnFollowing(currentLayout: current, nextLayout: next, following: keys)
    }
  }
}

/// Every bit of every pose of a frame, and which element it is.
private func bits(_ frame: RecordedTimeline.Frame) -> [UInt64] {
  frame.poses.flatMap { id, indexPath, pose in
    let place: [Int] = [
      id.hashValue, indexPath.section, indexPath.item, pose.zIndex, pose.isHidden ? 1 : 0,
    ]
    let numbers: [Double] = [
      pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha,
    ]
    let words: [UInt64] = place.map { UInt64(bitPattern: Int64($0)) } + numbers.map(\.bitPattern)
    return words + pose.transform.components.map(\.bitPattern)
  }
}

@Suite struct MixedFrameTests {
  /// What happens in one session; the numbers come from the seed alone.
  private func session(_ kind: Maker.Kind, seed: UInt64) throws -> RecordedTimeline {
    let maker = Maker(kind)
    var random = SplitMix(seed: seed)
    let stage = try Stage(
      items: [5, 9], from: seed % 2 == 0 ? flow("flow", 50) : placed(&random),
      to: seed % 3 == 0 ? placed(&random) : flow("large", 170))
    let view = stage.view
    view.delegate = maker
    view.reentry = .retarget
    view.transforms = seed % 5 == 0 ? .componentwise : .decomposed
    stage.through(0)
    for round in 0..<2 {
      var layout = try view.startInteractiveTransition(to: round == 0 ? stage.to : stage.from)
      for step in 0..<14 {
        stage.clock.advanceToNextFrame()
        if view.state == .driving {
          let progress = Double.random(in: -0.3...1.3, using: &random)
          layout.transitionProgress = step < 2 ? Double(step) : progress
          layout.updateValue(.random(in: -50...50, using: &random), forAnimatedKey: "x")
          if step == 3 { layout.updateValue(1.7e308, forAnimatedKey: "y") }
          if step == 4 { layout.updateValue(-0.0, forAnimatedKey: "y") }
        }
        // Without it the frame shows what the one before did.
        if Int.random(in: 0..<4, using: &random) > 0 { view.invalidateLayout() }
        guard let next = try disturb(stage, layout, Int.random(in: 0..<12, using: &random)) else {
          continue
        }
        layout = next
      }
      if view.state == .driving { try view.finishInteractiveTransition() }
      for _ in 0..<60 { stage.clock.advanceToNextFrame() }
    }
    // The view does not keep its delegate alive.
    return withExtendedLifetime(maker) { stage.timeline }
  }

  /// Something that changes what takes part, or how; rarely it begins another transition.
  private func disturb(
    _ stage: Stage, _ layout: TransitionLayout, _ what: Int
  ) throws -> TransitionLayout? {
    let view = stage.view
    switch what {
    case 0: view.scroll(to: Point2D(x: 0, y: Double(stage.timeline.frames.count)))
    case 1: view.viewport = Size2D(width: 300, height: 400 + Double(stage.timeline.frames.count))
    case 2: layout.transforms = layout.transforms == .decomposed ? .componentwise : .decomposed
    case 3: layout.toContentOffset = Point2D(x: 0, y: 120)
    case 4:
      layout.updateLayoutAttributes = { mixed, from, to, progress in
        var mixed = mixed
        mixed.pose.center.y += (from.center.x + to.size.width) * progress
        mixed.pose.alpha /= mixed.path.indexPath.item == 2 ? 0 : 2
        return mixed.path.indexPath.item == 1 ? nil : mixed
      }
    case 5: layout.updateLayoutAttributes = nil
    case 6: view.contentInset = ContentInsets(top: 5, left: 0, bottom: 7, right: 0)
    case 7:
      var data = view.data
      guard data.sections[0].itemCount > 0, data.sections[1].itemCount > 1 else { break }
      let moved = data.sections[0].items[0]
      data.sections[0].items.removeFirst()
      data.sections[1].items.insert(moved, at: 2)
      try view.performBatchUpdates(duration: 0.05) {
        try? view.moveItem(
          at: ItemIndexPath(section: 0, item: 0), to: ItemIndexPath(section: 1, item: 2))
        view.data = data
      }
    case 8:
      var data = view.data
      data.sections.swapAt(0, 1)
      view.data = data
    case 9 where view.state == .driving:
      return try view.startInteractiveTransition(
        to: stage.from === layout.nextLayout ? stage.to : stage.from)
    default: break
    }
    return nil
  }

  private func flow(_ name: String, _ side: Double) -> FlowLayout {
    grid(name, Size2D(width: side, height: side)) {
      $0.headerReferenceSize = Size2D(width: 10, height: 20)
      if side > 100 { $0.footerReferenceSize = Size2D(width: 10, height: 30) }
    }
  }

  /// Poses of every sort, an item more than the data has, and one that is left out.
  private func placed(_ random: inout SplitMix) -> FixedLayout {
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let items = [5, 10].map { count in
      (0..<count).map { item in
        var pose = Pose(
          center: Point2D(x: item == 0 ? -0.0 : number(0...300), y: number(0...400)),
          size: Size2D(width: number(1...90), height: number(1...90)), alpha: number(0...1),
          zIndex: item)
        switch item % 4 {
        case 1:
          pose.transform = .flat(
            Transform2D(a: number(-2...2), b: number(-2...2), c: 0.3, d: 1, tx: 4, ty: 0))
        case 2:
          var tilted = ElementTransform.identity.spatial
          (tilted.m13, tilted.m34) = (number(-0.5...0.5), 0.002)
          pose.transform = .spatial(tilted)
        case 3 where count == 10: pose.center.x = .nan
        default: break
        }
        return pose
      }
    }
    return FixedLayout(
      name: "placed", contentSize: Size2D(width: 320, height: 500), items: items,
      decoration: [
        .init(
          kind: "shelf", indexPath: ItemIndexPath(section: 0, item: 0),
          pose: Pose(frame: Rect2D(x: 0, y: 50, width: 300, height: 4)))
      ])
  }

  @Test(arguments: 0..<15)
  func `the stock layouts record what a class of their own would, bit for bit`(seed: Int) throws {
    for (stock, own) in [
      (Maker.Kind.stock, Maker.Kind.own), (.stockFollowing, .ownFollowing),
    ] {
      let quick = try session(stock, seed: UInt64(seed))
      let general = try session(own, seed: UInt64(seed))
      #expect(quick.frames.count > 100)
      #expect(quick.frames.count == general.frames.count)
      #expect(quick.frames.map(\.state) == general.frames.map(\.state))
      #expect(quick.frames.map(bits) == general.frames.map(bits))
      #expect(quick.trace == general.trace)
      #expect(quick.samples == general.samples)
      #expect(quick.events == general.events)
      #expect(quick.items == general.items)
    }
  }

  @Test func `a driven frame asks neither layout again`() throws {
    final class Counting: FlowLayout {
      var questions = 0
      override func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
        questions += 1
        return super.layoutAttributesForItem(at: indexPath)
      }
    }
    let counting = Counting(name: "counting")
    let stage = try Stage(to: counting)
    let layout = try stage.view.startInteractiveTransition(to: counting)
    stage.clock.advanceToNextFrame()
    let asked = counting.questions
    for frame in 1...5 {
      layout.transitionProgress = Double(frame) / 5
      stage.view.invalidateLayout()
      stage.clock.advanceToNextFrame()
    }
    #expect(asked > 0)
    #expect(counting.questions == asked)
    #expect(stage.lastFrame.poses.count == 7)
    // A pure change of the hook, without anything else, shows on the next frame too.
    layout.updateLayoutAttributes = { mixed, _, _, _ in
      var mixed = mixed
      mixed.pose.alpha = 0.125
      return mixed
    }
    stage.view.invalidateLayout()
    stage.clock.advanceToNextFrame()
    #expect(stage.lastFrame.poses.allSatisfy { $0.pose.alpha == 0.125 })
  }

  @Test func `the last frame shows what the installed layout lacks as the hook wants it`() throws {
    let stage = try Stage(from: flow("headed", 50), to: grid("bare"))
    let layout = try stage.view.startInteractiveTransition(to: stage.to)
    layout.updateLayoutAttributes = { mixed, _, _, _ in
      var mixed = mixed
      mixed.pose.alpha = 0.125
      return mixed
    }
    stage.through(0.1)
    try stage.view.finishInteractiveTransition()
    while stage.view.state != .idle { stage.clock.advanceToNextFrame() }
    #expect(stage.lastFrame.state.phase == .settling)
    #expect(stage.lastFrame.pose("s0/header")?.alpha == 0.125)
    #expect(stage.lastFrame.pose("s0/0")?.alpha == 1)
  }
}
