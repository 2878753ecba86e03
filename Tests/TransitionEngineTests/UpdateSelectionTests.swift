import Testing
import TransitionEngine

/// A drill-down to one section.
@Suite struct UpdateSelectionTests {
  let all = CollectionData(sections: [
    .init(id: "a", count: 2), .init(id: "b", count: 4), .init(id: "c", count: 1),
  ])

  @Test func `selecting one of three sections deletes the two others`() throws {
    let selected = SelectedSection.item(1)
    #expect(selected.deletedSections(of: all) == [0, 2])
    #expect(selected.shown(of: all).itemCounts == [4])
    let changes = SelectedSection.none.changes(to: selected, of: all)
    #expect(changes == [.deleteSection(0), .deleteSection(2)])
    #expect(try all.applying(changes) == selected.shown(of: all))
  }

  @Test func `no selection shows everything`() {
    #expect(SelectedSection.none.shown(of: all) == all)
    #expect(SelectedSection.none.deletedSections(of: all).isEmpty)
  }

  @Test func `every selection leads to every other`() throws {
    let selections = [SelectedSection.none] + (-1...3).map { .item($0) }
    for from in selections {
      for to in selections {
        let changes = from.changes(to: to, of: all)
        #expect(try from.shown(of: all).applying(changes) == to.shown(of: all))
      }
    }
  }

  @Test func `a section that is not there deletes nothing`() {
    for section in [-1, 3, .max, .min] {
      #expect(SelectedSection.item(section).deletedSections(of: all).isEmpty)
      #expect(SelectedSection.item(section).shown(of: CollectionData()) == CollectionData())
    }
  }
}
