import Foundation
import TimelineModel
import TimelineRecorder
import TimelineStatistics
import TimelineStore

/// Starts a recorder, kills it at a random instant, opens the file and compares. Again and again.
struct Trials {
  let count: Int
  let seed: UInt64
  /// The kinds of trials, which take turns.
  let kinds: [TrialKind]
  /// Where the files of a bad trial stay.
  let folder: URL

  private var tallies: [TrialKind: TrialTally] = [:]
  private(set) var bad: [Int] = []

  init(count: Int, seed: UInt64, kinds: [TrialKind], folder: URL) {
    self.count = count
    self.seed = seed
    self.kinds = kinds
    self.folder = folder
  }

  /// The longest that a recorder lives, in microseconds.
  private static let longestLife: UInt64 = 400_000
  /// How long a busy machine may need to start one, in milliseconds.
  private static let longestStart = 20_000
  /// An early kill comes within so much, in microseconds.
  private static let shortestLives: UInt64 = 40_000

  /// How long a checkpoint is waited for, in looks. Each takes about a microsecond.
  private static let looks = 50_000
  /// A kill comes so long after a checkpoint has begun at most, in microseconds: about what the sync takes
  /// that it begins with, and the moved bytes.
  private static let longestCheckpoint: UInt64 = 600

  mutating func run() throws {
    for trial in 0..<count {
      let kind = kinds[trial % kinds.count]
      var tally = TrialTally()
      try run(trial, kind, &tally)
      tallies[kind, default: TrialTally()].add(tally)
    }
  }

  private mutating func run(_ trial: Int, _ kind: TrialKind, _ tally: inout TrialTally) throws {
    tally.trials = 1
    var generator = SplitMix64(seed: seed &+ UInt64(trial) &* 1_000_003)
    let trialFolder = folder.appendingPathComponent("trial-\(trial)")
    try FileManager.default.createDirectory(at: trialFolder, withIntermediateDirectories: true)
    let path = trialFolder.appendingPathComponent("run.kymo").path
    let shared = trialFolder.appendingPathComponent("acknowledged").path
    guard let acknowledgements = Acknowledgements(path: shared) else {
      throw CrashTrialError(message: "\(shared) cannot be mapped")
    }
    defer { acknowledgements.unmap() }
    let child = try Victim(["child", path, shared, "\(generator.next())", kind.rawValue])
    // One kill in four comes early, to hit the opening. The others wait until there is a recorder.
    let isEarly = generator.next() % 4 == 0
    let life = isEarly ? Self.shortestLives : Self.longestLife
    var patience = isEarly ? 0 : Self.longestStart
    while patience > 0, acknowledgements.load(.values, session: 0) == 0 {
      usleep(1_000)
      patience -= 1
    }
    usleep(UInt32(generator.next() % life))
    if kind == .checkpoint, !isEarly {
      waitForCheckpoint(of: path, &generator)
    }
    if try child.kill() {
      tally.killedRecorders = 1
      note(path, acknowledgements, &tally)
    }
    // Killed before there was anything: nothing was acknowledged.
    guard acknowledgements.load(.number, session: 0) > 0 else {
      try FileManager.default.removeItem(at: trialFolder)
      return
    }
    tally.openings = 1
    tally.overlaid = try look(path, acknowledgements, &tally)
    for _ in 0..<(generator.next() % 3) {
      let recovery = try Victim(["open", path])
      usleep(UInt32(generator.next() % 30_000))
      if try recovery.kill() { tally.killedRecoveries += 1 }
    }
    try Trials.openAndFinish(path)
    tally.total = try Comparison(path, acknowledgements)
    tally.total.torn += try leftovers(in: trialFolder)
    if tally.isBad {
      bad.append(trial)
    } else {
      try FileManager.default.removeItem(at: trialFolder)
    }
  }

  /// Comes back at a random instant of a checkpoint, unless none is met for long.
  private func waitForCheckpoint(of path: String, _ generator: inout SplitMix64) {
    guard let index = LogIndex(of: path) else { return }
    defer { index.close() }
    var looks = Self.looks
    while looks > 0 {
      looks -= 1
      guard index.isMoving else { continue }
      usleep(UInt32(generator.next() % Self.longestCheckpoint))
      if index.isMoving { return }
    }
  }

  /// Where the kill fell, before anybody has opened the files again.
  private func note(
    _ path: String, _ acknowledgements: Acknowledgements, _ tally: inout TrialTally
  ) {
    if let index = LogIndex(of: path) {
      if index.isMoving { tally.inCheckpoint = 1 }
      index.close()
    }
    for session in 0..<Acknowledgements.sessions
    where acknowledgements.load(.number, session: session) > 0
      && acknowledgements.load(.finished, session: session) == 0
    {
      tally.inStage[acknowledgements.load(.stage, session: session), default: 0] += 1
    }
  }

  /// The rows of a reader before anybody has written. A kill while the log was switched on or off leaves
  /// SQLite's own rollback journal, which only a writer can play back. Nothing is compared then.
  private func look(
    _ path: String, _ acknowledgements: Acknowledgements, _ tally: inout TrialTally
  ) throws -> Comparison {
    do {
      return try Comparison(path, acknowledgements)
    } catch let error as StoreError {
      guard error.code == .unfinishedChange else { throw error }
      tally.rolledBack += 1
      return Comparison()
    }
  }

  /// Companions of the recording that are still there after a session was finished in it.
  private func leftovers(in trialFolder: URL) throws -> UInt64 {
    let names = try FileManager.default.contentsOfDirectory(atPath: trialFolder.path)
    return UInt64(names.filter { $0.hasPrefix("run.kymo-") }.count)
  }

  /// Opens a recording for writing, as the next start of an app does.
  static func openAndFinish(_ path: String) throws {
    let recorder = try Recorder(
      path: path, session: SessionDescription(software: "kymo-crash", clock: "virtual"),
      policy: .live)
    try recorder.finish(at: .zero, outcome: .none)
  }

  /// All kinds together.
  private var sum: TrialTally {
    var sum = TrialTally()
    for kind in kinds { if let tally = tallies[kind] { sum.add(tally) } }
    return sum
  }

  /// The result, for a person.
  var summary: String {
    let sum = sum
    let lines = kinds.compactMap { kind in tallies[kind].map { $0.line(kind) } }
    return """
      trials \(count), seed \(seed)
      \(lines.joined())\
      recorders killed \(sum.killedRecorders), of which \(sum.openings) had begun; recoveries killed \
      \(sum.killedRecoveries)
      \(sum.rolledBack) recordings had a rollback journal and were not read before a writer had opened them
      before recovery: acknowledged \(sum.overlaid.acknowledged), found \(sum.overlaid.found), \
      missing \(sum.overlaid.missing), duplicated \(sum.overlaid.duplicated), torn \(sum.overlaid.torn)
      after recovery:  acknowledged \(sum.total.acknowledged), found \(sum.total.found), \
      missing \(sum.total.missing), duplicated \(sum.total.duplicated), torn \(sum.total.torn), \
      dropped by a full ring \(sum.total.dropped)

      """
  }

  /// Whether anything went wrong.
  var isBad: Bool { !bad.isEmpty || sum.isBad }
}
