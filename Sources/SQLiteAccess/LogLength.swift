/// How many pages the write-ahead log has, as the last commit of a connection left it.
///
/// Not Sendable: it belongs to its connection.
package final class LogLength {
  /// Pages in the log.
  package var pages = 0

  /// Makes a length of nothing.
  package init() {}
}

@available(*, unavailable, message: "it belongs to its connection")
extension LogLength: Sendable {}
