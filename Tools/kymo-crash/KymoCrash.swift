import Foundation
import KymographCLibrary
import TimelineStatistics

/// Kills recorders at random instants and looks at the files afterwards.
///
/// The program starts itself: `kymo-crash child …` records until it is killed (`endless`: one session),
/// `kymo-crash open …` recovers, and may be killed too. `kymo-crash hold …` holds a lock for the tests.
@main
struct KymoCrash {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "child" where words.count == 5:
        try record(
          path: words[1], shared: words[2], seed: UInt64(words[3]) ?? 0,
          kind: try kind(words[4]))
      case "endless" where words.count == 3:
        try record(path: words[1], shared: words[2], seed: 0, isEndless: true)
      case "open" where words.count == 2: try Trials.openAndFinish(words[1])
      case "hold" where words.count == 3:
        guard let kind = LockHolder.Kind(rawValue: words[1]) else { throw usage }
        try LockHolder(kind: kind, path: words[2]).run()
      default: exit(try runTrials(words))
      }
    } catch {
      FileHandle.standardError.write(Data("kymo-crash: \(error)\n".utf8))
      exit(2)
    }
  }

  private static let usage = CrashTrialError(
    message: "usage: kymo-crash [TRIALS [SEED [recording|checkpoint|suspending|sealing]]]")

  private static func kind(_ word: String) throws -> TrialKind {
    guard let kind = TrialKind(rawValue: word) else { throw usage }
    return kind
  }

  private static func record(
    path: String, shared: String, seed: UInt64, kind: TrialKind = .recording,
    isEndless: Bool = false
  ) throws {
    guard let acknowledgements = Acknowledgements(path: shared) else {
      throw CrashTrialError(message: "\(shared) cannot be mapped")
    }
    var child = RecordingChild(
      path: path, acknowledgements: acknowledgements, generator: SplitMix64(seed: seed),
      kind: kind, isEndless: isEndless)
    try child.run()
  }

  private static func runTrials(_ words: [String]) throws -> Int32 {
    let count = words.first.flatMap { Int($0) } ?? 300
    let seed = words.count > 1 ? UInt64(words[1]) ?? 1 : 1
    guard words.count <= 3, count > 0 else { throw usage }
    let kinds = words.count > 2 ? [try kind(words[2])] : TrialKind.allCases
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("kymo-crash-\(getpid())", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var trials = Trials(count: count, seed: seed, kinds: kinds, folder: folder)
    try trials.run()
    FileHandle.standardOutput.write(Data(trials.summary.utf8))
    guard trials.isBad else {
      try FileManager.default.removeItem(at: folder)
      return 0
    }
    FileHandle.standardOutput.write(
      Data("bad trials \(trials.bad); their files are in \(folder.path)\n".utf8))
    return 1
  }
}
