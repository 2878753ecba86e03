import Testing
import TimelineModel
import TransitionEngine

@Suite struct ContentInsetsTests {
  private let insets = ContentInsets(top: 1, left: 2, bottom: 3, right: 4)

  @Test func `insets never turn a rectangle inside out`() {
    #expect(
      Rect2D(x: 0, y: 0, width: 10, height: 10).inset(by: insets)
        == Rect2D(x: 2, y: 1, width: 4, height: 6))
    #expect(Rect2D(x: 0, y: 0, width: 3, height: 3).inset(by: insets).size == .zero)
  }

  @Test func `insets are written in the order of scenario files`() {
    #expect(FieldValue(insets).json == "[1,2,3,4]")
  }
}
