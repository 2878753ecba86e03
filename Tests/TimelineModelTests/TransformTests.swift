import Testing
import TimelineModel

@Suite struct TransformTests {
  @Test func `six numbers are flat`() {
    #expect(ElementTransform(components: [1, 2, 3, 4, 5, 6]) == flat(1, 2, 3, 4, 5, 6))
    #expect(flat(1, 2, 3, 4, 5, 6).components == [1, 2, 3, 4, 5, 6])
  }

  @Test func `sixteen numbers that are flat become the six`() {
    let sixteen = flat(1, 2, 3, 4, 5, 6).spatial.components
    #expect(sixteen == [1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 5, 6, 0, 1])
    #expect(ElementTransform(components: sixteen) == flat(1, 2, 3, 4, 5, 6))
  }

  @Test(arguments: [2, 3, 6, 7, 8, 9, 10, 11, 14, 15])
  func `sixteen numbers that need space keep it`(index: Int) {
    var numbers = ElementTransform.identity.spatial.components
    numbers[index] += 0.5
    let transform = ElementTransform(components: numbers)
    #expect(transform?.components == numbers)
  }

  @Test(arguments: [0, 1, 5, 7, 12, 15, 17, 100])
  func `any other count is no transform`(count: Int) {
    #expect(ElementTransform(components: Array(repeating: 1, count: count)) == nil)
  }
}
