import Testing
import TimelineModel
import TransitionEngine

@Suite struct CollectionDataTests {
  let data = CollectionData(sections: [
    .init(id: "fruit", items: ["apple", "pear"]), .init(id: "nuts", count: 3),
  ])

  @Test func `a number of items makes ids of the section's id and a number`() {
    #expect(data.sections[1].items == ["nuts/0", "nuts/1", "nuts/2"])
    #expect(data.itemCounts == [2, 3])
    #expect(CollectionData.Section(id: "none", count: -4).items.isEmpty)
  }

  @Test func `an item is known by its id`() {
    #expect(
      data.identity(of: .cell(ItemIndexPath(section: 0, item: 1)))
        == ElementIdentity(category: .cell, id: "pear"))
    #expect(data.identity(of: .cell(ItemIndexPath(section: 1, item: 2)))?.id == "nuts/2")
    for path in [(0, 2), (2, 0), (-1, 0), (0, -1)] {
      #expect(data.identity(of: .cell(ItemIndexPath(section: path.0, item: path.1))) == nil)
    }
  }

  @Test
  func `a section's own view is known by section and kind, and by its number if not the first`() {
    func id(_ category: ElementCategory, _ section: Int, _ item: Int) -> String? {
      data.identity(
        of: ElementPath(
          category: category, elementKind: "header",
          indexPath: ItemIndexPath(section: section, item: item)))?.id
    }
    #expect(id(.supplementary, 1, 0) == "nuts/header")
    #expect(id(.supplementary, 1, 4) == "nuts/header/4")
    #expect(id(.supplementary, 2, 0) == nil)
    #expect(id(.decoration, 0, 0) == "fruit/header")
    #expect(id(.decoration, 2, 0) == "2/header")
  }

  @Test func `an id leads back to its index path`() {
    #expect(data.indexPath(ofItem: "pear") == ItemIndexPath(section: 0, item: 1))
    #expect(data.indexPath(ofItem: "nuts/2") == ItemIndexPath(section: 1, item: 2))
    for id in ["nuts/3", "nuts/-1", "nuts/02", "nuts/", "plum", ""] {
      #expect(data.indexPath(ofItem: id) == nil)
    }
  }
}
