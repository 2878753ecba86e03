package import TimelineModel

/// Draws curves as text: every character holds 2 × 4 dots of Unicode's braille patterns (U+2800 on).
///
/// Deterministic: the same points give the same text. Numbers that are not finite are left out.
package struct BrailleCurve: Sendable, Hashable {
  /// One curve: a name for the legend and points in the order in which they are joined.
  package struct Curve: Sendable, Hashable {
    /// The text of the legend.
    package var name: String
    /// The points. Joined in this order.
    package var points: [Point2D]
    /// Whether it is dashed. `nil`: where it is not the first.
    package var isDashed: Bool?

    /// Makes a curve. One without a name is not in the legend.
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

  /// Makes a plot of a size in characters. Each way it is held between 1 and 1000.
  package init(width: Int = 60, height: Int = 12) {
    self.width = max(1, min(BrailleCurve.largestExtent, width))
    self.height = max(1, min(BrailleCurve.largestExtent, height))
  }

  /// The texts of a plot beside its curves.
  package struct Marks: Sendable, Hashable {
    /// Where releases are, on the horizontal axis.
    package var releases: [Double]
    /// Levels that parted finish from cancel, with their names.
    package var borders: [ReleaseBorder]

    package init(releases: [Double] = [], borders: [ReleaseBorder] = []) {
      self.releases = releases
      self.borders = borders
    }
  }

  /// Draws one or more curves over common axes with round numbers. The second and later ones are dashed. A legend
  /// has the names where there is more than one curve, and what the marks are.
  ///
  /// - Parameters:
  ///   - curves: The curves.
  ///   - xUnit: Set after the labels of the horizontal axis ("s").
  ///   - yUnit: Set after the labels of the vertical axis ("pt").
  ///   - marks: Releases and borders. Those outside of the plot are left out.
  package func text(
    _ curves: [Curve], xUnit: String = "", yUnit: String = "", marks: Marks = Marks()
  ) -> String {
    let kept = curves.map { curve in
      Curve(
        name: curve.name, points: curve.points.filter(\.isFinite), isDashed: curve.isDashed)
    }
    let all = kept.flatMap(\.points)
    let borders = marks.borders.filter(\.value.isFinite)
    guard let xs = range(of: all.map(\.x)),
      let ys = range(of: all.map(\.y) + borders.map(\.value))
    else {
      return "no points\n"
    }
    let count = max(2, height / BrailleCurve.tickLines)
    // One mark alone does not say how long the axis is.
    let marked =
      [count, 2 * count].lazy.map { AxisTicks.values(in: ys, about: $0) }.first { $0.count > 1 }
      ?? []
    var dots = DotGrid(width: width, height: height)
    for (index, curve) in kept.enumerated() {
      dots.draw(
        curve.points.map { Point2D(x: share(of: $0.x, in: xs), y: 1 - share(of: $0.y, in: ys)) },
        isDashed: curve.isDashed ?? (index > 0))
    }
    // Scalars, since to find where characters begin takes longer than to draw.
    var lines = dots.lines
    for border in borders where ys.contains(border.value) {
      let row = line(of: border.value, in: ys)
      for column in 0..<width where lines[row][column] == "\u{2800}" { lines[row][column] = "┄" }
    }
    let shown = marks.releases.filter { xs.contains($0) }
    let releases = shown.map { column(of: $0, in: xs) }
    for column in releases {
      for row in lines.indices where ["\u{2800}", "┄"].contains(lines[row][column]) {
        lines[row][column] = "┊"
      }
    }
    return legend(kept, borders, shown, xUnit)
      + labelled(lines, xs, ys, marked, releases, xUnit, yUnit)
  }

  /// Lines from one label of the vertical axis to the next, about.
  private static let tickLines = 3
  /// Characters from one label of the horizontal axis to the next, about.
  private static let tickColumns = 12

  private func line(of value: Double, in ys: ClosedRange<Double>) -> Int {
    Int(((1 - share(of: value, in: ys)) * Double(height * 4 - 1)).rounded()) / 4
  }

  private func column(of value: Double, in xs: ClosedRange<Double>) -> Int {
    Int((share(of: value, in: xs) * Double(width * 2 - 1)).rounded()) / 2
  }

  private func label(_ value: Double, _ unit: String) -> String {
    NumberText.cell(value) + (unit.isEmpty ? "" : " " + DisplayText.harmless(unit))
  }

  private func legend(
    _ curves: [Curve], _ borders: [ReleaseBorder], _ releases: [Double], _ xUnit: String
  ) -> String {
    var entries: [String] = []
    if curves.count > 1 {
      entries = curves.enumerated().filter { $0.offset == 0 || !$0.element.name.isEmpty }.map {
        index, curve in
        (curve.isDashed ?? (index > 0) ? "⠂⠂ " : "⠒⠒ ") + DisplayText.harmless(curve.name)
      }
    }
    if let first = releases.first {
      entries.append("┊ release" + (releases.count == 1 ? " " + label(first, xUnit) : "s"))
    }
    var labels: [String] = []
    for border in borders where !labels.contains(border.label) { labels.append(border.label) }
    entries += labels.map { "┄ " + DisplayText.harmless($0) }
    return entries.isEmpty ? "" : entries.joined(separator: "   ") + "\n"
  }

  private func labelled(
    _ lines: [[Unicode.Scalar]], _ xs: ClosedRange<Double>, _ ys: ClosedRange<Double>,
    _ marked: [Double],
    _ releases: [Int], _ xUnit: String, _ yUnit: String
  ) -> String {
    var labels = Array(repeating: "", count: lines.count)
    if marked.isEmpty {
      labels[lines.count - 1] = label(ys.lowerBound, yUnit)
      labels[0] = label(ys.upperBound, yUnit)
    }
    for value in marked.prefix(1) + marked.reversed() where labels[line(of: value, in: ys)].isEmpty
    {
      labels[line(of: value, in: ys)] = label(value, yUnit)
    }
    let margin = labels.map { DisplayText.width(of: $0) }.max() ?? 0
    var text: [UInt8] = []
    for (label, line) in zip(labels, lines) {
      let blanks = String(repeating: " ", count: margin - DisplayText.width(of: label))
      text += (blanks + label + (label.isEmpty ? " │" : " ┤")).utf8
      text.append(drawn: line)
      text += "\n".utf8
    }
    let marks = AxisTicks.values(in: xs, about: max(1, width / BrailleCurve.tickColumns))
    var axis = Array(repeating: "─" as Unicode.Scalar, count: width)
    var below = ""
    for value in marks.isEmpty ? [xs.lowerBound] : marks {
      let label = self.label(value, xUnit)
      let position = column(of: value, in: xs)
      // In the middle below its mark, and not outside of the plot where there is room inside.
      let start = max(
        0, min(position - DisplayText.width(of: label) / 2, width - DisplayText.width(of: label)))
      let used = DisplayText.width(of: below)
      guard used == 0 || start > used else { continue }
      axis[position] = "┬"
      below += String(repeating: " ", count: max(0, start - used)) + label
    }
    for position in releases { axis[position] = "▲" }
    let indent = String(repeating: " ", count: margin + 1)
    text += (indent + "└").utf8
    text.append(drawn: axis)
    text += ("\n" + indent + " " + below + "\n").utf8
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends characters of lines and dots, each of which has three bytes.
  fileprivate mutating func append(drawn line: [Unicode.Scalar]) {
    for scalar in line {
      let value = scalar.value
      append(0xe0 | UInt8(truncatingIfNeeded: value >> 12))
      append(0x80 | UInt8(truncatingIfNeeded: value >> 6 & 0x3f))
      append(0x80 | UInt8(truncatingIfNeeded: value & 0x3f))
    }
  }
}

private func range(of numbers: [Double]) -> ClosedRange<Double>? {
  guard let lower = numbers.min(), let upper = numbers.max() else { return nil }
  return lower...upper
}
