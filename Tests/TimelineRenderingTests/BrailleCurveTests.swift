import Testing
import TimelineModel
import TimelineRendering

@Suite struct BrailleCurveTests {
  private func line(_ numbers: [(Double, Double)]) -> BrailleCurve.Curve {
    .init(name: "a", points: numbers.map { Point2D(x: $0.0, y: $0.1) })
  }

  @Test func `a straight rise is drawn from corner to corner`() {
    #expect(
      BrailleCurve(width: 8, height: 4).text([line([(0, 0), (0.5, 10)])], xUnit: "s", yUnit: "pt")
        == """
        10 pt ┤⠀⠀⠀⠀⠀⠀⡠⠊
              │⠀⠀⠀⠀⡠⠊⠀⠀
         5 pt ┤⠀⠀⡠⠊⠀⠀⠀⠀
         0 pt ┤⡠⠊⠀⠀⠀⠀⠀⠀
              └┬───────
               0 s

        """)
  }

  @Test func `axes have round numbers, and a release and a threshold are marked`() {
    let curve = line([(0.003, -0.0007), (0.4, 0.8), (1.07, 1.006)])
    let marks = BrailleCurve.Marks(
      releases: [0.4, 9], borders: [.init(key: "a", value: 0.5, name: "threshold")])
    let lines = BrailleCurve(width: 40, height: 5).text([curve], xUnit: "s", marks: marks)
      .split(separator: "\n").map(String.init)
    #expect(lines[0] == "┊ release 0.4 s   ┄ threshold 0.5")
    #expect(
      lines.dropFirst().prefix(5).map { $0.prefix(4) } == ["  1 ", "    ", "0.5 ", "    ", "  0 "])
    #expect(lines[3].contains("┄┄┄┄"))
    #expect(lines.dropFirst().prefix(5).allSatisfy { $0.contains("┊") || !$0.contains("┄") })
    #expect(lines[6].contains("▲"))
    #expect(lines[6].filter { $0 == "┬" }.count == 2)
    #expect(lines[7].split(separator: " ") == ["0.5", "s", "1", "s"])
    // A level beyond the curve is part of the picture.
    let low = BrailleCurve(width: 40, height: 5).text(
      [line([(0, 0), (1, 0.1)])], marks: .init(borders: marks.borders))
    #expect(low.contains("0.5 ┤"))
    #expect(low.contains("┄┄┄┄"))
  }

  @Test func `two curves share the axes, the second is dashed and both are named`() {
    let text = BrailleCurve(width: 8, height: 2).text([
      .init(name: "up", points: [Point2D(x: 0, y: 0), Point2D(x: 1, y: 1)]),
      .init(name: "down\u{1b}", points: [Point2D(x: 0, y: 1), Point2D(x: 1, y: -1)]),
    ])
    let lines = text.split(separator: "\n")
    #expect(lines[0] == "⠒⠒ up   ⠂⠂ down␛")
    #expect(lines[1].hasPrefix(" 1 ┤"))
    #expect(lines[2].hasPrefix("-1 ┤"))
    let level = BrailleCurve.Curve(name: "b", points: [Point2D(x: 0, y: 0), Point2D(x: 1, y: 0)])
    let dashed = BrailleCurve(width: 6, height: 1).text([line([(0, 0)]), level])
    #expect(dashed.contains("┤⠤⠄⠀⠤⠄⠀\n"))
  }

  @Test func `a flat curve lies in the middle and a single point is a dot`() {
    #expect(
      BrailleCurve(width: 2, height: 1).text([line([(0, 3), (1, 3)])]).hasPrefix("3 ┤⠤⠤\n"))
    #expect(BrailleCurve(width: 1, height: 1).text([line([(5, 5)])]).hasPrefix("5 ┤⠠\n"))
  }

  @Test func `no points and numbers that are not finite are no trouble`() {
    let plot = BrailleCurve(width: 4, height: 2)
    #expect(plot.text([]) == "no points\n")
    #expect(plot.text([line([(.nan, 1), (1, .infinity)])]) == "no points\n")
    let huge = Double.greatestFiniteMagnitude
    #expect(plot.text([line([(-huge, -huge), (huge, huge)])]).contains("┤"))
    #expect(plot.text([line([(0, 0), (.nan, 0), (1, 1)])]) == plot.text([line([(0, 0), (1, 1)])]))
  }

  @Test func `absurd sizes are held`() {
    #expect(BrailleCurve(width: -5, height: 0).width == 1)
    #expect(BrailleCurve(width: .max, height: .max).height == 1000)
  }
}
