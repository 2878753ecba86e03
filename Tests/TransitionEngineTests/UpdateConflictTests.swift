import Testing
import TimelineModel
import TransitionEngine

func itemPath(_ section: Int, _ item: Int) -> ItemIndexPath {
  ItemIndexPath(section: section, item: item)
}

/// What is refused: every code, with the places it names.
@Suite struct UpdateConflictTests {
  let before = [3, 2]

  func refusal(_ operations: [UpdateOperation], after: [Int]? = nil) -> UpdateError? {
    do {
      _ = try UpdatePlan(operations, before: before, after: after)
      return nil
    } catch { return error }
  }

  func expect(
    _ code: UpdateError.Code, _ paths: [ItemIndexPath] = [], sections: [Int] = [],
    after: [Int]? = nil,
    _ operations: UpdateOperation..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for operations in [operations, operations.reversed()] {
      let error = refusal(operations, after: after)
      #expect(error?.code == code, sourceLocation: sourceLocation)
      #expect(error?.indexPaths == paths, sourceLocation: sourceLocation)
      #expect(error?.sections == sections, sourceLocation: sourceLocation)
      let message = error?.description ?? ""
      #expect(message.hasSuffix("."), sourceLocation: sourceLocation)
      for path in paths {
        #expect(message.contains("[\(path.section), \(path.item)]"), sourceLocation: sourceLocation)
      }
      for section in sections where paths.isEmpty {
        #expect(message.contains("\(section)"), sourceLocation: sourceLocation)
      }
    }
  }

  @Test func `two operations on one item are refused`() {
    let (here, other) = (itemPath(0, 1), itemPath(1, 0))
    expect(.deleteTwice, [here], .deleteItem(here), .deleteItem(here))
    expect(.insertTwice, [here], .insertItem(here), .insertItem(here))
    expect(.reloadTwice, [here], .reloadItem(here), .reloadItem(here))
    let move = UpdateOperation.moveItem(from: here, to: other)
    expect(.moveTwice, [here], move, move)
    expect(.moveTwice, [here], move, .moveItem(from: here, to: itemPath(0, 0)))
    expect(.moveTwice, [other], move, .moveItem(from: itemPath(0, 0), to: other))
    expect(.deleteAndMove, [here], .deleteItem(here), move)
    expect(.insertAndMove, [other], .insertItem(other), move)
    expect(.reloadAndDelete, [here], .reloadItem(here), .deleteItem(here))
    expect(.reloadAndMove, [here], .reloadItem(here), move)
  }

  @Test func `two operations on one section are refused`() {
    let move = UpdateOperation.moveSection(from: 0, to: 1)
    expect(.deleteTwice, sections: [1], .deleteSection(1), .deleteSection(1))
    expect(.insertTwice, sections: [1], .insertSection(1), .insertSection(1))
    expect(.reloadTwice, sections: [0], .reloadSection(0), .reloadSection(0))
    expect(.moveTwice, sections: [0], move, .moveSection(from: 0, to: 0))
    expect(.moveTwice, sections: [1], move, .moveSection(from: 1, to: 1))
    expect(.deleteAndMove, sections: [0], .deleteSection(0), move)
    expect(.insertAndMove, sections: [1], .insertSection(1), move)
    expect(.reloadAndDelete, sections: [0], .reloadSection(0), .deleteSection(0))
    expect(.reloadAndMove, sections: [0], .reloadSection(0), move)
  }

  @Test func `an item and its section contradict each other`() {
    expect(
      .reloadAndDelete, [itemPath(1, 0)], sections: [1], .reloadItem(itemPath(1, 0)),
      .deleteSection(1))
    expect(
      .changeInReloadedSection, [itemPath(1, 0)], sections: [1], .deleteItem(itemPath(1, 0)),
      .reloadSection(1))
    expect(
      .changeInReloadedSection, [itemPath(0, 0)], sections: [0],
      .moveItem(from: itemPath(0, 0), to: itemPath(1, 0)), .reloadSection(0))
    expect(
      .changeInReloadedSection, [itemPath(1, 2)], sections: [1], after: [3, 3],
      .insertItem(itemPath(1, 2)), .reloadSection(1))
  }

  @Test func `a place that is not there is refused in its own numbering`() {
    for bad in [
      itemPath(0, 3), itemPath(0, -1), itemPath(2, 0), itemPath(-1, 0), itemPath(.max, .max),
      itemPath(.min, 0),
    ] {
      expect(.pathOutOfRange, [bad], .deleteItem(bad))
      expect(.pathOutOfRange, [bad], .reloadItem(bad))
      expect(.pathOutOfRange, [bad], .moveItem(from: bad, to: itemPath(0, 0)))
    }
    for bad in [
      itemPath(0, 4), itemPath(0, -1), itemPath(2, 0), itemPath(-1, 0), itemPath(.max, .max),
      itemPath(.min, 0),
    ] {
      expect(.pathOutOfRange, [bad], .insertItem(bad))
      expect(.pathOutOfRange, [bad], .moveItem(from: itemPath(0, 0), to: bad))
    }
    // Before the update section 1 has no item 2, after it there is one.
    #expect(refusal([.insertItem(itemPath(1, 2))]) == nil)
    expect(
      .pathOutOfRange, [itemPath(1, 2)], .reloadItem(itemPath(1, 2)), .insertItem(itemPath(1, 0)))
    // After the deletes there is no item 2 for a move to lead to.
    expect(
      .pathOutOfRange, [itemPath(0, 2)], .deleteItem(itemPath(0, 0)),
      .moveItem(from: itemPath(0, 1), to: itemPath(0, 2)))
    for bad in [2, -1, .max, .min] {
      expect(.sectionOutOfRange, sections: [bad], .deleteSection(bad))
      expect(.sectionOutOfRange, sections: [bad], .reloadSection(bad))
      expect(.sectionOutOfRange, sections: [bad], .moveSection(from: bad, to: 0))
      expect(.sectionOutOfRange, sections: [bad], .moveSection(from: 0, to: bad))
    }
    expect(.sectionOutOfRange, sections: [3], .insertSection(3))
  }

  @Test func `counts that do not add up are refused`() {
    expect(.itemCountMismatch, sections: [0], after: [3, 2], .deleteItem(itemPath(0, 0)))
    expect(.itemCountMismatch, sections: [1], after: [3, 4], .insertItem(itemPath(1, 0)))
    expect(
      .itemCountMismatch, sections: [0], after: [3, 2],
      .moveItem(from: itemPath(0, 0), to: itemPath(1, 0)))
    expect(
      .itemCountMismatch, sections: [1], after: [2, 2],
      .moveItem(from: itemPath(0, 0), to: itemPath(1, 0)))
    expect(.sectionCountMismatch, after: [3, 2], .deleteSection(1))
    expect(.sectionCountMismatch, after: [3, 2, 0, 0], .insertSection(0))
    #expect(refusal([], after: [3, 2]) == nil)
    #expect(refusal([], after: [3])?.code == .sectionCountMismatch)
    #expect(refusal([], after: [3, 3])?.code == .itemCountMismatch)
    // A section that comes, or is shown anew, may have any number of items.
    #expect(refusal([.insertSection(0)], after: [9, 3, 2]) == nil)
    #expect(refusal([.reloadSection(0)], after: [9, 2]) == nil)
    #expect(refusal([.reloadSection(0)], after: [0, 2]) == nil)
    #expect(
      refusal([.moveItem(from: itemPath(0, 0), to: itemPath(1, 1)), .deleteItem(itemPath(1, 1))])
        == nil)
  }

  @Test func `counts of any size are taken without a trap`() throws {
    let huge = try UpdatePlan([.insertItem(itemPath(0, 0))], before: [.max, .min])
    #expect(huge.counts.first == huge.countsBefore[0] + 1)
    #expect(huge.countsBefore[1] == 0)
    #expect(huge.newPath(ofOld: itemPath(0, .max)) == nil)
    #expect(huge.oldPath(ofNew: itemPath(.max, .max)) == nil)
    #expect(huge.newSection(ofOld: .max) == nil)
    #expect(huge.oldSection(ofNew: .min) == nil)
  }
}
