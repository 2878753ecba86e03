/// The results of the trials of one kind.
struct TrialTally {
  var trials = 0
  /// How many children were killed while they recorded, and while they recovered.
  var killedRecorders = 0
  var killedRecoveries = 0
  /// How many of the recorders had begun a session by then.
  var openings = 0
  /// How many kills fell while a checkpoint was under way.
  var inCheckpoint = 0
  /// How many fell in each stage of a suspension.
  var inStage: [UInt64: Int] = [:]
  /// How many recordings only a writer could open.
  var rolledBack = 0
  /// The rows of the readers before anything was folded in.
  var overlaid = Comparison()
  /// The rows afterwards.
  var total = Comparison()

  mutating func add(_ other: TrialTally) {
    trials += other.trials
    killedRecorders += other.killedRecorders
    killedRecoveries += other.killedRecoveries
    openings += other.openings
    inCheckpoint += other.inCheckpoint
    inStage.merge(other.inStage, uniquingKeysWith: +)
    rolledBack += other.rolledBack
    overlaid.add(other.overlaid)
    total.add(other.total)
  }

  /// Whether anything went wrong.
  var isBad: Bool { total.isBad || overlaid.isBad }

  private func count(_ stage: Acknowledgements.Stage) -> Int { inStage[stage.rawValue] ?? 0 }

  func line(_ kind: TrialKind) -> String {
    var line =
      "\(kind.title): \(trials) trials, \(killedRecorders) killed, \(inCheckpoint) of them within a "
      + "checkpoint"
    if kind == .suspending {
      line +=
        ", \(count(.suspending)) in suspend(), \(count(.suspended)) while suspended, "
        + "\(count(.resuming)) in resume()"
    }
    return line + "\n"
  }
}
