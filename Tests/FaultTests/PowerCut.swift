import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// What many simulated power cuts did to one recording.
struct PowerCut {
  /// What was going on, for the line that is printed.
  var name: String
  /// The sessions that were in the file before the log began; a cut may not touch them.
  var earlier: [KnownSession]
  var known: KnownSession

  private var cuts = 0
  private var lostNanoseconds: [Int64] = []

  init(_ name: String, earlier: [KnownSession], known: KnownSession) {
    self.name = name
    self.earlier = earlier
    self.known = known
  }

  /// Cuts the power once, judges the files, and remembers how much of the session was lost.
  ///
  /// - Parameter journals: What the crash journal held on the way; without, the cut takes it whole.
  mutating func cut(
    _ disk: FaultDisk, after operations: Int64, seed: UInt64, goesOn: Bool = false,
    journals: JournalCopies? = nil
  ) throws {
    let folder = try TemporaryFolder()
    #expect(disk.cut(after: operations, seed: seed, into: folder.url.path) >= 0)
    try journals?.cut(after: operations, seed: seed, into: folder.url.path)
    let path = folder.path("run.kymo")
    cuts += 1
    var problems: [String] = []
    var latest: Int64?
    do {
      latest = try judge(path, &problems)
    } catch let error as StoreError {
      // The very first commit of a new file may be lost, and with it the file.
      if !earlier.isEmpty { problems.append("refused: \(error)") }
    }
    let given = disk.newestMark(before: operations)
    if let given { lostNanoseconds.append(given - (latest ?? -known.intervalNanoseconds)) }
    if goesOn { problems += goOn(path, hasJournals: journals != nil) }
    if !problems.isEmpty {
      Issue.record("\(name), cut \(operations), seed \(seed): \(problems.joined(separator: "; "))")
    }
  }

  /// What is there is a beginning of what was given, and SQLite finds nothing wrong.
  private func judge(_ path: String, _ problems: inout [String]) throws -> Int64? {
    var latest: Int64?
    let files = FileManager.default
    if files.fileExists(atPath: path), files.fileExists(atPath: path + "-journal") {
      // A reader takes nothing back; the next that writes does.
      problems += try PlainDatabase(path).findings()
    }
    let reader = try RecordingReader(path: path)
    problems += try reader.query("PRAGMA integrity_check").rest()
      .filter { $0 != [.text("ok")] }.map { "\($0)" }
    for session in earlier {
      let found = try FoundSession(session, in: reader)
      if found?.isClean != true { problems.append("session \(session.number) is not whole") }
      problems += found?.problems ?? []
    }
    if let found = try FoundSession(known, in: reader) {
      problems += found.problems
      latest = found.latest
    }
    problems += try Trial.damage(path)
    return latest
  }

  /// The next recorder takes the file as it is.
  private func goOn(_ path: String, hasJournals: Bool) -> [String] {
    let later = KnownSession(number: 9, steps: 10)
    let trial = Trial.recording(later, policy: .wait, at: path)
    let found = (try? RecordingExamination.examine(path, isDeep: true)) ?? []
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let left = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return trial.errors.map { "the next recording fails: \($0)" }
      + trial.problems(at: path, earlier: earlier.first, known: later)
      + found.filter { $0.severity != .note && hasJournals }.map {
        "after the next, \($0.what): \($0.detail)"
      }
      + left.filter { $0.contains("-crash") }.map { "\($0) stays" }
  }

  /// The share of cuts that lost at most the returned number of seconds.
  private func seconds(atShare share: Double) -> Double {
    let sorted = lostNanoseconds.sorted()
    guard !sorted.isEmpty else { return 0 }
    return Double(sorted[Int(Double(sorted.count - 1) * share)]) / 1e9
  }

  var worstSeconds: Double { seconds(atShare: 1) }

  /// Prints the counts in one line.
  func printCounts() {
    let shares = [0.5, 0.95, 1].map { String(format: "%.3f", seconds(atShare: $0)) }
    print(
      "Power cuts while \(name): \(cuts), lost seconds median \(shares[0]), p95 \(shares[1]), "
        + "worst \(shares[2])")
  }
}
