import TimelineModel

/// Where a plot lies on the paper, and what its axes span.
struct PlotFrame {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
  var times: ClosedRange<Double>
  var values: ClosedRange<Double>

  /// The place of a time.
  func x(_ time: Double) -> Double { x + share(time, in: times) * width }

  /// The place of a value; larger is higher.
  func y(_ value: Double) -> Double { y + (1 - share(value, in: values)) * height }

  /// The points as the commands of a path; empty without a finite one. A lone point becomes a dash that
  /// can be seen.
  func path(_ points: [Point]) -> String {
    var path = ""
    var count = 0
    for point in points where point.isFinite {
      path += path.isEmpty ? "M" : "L"
      path += SVGText.length(x(point.x)) + " " + SVGText.length(y(point.y))
      count += 1
    }
    return count == 1 ? path + "h1" : path
  }

  /// Halves, so that the difference of opposite large numbers does not overflow.
  private func share(_ number: Double, in range: ClosedRange<Double>) -> Double {
    let extent = range.upperBound / 2 - range.lowerBound / 2
    guard extent > 0 else { return 0.5 }
    return max(0, min(1, (number / 2 - range.lowerBound / 2) / extent))
  }
}
