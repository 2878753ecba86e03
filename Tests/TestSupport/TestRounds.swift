import Foundation

/// How long the random tests and the fault loops run: a few rounds, or as many as `KYMO_TEST_ROUNDS` asks for
/// (`Tools/test --long` sets it).
public enum TestRounds: Sendable {
  /// The rounds asked for, at least one; nil in a usual run.
  public static let asked = ProcessInfo.processInfo.environment["KYMO_TEST_ROUNDS"]
    .flatMap { Int($0) }.map { max(1, $0) }

  /// Whether everything is tried.
  public static var isLong: Bool { asked != nil }
}
