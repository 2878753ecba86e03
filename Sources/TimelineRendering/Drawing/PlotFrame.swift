import KymographCLibrary
import TimelineModel

/// Where a plot lies on the paper, and the ranges of its axes.
struct PlotFrame {
  var x: Double
  var y: Double
  var width: Double
  var height: Double
  var times: ClosedRange<Double>
  var values: ClosedRange<Double>

  func x(_ time: Double) -> Double { x + share(of: time, in: times) * width }

  /// The place of a value. Larger is higher.
  func y(_ value: Double) -> Double { y + (1 - share(of: value, in: values)) * height }

  /// The points as the commands of a path. Empty without a finite one. A lone point becomes a dash that
  /// can be seen.
  func path(_ points: [Point2D]) -> String {
    var path = ""
    var count = 0
    for point in points where point.isFinite {
      path += path.isEmpty ? "M" : "L"
      path += px(x(point.x)) + " " + px(y(point.y))
      count += 1
    }
    return count == 1 ? path + "h1" : path
  }

  /// The marks of both axes with their lines and numbers, and the frame around them.
  ///
  /// - Parameters:
  ///   - times: About how many marks the axis of times has.
  ///   - values: About how many the other one has.
  ///   - timeUnit: The text behind each time.
  func axes(about times: Int, _ values: Int, timeUnit: String = "") -> String {
    var svg = ""
    let (left, right, bottom) = (px(x), px(x + width), y + height)
    for time in AxisTicks.values(in: self.times, about: times) {
      let x = px(x(time))
      svg += "<path class=\"rule\" d=\"M\(x) \(px(y))V\(px(bottom))\"/>"
      svg += "<text class=\"faint middle\" x=\"\(x)\" y=\"\(px(bottom + 16))\">"
      svg += NumberText.cell(time) + timeUnit + "</text>\n"
    }
    for value in AxisTicks.values(in: self.values, about: values) {
      let y = y(value)
      svg += "<path class=\"rule\" d=\"M\(left) \(px(y))H\(right)\"/>"
      svg += "<text class=\"faint end\" x=\"\(px(x - 6))\" "
      svg += "y=\"\(px(y + 4))\">\(NumberText.cell(value))</text>\n"
    }
    svg += "<rect class=\"edge\" x=\"\(left)\" y=\"\(px(y))\" "
    return svg + "width=\"\(px(width))\" height=\"\(px(height))\"/>\n"
  }
}

/// The marks of an axis: round numbers between two ends.
enum AxisTicks {
  /// Numbers that are multiples of 1, 2 or 5 times a power of ten.
  ///
  /// - Parameters:
  ///   - range: The ends of the axis.
  ///   - count: About how many are wanted, at least 1.
  /// - Returns: The marks, rising. None for an axis without extent, or one that cannot be divided.
  static func values(in range: ClosedRange<Double>, about count: Int) -> [Double] {
    guard let step = step(in: range, about: count) else { return [] }
    return values(
      (range.lowerBound / step).rounded(.up), (range.upperBound / step).rounded(.down), step)
  }

  private static func step(in range: ClosedRange<Double>, about count: Int) -> Double? {
    let extent = range.upperBound - range.lowerBound
    guard extent > 0, extent.isFinite else { return nil }
    let rough = extent / Double(max(1, count))
    guard rough > 0, let power = Double("1e\(Int(floor(log10(rough))))"), power > 0 else {
      return nil
    }
    return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.98 } ?? rough
  }

  private static func values(_ first: Double, _ last: Double, _ step: Double) -> [Double] {
    // Whole numbers beyond this cannot be told apart.
    guard step > 0, step.isFinite, abs(first) < 1e15, abs(last) < 1e15, last - first < 1000 else {
      return []
    }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }
}

/// Where a number lies between two ends: 0 at the lower one, 1 at the upper one, half where both are one.
func share(of number: Double, in range: ClosedRange<Double>) -> Double {
  // Halves, so that the difference of opposite large numbers does not overflow.
  let extent = range.upperBound / 2 - range.lowerBound / 2
  guard extent > 0 else { return 0.5 }
  return max(0, min(1, (number / 2 - range.lowerBound / 2) / extent))
}
