import Testing
import TimelineModel
import TransitionEngine

@Suite struct EnlargedItemLayoutTests {
  private func enlarged(
    _ item: Int?, by factor: Double = 2, items: [Int] = [25],
    viewport: Size2D = Size2D(width: 320, height: 480)
  ) -> EnlargedItemLayout {
    let layout = EnlargedItemLayout(name: "enlarged")
    layout.enlargement.item = item.map { ItemIndexPath(section: 0, item: $0) }
    layout.enlargement.factor = factor
    layout.prepare(in: LayoutContext(viewport: viewport, itemCounts: items))
    return layout
  }

  @Test func `one item grows about its center and lies above, the others stay`() {
    let plain = prepared(grid(), items: [25])
    let layout = enlarged(12)
    for item in 0..<25 where item != 12 { #expect(layout.frame(item) == plain.frame(item)) }
    #expect(plain.frame(12) == Rect2D(x: 135, y: 120, width: 50, height: 50))
    #expect(layout.frame(12) == Rect2D(x: 110, y: 95, width: 100, height: 100))
    let all = layout.layoutAttributesForAllElements()
    #expect(all.map(\.pose.zIndex) == (0..<25).map { $0 == 12 ? 1 : 0 })
    #expect(layout.contentSize == plain.contentSize)
  }

  @Test func `at the border it is moved into the content`() {
    #expect(enlarged(0).frame(0) == Rect2D(x: 0, y: 0, width: 100, height: 100))
    #expect(enlarged(24).frame(24) == Rect2D(x: 220, y: 190, width: 100, height: 100))
    // 400 is wider than the content and higher than its 290 points.
    #expect(enlarged(0, by: 8).frame(0) == Rect2D(x: -40, y: -55, width: 400, height: 400))
    #expect(enlarged(12, by: 0.5).frame(12) == Rect2D(x: 147.5, y: 132.5, width: 25, height: 25))
  }

  @Test func `the search gives what looking at every element gives`() {
    for factor in [0, 0.2, 1, 3, 9] {
      let layout = enlarged(7, by: factor)
      let all = layout.layoutAttributesForAllElements()
      for x in stride(from: -60.0, through: 330, by: 17) {
        for y in stride(from: -60.0, through: 330, by: 19) {
          let rect = Rect2D(x: x, y: y, width: 13, height: 15)
          #expect(
            Set(layout.layoutAttributesForElements(in: rect))
              == Set(all.filter { $0.frame.intersects(rect) }))
        }
      }
    }
  }

  @Test func `no item, and one that is not there, leave a plain flow`() {
    let plain = prepared(grid(), items: [25]).layoutAttributesForAllElements()
    #expect(enlarged(nil).layoutAttributesForAllElements() == plain)
    #expect(enlarged(25).layoutAttributesForAllElements() == plain)
    #expect(enlarged(-1).layoutAttributesForAllElements() == plain)
    #expect(enlarged(0, items: []).layoutAttributesForAllElements().isEmpty)
    let rect = Rect2D(x: 0, y: 0, width: 9, height: 9)
    #expect(enlarged(25).layoutAttributesForElements(in: rect).count == 1)
  }

  @Test func `one of a million is found by its enlarged frame`() {
    let layout = enlarged(500_002, by: 3, items: [1_000_000])
    let row = 100_000 * 60.0
    #expect(layout.frame(500_002) == Rect2D(x: 85, y: row - 50, width: 150, height: 150))
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: row - 9, width: 320, height: 4))
        .map(\.path.indexPath.item) == [500_002])
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, -.infinity, .nan])
  func `whatever the numbers, every answer is finite`(odd: Double) {
    for viewport in [Size2D(width: 320, height: 480), Size2D(width: odd, height: odd)] {
      let layout = enlarged(1, by: odd, items: [3], viewport: viewport)
      layout.parameters.itemSize = Size2D(width: 50, height: odd)
      for _ in 0..<2 {
        let all = layout.layoutAttributesForAllElements()
        #expect(all.count == 3)
        #expect(all.allSatisfy { $0.pose.isFinite && $0.frame.isFinite })
        layout.prepare(in: LayoutContext(viewport: viewport, itemCounts: [3]))
      }
    }
  }
}
