import KymographCSQLite

/// Compiled statements that nobody uses at the moment, by their texts: a question that is asked again is not
/// compiled again, which takes longer than the answer of a small recording.
///
/// A statement comes back when its ``Statement`` goes away, without its values and its rows. When something changed
/// that it was compiled for, SQLite compiles it again at its next step.
///
/// Not Sendable: it belongs to its connection's thread.
final class StatementCache {
  private var idle: [String: OpaquePointer] = [:]

  /// The most statements that are kept. A recording's own questions are some sixty. Texts made for one occasion
  /// beyond that make all others go.
  private static let most = 100

  deinit { removeAll() }

  /// A statement of this text without values. `nil` when none is idle.
  func take(_ text: String) -> OpaquePointer? { idle.removeValue(forKey: text) }

  /// Takes a statement that is not used any more.
  func put(_ statement: OpaquePointer, _ text: String) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    if idle.count >= Self.most { removeAll() }
    sqlite3_finalize(idle.updateValue(statement, forKey: text))
  }

  private func removeAll() {
    for statement in idle.values { sqlite3_finalize(statement) }
    idle = [:]
  }
}

@available(*, unavailable, message: "it belongs to its connection's thread")
extension StatementCache: Sendable {}
