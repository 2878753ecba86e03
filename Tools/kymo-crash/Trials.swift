import Foundation
import TimelineModel
import TimelineRecorder
import TimelineStore

/// Starts a recorder, kills it at a random instant, opens what is left and compares; again and again.
struct Trials {
  let count: Int
  let seed: UInt64
  /// Where the files of a bad trial stay.
  let folder: URL

  /// How many children were killed while they recorded, and while they recovered.
  private(set) var killedRecorders = 0
  private(set) var killedRecoveries = 0
  /// How many recordings only a writer could open.
  private(set) var rolledBack = 0
  /// How many of the recorders had begun a session by then.
  private(set) var openings = 0
  private(set) var total = Comparison()
  private(set) var bad: [Int] = []
  /// What the readers showed before anything was folded in.
  private(set) var overlaid = Comparison()

  init(count: Int, seed: UInt64, folder: URL) {
    self.count = count
    self.seed = seed
    self.folder = folder
  }

  /// The longest that a recorder lives, in microseconds.
  private static let longestLife: UInt64 = 400_000
  /// How long a busy machine may need to start one, in milliseconds.
  private static let longestStart = 20_000
  /// An early kill comes within so much, in microseconds.
  private static let shortestLives: UInt64 = 40_000

  /// Runs every trial.
  mutating func run() throws {
    for trial in 0..<count { try run(trial) }
  }

  private mutating func run(_ trial: Int) throws {
    var generator = SplitMixGenerator(seed: seed &+ UInt64(trial) &* 1_000_003)
    let place = folder.appendingPathComponent("trial-\(trial)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let path = place.appendingPathComponent("run.kymo").path
    let shared = place.appendingPathComponent("acknowledged").path
    guard let acknowledgements = Acknowledgements(path: shared) else {
      throw CrashTrialError(message: "\(shared) cannot be mapped")
    }
    defer { acknowledgements.unmap() }
    let child = try Victim(["child", path, shared, "\(generator.next())"])
    // One kill in four comes early, to hit the opening; the others wait until there is a recorder.
    let isEarly = generator.next() % 4 == 0
    let life = isEarly ? Self.shortestLives : Self.longestLife
    var patience = isEarly ? 0 : Self.longestStart
    while patience > 0, acknowledgements.load(.values, session: 0) == 0 {
      usleep(1_000)
      patience -= 1
    }
    if try child.kill(afterMicroseconds: UInt32(generator.next() % life)) { killedRecorders += 1 }
    // Killed before there was anything: nothing was acknowledged.
    guard acknowledgements.load(.number, session: 0) > 0 else {
      try FileManager.default.removeItem(at: place)
      return
    }
    openings += 1
    let before = try look(path, acknowledgements)
    overlaid.add(before)
    for _ in 0..<(generator.next() % 3) {
      let recovery = try Victim(["open", path])
      if try recovery.kill(afterMicroseconds: UInt32(generator.next() % 30_000)) {
        killedRecoveries += 1
      }
    }
    try Trials.openAndFinish(path)
    var after = try Comparison(path, acknowledgements)
    after.torn += try leftovers(in: place)
    total.add(after)
    if before.isBad || after.isBad {
      bad.append(trial)
    } else {
      try FileManager.default.removeItem(at: place)
    }
  }

  /// What a reader shows before anybody has written. A kill while the log was switched on or off leaves
  /// SQLite's own rollback journal, which only a writer can play back; nothing is compared then.
  private mutating func look(
    _ path: String, _ acknowledgements: Acknowledgements
  ) throws -> Comparison {
    do {
      return try Comparison(path, acknowledgements)
    } catch let error as StoreError {
      guard error.code == .readOnly, FileManager.default.fileExists(atPath: path + "-journal")
      else { throw error }
      rolledBack += 1
      return Comparison()
    }
  }

  /// Companions of the recording that are still there after a session was finished in it.
  private func leftovers(in place: URL) throws -> UInt64 {
    let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
    return UInt64(names.filter { $0.hasPrefix("run.kymo-") }.count)
  }

  /// Opens a recording for writing, as the next start of an app does.
  static func openAndFinish(_ path: String) throws {
    let recorder = try Recorder(
      path: path, session: SessionDescription(software: "kymo-crash", clock: "virtual"),
      policy: .live)
    try recorder.finish(at: .zero, outcome: .none)
  }

  /// What came of it, for a person.
  var summary: String {
    """
    trials \(count), seed \(seed)
    recorders killed \(killedRecorders), of which \(openings) had begun; recoveries killed \(killedRecoveries)
    \(rolledBack) recordings had a rollback journal and were not read before a writer had opened them
    before recovery: acknowledged \(overlaid.acknowledged), found \(overlaid.found), \
    missing \(overlaid.missing), duplicated \(overlaid.duplicated), torn \(overlaid.torn)
    after recovery:  acknowledged \(total.acknowledged), found \(total.found), \
    missing \(total.missing), duplicated \(total.duplicated), torn \(total.torn), \
    dropped by a full ring \(total.dropped)

    """
  }

  /// Whether anything went wrong.
  var isBad: Bool { !bad.isEmpty || total.isBad || overlaid.isBad }
}
