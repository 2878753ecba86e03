/// How smooth a motion is by its hitch time ratio, in the bands that Apple's documentation gives for scrolling:
/// below 5 ms of lateness a second is good, above 10 a user sees it.
public enum HitchBand: String, Sendable, CaseIterable {
  /// Below 5 ms/s.
  case good
  /// From 5 to 10 ms/s.
  case warning
  /// Above 10 ms/s.
  case critical

  /// Where the warning begins, in ms/s.
  public static let warningAt = 5.0
  /// Above this it is critical, in ms/s.
  public static let criticalAbove = 10.0

  /// The band of a ratio in milliseconds of lateness a second.
  public init(_ ratio: Double) {
    self =
      ratio > HitchBand.criticalAbove
      ? .critical : ratio >= HitchBand.warningAt ? .warning : .good
  }
}
