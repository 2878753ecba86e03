/// How many steps of SQLite's virtual machine the statements of a connection may take before they are
/// stopped with an error of the kind ``SQLiteError/Kind-swift.enum/interrupted``.
///
/// It keeps a file whose pages or views lead in circles from being read for ever. Steps are those that
/// `sqlite3_progress_handler` counts. A table that is read through takes some ten to fifty a row.
///
/// Not Sendable: it belongs to its connection, and must outlive it.
package final class WorkLimit {
  /// After so many steps the limit is looked at: a tenth of a millisecond of work, so that looking costs
  /// nothing that could be measured.
  static let stride: Int32 = 10_000

  private var done: Int64 = 0
  private var steps: Int64?
  /// The values of ``steps`` and ``more`` when they were last added.
  private var allowed: Int64 = 0
  private var more: () -> Int64 = { 0 }

  /// Makes a limit that stops nothing.
  package init() {}

  /// Allows so many steps from now on.
  ///
  /// - Parameters:
  ///   - steps: How many. `nil`: as many as it takes.
  ///   - more: How many more. Asked only when the others are used up, and again when those are too, since
  ///     a file may grow.
  package func allow(_ steps: Int64?, more: @escaping () -> Int64 = { 0 }) {
    self.steps = steps
    allowed = steps ?? .max
    self.more = more
    done = 0
  }

  /// Begins to count again.
  package func restart() { done = 0 }

  /// Counts a ``stride``, and says whether work may go on.
  func goesOn() -> Bool {
    guard let steps else { return true }
    done = done.addingReportingOverflow(Int64(WorkLimit.stride)).partialValue
    if done <= allowed { return true }
    let (all, overflow) = steps.addingReportingOverflow(more())
    allowed = overflow ? .max : all
    return done <= allowed
  }
}

@available(*, unavailable, message: "it belongs to its connection")
extension WorkLimit: Sendable {}
