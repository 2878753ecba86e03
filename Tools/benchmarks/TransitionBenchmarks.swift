import TimelineModel
import TransitionEngine

/// The cost of the engine for each element of each frame, into a sink that drops them.
let transitionBenchmarks: [Benchmark] =
  [200, 10_000].map(frames) + [200, 10_000].map(wholeTransitions)

/// The bar of an item-frame.
private let bars = [Bar.nanoseconds(25)]

/// Frames of one transition that goes back and forth under a finger: the steady state.
private func frames(of items: Int) -> Benchmark {
  Benchmark(
    name: "frames-\(items)", group: "frames", unit: "item-frame", bars: bars,
    summary: "a transition of \(items) items is driven, frame by frame"
  ) {
    let sink = DroppingSink()
    let stage = try TransitionStage(items: items, sink: sink)
    let transition = try stage.start()
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
    name: "transition-\(items)", group: "transition", unit: "item-frame", bars: bars,
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
