import KymographCLibrary
import MotionJudgement
import MotionMeasures
import TimelineReport
import TimelineStore

/// A session that is held against requirements, and where it is told if it does not meet them.
struct RequiredMotion {
  let recording: String
  let session: String
  let reportPath: String
  /// Whether a requirement fails that is too short to tell.
  var isStrict = false

  /// How many findings a failure lists. The report has them all.
  private static let mostListed = 12
  /// The longest file of requirements, in bytes. Far more than anybody writes.
  private static let longestFile = 64 << 20

  /// What is wrong with the session by a file of requirements, or with that file. `nil`: nothing.
  func failure(rules path: String) -> String? {
    failure {
      guard let bytes = RequiredMotion.bytes(of: path) else {
        throw RequirementTrouble(
          description: "\(path) cannot be read: \(String(cString: strerror(errno))).")
      }
      do {
        return try Expectations(json: bytes).rules
      } catch {
        throw RequirementTrouble(description: "\(path): \(error)")
      }
    }
  }

  /// What is wrong, for people. `nil` when the session is as required.
  func failure(_ expectations: () throws -> [MotionExpectation]) -> String? {
    // The report is written over what is there, and taken away: it must be no recording.
    guard recording != reportPath, !FileFacts.isSameFile(recording, reportPath) else {
      return "The report cannot go to \(reportPath), which is the recording. Name another file."
    }
    do {
      let rules = try expectations()
      let reader = try RecordingReader(path: recording)
      let run = try reader.session(selectedBy: session)
      let found = try ExpectationJudge(rules).verdicts(of: run, in: reader)
      let verdicts = isStrict ? found.map(\.strict) : found
      let failures = verdicts.filter { !$0.passes }.byImportance
      guard !failures.isEmpty else {
        unlink(reportPath)
        return nil
      }
      var lines = ["\(recording) does not move as required:"]
      lines += failures.prefix(Self.mostListed).map { "  \($0.sentence)" }
      if failures.count > Self.mostListed {
        lines.append("  … \(failures.count - Self.mostListed) more")
      }
      do {
        var page = ReportPage(
          try ReportRun(session: run, in: reader), verdict: lines.joined(separator: "\n"))
        page.marks = ReportMark.all(verdicts)
        try page.write(to: reportPath, replacing: true)
        lines.append("Marked in \(reportPath)")
      } catch {
        lines.append("The report could not be written: \(error)")
      }
      return lines.joined(separator: "\n")
    } catch {
      return "\(error)"
    }
  }

  /// All bytes of a file. `nil`, with the reason in `errno`, where it cannot be read or is too long.
  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      bytes += chunk[..<count]
      guard bytes.count <= longestFile else {
        errno = EFBIG
        return nil
      }
    }
  }
}

/// Why there are no requirements, in a sentence.
private struct RequirementTrouble: Error, CustomStringConvertible {
  let description: String
}
