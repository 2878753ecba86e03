import FaultVFS
import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// SQLite gets no memory at one of its requests: the error is told, and the file is whole.
///
/// SQLite's memory can be replaced only before its first use, so the trials run in a process of their
/// own.
@Suite struct MemoryTests {
  @Test func `memory may run out at any request of a recording`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      var walk = MemoryWalk()
      try walk.run()
    }
    print(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self), terminator: "")
  }
}

/// Lets one request for memory after the other fail, through a whole recording.
private struct MemoryWalk {
  private let earlier = KnownSession(number: 1, steps: 4)
  private let known = KnownSession(number: 2, steps: 12)
  private var trials = 0
  private var reported = 0

  /// Trials of each sort; they are spread evenly over all requests.
  private static let trialsPerSort: Int64 = TestRounds.isLong ? 250 : 80

  mutating func run() throws {
    precondition(fault_memory_fail(0, false), "SQLite was in use before its memory was replaced.")
    let folder = try TemporaryFolder()
    let template = folder.path("template")
    precondition(Trial.recording(earlier, policy: .wait, at: template).isFinished)
    let file = try Data(contentsOf: URL(fileURLWithPath: template))
    let requests = try attempt(file, nth: 0, isForGood: false)
    let stride = max(1, requests / MemoryWalk.trialsPerSort)
    for isForGood in [false, true] {
      for nth in Swift.stride(from: 1, through: requests, by: Int64.Stride(stride)) {
        _ = try attempt(file, nth: nth, isForGood: isForGood)
      }
    }
    precondition(reported > 0, "No request for memory failed.")
    print("Memory running out: \(trials) trials over \(requests) requests, \(reported) reported")
  }

  /// - Returns: how often SQLite asked for memory.
  private mutating func attempt(_ file: Data, nth: Int64, isForGood: Bool) throws -> Int64 {
    let folder = try TemporaryFolder()
    let path = folder.path("run.kymo")
    try file.write(to: URL(fileURLWithPath: path))
    _ = fault_memory_fail(nth, isForGood)
    let trial = Trial.recording(known, policy: .live, at: path)
    let requests = fault_memory_calls()
    _ = fault_memory_fail(0, false)
    let problems = trial.problems(at: path, earlier: earlier, known: known)
    precondition(
      problems.isEmpty, "request \(nth), for good \(isForGood): \(problems) \(trial.errors)")
    trials += 1
    if !trial.errors.isEmpty { reported += 1 }
    return requests
  }
}
