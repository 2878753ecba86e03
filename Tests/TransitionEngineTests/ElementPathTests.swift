import Testing
import TimelineModel
import TransitionEngine

@Suite struct ElementPathTests {
  @Test func `index paths order by section, then item`() {
    let paths = [(1, 0), (0, 5), (0, 2), (1, -1)].map { ItemIndexPath(section: $0.0, item: $0.1) }
    #expect(paths.sorted().map(\.item) == [2, 5, -1, 0])
  }

  @Test func `elements order by index path, category and kind`() {
    let path = ItemIndexPath(section: 0, item: 0)
    let header = ElementPath(category: .supplementary, elementKind: "header", indexPath: path)
    let footer = ElementPath(category: .supplementary, elementKind: "footer", indexPath: path)
    let rule = ElementPath(category: .decoration, elementKind: "a", indexPath: path)
    let next = ElementPath.cell(ItemIndexPath(section: 0, item: 1))
    #expect(
      [next, rule, header, footer, .cell(path)].sorted() == [
        .cell(path), footer, header, rule, next,
      ])
  }
}
