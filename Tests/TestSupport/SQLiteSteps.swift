import KymographCSQLite
import Synchronization

/// The steps of SQLite's virtual machine that a piece of work takes: a measure of the rows it looks at that is
/// the same on every run.
///
/// Counted is what connections do that the work opens, whatever thread they work on.
public func sqliteSteps(_ work: () throws -> Void) rethrows -> Int {
  _ = counting
  let counter = StepCounter()
  try StepCounter.$current.withValue(counter) { try work() }
  return counter.steps.withLock { $0 }
}

private final class StepCounter: Sendable {
  @TaskLocal static var current: StepCounter?
  let steps = Mutex(0)
}

/// Has SQLite watch every connection that is opened while a count is under way.
private let counting: Void = {
  typealias Opened =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32
  let opened: Opened = { database, _, _ in
    guard let counter = StepCounter.current else { return SQLITE_OK }
    // A connection may outlive the count; its counter then does too.
    return sqlite3_trace_v2(
      database, UInt32(SQLITE_TRACE_PROFILE),
      { _, counter, statement, _ in
        guard let counter, let statement else { return 0 }
        let steps = sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1)
        Unmanaged<StepCounter>.fromOpaque(counter).takeUnretainedValue().steps.withLock {
          $0 += Int(steps)
        }
        return 0
      }, Unmanaged.passRetained(counter).toOpaque())
  }
  sqlite3_auto_extension(unsafeBitCast(opened, to: (@convention(c) () -> Void).self))
}()
