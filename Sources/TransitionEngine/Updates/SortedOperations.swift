import TimelineModel

/// The operations on items, or those on sections, each kind sorted by place.
struct SortedOperations<Location: Hashable & Comparable & Sendable>: Sendable {
  struct Move: Hashable, Sendable {
    /// The place before the update.
    var from: Location
    /// The place after the update.
    var to: Location
  }

  /// Places before the update.
  private(set) var deletes: [Location]
  /// Places after the update.
  private(set) var inserts: [Location]
  /// Places before the update.
  private(set) var reloads: [Location]
  /// Moves in the order of their places before the update.
  private(set) var movesBySource: [Move]
  /// The same moves in the order of their places after the update.
  private(set) var movesByTarget: [Move]
  /// Every place before the update whose element leaves its neighbours: deletes and moves.
  private(set) var sources: [Location]
  /// Every place after the update whose element joins its neighbours: inserts and moves.
  private(set) var targets: [Location]

  init(deletes: [Location], inserts: [Location], reloads: [Location], moves: [Move]) {
    self.deletes = deletes.sorted()
    self.inserts = inserts.sorted()
    self.reloads = reloads.sorted()
    movesBySource = moves.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
    movesByTarget = moves.sorted { ($0.to, $0.from) < ($1.to, $1.from) }
    sources = (deletes + moves.map(\.from)).sorted()
    targets = (inserts + moves.map(\.to)).sorted()
  }

  /// Where a moved element goes. `nil` for one that is not moved.
  func target(ofMoved location: Location) -> Location? {
    let index = movesBySource.firstOrdered { $0.from >= location }
    guard index < movesBySource.count, movesBySource[index].from == location else { return nil }
    return movesBySource[index].to
  }

  /// Where a moved element comes from. `nil` where none arrives.
  func source(ofMoved location: Location) -> Location? {
    let index = movesByTarget.firstOrdered { $0.to >= location }
    guard index < movesByTarget.count, movesByTarget[index].to == location else { return nil }
    return movesByTarget[index].from
  }

  /// The first two operations that contradict each other, and their common place.
  func firstConflict() -> (code: UpdateError.Code, location: Location)? {
    if let location = deletes.firstRepeated() { return (.deleteTwice, location) }
    if let location = reloads.firstRepeated() { return (.reloadTwice, location) }
    if let location = movesBySource.map(\.from).firstRepeated() { return (.moveTwice, location) }
    if let location = deletes.firstShared(with: movesBySource.map(\.from)) {
      return (.deleteAndMove, location)
    }
    if let location = reloads.firstShared(with: deletes) { return (.reloadAndDelete, location) }
    if let location = reloads.firstShared(with: movesBySource.map(\.from)) {
      return (.reloadAndMove, location)
    }
    if let location = inserts.firstRepeated() { return (.insertTwice, location) }
    if let location = movesByTarget.map(\.to).firstRepeated() { return (.moveTwice, location) }
    if let location = inserts.firstShared(with: movesByTarget.map(\.to)) {
      return (.insertAndMove, location)
    }
    return nil
  }
}

extension SortedOperations<ItemIndexPath> {
  init(itemsIn operations: [UpdateOperation]) {
    var deletes: [ItemIndexPath] = []
    var inserts: [ItemIndexPath] = []
    var reloads: [ItemIndexPath] = []
    var moves: [Move] = []
    for operation in operations {
      switch operation {
      case .deleteItem(let path): deletes.append(path)
      case .insertItem(let path): inserts.append(path)
      case .reloadItem(let path): reloads.append(path)
      case .moveItem(let from, let to): moves.append(Move(from: from, to: to))
      case .deleteSection, .insertSection, .reloadSection, .moveSection: continue
      }
    }
    self.init(deletes: deletes, inserts: inserts, reloads: reloads, moves: moves)
  }
}

extension SortedOperations<Int> {
  init(sectionsIn operations: [UpdateOperation]) {
    var deletes: [Int] = []
    var inserts: [Int] = []
    var reloads: [Int] = []
    var moves: [Move] = []
    for operation in operations {
      switch operation {
      case .deleteSection(let section): deletes.append(section)
      case .insertSection(let section): inserts.append(section)
      case .reloadSection(let section): reloads.append(section)
      case .moveSection(let from, let to): moves.append(Move(from: from, to: to))
      case .deleteItem, .insertItem, .reloadItem, .moveItem: continue
      }
    }
    self.init(deletes: deletes, inserts: inserts, reloads: reloads, moves: moves)
  }
}

extension Array where Element: Comparable {
  /// The first element of this sorted list that stands in it twice.
  fileprivate func firstRepeated() -> Element? {
    zip(self, dropFirst()).first { $0 == $1 }?.0
  }

  /// The first element that stands in this and in another sorted list.
  fileprivate func firstShared(with other: [Element]) -> Element? {
    var index = 0
    for element in self {
      while index < other.count, other[index] < element { index += 1 }
      if index < other.count, other[index] == element { return element }
    }
    return nil
  }
}
