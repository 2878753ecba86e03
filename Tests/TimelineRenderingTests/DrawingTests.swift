import Testing
import TimelineModel

@testable import TimelineRendering

@Suite struct DrawingTests {
  @Test func `marks of an axis are round numbers between its ends`() {
    #expect(
      AxisTicks.values(in: 0...1, about: 5).map { NumberText.cell($0) } == [
        "0", "0.2", "0.4", "0.6", "0.8", "1",
      ])
    #expect(AxisTicks.values(in: -3...12, about: 4) == [0, 5, 10])
    #expect(
      AxisTicks.values(in: 0.0031...0.0042, about: 3).map { NumberText.cell($0) } == [
        "0.0035", "0.004",
      ])
    for range in [0.0...0, -1e308...1e308, 1e16...(1e16 + 4), 0...Double.leastNonzeroMagnitude] {
      #expect(AxisTicks.values(in: range, about: 5).count <= 10)
    }
    #expect(AxisTicks.values(in: 0...7, about: 0).count <= 2)
  }

  @Test func `text is escaped, and what XML forbids is made visible`() {
    #expect(
      xml("<a href=\"x\">&'\u{1}\u{ffff}")
        == "&lt;a href=&quot;x&quot;&gt;&amp;'␁\u{fffd}")
  }

  @Test func `numbers are short, and never words`() {
    #expect(px(1.23456) == "1.23")
    #expect(px(-0.001) == "0")
    #expect(exact(.nan) == "0")
    #expect(exact(-.infinity) == "0")
    #expect(exact(0.1) == "0.1")
  }

  private func panel(_ points: [Point2D]) -> CurveDrawing.Panel {
    CurveDrawing.Panel(
      name: "k", unit: "pt",
      series: [
        CurveDrawing.Series(
          name: "run", run: 0, stretches: [.init(points: points, isSettling: false)])
      ])
  }

  @Test func `a curve runs from corner to corner of its frame`() {
    let drawing = CurveDrawing(
      title: "t", panels: [panel([Point2D(x: 0, y: 0), Point2D(x: 2, y: 10)])], width: 200,
      panelHeight: 152)
    // 64 pixels to the left, 16 to the right; 44 + 22 above, 30 below.
    #expect(drawing.svg.contains("<path class=\"curve run0\" d=\"M64 166L184 66\"/>"))
  }

  @Test func `what is not finite is left out, and a lone point can be seen`() {
    let svg = CurveDrawing(
      title: "t",
      panels: [
        panel([Point2D(x: .nan, y: 1), Point2D(x: 1, y: .infinity), Point2D(x: 1, y: 5)]),
        panel([]),
      ]
    ).svg
    #expect(svg.contains("h1\"/>"))
    for word in ["nan", "inf"] { #expect(!svg.contains(word)) }
  }

  @Test func `texts of one place stand side by side, and none is lost`() {
    let curve = panel([Point2D(x: 0, y: 0), Point2D(x: 2, y: 1)])
    let svg = CurveDrawing(
      title: "t",
      panels: [
        CurveDrawing.Panel(
          name: "p", unit: "1", series: curve.series,
          borders: [
            .init(key: "p", value: 0.5, name: "A threshold"),
            .init(key: "p", value: 0.51, name: "B threshold"),
          ])
      ],
      markers: [
        .init(seconds: 1.5, label: "A finish, by the rule", isRelease: true),
        .init(seconds: 1, label: "A cancel", isRelease: true),
        .init(seconds: 1, label: "B finish", isRelease: true),
        .init(seconds: 1.5, label: "B finish", isRelease: true),
      ]
    ).svg
    #expect(svg.contains(">A cancel, B finish</text>"))
    #expect(svg.contains(">A finish, B finish</text>"))
    // 860 - 16 - 4, and to the left of 15 letters of 7 pixels and a gap of 10.
    #expect(svg.contains("x=\"840\""))
    #expect(svg.contains(">A threshold 0.5</text>"))
    #expect(svg.contains("x=\"725\""))
    #expect(svg.contains(">B threshold 0.51</text>"))
  }

  @Test func `the ends of what a Double holds overflow nothing`() {
    let huge = Double.greatestFiniteMagnitude
    let svg = CurveDrawing(
      title: "t", panels: [panel([Point2D(x: -huge, y: huge), Point2D(x: huge, y: -huge)])],
      markers: [.init(seconds: 0, label: "m", isRelease: true)]
    ).svg
    for word in ["nan", "inf"] { #expect(!svg.contains(word)) }
  }

  private func picture(_ pose: Pose) -> String {
    Filmstrip(
      title: "t",
      pictures: [
        .init(
          seconds: 0.25, words: "driving", viewport: Size2D(width: 100, height: 50),
          items: [.init(name: "<i>", pose: pose, fill: "#e69f00")], touches: [Point2D(x: 5, y: 6)])
      ], releases: [0.5, 9], times: 0...1
    ).svg
  }

  @Test func `a transform becomes a matrix about the center`() {
    var pose = Pose(frame: Rect2D(x: 10, y: 20, width: 40, height: 10))
    pose.transform = .flat(Transform2D(a: 0, b: 1, c: -1, d: 0, tx: 3, ty: 4))
    pose.alpha = 0.5
    let svg = picture(pose)
    #expect(svg.contains("width=\"40\" height=\"10\" transform=\"matrix(0 1 -1 0 33 29)\""))
    #expect(svg.contains("<g opacity=\"0.5\">"))
    #expect(svg.contains("&lt;i&gt;"))
    #expect(svg.contains("<circle class=\"touch\" cx=\"5\" cy=\"6\""))
    // One release lies on the time line, the other beyond it.
    #expect(svg.split(separator: "<path class=\"release\"").count == 2)
  }

  @Test func `a transform in space becomes the four corners where it puts them`() throws {
    var pose = Pose(frame: Rect2D(x: 0, y: 0, width: 40, height: 20))
    var components = [Double](repeating: 0, count: 16)
    for index in [0, 5, 10, 15] { components[index] = 1 }
    components[3] = 0.01
    pose.transform = try #require(ElementTransform(components: components))
    // w = 1 + 0.01 x: the left side grows, the right one shrinks.
    #expect(
      picture(pose).contains("points=\"-5,-2.5 36.6666"))
  }

  @Test func `extents at the ends of what a Double holds trap nowhere`() {
    let ends = [
      Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e300, -1e300, .infinity, .nan, 0,
    ]
    for width in ends {
      for extent in ends {
        let svg = Filmstrip(
          title: "t",
          pictures: [
            .init(
              seconds: extent, words: "w", viewport: Size2D(width: width, height: extent),
              items: [
                .init(
                  name: "i",
                  pose: Pose(
                    center: Point2D(x: extent, y: width), size: Size2D(width: width, height: extent)
                  ),
                  fill: "#e69f00")
              ], touches: [Point2D(x: width, y: extent)])
          ], releases: [extent], times: -1e308...1e308
        ).svg
        #expect(svg.hasSuffix("</svg>\n"))
        _ = AxisTicks.values(in: min(0, width)...max(0, width), about: 5)
      }
    }
  }

  @Test func `an item has a colour by its name, and its neighbours have others`() {
    func colors(_ names: [String]) -> [String] {
      names.map { ItemPalette.hexadecimal(of: ElementIdentity(category: .cell, id: $0)) }
    }
    let photos = (0..<8).map { "photos/\($0)" }
    #expect(Set(colors(photos)).count == 8)
    #expect(colors(photos) == colors(photos))
    let header = ElementIdentity(category: .supplementary, elementKind: "header", id: "photos/0")
    #expect(!ItemPalette.cells.contains(ItemPalette.color(of: header)))
  }

  @Test func `hidden and clear elements are not drawn, and odd sizes are`() {
    var pose = Pose(frame: Rect2D(x: 0, y: 0, width: 40, height: 20))
    pose.isHidden = true
    #expect(!picture(pose).contains("class=\"item\""))
    pose.isHidden = false
    pose.alpha = 0
    #expect(!picture(pose).contains("class=\"item\""))
    pose.alpha = 1.5
    pose.size.width = -40
    #expect(picture(pose).contains("<g opacity=\"1\">"))
    #expect(picture(pose).contains("x=\"-20\" y=\"-10\" width=\"40\""))
  }
}
