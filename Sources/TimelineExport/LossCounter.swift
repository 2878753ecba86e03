import TimelineModel

/// Counts what is lost on the way.
final class LossCounter {
  private let format: ExportFormat
  private var counts: [ExportLoss.Kind: Int] = [:]
  private var items: [ExportLoss.Kind: Set<ItemHandle>] = [:]

  init(_ format: ExportFormat) { self.format = format }

  /// Counts one.
  func add(_ kind: ExportLoss.Kind) { counts[kind, default: 0] += 1 }

  /// Counts an item, once.
  func add(_ kind: ExportLoss.Kind, _ item: ItemHandle) {
    items[kind, default: []].insert(item)
  }

  /// The counts, without those of 0.
  var losses: [ExportLoss] {
    ExportLoss.Kind.allCases.compactMap { kind in
      let count = counts[kind, default: 0] + (items[kind]?.count ?? 0)
      return count == 0 ? nil : ExportLoss(kind: kind, count: count, format: format)
    }
  }
}
