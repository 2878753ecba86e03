public import MotionJudgement
import TimelineStore

/// Fails the running test unless a recorded session moves like a golden session.
///
/// ```swift
/// @Test func opensAsBefore() throws {
///   try recordOpening(into: "opening.kymo")
///   assertTimeline("opening.kymo", matches: "Goldens/opening.kymo", within: Tolerances())
/// }
/// ```
///
/// Works in Swift Testing and in XCTest. The failure says what differs, and by how much, and a report is
/// written beside the session that plays both on one clock, `NAME.report.html`. A report that was left by an earlier
/// failure is taken away when the session matches. With `KYMO_GOLDEN=write` in the environment the session becomes
/// the golden session, where it does not match or there is none, and nothing fails.
///
/// - Parameters:
///   - recording: The file of the session.
///   - golden: The file of what it should be.
///   - tolerances: What may differ. Without limits, what `kymo compare` allows.
///   - session: Which session of each file, as `kymo` takes it: `last`, a number, a name, or the beginning of
///     a uuid.
///   - report: Where the report goes. `nil`: beside the session.
///   - fileID: The module and file where the failure is shown.
///   - file: The path of that file.
///   - line: The line.
///   - column: The column.
/// - Returns: whether the session matches.
/// - Complexity: linear in the samples, frames and elements of both sessions.
@discardableResult
public func assertTimeline(
  _ recording: String, matches golden: String, within tolerances: Tolerances = Tolerances(),
  session: String = "last", report: String? = nil,
  fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Bool {
  let match = TimelineMatch(
    recording: recording, golden: golden, tolerances: tolerances, session: session,
    reportPath: report ?? recording + ".report.html")
  return pass(match.failure(), fileID: fileID, file: file, line: line, column: column)
}
