import Testing
import TimelineModel
import TransitionEngine

/// What a layout is told, and in which order.
@Suite struct UpdateItemsTests {
  @Test func `an insert has no place before, a delete none after`() throws {
    let plan = try UpdatePlan(
      [
        .insertItem(itemPath(0, 1)), .deleteItem(itemPath(0, 0)),
        .moveItem(from: itemPath(0, 2), to: itemPath(0, 0)),
      ], before: [3])
    #expect(
      plan.items == [
        UpdateItem(.delete, before: itemPath(0, 0)), UpdateItem(.insert, after: itemPath(0, 1)),
        UpdateItem(.move, before: itemPath(0, 2), after: itemPath(0, 0)),
      ])
  }

  @Test func `a section operation has no item number`() throws {
    let plan = try UpdatePlan(
      [.deleteSection(0), .insertSection(1), .moveSection(from: 2, to: 0)], before: [1, 1, 1])
    #expect(
      plan.items == [
        UpdateItem(.delete, sectionBefore: 0), UpdateItem(.insert, sectionAfter: 1),
        UpdateItem(.move, sectionBefore: 2, sectionAfter: 0),
      ])
    #expect(plan.items.allSatisfy { $0.isSection })
    #expect(plan.items[0].indexPathBeforeUpdate == itemPath(0, UpdateItem.noItem))
    #expect(plan.items[0].indexPathAfterUpdate == nil)
    #expect(!UpdateItem(.insert, after: itemPath(0, 0)).isSection)
  }

  @Test func `deletes descend, inserts ascend, moves come last`() throws {
    let plan = try UpdatePlan(
      [
        .insertItem(itemPath(1, 0)), .deleteItem(itemPath(0, 1)),
        .moveItem(from: itemPath(1, 1), to: itemPath(0, 1)),
        .insertItem(itemPath(0, 0)), .reloadItem(itemPath(0, 2)), .deleteItem(itemPath(1, 0)),
      ], before: [3, 2])
    #expect(
      plan.items.map(\.action) == [.delete, .delete, .delete, .insert, .insert, .insert, .move])
    #expect(
      plan.items.prefix(3).map(\.indexPathBeforeUpdate) == [
        itemPath(1, 0), itemPath(0, 2), itemPath(0, 1),
      ])
    #expect(
      plan.items[3...5].map(\.indexPathAfterUpdate) == [
        itemPath(0, 0), itemPath(0, 3), itemPath(1, 0),
      ])
  }

  @Test func `deletes one by one, then inserts one by one, lead to the new order`() throws {
    let before = Array("abcdef")
    let plan = try UpdatePlan(
      [
        .insertItem(itemPath(0, 0)), .insertItem(itemPath(0, 4)), .deleteItem(itemPath(0, 1)),
        .deleteItem(itemPath(0, 4)), .insertItem(itemPath(0, 2)),
      ], before: [before.count])
    var items = before
    for item in plan.items {
      if let old = item.indexPathBeforeUpdate { items.remove(at: old.item) }
      if let new = item.indexPathAfterUpdate { items.insert("+", at: new.item) }
    }
    #expect(String(items) == "+a+c+df")
    for (place, id) in items.enumerated() {
      let old = plan.oldPath(ofNew: itemPath(0, place))
      #expect(old.map { before[$0.item] } ?? "+" == id)
    }
  }

  @Test func `a reload is a delete and an insert, and keeps its place among its neighbours`()
    throws
  {
    let plan = try UpdatePlan(
      [.reloadItem(itemPath(0, 2)), .deleteItem(itemPath(0, 0))], before: [3])
    #expect(
      plan.items == [
        UpdateItem(.delete, before: itemPath(0, 2)), UpdateItem(.delete, before: itemPath(0, 0)),
        UpdateItem(.insert, after: itemPath(0, 1)),
      ])
    #expect(plan.isReloaded(itemPath(0, 2)))
    #expect(!plan.isReloaded(itemPath(0, 1)))
    #expect(!plan.isReloaded(itemPath(0, 3)))
    #expect(plan.newPath(ofOld: itemPath(0, 2)) == itemPath(0, 1))
    #expect(plan.deletedItems == [itemPath(0, 0)])
    #expect(plan.insertedItems.isEmpty)
  }

  @Test func `a reloaded section matches its items by number and may have more or fewer`() throws {
    let more = try UpdatePlan(
      [.reloadSection(0), .reloadItem(itemPath(0, 1))], before: [2, 1], after: [4, 1])
    #expect(
      more.items == [UpdateItem(.delete, sectionBefore: 0), UpdateItem(.insert, sectionAfter: 0)])
    #expect(more.insertedItems == [itemPath(0, 2), itemPath(0, 3)])
    #expect(more.oldPath(ofNew: itemPath(0, 2)) == nil)
    #expect(more.newPath(ofOld: itemPath(0, 1)) == itemPath(0, 1))
    #expect(more.isReloaded(itemPath(0, 1)))
    #expect(!more.isReloaded(itemPath(1, 0)))
    let fewer = try UpdatePlan([.reloadSection(0)], before: [3], after: [1])
    #expect(fewer.deletedItems == [itemPath(0, 1), itemPath(0, 2)])
    #expect(fewer.newPath(ofOld: itemPath(0, 1)) == nil)
    #expect(!fewer.isReloaded(itemPath(0, 1)))
  }

  @Test func `a deleted section takes its items along, but for those moved out`() throws {
    let plan = try UpdatePlan(
      [
        .deleteSection(0), .deleteItem(itemPath(0, 0)),
        .moveItem(from: itemPath(0, 2), to: itemPath(0, 1)),
      ],
      before: [4, 1])
    #expect(
      plan.items == [
        UpdateItem(.delete, sectionBefore: 0),
        UpdateItem(.move, before: itemPath(0, 2), after: itemPath(0, 1)),
      ])
    #expect(plan.deletedItems == [itemPath(0, 0), itemPath(0, 1), itemPath(0, 3)])
    #expect(plan.counts == [2])
  }

  @Test func `an inserted section brings its items, and others may be moved into it`() throws {
    let plan = try UpdatePlan(
      [
        .insertSection(0), .insertItem(itemPath(0, 0)),
        .moveItem(from: itemPath(0, 0), to: itemPath(0, 2)),
      ],
      before: [2], after: [4, 1])
    #expect(
      plan.items == [
        UpdateItem(.insert, sectionAfter: 0),
        UpdateItem(.move, before: itemPath(0, 0), after: itemPath(0, 2)),
      ])
    #expect(plan.insertedItems == [itemPath(0, 0), itemPath(0, 1), itemPath(0, 3)])
    #expect(plan.newPath(ofOld: itemPath(0, 1)) == itemPath(1, 0))
  }

  @Test func `no operation at all is a plan that changes nothing`() throws {
    let plan = try UpdatePlan([], before: [2, 0], after: [2, 0])
    #expect(plan.isEmpty)
    #expect(plan.counts == [2, 0])
    #expect(plan.newPath(ofOld: itemPath(0, 1)) == itemPath(0, 1))
    #expect(try UpdatePlan([], before: []).counts.isEmpty)
  }
}

extension UpdatePlan {
  /// The items that go away, in the numbering before the update.
  fileprivate var deletedItems: [ItemIndexPath] {
    paths(countsBefore).filter { newPath(ofOld: $0) == nil }
  }

  /// The items that are new, in the numbering after the update.
  fileprivate var insertedItems: [ItemIndexPath] {
    paths(counts).filter { oldPath(ofNew: $0) == nil }
  }

  private func paths(_ counts: [Int]) -> [ItemIndexPath] {
    counts.enumerated().flatMap { section, count in
      (0..<count).map { ItemIndexPath(section: section, item: $0) }
    }
  }
}
