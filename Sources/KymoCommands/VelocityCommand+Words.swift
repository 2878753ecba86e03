import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineStore

/// How many samples a story for people shows before the oldest that counts.
private let shownBeforeWindow = 5

/// How many of the candidates a ranking for people shows; the other formats have all.
private let shownRanks = 10

/// What is doubtful about an estimate, one line each.
func warningText(_ motion: VelocityReport.Motion) -> String {
  let who = "\(motion.subject.name), \(motion.estimate.estimator)"
  var text = ""
  if motion.estimate.opposesDisplacement {
    text += "\(who): the velocity opposes the displacement over the window.\n"
  }
  if motion.estimate.liftArtefactSuspected {
    text += "\(who): the last step is an outlier, as if a finger rolled off the screen.\n"
  }
  if let chosen = motion.estimate.chosen, motion.ranking == nil {
    text += "\(who): chose \(chosen).\n"
  }
  return text
}

/// The ranking that `auto` made, for people: why it chose, and if auto was asked for, the best of all.
func printRanking(
  _ ranking: EstimatorRanking, of name: String, _ invocation: Invocation
) throws {
  invocation.output.write("\n\(DisplayText.harmless(name)), auto: \(ranking.note)\n")
  guard try invocation.value(Flags.estimator) == .one(.auto) else { return }
  try invocation.print(
    Array(ranking.entries.prefix(shownRanks)).rows, columns: EstimatorRanking.Entry.tableColumns)
}

/// The window's story for people: what counts, and the newest of what is too old.
func printStory(
  _ motion: VelocityReport.Motion, of name: String, lift: Instant, _ invocation: Invocation
) throws {
  let chosen = motion.estimate.chosen.map { " (\($0))" } ?? ""
  invocation.output.write("\n\(DisplayText.harmless(name)), \(motion.estimate.estimator)\(chosen):")
  guard !motion.story.isEmpty else {
    invocation.output.write(
      motion.isCancelled ? " cancelled, no sample counts.\n" : " no sample up to the lift.\n"
    )
    return
  }
  let firstUsed = motion.story.firstIndex { $0.reason == nil } ?? motion.story.count
  let first = max(0, firstUsed - shownBeforeWindow)
  invocation.output.write(first > 0 ? " \(first) older samples are not shown.\n" : "\n")
  try invocation.print(
    Array(motion.storyRows(lift: lift)[first...]).rows,
    columns: SampleStoryRow.fields.tableColumns())
}
