import TimelineModel
import TransitionEngine

/// The cost of a batch update for each item that is shown, and its animation for each element of each frame.
let batchBenchmarks: [Benchmark] =
  [1_000, 10_000].map(updates)
  + [
    Benchmark(
      name: "batch-frames-10000", group: "batch-frames", unit: "item-frame",
      bars: [.nanoseconds(40), .instructions(500)],
      summary: "a batch update of 10000 items is animated, frame by frame"
    ) {
      let sink = DroppingSink()
      let stage = try BatchStage(items: 10_000, sink: sink)
      return Benchmark.Work { units in
        let start = sink.poses
        while sink.poses - start < units {
          if !stage.view.isMovingByItself { try stage.update(seconds: 100) }
          stage.clock.advanceToNextFrame()
        }
        return sink.poses - start
      }
    }
  ]

/// Batch updates one after the other, half as many operations as items: the checks, the pairing of what is on
/// the screen before and after, and the events. Without a duration none of them is animated.
private func updates(of items: Int) -> Benchmark {
  Benchmark(
    name: "batch-\(items)", group: "batch", unit: "item",
    bars: [.nanoseconds(800), .instructions(12_000)],
    summary: "a batch update of \(items) visible items by \(items / 2) operations"
  ) {
    let stage = try BatchStage(items: items, sink: DroppingSink())
    return Benchmark.Work { units in
      var done = 0
      while done < units {
        try stage.update(seconds: 0)
        done += items
      }
      return done
    }
  }
}

/// A view whose items are all visible, and two states of its data. In each eight items one is replaced by
/// another, one moves and one is reloaded.
private final class BatchStage {
  let clock: DisplayClock
  let view: CollectionView
  private let states: [CollectionData]
  private let operations: [[UpdateOperation]]
  private var state = 0

  init(items: Int, sink: any TimelineSink) throws {
    let groups = 0..<items / 8
    let first = groups.flatMap { group in (0..<8).map { "item \(8 * group + $0)" } }
    let second = groups.flatMap { group in
      ["other \(group)"] + [1, 2, 3, 4, 6, 7, 5].map { "item \(8 * group + $0)" }
    }
    states = [first, second].map { CollectionData(sections: [.init(id: "s", items: $0)]) }
    operations = [(5, 7), (7, 5)].map { from, to in
      groups.flatMap { group -> [UpdateOperation] in
        func path(_ item: Int) -> ItemIndexPath {
          ItemIndexPath(section: 0, item: 8 * group + item)
        }
        return [
          .deleteItem(path(0)), .insertItem(path(0)), .moveItem(from: path(from), to: path(to)),
          .reloadItem(path(3)),
        ]
      }
    }
    var parameters = FlowLayoutParameters()
    let side = 25 * (200 / Double(items)).squareRoot()
    parameters.itemSize = Size2D(width: side, height: side)
    parameters.minimumLineSpacing = 0
    parameters.minimumInteritemSpacing = 0
    clock = try DisplayClock(refreshRate: TransitionStage.refreshRate)
    view = CollectionView(
      viewport: Size2D(width: 1_000, height: 1_000), data: states[0],
      layout: FlowLayout(parameters: parameters), clock: clock, sink: sink)
  }

  /// Goes to the other state.
  func update(seconds: Double) throws {
    let number = state
    state = 1 - state
    try view.performBatchUpdates(duration: seconds) {
      try? view.update(operations[number])
      view.data = states[state]
    }
  }
}
