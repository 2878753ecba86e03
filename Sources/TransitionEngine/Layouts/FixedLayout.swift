package import TimelineModel

/// Poses stated outright: the plainest way to look at a transition.
///
/// An item without a pose is not placed. A pose with a number that is not finite is left out, with a
/// warning ("non-finite").
package final class FixedLayout: CollectionViewLayout, ItemFollowing {
  /// A supplementary or decoration view and its pose.
  package struct Element: Hashable, Sendable {
    /// The view's kind ("header").
    package var kind: String
    /// Section, and number within the section.
    package var indexPath: ItemIndexPath
    /// Where and how it stands.
    package var pose: Pose

    package init(kind: String, indexPath: ItemIndexPath, pose: Pose) {
      self.kind = kind
      self.indexPath = indexPath
      self.pose = pose
    }
  }

  /// The name that events use.
  package let name: String
  /// Extent of the whole content, in points.
  package let contentSize: Size2D
  /// The elements that were left out.
  package let warnings: [LayoutWarning]

  /// Whether the poses were taken from the screen, and follow their items through a batch update.
  var isFrozen = false

  private var ordered: [LayoutAttributes]
  private var byPath: [ElementPath: Int]
  private var itemCounts: [Int]?

  /// Makes a layout from poses by section and item, and its other views. Where a supplementary or
  /// decoration view is given twice the later one holds.
  package convenience init(
    name: String = "FixedLayout", contentSize: Size2D, items: [[Pose]],
    supplementary: [Element] = [], decoration: [Element] = []
  ) {
    var given: [LayoutAttributes] = []
    let bySection = Dictionary(grouping: supplementary, by: \.indexPath.section)
    for section in Set(items.indices).union(bySection.keys).sorted() {
      let own = bySection[section] ?? []
      for view in own where view.kind != FlowLayoutParameters.footerKind {
        given.append(view.attributes(.supplementary))
      }
      if items.indices.contains(section) {
        for (item, pose) in items[section].enumerated() {
          given.append(
            LayoutAttributes(path: .cell(ItemIndexPath(section: section, item: item)), pose: pose))
        }
      }
      for view in own where view.kind == FlowLayoutParameters.footerKind {
        given.append(view.attributes(.supplementary))
      }
    }
    given += decoration.map { $0.attributes(.decoration) }
    self.init(name: name, contentSize: contentSize, elements: given)
  }

  /// Makes a layout from the attributes of elements of any kind, in the order in which they are listed.
  /// Of an element that is given twice the later one holds.
  package init(
    name: String = "FixedLayout", contentSize: Size2D, elements given: [LayoutAttributes]
  ) {
    self.name = name
    self.contentSize = contentSize.asExtents
    var ordered: [LayoutAttributes] = []
    var byPath: [ElementPath: Int] = [:]
    var warnings: [LayoutWarning] = []
    for attributes in given {
      guard attributes.pose.isFinite else {
        let path = attributes.path.indexPath
        warnings.append(
          LayoutWarning(
            code: "non-finite",
            message: """
              The \(attributes.path.category.rawValue) at [\(path.section), \(path.item)] of layout \
              \(name) has a number that is not finite. It is left out.
              """))
        continue
      }
      if let index = byPath[attributes.path] {
        ordered[index] = attributes
      } else {
        byPath[attributes.path] = ordered.count
        ordered.append(attributes)
      }
    }
    self.ordered = ordered
    self.byPath = byPath
    self.warnings = warnings
  }

  /// Takes over which items there are: a pose for an item that the data lacks is not shown.
  package func prepare(in context: LayoutContext) { itemCounts = context.itemCounts }

  /// Every element in the order in which it was given: per section its headers, cells and footers, then
  /// decoration.
  package func layoutAttributesForAllElements() -> [LayoutAttributes] { ordered.filter(isInData) }

  /// The elements that meet the rectangle. Of poses that were taken from the screen all, since all of
  /// them were shown.
  package func layoutAttributesForElements(in rect: Rect2D) -> [LayoutAttributes] {
    let all = layoutAttributesForAllElements()
    return isFrozen ? all : all.filter { $0.frame.intersects(rect) }
  }

  /// One item's pose as it was given.
  package func layoutAttributesForItem(at indexPath: ItemIndexPath) -> LayoutAttributes? {
    attributes(at: .cell(indexPath))
  }

  /// One supplementary view's pose as it was given.
  package func layoutAttributesForSupplementaryView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    attributes(
      at: ElementPath(category: .supplementary, elementKind: kind, indexPath: indexPath))
  }

  /// One decoration view's pose as it was given.
  package func layoutAttributesForDecorationView(
    ofKind kind: String, at indexPath: ItemIndexPath
  ) -> LayoutAttributes? {
    attributes(at: ElementPath(category: .decoration, elementKind: kind, indexPath: indexPath))
  }

  /// Lets every pose go along with its item, if the poses were taken from the screen.
  func follow(_ plan: UpdatePlan) {
    guard isFrozen else { return }
    var walk = UpdatePlan.Walk(plan, .forth)
    ordered = ordered.compactMap { attributes in
      walk.place(of: attributes.path).map { LayoutAttributes(path: $0.path, pose: attributes.pose) }
    }
    byPath = [:]
    for (index, attributes) in ordered.enumerated() { byPath[attributes.path] = index }
    itemCounts = plan.counts
  }

  private func attributes(at path: ElementPath) -> LayoutAttributes? {
    guard let index = byPath[path], isInData(ordered[index]) else { return nil }
    return ordered[index]
  }

  private func isInData(_ attributes: LayoutAttributes) -> Bool {
    guard let itemCounts else { return true }
    let path = attributes.path.indexPath
    switch attributes.path.category {
    case .cell:
      return itemCounts.indices.contains(path.section) && path.item < itemCounts[path.section]
    case .supplementary: return itemCounts.indices.contains(path.section)
    case .decoration: return true
    }
  }
}

extension FixedLayout.Element {
  fileprivate func attributes(_ category: ElementCategory) -> LayoutAttributes {
    LayoutAttributes(
      path: ElementPath(category: category, elementKind: kind, indexPath: indexPath), pose: pose)
  }
}

/// A layout is changed in place while it prepares. Use it from one thread at a time.
@available(*, unavailable)
extension FixedLayout: Sendable {}
