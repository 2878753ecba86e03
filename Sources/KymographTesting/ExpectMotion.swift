@_exported public import MotionJudgement
import Testing
@_exported public import TimelineSession
import XCTest

/// Fails the running test unless a recorded session is as required.
///
/// ```swift
/// @Test func theCardFollowsTheFinger() throws {
///   try recordSwipe(into: "swipe.kymo")
///   expectMotion("swipe.kymo", [
///     .follows(.item("card", .centerY)), .settlesBy(.key("blur"), 0.4), .hitch(),
///   ])
/// }
/// ```
///
/// Works in Swift Testing and in XCTest, and needs no golden session. The failure says which number is not within its
/// limit, and when, and a report is written beside the session that marks it, `NAME.report.html`. A report that was left by an
/// earlier failure is taken away when the session passes.
///
/// - Parameters:
///   - recording: The file of the session.
///   - expectations: What is required of it.
///   - session: Which session of the file, as `kymo` takes it: `last`, a number, a name, or the beginning of a uuid.
///   - strict: Whether a number fails of which the recording is too short to tell on which side of its limit it is.
///   - report: Where the report goes. `nil`: beside the session.
///   - fileID: The module and file where the failure is shown.
///   - file: The path of that file.
///   - line: The line.
///   - column: The column.
/// - Returns: whether everything is as required.
/// - Complexity: linear in what the requirements name of the session: samples for keys, poses for elements.
@discardableResult
public func expectMotion(
  _ recording: String, _ expectations: [MotionExpectation], session: String = "last",
  strict: Bool = false, report: String? = nil, fileID: StaticString = #fileID,
  file: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) -> Bool {
  let motion = RequiredMotion(
    recording: recording, session: session, reportPath: report ?? recording + ".report.html",
    isStrict: strict)
  let failure = motion.failure { expectations }
  return pass(failure, fileID: fileID, file: file, line: line, column: column)
}

/// Fails the running test unless a recorded session is as a file requires, as `kymo check --requirements` takes it.
///
/// - Parameters:
///   - recording: The file of the session.
///   - rules: The file of requirements. Where it has a mistake, the failure says where.
///   - session: Which session of the recording.
///   - strict: Whether a number fails of which the recording is too short to tell on which side of its limit it is.
///   - report: Where the report goes. `nil`: beside the session.
///   - fileID: The module and file where the failure is shown.
///   - file: The path of that file.
///   - line: The line.
///   - column: The column.
/// - Returns: whether everything is as required.
@discardableResult
public func expectMotion(
  _ recording: String, meets rules: String, session: String = "last",
  strict: Bool = false, report: String? = nil, fileID: StaticString = #fileID,
  file: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) -> Bool {
  let motion = RequiredMotion(
    recording: recording, session: session, reportPath: report ?? recording + ".report.html",
    isStrict: strict)
  let failure = motion.failure(rules: rules)
  return pass(failure, fileID: fileID, file: file, line: line, column: column)
}

/// Records a failure where a test sees it. Whether there is none.
func pass(
  _ failure: String?, fileID: StaticString, file: StaticString, line: UInt, column: UInt
) -> Bool {
  guard let failure else { return true }
  if Test.current != nil {
    let location = SourceLocation(
      fileID: "\(fileID)", filePath: "\(file)", line: Int(line), column: Int(column))
    Issue.record(Comment(rawValue: failure), sourceLocation: location)
  } else {
    XCTFail(failure, file: file, line: line)
  }
  return false
}
