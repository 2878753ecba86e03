import Testing
import TimelineModel

@Suite struct RectTests {
  private let square = Rect2D(x: 0, y: 0, width: 10, height: 10)

  @Test func `touching edges share no area`() {
    #expect(!square.intersects(Rect2D(x: 10, y: 0, width: 5, height: 5)))
    #expect(!square.intersects(Rect2D(x: 0, y: -5, width: 5, height: 5)))
    #expect(square.intersects(Rect2D(x: 9.999, y: 9.999, width: 5, height: 5)))
    #expect(square.intersects(Rect2D(x: -1, y: -1, width: 100, height: 100)))
  }

  @Test func `a rectangle without area meets nothing`() {
    #expect(!square.intersects(Rect2D(x: 5, y: 5, width: 0, height: 3)))
    #expect(!Rect2D(x: 5, y: 5, width: 3, height: 0).intersects(square))
    #expect(!square.intersects(Rect2D(x: 8, y: 8, width: -5, height: -5)))
    #expect(!square.intersects(Rect2D(x: .nan, y: 0, width: 5, height: 5)))
  }

  @Test func `union holds both`() {
    #expect(
      square.union(Rect2D(x: -5, y: 5, width: 1, height: 20))
        == Rect2D(x: -5, y: 0, width: 15, height: 25))
  }

  @Test func `middle and far edges follow from origin and size`() {
    let rect = Rect2D(x: 1, y: 2, width: 6, height: 8)
    #expect(rect.center == Point2D(x: 4, y: 6))
    #expect(rect.maxX == 7)
    #expect(rect.maxY == 10)
    #expect(!Rect2D(x: 0, y: .nan, width: 1, height: 1).isFinite)
  }
}
