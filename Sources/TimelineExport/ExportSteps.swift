/// Tells how far an export is.
final class ExportSteps {
  private let total: Int64
  private let progress: (Double) -> Void
  private var count: Int64 = 0
  /// Rows between two reports: fine enough for a bar, and too few to cost anything.
  private static let stride: Int64 = 256

  init(total: Int64, _ progress: @escaping (Double) -> Void) {
    self.total = total
    self.progress = progress
  }

  /// One more row.
  func take() {
    count += 1
    guard total > 0, count % ExportSteps.stride == 0 else { return }
    progress(min(1, Double(count) / Double(total)))
  }
}
