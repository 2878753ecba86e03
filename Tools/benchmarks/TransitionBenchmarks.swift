import TimelineModel
import TransitionEngine

/// What the engine needs for each element of each frame, into a sink that drops them.
let transitionBenchmarks: [Benchmark] =
  [200, 10_000].map { frames(of: $0) }
  + [frames(of: 200, by: .hook), frames(of: 200, by: .subclass)]
  + [200, 10_000].map(wholeTransitions) + [200, 10_000].map(rest)

/// Frames of one transition that goes back and forth under a finger: the steady state.
///
/// - Parameter changed: Who may change what the stock transition layout shows.
private func frames(of items: Int, by changed: Change = .nobody) -> Benchmark {
  Benchmark(
    name: "frames-\(changed.rawValue)\(items)", group: "frames", unit: "item-frame",
    summary: "a transition of \(items) items is driven, frame by frame\(changed.summary)"
  ) {
    let sink = DroppingSink()
    let stage = try TransitionStage(items: items, sink: sink)
    let maker = OwnTransitionMaker()
    if changed == .subclass { stage.view.delegate = maker }
    let transition = try withExtendedLifetime(maker) { try stage.start() }
    if changed == .hook { transition.updateLayoutAttributes = { mixed, _, _, _ in mixed } }
    stage.drive(transition, to: 0)
    var frame = 0
    return Benchmark.Work { units in
      let start = sink.poses
      while sink.poses - start < units {
        frame += 1
        stage.drive(transition, to: Double(frame % 999 + 1) / 1000)
      }
      return sink.poses - start
    }
  }
}

/// Whole transitions one after the other: start, half a second under the finger, settle, installation.
private func wholeTransitions(of items: Int) -> Benchmark {
  Benchmark(
    name: "transition-\(items)", group: "transition", unit: "item-frame",
    summary: "whole interactive transitions of \(items) items"
  ) {
    let sink = DroppingSink()
    let stage = try TransitionStage(items: items, sink: sink)
    return Benchmark.Work { units in
      let start = sink.poses
      while sink.poses - start < units { _ = try stage.runTransition() }
      return sink.poses - start
    }
  }
}

/// Frames in which nothing moves.
private func rest(of items: Int) -> Benchmark {
  Benchmark(
    name: "idle-\(items)", group: "idle", unit: "item-frame",
    summary: "frames of \(items) items that stand still"
  ) {
    let sink = DroppingSink()
    let stage = try TransitionStage(items: items, sink: sink)
    stage.clock.advanceToNextFrame()
    return Benchmark.Work { units in
      let start = sink.poses
      while sink.poses - start < units { stage.clock.advanceToNextFrame() }
      return sink.poses - start
    }
  }
}

/// Who may change what a transition shows, though nobody does.
private enum Change: String {
  case nobody = ""
  case hook = "hook-"
  case subclass = "own-"

  var summary: String {
    switch self {
    case .nobody: ""
    case .hook: ", with a hook"
    case .subclass: ", by a subclass"
    }
  }
}

/// A transition layout that changes nothing, but might.
private final class OwnTransition: TransitionLayout {}

private final class OwnTransitionMaker: CollectionViewDelegate {
  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout? {
    OwnTransition(currentLayout: current, nextLayout: next)
  }
}
