import Testing
import TimelineModel
import TransitionEngine

/// How the flow layout fills its rows.
@Suite struct FlowLayoutRowTests {
  @Test func `defaults are items of 50 by 50 with 10 between, and nothing else`() {
    let parameters = FlowLayoutParameters()
    #expect(parameters.itemSize == Size2D(width: 50, height: 50))
    #expect(parameters.minimumLineSpacing == 10)
    #expect(parameters.minimumInteritemSpacing == 10)
    #expect(parameters.sectionInset == .zero)
    #expect(parameters.headerReferenceSize == .zero)
    #expect(parameters.footerReferenceSize == .zero)
    #expect(parameters.scrollDirection == .vertical)
  }

  @Test func `two items of 155 with 10 between fit exactly in 320`() {
    let layout = prepared(grid("g", Size2D(width: 155, height: 40)), items: [3])
    #expect(layout.frame(1) == Rect2D(x: 165, y: 0, width: 155, height: 40))
    #expect(layout.frame(2) == Rect2D(x: 0, y: 50, width: 155, height: 40))
  }

  @Test func `thirds whose rounded sum misses the row by a hair still fit`() {
    let third = (320.0 - 20) / 3
    let uniform = prepared(grid("g", Size2D(width: third, height: 40)), items: [3])
    #expect(uniform.frame(2)?.minY == 0)
    let mixed = grid {
      $0.itemSizes = [
        [Size2D(width: third, height: 40), Size2D(width: third, height: 41)],
        [],
      ]
      $0.itemSize = Size2D(width: third, height: 40)
    }
    #expect(prepared(mixed, items: [4]).layoutAttributesForElements(in: .zero).isEmpty)
    #expect(near(mixed.frame(2), Rect2D(x: 2 * (third + 10), y: 0.5, width: third, height: 40)))
    #expect(near(mixed.frame(3)?.minY, 51))
  }

  @Test func `a hundredth of a point too much breaks the row`() {
    let layout = prepared(grid("g", Size2D(width: 155.01, height: 40)), items: [2])
    #expect(layout.frame(1)?.minY == 50)
  }

  @Test func `a full row is spread to its length`() {
    let layout = prepared(grid(), items: [10])
    for item in 0..<5 {
      #expect(layout.frame(item) == Rect2D(x: 67.5 * Double(item), y: 0, width: 50, height: 50))
    }
    #expect(layout.frame(5) == Rect2D(x: 0, y: 60, width: 50, height: 50))
  }

  @Test func `rows of different items are spread each on their own`() {
    let layout = grid {
      $0.itemSizes = [
        [
          Size2D(width: 100, height: 40), Size2D(width: 120, height: 60),
          Size2D(width: 50, height: 20),
          Size2D(width: 200, height: 30), Size2D(width: 60, height: 30),
          Size2D(width: 10, height: 30),
        ]
      ]
    }
    _ = prepared(layout, items: [6])
    // 100 + 120 + 50 leave 50 for two gaps.
    #expect(layout.frame(0) == Rect2D(x: 0, y: 10, width: 100, height: 40))
    #expect(layout.frame(1) == Rect2D(x: 125, y: 0, width: 120, height: 60))
    #expect(layout.frame(2) == Rect2D(x: 270, y: 20, width: 50, height: 20))
    // The last row stands at the minimum spacing.
    #expect(layout.frame(3) == Rect2D(x: 0, y: 70, width: 200, height: 30))
    #expect(layout.frame(4) == Rect2D(x: 210, y: 70, width: 60, height: 30))
    #expect(layout.frame(5) == Rect2D(x: 280, y: 70, width: 10, height: 30))
    #expect(layout.contentSize == Size2D(width: 320, height: 100))
  }

  @Test func `the last row of equal items keeps the grid's gap`() {
    let layout = prepared(grid(), items: [7])
    #expect(layout.frame(5) == Rect2D(x: 0, y: 60, width: 50, height: 50))
    #expect(layout.frame(6) == Rect2D(x: 67.5, y: 60, width: 50, height: 50))
    #expect(layout.contentSize == Size2D(width: 320, height: 110))
  }

  @Test func `a row that is not full at all stands as in a full grid`() {
    let layout = prepared(grid(), width: 480, height: 320, items: [7])
    #expect(near(layout.frame(5), Rect2D(x: 307.142857, y: 0, width: 50, height: 50), 1e-6))
  }

  @Test func `sizes that are given one by one but are equal make a grid`() {
    let listed = grid("l", Size2D(width: 9, height: 9)) {
      $0.itemSizes = [Array(repeating: Size2D(width: 50, height: 50), count: 7)]
    }
    let plain = prepared(grid(), items: [7])
    _ = prepared(listed, items: [7])
    for item in 0..<7 { #expect(listed.frame(item) == plain.frame(item)) }
  }

  @Test func `the last row of different items is spread on demand as if copies filled it`() {
    let sizes = [
      [
        Size2D(width: 200, height: 30), Size2D(width: 200, height: 30),
        Size2D(width: 50, height: 30),
      ]
    ]
    let leading = grid { $0.itemSizes = sizes }
    _ = prepared(leading, items: [3])
    #expect(leading.frame(1) == Rect2D(x: 0, y: 40, width: 200, height: 30))
    #expect(leading.frame(2) == Rect2D(x: 210, y: 40, width: 50, height: 30))
    let justified = grid {
      $0.itemSizes = sizes
      $0.lastRow = .justified
    }
    _ = prepared(justified, items: [3])
    // 200 + 50 and a copy of 50 leave 20 for two gaps, which is the minimum.
    #expect(justified.frame(2) == Rect2D(x: 210, y: 40, width: 50, height: 30))
    let wide = grid {
      $0.itemSizes = sizes
      $0.lastRow = .justified
    }
    _ = prepared(wide, width: 340, items: [3])
    #expect(wide.frame(2) == Rect2D(x: 220, y: 40, width: 50, height: 30))
  }

  @Test func `an item alone in its row is centered when no second one fits`() {
    let layout = prepared(grid("g", Size2D(width: 200, height: 40)), items: [2])
    #expect(layout.frame(0) == Rect2D(x: 60, y: 0, width: 200, height: 40))
    #expect(layout.frame(1) == Rect2D(x: 60, y: 50, width: 200, height: 40))
    let mixed = grid {
      $0.itemSizes = [[Size2D(width: 300, height: 40), Size2D(width: 200, height: 50)]]
    }
    _ = prepared(mixed, items: [2])
    #expect(mixed.frame(0) == Rect2D(x: 10, y: 0, width: 300, height: 40))
    #expect(mixed.frame(1) == Rect2D(x: 60, y: 50, width: 200, height: 50))
  }

  @Test func `an item alone in a grid for several stands at the left`() {
    let layout = prepared(grid(), items: [1])
    #expect(layout.frame(0) == Rect2D(x: 0, y: 0, width: 50, height: 50))
  }

  @Test func `items stand in the middle of their row, or at its start on demand`() {
    let sizes = [[Size2D(width: 100, height: 40), Size2D(width: 120, height: 60)]]
    let centered = grid { $0.itemSizes = sizes }
    #expect(prepared(centered, items: [2]).frame(0)?.minY == 10)
    let leading = grid {
      $0.itemSizes = sizes
      $0.rowAlignment = .leading
    }
    #expect(prepared(leading, items: [2]).frame(0)?.minY == 0)
  }

  @Test func `header, inset, rows, inset and footer follow without further spacing`() {
    let layout = grid {
      $0.sectionInset = ContentInsets(top: 5, left: 10, bottom: 7, right: 20)
      $0.headerReferenceSize = Size2D(width: 11, height: 30)
      $0.footerReferenceSize = Size2D(width: 12, height: 20)
    }
    _ = prepared(layout, items: [5, 1])
    #expect(layout.frame("header") == Rect2D(x: 0, y: 0, width: 320, height: 30))
    // Inner 290: 5 items of 50 leave 40 for four gaps.
    #expect(layout.frame(0) == Rect2D(x: 10, y: 35, width: 50, height: 50))
    #expect(layout.frame(4) == Rect2D(x: 250, y: 35, width: 50, height: 50))
    #expect(layout.frame("footer") == Rect2D(x: 0, y: 92, width: 320, height: 20))
    #expect(layout.frame("header", 1) == Rect2D(x: 0, y: 112, width: 320, height: 30))
    #expect(layout.frame(0, 1) == Rect2D(x: 10, y: 147, width: 50, height: 50))
    #expect(layout.contentSize == Size2D(width: 320, height: 224))
  }

  @Test func `without extent along the scroll direction there is no header`() {
    let layout = grid { $0.headerReferenceSize = Size2D(width: 100, height: 0) }
    #expect(prepared(layout, items: [1]).frame("header") == nil)
    #expect(layout.layoutAttributesForAllElements().count == 1)
  }

  @Test func `an empty section is its header, both insets and its footer`() {
    let layout = grid {
      $0.sectionInset = ContentInsets(top: 5, left: 0, bottom: 7, right: 0)
      $0.headerReferenceSize = Size2D(width: 0, height: 30)
      $0.footerReferenceSize = Size2D(width: 0, height: 20)
    }
    _ = prepared(layout, items: [0, 0])
    #expect(layout.frame("footer")?.minY == 42)
    #expect(layout.frame("header", 1)?.minY == 62)
    #expect(layout.contentSize == Size2D(width: 320, height: 124))
  }

  @Test func `without sections the content is as wide as the view and has no height`() {
    #expect(prepared(grid(), items: []).contentSize == Size2D(width: 320, height: 0))
  }

  @Test func `the resize example's content is 5530 and 34610 high`() {
    let small = prepared(resizeLayout("small", 128), width: 768, height: 1024, items: [200])
    let large = prepared(resizeLayout("large", 336), width: 768, height: 1024, items: [200])
    #expect(small.contentSize == Size2D(width: 768, height: 5530))
    #expect(large.contentSize == Size2D(width: 768, height: 34610))
    #expect(small.frame(7) == Rect2D(x: 320, y: 148, width: 128, height: 128))
    #expect(large.frame(7) == Rect2D(x: 422, y: 1048, width: 336, height: 336))
  }

  @Test func `columns fill from the top and grow to the right`() {
    let layout = grid {
      $0.scrollDirection = .horizontal
      $0.headerReferenceSize = Size2D(width: 30, height: 3)
      $0.sectionInset = ContentInsets(top: 1, left: 2, bottom: 3, right: 4)
    }
    _ = prepared(layout, width: 480, height: 324, items: [7])
    #expect(layout.frame("header") == Rect2D(x: 0, y: 0, width: 30, height: 324))
    #expect(layout.frame(0) == Rect2D(x: 32, y: 1, width: 50, height: 50))
    #expect(layout.frame(4) == Rect2D(x: 32, y: 271, width: 50, height: 50))
    #expect(layout.frame(5) == Rect2D(x: 92, y: 1, width: 50, height: 50))
    #expect(layout.contentSize == Size2D(width: 146, height: 324))
  }

  @Test func `a column of one item is centered from top to bottom`() {
    let layout = grid("g", Size2D(width: 40, height: 200)) { $0.scrollDirection = .horizontal }
    _ = prepared(layout, width: 480, height: 320, items: [2])
    #expect(layout.frame(0) == Rect2D(x: 0, y: 60, width: 40, height: 200))
    #expect(layout.frame(1) == Rect2D(x: 50, y: 60, width: 40, height: 200))
  }

  @Test func `what a section has of its own replaces the layout's`() {
    let layout = grid {
      var own = FlowSectionParameters()
      own.minimumInteritemSpacing = 40
      own.minimumLineSpacing = 3
      own.sectionInset = ContentInsets(top: 1, left: 0, bottom: 0, right: 0)
      own.headerReferenceSize = Size2D(width: 0, height: 9)
      own.footerReferenceSize = Size2D(width: 0, height: 8)
      $0.sections = [FlowSectionParameters(), own]
    }
    _ = prepared(layout, items: [1, 5])
    #expect(layout.frame("header") == nil)
    #expect(layout.frame("header", 1) == Rect2D(x: 0, y: 50, width: 320, height: 9))
    #expect(layout.frame(0, 1) == Rect2D(x: 0, y: 60, width: 50, height: 50))
    // Four fit at 40; they leave 120 for three gaps.
    #expect(layout.frame(1, 1) == Rect2D(x: 90, y: 60, width: 50, height: 50))
    #expect(layout.frame(4, 1) == Rect2D(x: 0, y: 113, width: 50, height: 50))
    #expect(layout.frame("footer", 1) == Rect2D(x: 0, y: 163, width: 320, height: 8))
  }

  @Test func `frames keep their fractions unless they shall snap to pixels`() {
    let plain = prepared(grid(), width: 333, items: [5])
    #expect(plain.frame(1)?.minX == 70.75)
    let snapped = grid {
      $0.snapsToPixels = true
      $0.scale = 2
    }
    _ = prepared(snapped, width: 333, items: [5])
    #expect(snapped.frame(1) == Rect2D(x: 71, y: 0, width: 50, height: 50))
    #expect(snapped.frame(2) == Rect2D(x: 141.5, y: 0, width: 50, height: 50))
  }

  @Test func `only shared area counts, touching edges do not`() {
    let layout = prepared(grid(), items: [7])
    let met = layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 40, width: 320, height: 30))
    #expect(met.map(\.path.indexPath.item) == Array(0...6))
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 50, width: 320, height: 10)).isEmpty)
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 0, width: 0, height: 99)).isEmpty)
  }
}
