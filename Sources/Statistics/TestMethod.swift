/// How a test's p value was found.
public enum TestMethod: String, Sendable, CaseIterable {
  /// All arrangements that chance alone could have made were counted; ties count as they are.
  case exact
  /// By the normal distribution, with corrections for ties and for continuity: too many numbers to count.
  case normal
}
