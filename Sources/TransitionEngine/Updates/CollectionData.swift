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
