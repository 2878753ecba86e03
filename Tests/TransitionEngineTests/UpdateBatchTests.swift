import TestSupport
import Testing
import TimelineModel

@testable import TransitionEngine

/// Large random batch updates, made together with what they must lead to.
@Suite struct UpdateBatchTests {
  /// Data, changes and the ids after them.
  struct Batch {
    var data = CollectionData()
    var changes: [DataChange] = []
    var after: [(id: String, items: [String])] = []

    /// Decides for every section and item what becomes of it, and then for every place after the
    /// update who stands there.
    init(seed: UInt64, sections: Int, items: Int) {
      var random = SplitMix(seed: seed)
      func chance(_ one: Int, in all: Int) -> Bool {
        Int.random(in: 0..<all, using: &random) < one
      }
      for number in 0..<sections {
        let count = Int.random(in: 0...items, using: &random)
        let id = "s\(number)"
        data.sections.append(
          number.isMultiple(of: 2)
            ? .init(id: id, count: count)
            : .init(id: id, items: (0..<count).map { "\(id)-\($0)" }))
      }
      var (staying, movingSections, moving): ([Int], [Int], [(from: ItemIndexPath, id: String)])
      (staying, movingSections, moving) = ([], [], [])
      var kept: [[String]] = []
      for (number, section) in data.sections.enumerated() {
        let isDeleted = chance(1, in: 6)
        if isDeleted {
          changes.append(.deleteSection(number))
        } else if chance(1, in: 5) {
          movingSections.append(number)
        } else {
          staying.append(number)
        }
        var rest: [String] = []
        for (item, id) in section.items.enumerated() {
          let path = ItemIndexPath(section: number, item: item)
          if chance(1, in: 5) {
            changes.append(.deleteItem(path))
          } else if chance(1, in: 5) {
            moving.append((path, id))
          } else if !isDeleted {
            rest.append(id)
            if chance(1, in: 9) { changes.append(.reloadItem(path)) }
          }
        }
        kept.append(rest)
      }
      movingSections.shuffle(using: &random)
      moving.shuffle(using: &random)
      var (inserted, fresh) = (2, 0)
      var waiting = staying[...]
      while !(waiting.isEmpty && movingSections.isEmpty && inserted == 0) {
        let number = after.count
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where !waiting.isEmpty:
          let old = waiting.removeFirst()
          after.append((data.sections[old].id, kept[old]))
        case 1 where !movingSections.isEmpty:
          let old = movingSections.removeLast()
          changes.append(.moveSection(from: old, to: number))
          after.append((data.sections[old].id, kept[old]))
        case 2 where inserted > 0:
          inserted -= 1
          let own = CollectionData.Section(id: "new \(number)", count: 5)
          changes.append(.insertSection(number, own))
          after.append((own.id, own.items))
        default: continue
        }
      }
      for number in after.indices {
        let isLast = number == after.count - 1
        var woven: [String] = []
        var rest = after[number].items[...]
        while true {
          let path = ItemIndexPath(section: number, item: woven.count)
          if !moving.isEmpty, chance(1, in: 4) || (isLast && rest.isEmpty) {
            let (from, id) = moving.removeLast()
            changes.append(.moveItem(from: from, to: path))
            woven.append(id)
          } else if chance(1, in: 6) {
            fresh += 1
            changes.append(.insertItem(path, id: "fresh/\(fresh)"))
            woven.append("fresh/\(fresh)")
          } else if let next = rest.popFirst() {
            woven.append(next)
          } else {
            break
          }
        }
        after[number].items = woven
      }
      changes.shuffle(using: &random)
    }
  }

  @Test(arguments: 0..<40)
  func `a large random batch leads where it was made to lead`(_ seed: UInt64) throws {
    let batch = Batch(seed: seed, sections: 2 + Int(seed % 9), items: seed < 4 ? 400 : 40)
    let (data, plan) = try batch.data.updated(by: batch.changes)
    #expect(data.sections.map(\.id) == batch.after.map(\.id))
    #expect(data.sections.map(\.items) == batch.after.map(\.items))
    #expect(plan.counts == batch.after.map(\.items.count))
    // The same operations with the counts said beforehand are taken too.
    let told = try UpdatePlan(
      batch.changes.map(\.operation), before: batch.data.itemCounts, after: plan.counts)
    #expect(told.items == plan.items)
    var places: [String: ItemIndexPath] = [:]
    for (number, section) in batch.after.enumerated() {
      for (item, id) in section.items.enumerated() {
        places[id] = ItemIndexPath(section: number, item: item)
      }
    }
    var wrong = 0
    for (number, section) in batch.data.sections.enumerated() {
      for (item, id) in section.items.enumerated() {
        let old = ItemIndexPath(section: number, item: item)
        let new = plan.newPath(ofOld: old)
        if new != places[id] || new.map({ plan.oldPath(ofNew: $0) != old }) ?? false { wrong += 1 }
      }
    }
    #expect(wrong == 0)
  }

  @Test(arguments: 0..<20)
  func `a walk finds each element as if it were asked for alone, in any order`(
    _ seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    let batch = Batch(seed: seed, sections: 2 + Int(seed % 5), items: 60)
    let plan = try batch.data.updated(by: batch.changes).plan
    var (forth, back) = (UpdatePlan.Walk(plan, .forth), UpdatePlan.Walk(plan, .back))
    var still = UpdatePlan.Walk(nil, .forth)
    var path = ElementPath.cell(ItemIndexPath(section: 0, item: 0))
    for _ in 0..<2_000 {
      // Mostly the next item, now and then a jump, also beyond the data.
      path.indexPath.item += 1
      if Int.random(in: 0..<20, using: &random) == 0 {
        path = ElementPath(
          category: ElementCategory.allCases.randomElement(using: &random) ?? .cell,
          indexPath: ItemIndexPath(
            section: Int.random(in: -1...8, using: &random),
            item: Int.random(in: -2..<70, using: &random)))
      }
      var (forthAlone, backAlone) = (UpdatePlan.Walk(plan, .forth), UpdatePlan.Walk(plan, .back))
      #expect(forth.place(of: path)?.path == forthAlone.place(of: path)?.path)
      #expect(back.place(of: path)?.path == backAlone.place(of: path)?.path)
      #expect(still.place(of: path)?.path == path)
      guard path.category == .cell, let new = plan.newPath(ofOld: path.indexPath) else { continue }
      #expect(forth.place(of: path)?.isMoved == plan.isMoved(path.indexPath))
      #expect(forth.isReloaded(path) == plan.isReloaded(path.indexPath))
      #expect(back.place(of: .cell(new))?.isMoved == plan.isMoved(path.indexPath))
    }
  }

  @Test func `every id leads to its place after a large batch`() throws {
    let batch = Batch(seed: 99, sections: 4, items: 100)
    let data = try batch.data.applying(batch.changes)
    for (number, section) in batch.after.enumerated() {
      for (item, id) in section.items.enumerated() {
        #expect(data.indexPath(ofItem: id) == ItemIndexPath(section: number, item: item))
        #expect(data.sections[number].itemID(item) == id)
      }
    }
  }
}
