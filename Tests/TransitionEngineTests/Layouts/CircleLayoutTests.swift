import Testing
import TimelineModel
import TransitionEngine

/// The circle layout of PSTCollectionView's examples.
@Suite struct CircleLayoutTests {
  private func circle(
    items: [Int], viewport: Size2D = Size2D(width: 300, height: 400),
    _ change: (inout CircleLayoutParameters) -> Void = { _ in }
  ) -> CircleLayout {
    var parameters = CircleLayoutParameters()
    change(&parameters)
    let layout = CircleLayout(name: "circle", parameters: parameters)
    layout.prepare(in: LayoutContext(viewport: viewport, itemCounts: items))
    return layout
  }

  @Test func `four items in 300 by 400 stand right, below, left and above`() {
    let layout = circle(items: [4])
    let all = layout.layoutAttributesForAllElements()
    #expect(
      all.map(\.pose.center) == [
        Point2D(x: 270, y: 200), Point2D(x: 150, y: 320), Point2D(x: 30, y: 200),
        Point2D(x: 150, y: 80),
      ])
    #expect(all.allSatisfy { $0.pose.size == Size2D(width: 70, height: 70) })
    #expect(layout.contentSize == Size2D(width: 300, height: 400))
  }

  @Test func `three items stand 120 degrees apart, sections notwithstanding`() {
    let layout = circle(items: [1, 0, 2])
    let all = layout.layoutAttributesForAllElements()
    #expect(all.map(\.path.indexPath.section) == [0, 2, 2])
    #expect(near(all[0].pose.center, Point2D(x: 270, y: 200)))
    #expect(near(all[1].pose.center, Point2D(x: 90, y: 303.923048), 1e-6))
    #expect(near(all[2].pose.center, Point2D(x: 90, y: 96.076952), 1e-6))
  }

  @Test func `a radius and a size of its own`() {
    let layout = circle(items: [1]) {
      $0.radius = 10
      $0.itemSize = Size2D(width: 4, height: 6)
    }
    #expect(layout.frame(0) == Rect2D(x: 158, y: 197, width: 4, height: 6))
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 0, width: 159, height: 400)).count == 1
    )
    #expect(
      layout.layoutAttributesForElements(in: Rect2D(x: 0, y: 0, width: 158, height: 400)).isEmpty)
  }

  private func path(_ item: Int, _ section: Int = 0) -> ItemIndexPath {
    ItemIndexPath(section: section, item: item)
  }

  @Test func `inserted items start in the middle, deleted ones end there, the others neither`() {
    let layout = circle(items: [4, 2])
    layout.prepare(forCollectionViewUpdates: [
      UpdateItem(.delete, before: path(9)), UpdateItem(.delete, sectionBefore: 3),
      UpdateItem(.insert, after: path(1)), UpdateItem(.insert, sectionAfter: 1),
      UpdateItem(.move, before: path(0), after: path(2)),
    ])
    for item in [path(1), path(0, 1), path(1, 1)] {
      let start = layout.initialLayoutAttributesForAppearingItem(at: item)?.pose
      #expect(start?.center == Point2D(x: 150, y: 200))
      #expect(start?.alpha == 0)
      #expect(start?.transform == .identity)
    }
    for item in [path(9), path(0, 3)] {
      let end = layout.finalLayoutAttributesForDisappearingItem(at: item)?.pose
      #expect(end?.center == Point2D(x: 150, y: 200))
      #expect(end?.alpha == 0)
      #expect(near(end?.frame, Rect2D(x: 146.5, y: 196.5, width: 7, height: 7)))
    }
    for item in [path(0), path(2), path(3), path(9)] {
      #expect(layout.initialLayoutAttributesForAppearingItem(at: item) == nil)
    }
    for item in [path(0), path(1), path(2), path(0, 1)] {
      #expect(layout.finalLayoutAttributesForDisappearingItem(at: item) == nil)
    }
    layout.finalizeCollectionViewUpdates()
    #expect(layout.initialLayoutAttributesForAppearingItem(at: path(1)) == nil)
    #expect(layout.finalLayoutAttributesForDisappearingItem(at: path(9)) == nil)
  }

  @Test func `another extent makes it out of date, scrolling does not`() {
    let layout = circle(items: [1])
    #expect(
      !layout.shouldInvalidateLayout(forBoundsChange: Rect2D(x: 5, y: 6, width: 300, height: 400)))
    #expect(
      layout.shouldInvalidateLayout(forBoundsChange: Rect2D(x: 0, y: 0, width: 400, height: 300)))
  }

  @Test func `no items, and paths outside the data`() {
    #expect(circle(items: []).layoutAttributesForAllElements().isEmpty)
    #expect(circle(items: [0, 0]).frame(0) == nil)
    #expect(circle(items: [2]).frame(2) == nil)
    #expect(circle(items: [2]).frame(-1) == nil)
  }

  @Test func `a million items are all on the circle`() {
    let layout = circle(items: [1_000_000])
    for item in [0, 1, 249_999, 250_000, 999_999] {
      let center = layout.layoutAttributesForItem(at: ItemIndexPath(section: 0, item: item))?.pose
        .center
      let (x, y) = ((center?.x ?? 0) - 150, (center?.y ?? 0) - 200)
      #expect(near((x * x + y * y).squareRoot(), 120))
    }
    #expect(layout.frame(250_000)?.center == Point2D(x: 150, y: 320))
    #expect(circle(items: [.max, .max]).frame(.max - 1)?.isFinite == true)
  }

  @Test(arguments: [0, -1, Double.leastNonzeroMagnitude, 1e308, .infinity, -.infinity, .nan])
  func `whatever the numbers, every answer is finite`(odd: Double) {
    for viewport in [Size2D(width: odd, height: odd), Size2D(width: 300, height: odd), .zero] {
      for radius in [nil, odd] {
        let layout = circle(items: [3, -2], viewport: viewport) {
          $0.itemSize = Size2D(width: odd, height: odd)
          $0.radius = radius
        }
        #expect(layout.contentSize.isFinite)
        let all = layout.layoutAttributesForAllElements()
        #expect(all.count == 3)
        #expect(all.allSatisfy { $0.pose.isFinite && $0.frame.isFinite })
      }
    }
  }
}
