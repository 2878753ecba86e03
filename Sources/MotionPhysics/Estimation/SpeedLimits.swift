/// The slowest and the fastest speed that a velocity is clamped to, component by component.
public struct SpeedLimits: Hashable, Sendable {
  /// Units per second; slower velocities are raised to it, except 0. Not negative.
  public var minimum: Double
  /// Units per second; faster velocities are lowered to it. Not below the minimum.
  public var maximum: Double

  /// Makes limits in units per second. What is no number or negative counts as 0, and a maximum
  /// below the minimum as the minimum.
  public init(minimum: Double = 0, maximum: Double) {
    self.minimum = minimum > 0 ? min(minimum, .greatestFiniteMagnitude) : 0
    self.maximum = maximum > self.minimum ? maximum : self.minimum
  }

  /// The fling speeds of Flutter: 50 and 8000 logical pixels per second (kMinFlingVelocity and
  /// kMaxFlingVelocity of its published gesture constants).
  public static let flutterFling = SpeedLimits(minimum: 50, maximum: 8000)

  /// The velocity with its sign and a speed within the limits; 0 stays 0.
  public func clamp(_ velocity: Double) -> Double {
    guard velocity != 0 else { return velocity }
    let speed = min(max(abs(velocity), minimum), maximum)
    return velocity < 0 ? -speed : speed
  }
}
