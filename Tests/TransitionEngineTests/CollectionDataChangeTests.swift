import TestSupport
import Testing
import TimelineModel

@testable import TransitionEngine

/// Data through batch updates: ids stay with their items, and counted ids stay counted.
@Suite struct CollectionDataChangeTests {
  let data = CollectionData(sections: [
    .init(id: "fruit", items: ["apple", "pear", "plum"]), .init(id: "nuts", count: 3),
  ])

  func ids(_ data: CollectionData) -> [String] {
    data.sections.map { "\($0.id): \($0.items.joined(separator: " "))" }
  }

  @Test func `ids stay with their items through deletes, inserts, moves and reloads`() throws {
    let changed = try data.applying([
      .moveItem(from: itemPath(1, 1), to: itemPath(0, 0)), .deleteItem(itemPath(0, 1)),
      .insertItem(itemPath(1, 2), id: "fig"), .reloadItem(itemPath(1, 2)),
      .moveItem(from: itemPath(0, 0), to: itemPath(1, 0)),
    ])
    #expect(ids(changed) == ["fruit: nuts/1 plum", "nuts: apple nuts/0 fig nuts/2"])
    #expect(changed.indexPath(ofItem: "nuts/1") == itemPath(0, 0))
    #expect(changed.indexPath(ofItem: "nuts/2") == itemPath(1, 3))
    #expect(changed.indexPath(ofItem: "pear") == nil)
    #expect(changed.sections[1].itemID(2) == "fig")
    #expect(changed.sections[1].itemID(4) == nil)
    #expect(ids(data) == ["fruit: apple pear plum", "nuts: nuts/0 nuts/1 nuts/2"])
  }

  @Test func `sections come, go and move with their items`() throws {
    let changed = try data.applying([
      .moveSection(from: 1, to: 0), .deleteSection(0),
      .insertSection(1, .init(id: "seeds", items: ["poppy", "chia"])),
      .moveItem(from: itemPath(0, 2), to: itemPath(1, 1)),
      .insertItem(itemPath(1, 3), id: "flax"), .deleteItem(itemPath(1, 0)),
    ])
    #expect(ids(changed) == ["nuts: nuts/1 nuts/2", "seeds: poppy plum chia flax"])
    #expect(try ids(data.applying([.reloadSection(1)])) == ids(data))
    #expect(try data.applying([]) == data)
    #expect(
      try CollectionData().applying([.insertSection(0, .init(id: "a", count: 0))]).itemCounts == [0]
    )
  }

  @Test func `an id that is already there is refused, unless its item goes in the same update`()
    throws
  {
    func refusal(_ changes: DataChange...) -> UpdateError? {
      do {
        _ = try data.applying(changes)
        return nil
      } catch { return error }
    }
    func isDuplicate(_ error: UpdateError?, _ paths: [ItemIndexPath], sections: [Int] = []) -> Bool
    {
      error?.code == .duplicateID && error?.indexPaths == paths && error?.sections == sections
    }
    let (new, last) = (itemPath(0, 0), itemPath(0, 1))
    for id in ["apple", "plum", "nuts/0", "nuts/2"] {
      #expect(isDuplicate(refusal(.insertItem(new, id: id)), [new]))
    }
    for id in ["nuts/3", "nuts/02", "nuts/", "nuts/-1", "/0", "", "nuts/99999999999999999999"] {
      #expect(refusal(.insertItem(new, id: id)) == nil)
    }
    #expect(refusal(.insertItem(new, id: "apple"), .deleteItem(itemPath(0, 0))) == nil)
    #expect(refusal(.insertItem(new, id: "nuts/1"), .deleteItem(itemPath(1, 1))) == nil)
    #expect(refusal(.insertItem(new, id: "nuts/1"), .deleteSection(1)) == nil)
    // Moved out of a section that goes, it is still there.
    #expect(
      isDuplicate(
        refusal(
          .insertItem(new, id: "nuts/1"), .deleteSection(1),
          .moveItem(from: itemPath(1, 1), to: last)),
        [new]))
    #expect(isDuplicate(refusal(.insertItem(new, id: "fig"), .insertItem(last, id: "fig")), [last]))
    #expect(
      isDuplicate(refusal(.insertSection(2, .init(id: "nuts", items: []))), [], sections: [2]))
    #expect(refusal(.insertSection(1, .init(id: "nuts", count: 5)), .deleteSection(1)) == nil)
    var counted = CollectionData.Section(id: "nuts", count: 5)
    counted.id = "more"
    #expect(isDuplicate(refusal(.insertSection(2, counted)), [], sections: [2]))
    #expect(
      isDuplicate(refusal(.insertSection(2, .init(id: "a", items: ["b", "b"]))), [], sections: [2]))
    #expect(
      isDuplicate(
        refusal(
          .insertSection(0, .init(id: "a", items: ["x"])),
          .insertSection(1, .init(id: "b", items: ["x"]))), [], sections: [1]))
    #expect(refusal(.deleteItem(itemPath(0, 7)))?.code == .pathOutOfRange)
  }

  @Test func `the message names the id and the place`() {
    #expect {
      try data.applying([.insertItem(itemPath(0, 1), id: "nuts/0")])
    } throws: { error in
      "\(error)".contains("\"nuts/0\" inserted at [0, 1]")
    }
  }

  @Test func `the same ids are equal however they are kept`() throws {
    let (counted, listed) = (
      CollectionData.Section(id: "n", count: 3),
      CollectionData.Section(id: "n", items: ["n/0", "n/1", "n/2"])
    )
    #expect(counted == listed)
    #expect(counted.hashValue == listed.hashValue)
    #expect(counted != CollectionData.Section(id: "n", items: ["n/0", "n/1", "n/3"]))
    #expect(counted != CollectionData.Section(id: "n", count: 4))
    #expect(counted != CollectionData.Section(id: "m", count: 3))
    let there = CollectionData(sections: [counted, .init(id: "m", count: 3)])
    let moved = try there.applying([.moveItem(from: itemPath(0, 1), to: itemPath(1, 1))])
    #expect(moved != there)
    let back = try moved.applying([.moveItem(from: itemPath(1, 1), to: itemPath(0, 1))])
    #expect(back == there)
    #expect(back.sections[0].names.pieces.count == 1)
  }

  @Test func `a million counted items stay counted through single changes`() throws {
    let million = 1_000_000
    let data = CollectionData(sections: [
      .init(id: "a", count: million), .init(id: "b", count: million),
    ])
    let (changed, plan) = try data.updated(by: [
      .deleteItem(itemPath(0, 500_000)), .insertItem(itemPath(0, 10), id: "new"),
      .moveItem(from: itemPath(0, 7), to: itemPath(1, 999_999)),
      .insertSection(2, .init(id: "c", count: million)),
    ])
    // Cut at the delete, the insert and the move; no id of the rest is spelled out.
    #expect(changed.sections.map { $0.names.pieces.count } == [5, 3, 1])
    let spelled = changed.sections.flatMap { section in
      section.names.pieces.flatMap { piece -> [String] in
        if case .listed(let ids) = piece { ids } else { [] }
      }
    }
    #expect(spelled == ["new"])
    #expect(changed.itemCounts == [999_999, 1_000_001, million])
    #expect(changed.indexPath(ofItem: "a/7") == itemPath(1, 999_999))
    #expect(changed.indexPath(ofItem: "a/999999") == itemPath(0, 999_998))
    #expect(changed.sections[0].itemID(9) == "a/10")
    #expect(changed.sections[0].itemID(10) == "new")
    #expect(plan.items.count == 4)
    #expect(plan.oldPath(ofNew: itemPath(2, million - 1)) == nil)
    #expect(plan.oldPath(ofNew: itemPath(0, 10)) == nil)
    #expect(plan.newPath(ofOld: itemPath(0, 500_000)) == nil)
    let gone = try UpdatePlan([.deleteSection(0)], before: changed.itemCounts)
    #expect(gone.newPath(ofOld: itemPath(0, 999_998)) == nil)
    #expect(gone.items.count == 1)
  }
}
