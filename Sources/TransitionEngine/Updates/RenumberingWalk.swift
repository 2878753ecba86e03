import TimelineModel

/// Follows one item after the other through a batch update, from one numbering to the other.
///
/// It looks near the item before, so that a few steps find the next in the order of places. Any other takes
/// O(log operations).
struct RenumberingWalk: Sendable {
  private let renumbering: Renumbering?
  /// Whether every item keeps its place.
  private let isStill: Bool
  private let direction: Renumbering.Direction
  private let moves: [SortedOperations<ItemIndexPath>.Move]

  /// The section of the last item, its number of items, and the items in it that leave their neighbours.
  private var section = -1
  private var count = 0
  private var leaving: ArraySlice<Int> = []
  /// The same section in the other numbering, and the items in it that join their neighbours.
  private var otherSection: Int?
  private var otherCount = 0
  private var joining: ArraySlice<Int> = []

  /// The last places in `leaving`, `joining` and `moves`.
  private var (leavingHint, joiningHint, movesHint) = (0, 0, 0)

  /// Without a batch update, every item keeps its place.
  init(_ renumbering: Renumbering?, _ direction: Renumbering.Direction) {
    self.renumbering = renumbering
    isStill = renumbering == nil
    self.direction = direction
    let items = renumbering?.items
    moves = (direction == .forth ? items?.movesBySource : items?.movesByTarget) ?? []
  }

  /// An item's place in the other numbering, and whether it has a move of its own. `nil` if it is not there.
  mutating func place(of path: ItemIndexPath) -> (path: ItemIndexPath, isMoved: Bool)? {
    if path.section != section { enter(path.section) }
    guard !isStill else { return (path, false) }
    guard path.item >= 0, path.item < count else { return nil }
    guard let rank = leaving.rank(ofFree: path.item, near: &leavingHint) else {
      let isForth = direction == .forth
      let number = moves.firstOrdered(near: &movesHint) { (isForth ? $0.from : $0.to) >= path }
      guard number < moves.count, (isForth ? moves[number].from : moves[number].to) == path
      else { return nil }
      return (isForth ? moves[number].to : moves[number].from, true)
    }
    guard let otherSection else { return nil }
    let item = joining.freeIndex(ofRank: rank, near: &joiningHint)
    // Only a reloaded section can have another number of items than its old ones.
    return item < otherCount ? (ItemIndexPath(section: otherSection, item: item), false) : nil
  }

  private mutating func enter(_ section: Int) {
    guard let renumbering else { return }
    let isForth = direction == .forth
    let (counts, others) =
      isForth
      ? (renumbering.before, renumbering.after) : (renumbering.after, renumbering.before)
    self.section = section
    count = counts.indices.contains(section) ? counts[section] : 0
    leaving = (isForth ? renumbering.sources : renumbering.targets)[section]
    otherSection = renumbering.section(of: section, direction)
    otherCount = otherSection.map { others[$0] } ?? 0
    joining = otherSection.map { (isForth ? renumbering.targets : renumbering.sources)[$0] } ?? []
    (leavingHint, joiningHint) = (0, 0)
  }
}
