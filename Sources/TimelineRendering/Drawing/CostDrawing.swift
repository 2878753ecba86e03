import TimelineModel

/// The costs of every value of a number, as an SVG: steps, the region that is about as good as the best, the value
/// that is best and the one in use.
///
/// Deterministic: the same costs give the same bytes. Numbers that are not finite are left out.
package struct CostDrawing: Sendable, Hashable {
  /// A stretch of values with one cost.
  struct Step: Hashable {
    var low: Double
    var high: Double
    var cost: Double
  }

  /// The number's name.
  package let number: String
  let steps: [Step]
  let region: ClosedRange<Double>
  let nearCost: Double
  let best: Double?
  let current: Double?

  private static let width = 860.0
  private static let height = 300.0
  private static let left = 64.0
  private static let right = 16.0
  private static let top = 56.0
  private static let bottom = 48.0

  /// Makes a drawing.
  ///
  /// - Parameters:
  ///   - number: The number's name.
  ///   - steps: Stretches of values and their costs, rising.
  ///   - region: From the smallest to the largest value that is about as good as the best.
  ///   - nearCost: The cost up to which a value is.
  ///   - best: The best value.
  ///   - current: The value in use.
  package init(
    number: String, steps: [(low: Double, high: Double, cost: Double)],
    region: ClosedRange<Double>, nearCost: Double, best: Double?, current: Double?
  ) {
    self.number = number
    self.steps = steps.filter { $0.low.isFinite && $0.high.isFinite && $0.cost.isFinite }
      .map { Step(low: $0.low, high: $0.high, cost: $0.cost) }
    (self.region, self.nearCost) = (region, nearCost)
    (self.best, self.current) = (best, current)
  }

  package var svg: String {
    let title = "Cost over \(number)"
    var svg = SVGText.opening(
      width: CostDrawing.width, height: CostDrawing.height, title: title, style: CostDrawing.style)
    svg += "<text x=\"\(px(CostDrawing.left))\" y=\"18\" class=\"title\">\(xml(title))</text>\n"
    svg += legend
    let values = CurveDrawing.range(steps.flatMap { [$0.low, $0.high] }, orAround: 0)
    let plot = PlotFrame(
      x: CostDrawing.left, y: CostDrawing.top,
      width: CostDrawing.width - CostDrawing.left - CostDrawing.right,
      height: CostDrawing.height - CostDrawing.top - CostDrawing.bottom, times: values,
      values: 0...max(1, (steps.map(\.cost).max() ?? 1) * 1.05))
    svg += plot.axes(about: 10, 5)
    svg += "<text class=\"faint middle\" x=\"\(px(plot.x + plot.width / 2))\" "
    svg += "y=\"\(px(plot.y + plot.height + 36))\">\(xml(number))</text>\n"
    let (from, to) = (plot.x(region.lowerBound), plot.x(region.upperBound))
    svg += "<rect class=\"region\" x=\"\(px(from - 1))\" y=\"\(px(plot.y))\" "
    svg += "width=\"\(px(to - from + 2))\" height=\"\(px(plot.height))\"/>\n"
    if plot.values.contains(nearCost) {
      let y = px(plot.y(nearCost))
      svg += "<path class=\"near\" d=\"M\(px(plot.x)) \(y)h\(px(plot.width))\"/>\n"
    }
    for (value, style) in [(current, "current"), (best, "best")] {
      guard let value, value.isFinite, plot.times.contains(value) else { continue }
      svg += "<path class=\"\(style)\" d=\"M\(px(plot.x(value))) \(px(plot.y))v"
      svg += "\(px(plot.height))\"><title>\(style) \(exact(value))</title></path>\n"
    }
    return svg + path(plot) + "</svg>\n"
  }

  private static let style =
    SVGText.sharedStyle + """
      .cost { fill: none; stroke: #0072b2; stroke-width: 1.8; }
      .dot { fill: #0072b2; }
      .region { fill: #0072b2; fill-opacity: 0.13; }
      .near { stroke: #888; stroke-width: 1; stroke-dasharray: 2 3; fill: none; }
      .best { stroke: #222; stroke-width: 2; fill: none; }
      .current { stroke: #d55e00; stroke-width: 2; stroke-dasharray: 6 4; fill: none; }
      @media (prefers-color-scheme: dark) {
        .cost { stroke: #56b4e9; }
        .dot, .region { fill: #56b4e9; }
        .best { stroke: #eee; }
        .current { stroke: #e69f00; }
      }

      """

  private var legend: String {
    var svg = ""
    var position = CostDrawing.left
    func add(_ sign: String, _ name: String) {
      svg += sign + "<text x=\"\(px(position + 28))\" y=\"40\">\(xml(name))</text>\n"
      position += 48 + Double(DisplayText.width(of: name)) * 7
    }
    add("<path class=\"cost\" d=\"M\(px(position)) 36h22\"/>", "cost")
    add(
      "<rect class=\"region\" x=\"\(px(position))\" y=\"30\" width=\"22\" height=\"12\"/>",
      "about as good: " + NumberText.cell(region.lowerBound) + " to "
        + NumberText.cell(region.upperBound))
    if let best {
      add(
        "<path class=\"best\" d=\"M\(px(position)) 36h22\"/>", "best: " + NumberText.cell(best))
    }
    if let current {
      add(
        "<path class=\"current\" d=\"M\(px(position)) 36h22\"/>",
        "in use: " + NumberText.cell(current))
    }
    return svg
  }

  /// The cost as steps, or as dots where single values were tried.
  private func path(_ plot: PlotFrame) -> String {
    guard steps.contains(where: { $0.low < $0.high }) else {
      return steps.map {
        "<circle class=\"dot\" cx=\"\(px(plot.x($0.low)))\" cy=\"\(px(plot.y($0.cost)))\" r=\"3\"/>\n"
      }.joined()
    }
    var path = ""
    for step in steps where step.low < step.high {
      path += path.isEmpty ? "M" : "L"
      path += "\(px(plot.x(step.low))) \(px(plot.y(step.cost)))H\(px(plot.x(step.high)))"
    }
    return "<path class=\"cost\" d=\"\(path)\"/>\n"
  }
}
