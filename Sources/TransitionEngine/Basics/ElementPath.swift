public import TimelineModel

/// Where an element stands in the numbering of the moment: category, kind and index path.
public struct ElementPath: Hashable, Comparable, Sendable {
  /// Cell, supplementary view or decoration view.
  public var category: ElementCategory
  /// The kind of a supplementary or decoration view ("header"). `nil` for a cell.
  public var elementKind: String? {
    get { kind.name }
    set { kind = ElementKind(newValue) }
  }
  private var kind: ElementKind
  /// Section and item.
  public var indexPath: ItemIndexPath

  /// Makes a path. Cells have no kind.
  public init(category: ElementCategory, elementKind: String? = nil, indexPath: ItemIndexPath) {
    self.category = category
    kind = ElementKind(elementKind)
    self.indexPath = indexPath
  }

  /// The path of a cell.
  public static func cell(_ indexPath: ItemIndexPath) -> ElementPath {
    ElementPath(category: .cell, indexPath: indexPath)
  }

  /// Hashes the place, and the rest only of other elements than cells: a view has few elements that are none.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(indexPath.section)
    hasher.combine(indexPath.item)
    if category != .cell {
      hasher.combine(category)
      hasher.combine(elementKind)
    }
  }

  /// Orders by index path, then category in the order of its cases, then kind.
  public static func < (left: ElementPath, right: ElementPath) -> Bool {
    if left.indexPath != right.indexPath { return left.indexPath < right.indexPath }
    if left.category != right.category { return left.category.order < right.category.order }
    return (left.elementKind ?? "") < (right.elementKind ?? "")
  }
}

extension ElementCategory {
  fileprivate var order: Int {
    switch self {
    case .cell: 0
    case .supplementary: 1
    case .decoration: 2
    }
  }
}

/// A kind or none, in a box: the path of a cell, which has none, is copied as its numbers are.
private struct ElementKind: Hashable, Sendable {
  private final class Box: Sendable {
    let name: String
    init(_ name: String) { self.name = name }
  }
  private let box: Box?

  init(_ name: String?) { box = name.map(Box.init) }

  var name: String? { box?.name }

  static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.name == right.name
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
