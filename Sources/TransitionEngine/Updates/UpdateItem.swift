public import TimelineModel

/// One entry of the list that a layout gets before a batch update is animated (UIKit's
/// `UICollectionViewUpdateItem`).
///
/// For an operation on a whole section the item number of its paths is ``noItem``, and
/// ``isSection`` is true.
public struct UpdateItem: Hashable, Sendable {
  /// The change of the item or the section.
  public enum Action: String, CaseIterable, Sendable {
    /// It is new.
    case insert
    /// It goes away.
    case delete
    /// It is shown again. An `UpdatePlan` lists a delete and an insert in place of it.
    case reload
    /// It goes to another place.
    case move
    /// Nothing.
    case none
  }

  /// The item number in the path of a whole section. The largest number, as UIKit's `NSNotFound`.
  public static let noItem = Int.max

  /// The change of the item or the section.
  public let action: Action
  /// Where it stands before the update. `nil` for an insert.
  public let indexPathBeforeUpdate: ItemIndexPath?
  /// Where it stands after the update. `nil` for a delete.
  public let indexPathAfterUpdate: ItemIndexPath?

  /// Makes the entry of an item.
  package init(_ action: Action, before: ItemIndexPath? = nil, after: ItemIndexPath? = nil) {
    self.action = action
    self.indexPathBeforeUpdate = before
    self.indexPathAfterUpdate = after
  }

  /// Makes the entry of a whole section.
  package init(_ action: Action, sectionBefore: Int? = nil, sectionAfter: Int? = nil) {
    self.init(
      action, before: sectionBefore.map { ItemIndexPath(section: $0, item: Self.noItem) },
      after: sectionAfter.map { ItemIndexPath(section: $0, item: Self.noItem) })
  }

  /// Whether a whole section is meant.
  public var isSection: Bool {
    (indexPathBeforeUpdate ?? indexPathAfterUpdate)?.item == Self.noItem
  }
}
