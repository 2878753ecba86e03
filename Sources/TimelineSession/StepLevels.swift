import TimelineModel
package import TimelineStore

/// Tells from a key's values, seen one after the other, whether they hold from sample to sample instead of
/// going straight to the next: an app's own key of unit `1` whose values are whole numbers, and few of
/// them, is a count, a page or a switch.
package struct StepLevels: Sendable {
  /// How many different values a step key takes at most. Ours: a value that passes through more of them is
  /// on its way somewhere.
  package static let most = 16

  private var levels: Set<Double> = []
  private var isCandidate: Bool

  /// Begins with a key of which no value has been seen.
  package init(of key: KeyRecord) { isCandidate = key.role == .custom && key.unit == "1" }

  /// Looks at the next value.
  ///
  /// - Complexity: O(1).
  package mutating func add(_ value: Double) {
    guard isCandidate else { return }
    guard value == value.rounded() else {
      isCandidate = false
      return
    }
    levels.insert(value)
    isCandidate = levels.count <= StepLevels.most
  }

  /// Whether no value that was seen says that they do not.
  package var mayBeStep: Bool { isCandidate }

  /// Whether the values hold. False where none was seen.
  package var isStep: Bool { isCandidate && !levels.isEmpty }
}
