package import TimelineModel

/// A batch update that contradicts itself or the data. Nothing has changed.
///
/// Of several contradictions the one reported does not depend on the order of the operations.
public struct UpdateError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error, for programs. Each holds for items and for sections.
  package enum Code: String, CaseIterable, Sendable {
    /// An operation on an item names a place that is not there, in the numbering of its kind.
    case pathOutOfRange
    /// An operation on a section names a number that is not there, in the numbering of its kind.
    case sectionOutOfRange
    /// One place is deleted by two operations.
    case deleteTwice
    /// Two inserts lead to one place.
    case insertTwice
    /// Two moves start at one place, or lead to one.
    case moveTwice
    /// One place is reloaded by two operations.
    case reloadTwice
    /// One place is deleted and moved.
    case deleteAndMove
    /// An insert and a move lead to one place.
    case insertAndMove
    /// One place is reloaded and deleted, by itself or with its section.
    case reloadAndDelete
    /// One place is reloaded and moved.
    case reloadAndMove
    /// An item is deleted in, inserted into, or moved out of or into a section that is reloaded.
    case changeInReloadedSection
    /// A section's number of items after the update is not that of the operations.
    case itemCountMismatch
    /// The number of sections after the update is not that of the operations.
    case sectionCountMismatch
    /// An inserted item or section has an id that the data has already.
    case duplicateID
  }

  /// The error, for programs.
  package let code: Code
  /// The items concerned, in the numbering of the operation at fault. Empty for sections alone.
  package let indexPaths: [ItemIndexPath]
  /// The sections concerned, in the numbering of the operation at fault. Empty for items alone.
  package let sections: [Int]
  /// The fault, its location and the remedy, for people: one sentence.
  public let message: String

  package init(
    _ code: Code, indexPaths: [ItemIndexPath] = [], sections: [Int] = [], message: String
  ) {
    self.code = code
    self.indexPaths = indexPaths
    self.sections = sections
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
