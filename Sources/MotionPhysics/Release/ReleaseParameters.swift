/// Everything that a release is judged by.
public struct ReleaseParameters: Sendable, Hashable {
  /// How velocities are told.
  public var estimator: Estimator
  /// Which samples count.
  public var window: EstimationWindow
  /// How finish or cancel is decided.
  public var rule: ReleaseRule

  /// The defaults: `lsq2` in Android's window, finishing past half way.
  public init() {
    estimator = .lsq2
    window = .android
    rule = ReleaseRule()
  }
}
