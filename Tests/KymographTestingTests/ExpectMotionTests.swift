import Foundation
import KymographTesting
import MotionJudgement
import Synchronization
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct ExpectMotionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Records a blur that goes from 20 to 0 in a straight line.
  private func record(seconds: Double) throws -> String {
    let path = folder.path("run.kymo")
    var description = SessionDescription(software: "test", clock: "virtual", name: "open")
    description.refreshRate = 100
    let recorder = try Recorder(path: path, session: description, policy: .wait)
    let blur = recorder.keyHandle(for: "blur", role: .custom, unit: "pt")
    for frame in 0...100 {
      let time = Instant(nanoseconds: Int64(frame) * 10_000_000)
      recorder.record(
        max(0, 20 - 20 * time.seconds / seconds), for: blur, at: time, phase: .settling)
    }
    try recorder.finish(at: Instant(nanoseconds: 1_000_000_000), outcome: .finished)
    return path
  }

  /// The words of the one issue that a piece of work records.
  private func failure(_ work: () -> Void) -> String? {
    let words = Mutex<String?>(nil)
    withKnownIssue(isIntermittent: true) {
      work()
    } matching: { issue in
      words.withLock { $0 = issue.comments.map(\.rawValue).joined(separator: "\n") }
      return true
    }
    return words.withLock { $0 }
  }

  @Test func `a run that is as required passes and takes an old page away`() throws {
    let run = try record(seconds: 0.3)
    try Data("old".utf8).write(to: URL(fileURLWithPath: run + ".report.html"))
    #expect(
      expectMotion(run, [.settlesBy(.key("blur"), 0.4), .monotone(.key("blur"), isRising: false)]))
    #expect(!FileManager.default.fileExists(atPath: run + ".report.html"))
  }

  @Test func `a run that is not fails with the number, its limit and a report`() throws {
    let run = try record(seconds: 0.8)
    let words = try #require(failure { expectMotion(run, [.settlesBy(.key("blur"), 0.4)]) })
    #expect(words.contains("does not move as required:"))
    // Half a point is wider than 2 % of 20 pt.
    #expect(
      words.contains("blur: settled_ms 780 at 0.78 s is above 405 (requirement 1 'settles_by')"))
    let page = try String(contentsOfFile: run + ".report.html", encoding: .utf8)
    #expect(page.contains("\"marks\":[{\"t\":780000000"))
  }

  @Test func `a run that is too short to tell passes, and fails where that is strict`() throws {
    let run = folder.path("short.kymo")
    var description = SessionDescription(software: "test", clock: "virtual", name: "short")
    description.refreshRate = 100
    let recorder = try Recorder(path: run, session: description, policy: .wait)
    for name in ["lead", "tail"] {
      let key = recorder.keyHandle(for: name, role: .custom, unit: "pt")
      for frame in 0...5 {
        recorder.record(
          Double(frame), for: key, at: Instant(nanoseconds: Int64(frame) * 10_000_000),
          phase: .driving)
      }
    }
    try recorder.finish(at: Instant(nanoseconds: 60_000_000), outcome: .finished)
    let rules: [MotionExpectation] = [.follows(.key("tail"), source: .key("lead"))]
    #expect(expectMotion(run, rules))
    let words = try #require(failure { expectMotion(run, rules, strict: true) })
    #expect(
      words.contains(
        "tail: lag_ms: too short to tell: the distance is too short (requirement 1 'follows')"))
  }

  @Test func `a file of requirements is taken, and its mistakes are told`() throws {
    let run = try record(seconds: 0.3)
    let rules = folder.path("rules.json")
    try Data(#"{"requirements": 1, "rules": [{"settles_by": "blur", "by_ms": 400}]}"#.utf8)
      .write(to: URL(fileURLWithPath: rules))
    #expect(expectMotion(run, meets: rules))
    try Data(#"{"requirements": 1, "rules": [{"settles_by": "blur"}]}"#.utf8)
      .write(to: URL(fileURLWithPath: rules))
    let words = try #require(failure { expectMotion(run, meets: rules) })
    #expect(words.contains("Requirement 1: Missing field 'by_ms'."))
    let missing = try #require(failure { expectMotion(run, meets: folder.path("none.json")) })
    #expect(missing.contains("cannot be read"))
  }

  @Test func `what is not there fails unless it need not be`() throws {
    let run = try record(seconds: 0.3)
    #expect(
      failure { expectMotion(run, [.overshoot(.key("shade"))]) }?.contains("there is no key")
        == true)
    #expect(expectMotion(run, [MotionExpectation.overshoot(.key("shade")).whereThere]))
    #expect(failure { expectMotion(run, [], report: run) }?.contains("Name another file") == true)
  }

  /// Cut at every byte a file of rules is refused in one sentence; whole, it is read.
  @Test func `a file of rules that was cut anywhere is refused`() throws {
    let text = try Data(contentsOf: URL(fileURLWithPath: fixture("requirements/swipe.json")))
    let bytes = Array(text)
    let end = try #require(bytes.lastIndex(of: UInt8(ascii: "}")))
    #expect(try Expectations(json: bytes).rules.count == 12)
    for count in 0...end {
      #expect(throws: (any Error).self) { try Expectations(json: Array(bytes[..<count])) }
    }
  }
}
