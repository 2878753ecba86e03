import TimelineModel
import TransitionEngine

/// How the flow layout grows with the number of items.
let flowBenchmarks: [Benchmark] =
  itemCounts.map { query("flow-uniform", $0, varied: false) }
  + itemCounts.map { query("flow-varied", $0, varied: true) }
  + itemCounts.map { preparation("prepare-uniform", $0, varied: false) }
  + itemCounts.map { preparation("prepare-varied", $0, varied: true) }

private let itemCounts = [10_000, 1_000_000]

/// A phone's screen.
private let viewport = Size2D(width: 320, height: 480)

private func query(_ group: String, _ count: Int, varied: Bool) -> Benchmark {
  Benchmark(
    name: "\(group)-\(count)", group: group, unit: "query",
    summary: "elements of a screen in the middle of \(count) \(varied ? "varied" : "uniform") items"
  ) {
    let layout = flow(count, varied: varied)
    layout.prepare(in: LayoutContext(viewport: viewport, itemCounts: [count]))
    // At a whole number of rows, so that as many items are visible whatever the count.
    let middle = (layout.contentSize.height / 2 / 60).rounded(.down) * 60
    let screen = Rect2D(origin: Point2D(x: 0, y: middle), size: viewport)
    return Benchmark.Work { units in
      var found = 0
      for _ in 0..<units { found += layout.layoutAttributesForElements(in: screen).count }
      return found > 0 ? units : 0
    }
  }
}

private func preparation(_ group: String, _ count: Int, varied: Bool) -> Benchmark {
  Benchmark(
    name: "\(group)-\(count)", group: group, unit: "prepare",
    summary: "prepare for \(count) \(varied ? "varied" : "uniform") items"
  ) {
    let layout = flow(count, varied: varied)
    let context = LayoutContext(viewport: viewport, itemCounts: [count])
    return .each { _ in layout.prepare(in: context) }
  }
}

/// Items of 50 points, five to a row. Varied ones are up to 20 points lower.
private func flow(_ count: Int, varied: Bool) -> FlowLayout {
  var parameters = FlowLayoutParameters()
  if varied {
    parameters.itemSizes = [
      (0..<count).map { Size2D(width: 50, height: $0 % 5 == 0 ? 50 : Double(30 + $0 % 21)) }
    ]
  }
  return FlowLayout(parameters: parameters)
}
