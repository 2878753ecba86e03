/// Section and item number, both counted from 0.
public struct ItemIndexPath: Hashable, Comparable, Sendable {
  /// Number of the section.
  public var section: Int
  /// Number of the item in its section.
  public var item: Int

  /// Makes an index path.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Orders by section, then by item.
  public static func < (left: ItemIndexPath, right: ItemIndexPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

/// What sort of element a layout places.
public enum ElementCategory: String, Hashable, Sendable, CaseIterable {
  /// An item of the data.
  case cell
  /// A header, a footer or another view that belongs to a section.
  case supplementary
  /// An ornament that belongs to the layout.
  case decoration
}

extension ElementCategory {
  /// Hashes the case. Without it the text of the raw value would be hashed, for each path that is looked up.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .cell: hasher.combine(0)
    case .supplementary: hasher.combine(1)
    case .decoration: hasher.combine(2)
    }
  }
}

/// Who an element is, whatever its index path becomes: an item keeps its identity through moves.
public struct ElementIdentity: Hashable, Sendable {
  /// Cell, supplementary view or decoration view.
  public var category: ElementCategory
  /// The kind of a supplementary or decoration view. `nil` for a cell.
  public var elementKind: String?
  /// The stable name: the item's id, or `<section id>/<kind>` for a section's own views.
  public var id: String

  /// Makes an identity. Cells have no kind.
  public init(category: ElementCategory, elementKind: String? = nil, id: String) {
    self.category = category
    self.elementKind = elementKind
    self.id = id
  }
}
