public import TimelineModel

/// What a collection view shows: sections and items with stable ids, without any view.
public struct CollectionData: Hashable, Sendable {
  /// The sections in order.
  public var sections: [Section]

  /// Makes data from its sections.
  public init(sections: [Section] = []) {
    self.sections = sections
  }

  /// How many items each section has, in order.
  public var itemCounts: [Int] { sections.map(\.itemCount) }

  /// Who stands at a path: an item's id; for a section's own view `<section id>/<kind>`, and
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

  /// The index path of the item with this id; the first where an id stands twice.
  ///
  /// - Complexity: O(number of items).
  public func indexPath(ofItem id: String) -> IndexPath? {
    for (number, section) in sections.enumerated() {
      if let item = section.index(of: id) { return IndexPath(section: number, item: item) }
    }
    return nil
  }
}

extension CollectionData {
  /// One section: its id and the ids of its items.
  public struct Section: Hashable, Sendable {
    /// The section's stable id.
    public var id: String
    private var names: Names

    private enum Names: Hashable {
      case listed([String])
      case numbered(prefix: String, count: Int)
    }

    /// Makes a section from the ids of its items.
    public init(id: String, items: [String]) {
      self.id = id
      self.names = .listed(items)
    }

    /// Makes a section of `count` items with the ids `<id>/0`, `<id>/1`, …; a negative count is 0.
    ///
    /// The ids are made when they are asked for, so a million items cost nothing here.
    public init(id: String, count: Int) {
      self.id = id
      self.names = .numbered(prefix: id, count: max(0, count))
    }

    /// How many items the section has.
    public var itemCount: Int {
      switch names {
      case .listed(let items): items.count
      case .numbered(_, let count): count
      }
    }

    /// The id of one item; nil outside the section.
    public func itemID(_ item: Int) -> String? {
      guard item >= 0, item < itemCount else { return nil }
      switch names {
      case .listed(let items): return items[item]
      case .numbered(let prefix, _): return "\(prefix)/\(item)"
      }
    }

    /// The ids of all items in order.
    public var items: [String] {
      get {
        switch names {
        case .listed(let items): items
        case .numbered(let prefix, let count): (0..<count).map { "\(prefix)/\($0)" }
        }
      }
      set { names = .listed(newValue) }
    }

    fileprivate func index(of wanted: String) -> Int? {
      switch names {
      case .listed(let items):
        return items.firstIndex(of: wanted)
      case .numbered(let prefix, let count):
        guard wanted.hasPrefix(prefix + "/"), let item = Int(wanted.dropFirst(prefix.count + 1)),
          item >= 0, item < count, "\(prefix)/\(item)" == wanted
        else { return nil }
        return item
      }
    }
  }
}
