import Testing
import TimelineModel
import TransitionEngine

/// The flow layout with strange or large data.
@Suite struct FlowLayoutEdgeTests {
  @Test func `an item larger than its row stands alone at the inset, and is told`() {
    let layout = grid("big", Size2D(width: 400, height: 40)) {
      $0.sectionInset = ContentInsets(top: 0, left: 10, bottom: 0, right: 10)
    }
    _ = prepared(layout, items: [2])
    #expect(layout.frame(0) == Rect2D(x: 10, y: 0, width: 400, height: 40))
    #expect(layout.frame(1) == Rect2D(x: 10, y: 50, width: 400, height: 40))
    #expect(layout.warnings.map(\.code) == ["undefined-layout"])
  }

  @Test func `among different items only the large one is alone`() {
    let layout = grid {
      $0.itemSizes = [
        [
          Size2D(width: 50, height: 50), Size2D(width: 321, height: 50),
          Size2D(width: 60, height: 50),
        ]
      ]
    }
    _ = prepared(layout, items: [3])
    #expect(layout.frame(1) == Rect2D(x: 0, y: 60, width: 321, height: 50))
    #expect(layout.frame(2)?.minY == 120)
    #expect(layout.warnings.count == 1)
    #expect(layout.warnings[0].message.contains("[0, 1]"))
  }

  @Test func `insets that leave no room, or less, put every item into a row of its own`() {
    for inset in [160.0, 200, 1e300, .infinity, .nan] {
      let layout = grid {
        $0.sectionInset = ContentInsets(top: 0, left: inset, bottom: 0, right: inset)
      }
      _ = prepared(layout, items: [3])
      for item in 0..<3 {
        let frame = layout.frame(item)
        #expect(frame?.isFinite == true)
        if inset.isFinite { #expect(frame?.minY == 60 * Double(item)) }
      }
    }
  }

  @Test func `items without extent and without spacing all stand on one place`() {
    let layout = grid("nothing", .zero) {
      $0.minimumInteritemSpacing = 0
      $0.minimumLineSpacing = 0
    }
    _ = prepared(layout, items: [100])
    #expect(layout.frame(99) == .zero)
    #expect(layout.contentSize == Size2D(width: 320, height: 0))
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: -9, y: -9, width: 99, height: 99)).isEmpty)
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, .nan])
  func `whatever the numbers, every frame is finite`(odd: Double) {
    for direction in FlowLayoutParameters.ScrollDirection.allCases {
      for lastRow in FlowLayoutParameters.LastRow.allCases {
        let layout = grid("odd", Size2D(width: odd, height: odd)) {
          $0.scrollDirection = direction
          $0.lastRow = lastRow
          $0.itemSizes = [[], [Size2D(width: odd, height: 3), Size2D(width: 4, height: odd)]]
          $0.minimumInteritemSpacing = odd
          $0.minimumLineSpacing = odd
          $0.sectionInset = ContentInsets(top: odd, left: odd, bottom: odd, right: odd)
          $0.headerReferenceSize = Size2D(width: odd, height: odd)
          $0.snapsToPixels = true
          $0.scale = odd
        }
        for width in [320, 0, odd] {
          _ = prepared(layout, width: width, height: odd, items: [3, 3, 0])
          #expect(layout.contentSize.isFinite)
          let all = layout.layoutAttributesForAllElements()
          #expect(all.count >= 6)
          #expect(all.allSatisfy { $0.pose.isFinite && $0.frame.isFinite })
          _ = layout.layoutAttributesForElements(
            in: Rect2D(x: odd, y: odd, width: odd, height: odd))
        }
      }
    }
  }

  @Test func `the search gives what looking at every element gives`() {
    let shapes: [(inout FlowLayoutParameters) -> Void] = [
      { _ in },
      { $0.scrollDirection = .horizontal },
      { $0.headerReferenceSize = Size2D(width: 9, height: 9) },
      { $0.minimumLineSpacing = -20 },
      { $0.minimumLineSpacing = -200 },
      { $0.sectionInset = ContentInsets(top: -90, left: 5, bottom: -80, right: 5) },
      {
        $0.itemSizes = [
          [
            Size2D(width: 10, height: 90), Size2D(width: 90, height: 10),
            Size2D(width: 400, height: 5),
          ]
        ]
      },
      {
        $0.itemSizes = [[Size2D(width: 10, height: 90)], [Size2D(width: 90, height: 10)]]
        $0.minimumLineSpacing = -70
      },
      {
        $0.snapsToPixels = true
        $0.itemSize = Size2D(width: 33.3, height: 20.2)
      },
    ]
    for (number, shape) in shapes.enumerated() {
      let layout = grid("shape", Size2D(width: 50, height: 40), shape)
      _ = prepared(layout, items: [23, 0, 31])
      let all = layout.layoutAttributesForAllElements()
      for x in stride(from: -60.0, through: 400, by: 47) {
        for y in stride(from: -60.0, through: 700, by: 23) {
          let rect = Rect2D(x: x, y: y, width: 61, height: 37)
          let found = Set(layout.layoutAttributesForElements(in: rect))
          let looked = Set(all.filter { $0.frame.intersects(rect) })
          #expect(found == looked, "shape \(number) in \(rect)")
        }
      }
    }
  }

  @Test func `a million items prepare, and a window of them is found`() {
    let layout = prepared(grid(), items: [1_000_000])
    #expect(layout.contentSize.height == 200_000 * 60 - 10)
    #expect(layout.frame(999_999) == Rect2D(x: 270, y: 199_999 * 60, width: 50, height: 50))
    let window = Rect2D(x: 0, y: 6_000_000, width: 320, height: 480)
    #expect(
      layout.layoutAttributesForElements(in: window).map(\.path.indexPath.item).first == 500_000)
    #expect(layout.layoutAttributesForElements(in: window).count == 40)
  }

  @Test func `a million items of different sizes prepare, and a window of them is found`() {
    let layout = grid { $0.itemSizes = [[Size2D(width: 60, height: 50)]] }
    _ = prepared(layout, items: [1_000_000])
    // Row 0 holds 60 + 4 · 50 with 4 gaps, so every row holds five.
    #expect(layout.contentSize.height == 200_000 * 60 - 10)
    let window = Rect2D(x: 0, y: 6_000_000, width: 320, height: 480)
    #expect(layout.layoutAttributesForElements(in: window).count == 40)
  }

  @Test func `more items than memory are only counted`() {
    let layout = prepared(grid(), items: [Int.max, Int.max])
    #expect(layout.contentSize.isFinite)
    let window = Rect2D(x: 0, y: 0, width: 320, height: 50)
    #expect(layout.layoutAttributesForElements(in: window).count == 5)
    #expect(layout.frame(Int.max - 1, 1)?.isFinite == true)
    let end = Rect2D(x: 0, y: layout.contentSize.height - 1e6, width: 320, height: 2e6)
    #expect(layout.layoutAttributesForElements(in: end).allSatisfy { $0.frame.isFinite })
    let nothing = prepared(grid("n", .zero) { $0.minimumLineSpacing = 0 }, items: [Int.max])
    #expect(nothing.layoutAttributesForElements(in: window).isEmpty)
  }

  @Test func `paths outside the data have no attributes`() {
    let layout = prepared(grid { $0.headerReferenceSize = Size2D(width: 1, height: 1) }, items: [2])
    for path in [(0, 2), (0, -1), (1, 0), (-1, 0), (Int.max, Int.min)] {
      #expect(
        layout.layoutAttributesForItem(at: ItemIndexPath(section: path.0, item: path.1)) == nil)
    }
    #expect(layout.frame("ornament") == nil)
    #expect(
      layout.layoutAttributesForSupplementaryView(
        ofKind: "header", at: ItemIndexPath(section: 0, item: 1)) == nil)
    #expect(
      layout.layoutAttributesForDecorationView(
        ofKind: "header", at: ItemIndexPath(section: 0, item: 0)) == nil)
  }
}
