import Testing
import TimelineModel

@testable import TransitionEngine

/// Calls in every order, as quick fingers, rotations and timers make them: no order may crash, skip a
/// completion or leave the view between two layouts.
@Suite struct CallOrderTests {
  enum Call: CaseIterable {
    case start
    case progress
    case finish
    case cancel
    case release
    case set
    case animate
    case interrupt
    case wait
  }

  @Test func `every order of four calls keeps the rules`() throws {
    var trail: [Call] = []
    func walk(_ depth: Int) throws {
      if depth == 0 {
        try run(trail)
        return
      }
      for call in Call.allCases {
        trail.append(call)
        try walk(depth - 1)
        trail.removeLast()
      }
    }
    try walk(4)
  }

  func run(_ calls: [Call]) throws {
    let frames = [
      Rect2D(x: 0, y: 0, width: 9, height: 9), Rect2D(x: 300, y: 400, width: 9, height: 9),
    ]
    let stage = try Stage(
      contentOffset: Point2D(x: 0, y: -3), items: [2], refreshRate: 20, from: fixed("a", frames),
      to: fixed("b", frames.reversed()))
    let view = stage.view
    var starts = 0
    var completions = 0
    var holds = true
    for (number, call) in calls.enumerated() {
      let goal = view.collectionViewLayout === stage.to ? stage.from : stage.to
      let before = (view.state, view.collectionViewLayout)
      do {
        switch call {
        case .start:
          try view.startInteractiveTransition(to: goal) { _, _ in completions += 1 }
          starts += 1
        case .progress:
          view.transitionLayout?.transitionProgress = Double(number) - 1.5
          view.transitionLayout?.updateValue(Double(number), forAnimatedKey: "PositionX")
          view.invalidateLayout()
        case .finish: try view.finishInteractiveTransition()
        case .cancel: try view.cancelInteractiveTransition()
        case .release: try view.releaseInteractiveTransition()
        case .set:
          try view.setCollectionViewLayout(goal, animated: false) { _ in completions += 1 }
          starts += 1
        case .animate:
          try view.setCollectionViewLayout(goal, animated: true, duration: 0.1) { _ in
            completions += 1
          }
          starts += 1
        case .interrupt: view.interruptTransition()
        case .wait:
          stage.clock.advance(through: stage.clock.now.advanced(byNanoseconds: 120_000_000))
        }
      } catch {
        holds = holds && view.state == before.0 && view.collectionViewLayout === before.1
      }
      let isBetween = view.collectionViewLayout is TransitionLayout
      holds = holds && isBetween == (view.state != .idle)
    }
    #expect(holds, "\(calls)")
    view.interruptTransition()
    stage.clock.advance(through: stage.clock.now.advanced(byNanoseconds: 100_000_000))
    #expect(starts == completions, "\(calls)")
    #expect(view.state == .idle, "\(calls)")
    #expect(view.contentOffset.isFinite, "\(calls)")
    let framesHold = stage.timeline.frames.allSatisfy { frame in
      frame.poses.count == 2 && frame.pose("s0/0")?.isFinite == true
        && frame.pose("s0/1")?.isFinite == true
        && (frame.state.progress == nil) == (frame.state.phase == .idle)
    }
    #expect(framesHold, "\(calls)")
    let last = stage.lastFrame
    let rest = view.collectionViewLayout.layoutAttributesForAllElements().map(\.pose)
    #expect(["s0/0", "s0/1"].map { last.pose($0) } == rest, "\(calls)")
  }
}
