import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Repeats a piece of work, and fails another call each time. With `KYMO_TEST_ROUNDS` it fails every call of a kind in
/// all ways: once, for good, by an input error, by a full disk. A usual run takes the ways by turns, and fails at most twenty
/// calls of each kind, from the first to the last.
struct FaultLoop {
  /// What is done, for the line that is printed.
  var name: String
  var kinds: [FaultDisk.Kind] = FaultDisk.Kind.allCases
  /// Whether the number of calls depends on when a thread of the recorder's own wakes up. A call that was
  /// not made is no problem then; without this it is one, since the work is not the same each time.
  var callsVary = false
  /// Puts the files in place before each trial; the argument is the recording's path.
  var prepare: (String) throws -> Void = { _ in }
  /// The work; it must make the same calls each time.
  var work: (String) -> Trial
  /// What is wrong afterwards, on a disk that works again.
  var problems: (String, Trial) -> [String]
  /// What is wrong when the work is taken up again; asked after every third trial, as it costs as much
  /// as the trial.
  var problemsLater: (String, Trial) -> [String] = { _, _ in [] }

  private struct Tally {
    var calls: [String] = []
    var trials = 0
    var reported = 0
    var survived = 0
    var missed = 0
  }

  /// Runs all trials, records an issue for each problem, and prints the counts in one line.
  func run() throws {
    let folder = try TemporaryFolder()
    let disk = FaultDisk(folder.url.path)
    var tally = Tally()
    for kind in kinds {
      let calls = try countCalls(kind, folder: folder, disk: disk)
      tally.calls.append("\(kind) \(calls)")
      let step = TestRounds.isLong ? 1 : calls / Self.usualCalls + 1
      for (turn, nth) in stride(from: 1, through: calls, by: Int64.Stride(step)).enumerated() {
        for fault in faults(kind, nth: nth, turn: turn) { try attempt(fault, folder, disk, &tally) }
      }
    }
    print(
      "Faults while \(name): \(tally.trials) trials (\(tally.calls.joined(separator: ", "))), "
        + "\(tally.reported) reported, \(tally.survived) survived unnoticed, "
        + "\(tally.missed) calls not made")
    #expect(tally.reported > 0)
  }

  /// At most so many calls of a kind fail in a usual run.
  private static let usualCalls: Int64 = 20

  private func faults(_ kind: FaultDisk.Kind, nth: Int64, turn: Int) -> [FaultDisk.Fault] {
    let reasons: [FaultDisk.Reason] = kind == .write ? [.inputOutput, .noSpace] : [.inputOutput]
    let ways = reasons.flatMap { reason in
      [false, true].map {
        FaultDisk.Fault(kind: kind, nth: nth, isForGood: $0, reason: reason)
      }
    }
    return TestRounds.isLong ? ways : [ways[turn % ways.count]]
  }

  private func freshPath(_ folder: TemporaryFolder) throws -> String {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: folder.url.path) {
      try files.removeItem(atPath: folder.path(name))
    }
    let path = folder.path("run.kymo")
    try prepare(path)
    return path
  }

  private func countCalls(
    _ kind: FaultDisk.Kind, folder: TemporaryFolder, disk: FaultDisk
  ) throws -> Int64 {
    let path = try freshPath(folder)
    disk.heal()
    let trial = work(path)
    let calls = disk.calls(kind)
    #expect(trial.errors.isEmpty, "\(name) fails on a disk that works")
    #expect(problems(path, trial) == [])
    return calls
  }

  private func attempt(
    _ fault: FaultDisk.Fault, _ folder: TemporaryFolder, _ disk: FaultDisk, _ tally: inout Tally
  ) throws {
    let path = try freshPath(folder)
    disk.fail(fault)
    let trial = work(path)
    let isHit = disk.failures > 0
    disk.heal()
    tally.trials += 1
    if trial.errors.isEmpty { tally.survived += 1 } else { tally.reported += 1 }
    var found = problems(path, trial)
    if tally.trials % 3 == 0 { found += problemsLater(path, trial) }
    if !isHit {
      tally.missed += 1
      if !callsVary { found.append("the call was never made") }
    }
    if fault.reason == .noSpace, trial.errors.contains(where: { $0.code != .full }) {
      found.append("a full disk is called \(trial.errors.map(\.code))")
    }
    if !found.isEmpty {
      Issue.record("\(name), \(fault): \(found.joined(separator: "; ")); errors \(trial.errors)")
    }
  }
}
