public import TimelineModel

/// The data of a collection view: sections and items with stable ids, without any view.
public struct CollectionData: Hashable, Sendable {
  /// The sections in order.
  public var sections: [Section]

  /// Makes data from its sections.
  public init(sections: [Section] = []) {
    self.sections = sections
  }

  /// How many items each section has, in order.
  public var itemCounts: [Int] { sections.map(\.itemCount) }

  /// Who stands at a path: an item's id. For a section's own view `<section id>/<kind>`, and
  /// `<section id>/<kind>/<n>` for the n-th beside the first. Decoration follows the same rule, and
  /// is named after the section's number where there is no such section.
  ///
  /// - Returns: nil for a cell or supplementary view that the data does not have.
  public func identity(of path: ElementPath) -> ElementIdentity? {
    let (section, item) = (path.indexPath.section, path.indexPath.item)
    let known = sections.indices.contains(section)
    switch path.category {
    case .cell:
      guard known, let id = sections[section].itemID(item) else { return nil }
      return ElementIdentity(category: .cell, id: id)
    case .supplementary where !known:
      return nil
    case .supplementary, .decoration:
      let owner = known ? sections[section].id : String(section)
      let kind = path.elementKind ?? ""
      let id = item == 0 ? "\(owner)/\(kind)" : "\(owner)/\(kind)/\(item)"
      return ElementIdentity(category: path.category, elementKind: path.elementKind, id: id)
    }
  }

  /// Whether an element stands at a path.
  func has(_ identity: ElementIdentity, at path: ElementPath) -> Bool {
    let section = path.indexPath.section
    guard path.category == .cell else { return self.identity(of: path) == identity }
    return identity.category == .cell && identity.elementKind == nil
      && sections.indices.contains(section)
      && sections[section].itemID(path.indexPath.item) == identity.id
  }

  /// The index path of the item with this id. The first where an id stands twice.
  ///
  /// - Complexity: O(number of ids given one by one + number of pieces that updates have cut the
  ///   counted ones into).
  public func indexPath(ofItem id: String) -> ItemIndexPath? {
    for (number, section) in sections.enumerated() {
      if let item = section.names.index(of: id) {
        return ItemIndexPath(section: number, item: item)
      }
    }
    return nil
  }
}

extension CollectionData {
  /// The ids that a batch update brings: those of inserted items and whole inserted sections.
  struct Arrivals {
    /// Ids by their places after the update.
    private(set) var items: [ItemIndexPath: String] = [:]
    /// Sections by their numbers after the update.
    private(set) var sections: [Int: Section] = [:]

    init(_ changes: [DataChange]) {
      for change in changes {
        switch change {
        case .insertItem(let path, let id): items[path] = id
        case .insertSection(let number, let section): sections[number] = section
        default: continue
        }
      }
    }

    /// Refuses an inserted section whose id another section has.
    func checkSectionIDs(of all: [Section]) throws(UpdateError) {
      guard !sections.isEmpty else { return }
      var staying = Set<String>()
      for (number, section) in all.enumerated() where sections[number] == nil {
        staying.insert(section.id)
      }
      for (number, section) in sections.sorted(by: { $0.key < $1.key })
      where !staying.insert(section.id).inserted {
        throw UpdateError(
          .duplicateID, sections: [number],
          message:
            "The id \"\(section.id)\" of the section inserted at \(number) is already there. "
            + "Choose another, or delete the section that has it in the same update.")
      }
    }

    /// Refuses an inserted item whose id another item has.
    func checkItemIDs(against staying: [ItemNames]) throws(UpdateError) {
      let items = items.sorted { $0.key < $1.key }
      let sections = sections.sorted { $0.key < $1.key }
      var known = KnownNames()
      let repeating = known.formUnion(
        items.map { ItemNames(.listed([$0.value])) } + sections.map(\.value.names))
      if let repeating, repeating < items.count {
        throw Self.fault(items[repeating].value, at: items[repeating].key)
      }
      if let repeating {
        let number = sections[repeating - items.count].key
        throw UpdateError(
          .duplicateID, sections: [number],
          message: "An id of an item in the section inserted at \(number) appears twice. "
            + "Give every inserted item an id of its own.")
      }
      guard let id = known.firstShared(with: staying) else { return }
      if let (path, _) = items.first(where: { $0.value == id }) { throw Self.fault(id, at: path) }
      throw UpdateError(
        .duplicateID,
        sections: sections.filter { $0.value.names.index(of: id) != nil }.map(\.key),
        message: "The id \"\(id)\" in an inserted section is already there. "
          + "Choose another, or delete the item that has it in the same update.")
    }

    private static func fault(_ id: String, at path: ItemIndexPath) -> UpdateError {
      UpdateError(
        .duplicateID, indexPaths: [path],
        message: "The id \"\(id)\" inserted at \(path.text) is already there. "
          + "Choose another, or delete the item that has it in the same update.")
    }
  }
}

extension CollectionData {
  /// The data after a batch update. Ids stay with their items through moves and reloads.
  ///
  /// - Parameter changes: The changes, in any order, with the numberings of ``UpdateOperation``.
  /// - Throws: An ``UpdateError`` for what `UpdatePlan` refuses, and for an inserted id that
  ///   another item, or for a section another section, has after the update.
  /// - Complexity: O(changes · log changes + sections + pieces). Without inserts, listed ids are
  ///   touched only in the sections that change, and with inserts each is looked at once.
  public func applying(_ changes: [DataChange]) throws(UpdateError) -> CollectionData {
    try updated(by: changes).data
  }

  /// The data after a batch update, and the plan that led to it.
  ///
  /// - Throws: As ``applying(_:)``.
  package func updated(
    by changes: [DataChange]
  ) throws(UpdateError) -> (data: CollectionData, plan: UpdatePlan) {
    let arrivals = Arrivals(changes)
    let plan = try UpdatePlan(
      changes.map(\.operation), before: itemCounts,
      brought: arrivals.sections.mapValues(\.itemCount))
    var staying: [ItemNames] = []
    var sections: [Section] = []
    for new in plan.counts.indices {
      let old = plan.oldSection(ofNew: new)
      guard var section = old.map({ self.sections[$0] }) ?? arrivals.sections[new] else { continue }
      if let old {
        section.names = section.names.without(plan.renumbering.sources[old])
        staying.append(section.names)
      }
      section.names = joined(new, section.names, by: plan, with: arrivals)
      sections.append(section)
    }
    staying += plan.renumbering.items.movesByTarget.map { move in
      self.sections[move.from.section].names.part([move.from.item..<move.from.item + 1])
    }
    try arrivals.checkSectionIDs(of: sections)
    try arrivals.checkItemIDs(against: staying)
    return (CollectionData(sections: sections), plan)
  }

  /// The ids of a section after the update: those that stay, and between them the ids that are inserted and
  /// moved into it.
  private func joined(
    _ section: Int, _ staying: ItemNames, by plan: UpdatePlan, with arrivals: Arrivals
  ) -> ItemNames {
    let joining = plan.renumbering.targets[section]
    guard !joining.isEmpty else { return staying }
    var names = ItemNames()
    var taken = 0
    for item in joining {
      let next = taken + item - names.count
      names.append(taken..<next, of: staying)
      taken = next
      let path = ItemIndexPath(section: section, item: item)
      if let from = plan.renumbering.items.source(ofMoved: path) {
        names.append(from.item..<from.item + 1, of: sections[from.section].names)
      } else if let id = arrivals.items[path] {
        names.append(.listed([id]))
      }
    }
    names.append(taken..<staying.count, of: staying)
    return names
  }
}

extension CollectionData.ItemNames {
  /// The ids but for those at some places, sorted ascending.
  fileprivate func without(_ positions: some RandomAccessCollection<Int>) -> Self {
    positions.isEmpty ? self : part(positions.gaps(upTo: count))
  }

  /// The ids at some places.
  fileprivate func part(_ positions: [Range<Int>]) -> Self {
    var part = Self()
    for index in positions { part.append(index, of: self) }
    return part
  }
}

extension CollectionData {
  /// One section: its id and the ids of its items.
  ///
  /// Two sections are equal when they stand for the same ids, however these were given. Comparing
  /// costs O(pieces) where both were counted and at most O(items). The hash takes the id and the
  /// number of items alone.
  public struct Section: Hashable, Sendable {
    /// The section's stable id.
    public var id: String
    var names: ItemNames

    /// Makes a section from the ids of its items.
    public init(id: String, items: [String]) {
      self.init(id: id, names: ItemNames(.listed(items)))
    }

    /// Makes a section of `count` items with the ids `<id>/0`, `<id>/1`, …. A negative count is 0,
    /// and one above half the largest integer is taken as that.
    ///
    /// The ids are made when they are asked for, so a million items cost nothing here.
    public init(id: String, count: Int) {
      let count = min(max(0, count), UpdatePlan.countLimit)
      self.init(id: id, names: ItemNames(.numbered(prefix: id, numbers: 0..<count)))
    }

    init(id: String, names: ItemNames) {
      self.id = id
      self.names = names
    }

    /// How many items the section has.
    public var itemCount: Int { names.count }

    /// The id of one item. `nil` outside the section.
    ///
    /// - Complexity: O(log pieces), where an update that takes an item out of a counted section, or
    ///   puts one in, cuts it into one piece more.
    public func itemID(_ item: Int) -> String? { names.id(at: item) }

    /// The ids of all items in order.
    ///
    /// - Complexity: O(items).
    public var items: [String] {
      get { names.all }
      set { names = ItemNames(.listed(newValue)) }
    }
  }
}
