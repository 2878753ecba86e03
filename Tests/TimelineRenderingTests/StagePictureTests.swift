import Testing
import TimelineModel

@testable import TimelineRendering

extension StagePicture {
  /// The stage with an edge round it, as a terminal shows it, at most 400 characters each way.
  fileprivate func text(width: Int) -> String {
    let columns = max(1, min(400, width))
    let exactRows = Double(columns) * viewport.height / viewport.width / 2
    let rows = Int(max(1, min(400, exactRows.rounded())))
    let edge = String(repeating: "─", count: columns)
    return "╭\(edge)╮\n"
      + lines(columns: columns, rows: rows).map { "│\($0)│\n" }.joined() + "╰\(edge)╯\n"
  }
}

@Suite struct StagePictureTests {
  private func item(
    _ name: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double,
    alpha: Double = 1, zIndex: Int = 0
  ) -> StagePicture.Item {
    .init(
      name: name, frame: Rect2D(x: x, y: y, width: width, height: height), alpha: alpha,
      zIndex: zIndex)
  }

  @Test func `rectangles have outlines, names and shades, the nearer one on top`() {
    let stage = StagePicture(
      viewport: Size2D(width: 160, height: 160),
      items: [
        item("plum", 60, 40, 80, 80, alpha: 0.2, zIndex: 1), item("apple", 0, 0, 80, 80),
        item("pear", 80, 0, 80, 80, alpha: 0.5), item("nut", 150, 140, 50, 50, alpha: 0.7),
      ])
    #expect(
      stage.text(width: 16) == """
        ╭────────────────╮
        │┌──────┐┌──────┐│
        ││apple█││pear▒▒││
        ││█████┌──────┐▒││
        │└─────│plum░░│─┘│
        │      │░░░░░░│  │
        │      └──────┘  │
        │                │
        │               ┌│
        ╰────────────────╯

        """)
  }

  @Test func `neighbours share no cell`() {
    let stage = StagePicture(
      viewport: Size2D(width: 60, height: 40),
      items: (0..<3).map { item("\($0)", Double($0) * 20, 0, 20, 40) })
    #expect(
      stage.text(width: 9) == """
        ╭─────────╮
        │┌─┐┌─┐┌─┐│
        ││0││1││2││
        │└─┘└─┘└─┘│
        ╰─────────╯

        """)
  }

  @Test func `what cannot be seen is not drawn`() {
    let stage = StagePicture(
      viewport: Size2D(width: 40, height: 20),
      items: [
        item("clear", 0, 0, 40, 20, alpha: 0), item("off", 40, 0, 10, 10),
        item("none", 5, 5, 0, 0), item("nan", .nan, 0, 10, 10),
        item("wrong", 0, 0, 40, 20, alpha: .nan),
      ])
    #expect(stage.text(width: 4) == "╭────╮\n│    │\n╰────╯\n")
  }

  @Test func `tiny items still take a cell and huge ones do not hang`() {
    let huge = Double.greatestFiniteMagnitude
    let tiny = StagePicture(
      viewport: Size2D(width: 100, height: 50), items: [item("dot", 50, 25, 0.001, 0.001)])
    #expect(tiny.text(width: 3).contains("█"))
    let all = StagePicture(
      viewport: Size2D(width: 100, height: 50),
      items: [item("all", -huge / 2, -huge / 2, huge, huge)]
    )
    #expect(all.text(width: 6).contains("│all"))
    #expect(
      StagePicture(viewport: Size2D(width: 5e-300, height: huge), items: [item("x", 0, 0, 1, 1)])
        .text(width: .max).count > 400)
  }

  @Test func `names cannot command the terminal`() {
    let stage = StagePicture(
      viewport: Size2D(width: 100, height: 50), items: [item("\u{1b}[2J", 0, 0, 100, 50)])
    #expect(!stage.text(width: 20).contains("\u{1b}"))
  }
}
