package import TimelineModel

/// Draws curves as text: every character holds 2 × 4 dots of Unicode's braille patterns (U+2800 on).
///
/// Deterministic: the same points give the same text. What is not finite is left out.
package struct BrailleCurve: Sendable, Hashable {
  /// One curve: a name for the legend and points in the order in which they are joined.
  package struct Curve: Sendable, Hashable {
    /// What the legend says.
    package var name: String
    /// The points; joined in this order.
    package var points: [Point2D]
    /// Whether it is dashed; nil: where it is not the first.
    package var isDashed: Bool?

    /// Makes a curve; one without a name is not in the legend.
    package init(name: String, points: [Point2D], isDashed: Bool? = nil) {
      self.name = name
      self.points = points
      self.isDashed = isDashed
    }
  }

  /// Characters across the plot, without the labels.
  package let width: Int
  /// Lines of the plot, without the labels.
  package let height: Int

  /// The most characters each way: beyond any terminal, small enough for memory.
  private static let largestExtent = 1000

  /// Makes a plot of a size in characters; each way it is held between 1 and 1000.
  package init(width: Int = 60, height: Int = 12) {
    self.width = max(1, min(BrailleCurve.largestExtent, width))
    self.height = max(1, min(BrailleCurve.largestExtent, height))
  }

  /// Draws one or more curves over common axes; the second and later ones are dashed. Labels give the
  /// range of the axes, and a legend the names where there is more than one curve.
  ///
  /// - Parameters:
  ///   - curves: What to draw.
  ///   - xUnit: Set behind the labels of the horizontal axis ("s").
  ///   - yUnit: Set behind the labels of the vertical axis ("pt").
  package func text(_ curves: [Curve], xUnit: String = "", yUnit: String = "") -> String {
    let kept = curves.map { curve in
      Curve(
        name: curve.name, points: curve.points.filter(\.isFinite), isDashed: curve.isDashed)
    }
    let all = kept.flatMap(\.points)
    guard let xs = range(of: all.map(\.x)), let ys = range(of: all.map(\.y)) else {
      return "no points\n"
    }
    var dots = DotGrid(width: width, height: height)
    for (index, curve) in kept.enumerated() {
      dots.draw(
        curve.points.map { Point2D(x: share(of: $0.x, in: xs), y: 1 - share(of: $0.y, in: ys)) },
        isDashed: curve.isDashed ?? (index > 0))
    }
    return legend(kept) + labelled(dots.lines, xs, ys, xUnit, yUnit)
  }

  private func legend(_ curves: [Curve]) -> String {
    guard curves.count > 1 else { return "" }
    return curves.enumerated().filter { $0.offset == 0 || !$0.element.name.isEmpty }.map {
      index, curve in
      (curve.isDashed ?? (index > 0) ? "⠂⠂ " : "⠒⠒ ") + DisplayText.harmless(curve.name)
    }.joined(separator: "   ") + "\n"
  }

  private func labelled(
    _ lines: [String], _ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>, _ xUnit: String,
    _ yUnit: String
  ) -> String {
    func label(_ value: Double, _ unit: String) -> String {
      DisplayText.number(value) + (unit.isEmpty ? "" : " " + DisplayText.harmless(unit))
    }
    let top = label(ys.upperBound, yUnit)
    let bottom = label(ys.lowerBound, yUnit)
    let margin = max(DisplayText.width(of: top), DisplayText.width(of: bottom))
    var text = ""
    for (index, line) in lines.enumerated() {
      let mark = index == 0 ? top : index == lines.count - 1 ? bottom : ""
      let blanks = String(repeating: " ", count: margin - DisplayText.width(of: mark))
      text += blanks + mark + (mark.isEmpty ? " │" : " ┤") + line + "\n"
    }
    let left = label(xs.lowerBound, xUnit)
    let right = label(xs.upperBound, xUnit)
    let gap = max(1, width - DisplayText.width(of: left) - DisplayText.width(of: right))
    let indent = String(repeating: " ", count: margin + 1)
    text += indent + "└" + String(repeating: "─", count: width) + "\n"
    text += indent + " " + left + String(repeating: " ", count: gap) + right + "\n"
    return text
  }
}

private func range(of numbers: [Double]) -> ClosedRange<Double>? {
  guard let lower = numbers.min(), let upper = numbers.max() else { return nil }
  return lower...upper
}
