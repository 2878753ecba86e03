import Foundation
import KymographTesting
import MotionJudgement
import Synchronization
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite(.serialized) struct AssertTimelineTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  /// Records a progress that goes to 1 in 0.5 s by a power of the time.
  @discardableResult
  private func record(
    _ name: String, power: Double = 1, name session: String? = nil, outcome: ReleaseOutcome? = nil
  ) throws -> String {
    var description = SessionDescription(software: "test", clock: "virtual", name: session)
    description.refreshRate = 120
    let recorder = try Recorder(path: path(name), session: description, policy: .wait)
    let progress = recorder.keyHandle(for: "progress", role: .progress, unit: "1")
    for frame in 0...60 {
      let time = Instant(nanoseconds: Int64(frame) * 8_333_333)
      recorder.record(pow(Double(frame) / 60, power), for: progress, at: time, phase: .driving)
    }
    if let outcome {
      recorder.record(
        ReleaseDecision(
          transition: 0, time: Instant(nanoseconds: 400_000_000), outcome: outcome,
          decidedBy: "app", rule: "progress", ruleOutcome: outcome, threshold: 0.5, progress: 0.5,
          progressVelocity: nil, marginProgress: nil))
    }
    try recorder.finish(at: Instant(nanoseconds: 500_000_000), outcome: .finished)
    return path(name)
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

  @Test func `a run that moves as the golden one passes and leaves no page`() throws {
    let golden = try record("golden.kymo")
    let run = try record("run.kymo")
    try Data("old".utf8).write(to: URL(fileURLWithPath: run + ".report.html"))
    #expect(assertTimeline(run, matches: golden))
    #expect(!FileManager.default.fileExists(atPath: run + ".report.html"))
  }

  @Test func `a page that would take a recording's place is refused, and nothing is removed`()
    throws
  {
    let golden = try record("golden.kymo")
    let run = try record("run.kymo")
    let link = path("link.html")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: golden)
    for report in [run, golden, link] {
      let words = failure { assertTimeline(run, matches: golden, report: report) }
      #expect(try #require(words).contains("Name another file"))
    }
    #expect(assertTimeline(run, matches: golden))
  }

  @Test func `runs without anything in them match nothing`() throws {
    for name in ["golden.kymo", "run.kymo"] {
      let session = SessionDescription(software: "test", clock: "virtual", name: nil)
      let recorder = try Recorder(path: path(name), session: session, policy: .wait)
      try recorder.finish(at: .zero, outcome: .none)
    }
    let words = failure { assertTimeline(path("run.kymo"), matches: path("golden.kymo")) }
    #expect(try #require(words).contains("othing to check"))
  }

  @Test func `a run of another shape fails with what differs and a page of both`() throws {
    let golden = try record("golden.kymo")
    let run = try record("run.kymo", power: 2)
    var result: Bool?
    let words = try #require(failure { result = assertTimeline(run, matches: golden) })
    #expect(result == false)
    #expect(words.contains("\(run) does not move like \(golden):"))
    #expect(words.contains("progress is up to 0.25 off, at 0.25 s: residual_percent"))
    #expect(words.contains("Both on one clock: \(run).report.html"))
    let page = try String(contentsOfFile: run + ".report.html", encoding: .utf8)
    #expect(page.hasPrefix("<!"))
    #expect(page.contains("residual_percent"))
  }

  @Test func `a flipped decision is told first, in words`() throws {
    let golden = try record("golden.kymo", outcome: .finish)
    let run = try record("run.kymo", power: 2, outcome: .cancel)
    let words = try #require(failure { assertTimeline(run, matches: golden) })
    let lines = words.split(separator: "\n")
    #expect(lines[1].hasPrefix("Different: the decision changed from finish to cancel"))
    #expect(lines[2] == "  the decision changed from finish to cancel")
    #expect(lines[3].contains("progress: residual_percent"))
  }

  @Test func `rules decide what is the same`() throws {
    let golden = try record("golden.kymo")
    let run = try record("run.kymo", power: 1.02)
    var ladder = Tolerances.Ladder()
    ladder.maxAbs = Tolerances.Bound(fail: 0.001)
    let strict = Tolerances(rules: [.init(.key("progress", ladder))])
    #expect(failure { assertTimeline(run, matches: golden, within: strict) } != nil)
    ladder.maxAbs = Tolerances.Bound(fail: 0.1)
    assertTimeline(
      run, matches: golden, within: Tolerances(rules: [.init(.key("progress", ladder))]))
  }

  @Test func `a golden session that is missing is told, with how to make it`() throws {
    let run = try record("run.kymo")
    let words = try #require(
      failure { assertTimeline(run, matches: path("nowhere.kymo"), report: path("page.html")) })
    #expect(words.contains("nowhere.kymo"))
    #expect(words.contains("KYMO_GOLDEN=write"))
    #expect(!FileManager.default.fileExists(atPath: path("page.html")))
  }

  @Test func `with KYMO_GOLDEN=write the run becomes the golden one`() throws {
    let run = try record("run.kymo", power: 3)
    setenv("KYMO_GOLDEN", "write", 1)
    let isMade = assertTimeline(run, matches: path("golden.kymo"))
    unsetenv("KYMO_GOLDEN")
    #expect(isMade)
    assertTimeline(run, matches: path("golden.kymo"))
    let sessions = try RecordingReader(path: path("golden.kymo")).sessionRecords()
    #expect(sessions.map(\.uuid) == (try RecordingReader(path: run).sessionRecords()).map(\.uuid))
  }

  @Test func `a session is named as kymo names it`() throws {
    let golden = try record("golden.kymo", name: "open")
    try record("golden.kymo", power: 2, name: "close")
    let run = try record("run.kymo", power: 2, name: "close")
    try record("run.kymo", name: "open")
    assertTimeline(run, matches: golden, session: "open")
    assertTimeline(run, matches: golden, session: "close")
    #expect(failure { assertTimeline(run, matches: golden) } != nil)
    let words = try #require(failure { assertTimeline(run, matches: golden, session: "shut") })
    #expect(words.contains("has no session 'shut'"))
  }
}
