/// A moment on a session's own clock: integer nanoseconds since the session's start.
///
/// Integers keep a 16 ms frame exact at any uptime. A session may be 292 years long.
public struct Instant: Hashable, Comparable, Sendable {
  /// Nanoseconds since the session's start. Negative values are before it.
  public var nanoseconds: Int64

  /// The start of the session.
  public static let zero = Instant(nanoseconds: 0)

  /// Makes an instant from nanoseconds since the session's start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Makes an instant from seconds since the session's start, rounded once to the nearest
  /// nanosecond (half away from zero).
  ///
  /// - Returns: nil for a number that is not finite or does not fit 64 bits of nanoseconds.
  public init?(seconds: Double) {
    let scaled = (seconds * 1e9).rounded()
    guard let exact = Int64(exactly: scaled) else { return nil }
    self.nanoseconds = exact
  }

  /// Seconds since the session's start.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// Orders instants in time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Seconds from `earlier` to this instant. Negative when this instant is the earlier one.
  ///
  /// The difference is taken in integers, so equal distances give equal results anywhere in time.
  /// It saturates at the ends of the 64-bit range instead of trapping.
  public func seconds(since earlier: Instant) -> Double {
    Double(nanoseconds(since: earlier)) / 1e9
  }

  /// Nanoseconds from `earlier` to this instant, saturating at the ends of the 64-bit range.
  package func nanoseconds(since earlier: Instant) -> Int64 {
    let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    guard overflow else { return difference }
    return nanoseconds < 0 ? .min : .max
  }

  /// This instant moved by a number of nanoseconds, saturating at the ends of the 64-bit range.
  public func advanced(byNanoseconds distance: Int64) -> Instant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(distance)
    guard overflow else { return Instant(nanoseconds: sum) }
    return Instant(nanoseconds: distance < 0 ? .min : .max)
  }
}
