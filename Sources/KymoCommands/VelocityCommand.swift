import GestureInput
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineSession
import TimelineStore

/// `kymo velocity`: how fast everything was at the release, and what followed from it.
func velocityCommand() -> Command {
  Command(
    name: "velocity", summary: "Print velocities at the release, and the decision",
    arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo velocity pinch.kymo", "kymo velocity pinch.kymo --estimator all --json",
      "kymo velocity pinch.kymo --key progress --explain",
      "kymo velocity pinch.kymo --key finger.0.x,finger.0.y --at 0.1,0.2",
      "kymo velocity pinch.kymo --preset flutter --rule velocity",
      "kymo velocity drag.evemu --lift 180ms --estimator all",
    ],
    exits: [.loss: "if a part of the input could not be read"],
    discussion: """
      A row is the velocity of a key, or of a contact along an axis, at a release. low and high
      bound its 90 % interval.

      If there are too few samples, or if a contact was cancelled, the velocity is missing: –, empty
      in CSV, and null in JSON. A finger that had stopped has the velocity 0. FILE alone means its
      last session.

      \(Flags.keyGrammar)

      FILE may also be the lines of an app, a gesture file, or a table with a header such as t_ms,x,y
      or t_ms,value (see kymo help formats). A column resampled may have 0 or 1. With --rule a value
      is a progress, and x,y are positions in points.

      With --rule the contacts of a gesture file that are down together are one swipe with one
      decision, in the row of a single contact or in a row of the mean of several. The swipe counts
      along its longer axis, in the direction of the fingers.

      release.distance points are a progress of 1. --towards, or a release.distance below 0, names
      one direction. The positions of a device become libinput's units with the resolution of the
      file, or with --resolution.

      A pause before the lift counts as a stop. In libinput-events files the lift is 46 to 50 ms too
      late. So their default is --preset gnome, which has no such limit.

      \(Flags.estimatorNames) --estimator all uses every one of them, and those that kymo help velocity
      --all adds.
      """,
    columns: VelocityRow.fields.described() + SampleStoryRow.fields.described()
      + [InputText.readAsColumn],
    flags: [
      Flags.at.described("at these times instead of at the releases (0.25,250ms,…)"),
      Flags.keys, VelocityFlags.set, VelocityFlags.explain, VelocityFlags.lift,
      Flags.estimation, Flags.clamp.inSection(.estimate), Flags.releaseRule, Flags.towards,
      Flags.gestureReading, VelocityFlags.resolution.inSection(.gestureFiles),
      Flags.listing,
    ], run: runVelocity)
}

/// The flags of `kymo velocity` alone.
enum VelocityFlags {
  static var set: Flag<Setting> {
    Flags.set.described(
      "change a field of release or settle as in a scenario file, such as release.window=60ms or "
        + "settle.stiffness=200"
    )
  }
  static var explain: Flag<Bool> {
    .toggle("explain", "print every sample: whether it counts, why not, and its weight")
  }
  static var resolution: Flag<DeviceResolution> {
    Flag(
      "resolution", "X,Y",
      "units per millimetre of the device, for a rule about a gesture file that does not say them"
    ) { text, name in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
        .map { Double($0).flatMap { $0.isFinite && $0 > 0 ? $0 : nil } }
      guard (1...2).contains(numbers.count), let x = numbers[0], let y = numbers[numbers.count - 1]
      else {
        throw Failure.usage(
          "--\(name) must be units per millimetre above 0, such as 31 or 31,28 (got '\(text)')")
      }
      return DeviceResolution(x: x, y: y)
    }
  }
  static var lift: Flag<Int64> {
    .time("lift", "TIME", "the lift, in a gesture file or a table (0.25, 250ms, …)")
      .standard("the last sample")
  }
}

private func runVelocity(_ invocation: Invocation) throws -> ExitCode {
  var question = try invocation.velocityQuestion(settles: true)
  question.explains = invocation.has(VelocityFlags.explain)
  let file = invocation.positionals[0]
  let text = try InputText(file, invocation)
  if let text, !text.isLines {
    for flag in invocation.given(Flags.at) {
      throw Failure.usage(
        "--\(flag) needs a recording. \(inputName(file)) has no sessions. Name its lift with --lift"
      )
    }
    var samples = SampleFile(text)
    try samples.judge(
      by: question, with: invocation.value(VelocityFlags.resolution), invocation)
    try samples.keep(namedBy: invocation.texts(Flags.keys))
    samples.keepLastContacts(invocation)
    samples.sayWhatIsNoProgress(asking: question, invocation)
    samples.preferEstimation(of: &question, invocation)
    question.settle = try invocation.settle(changing: SettleParameters())
    return try estimateSamples(samples, readAs: text.readAsFields, question, invocation)
  }
  guard !invocation.has(VelocityFlags.lift) else {
    throw Failure.usage(
      "--lift needs a gesture file or a table. Name times of a recording with --at")
  }
  guard !invocation.has(VelocityFlags.resolution) else {
    throw Failure.usage("--resolution needs a gesture file. The touches of a recording are points")
  }
  let source =
    try text.map { try SessionArgument($0, named: file, invocation) }
    ?? SessionArgument(invocation.console, file)
  question.settle = try invocation.settle(changing: SessionParameters(source.session).settle)
  if let subjects = try invocation.namedValues(in: source) { question.narrow(to: subjects) }
  let moments = try invocation.value(Flags.at)
  for moment in moments ?? [] { try source.requireOverlap(moment...moment, flag: "at") }
  let printer = try VelocityPrinter(source.session, question, invocation)
  var warnings: [String] = []
  for index in 0..<(moments?.count ?? 1) {
    question.moment = moments?[index]
    let report = try VelocityReport(
      of: source.session, in: source.reader, asking: question, givingAway: printer.write,
      end: printer.end)
    if index == 0 { warnings = report.warnings }
  }
  try printer.finish()
  for warning in warnings { invocation.note("\(warning)") }
  return .yes
}

private let velocityGuide = TableGuide(
  wanted: [
    "key", "item", "attribute", "pointer", "axis", "value", "velocity", "low", "high", "unit",
    "clamped_velocity", ReleaseEstimate.settleTime.column, "samples", "estimator", "remaining",
  ],
  meanings: [
    "pointer": "pointer: contact", "low": "low, high: 90 % interval",
    ReleaseEstimate.settleTime.column: "settle_time_s: until rest",
    "samples": "samples: how many count", "remaining": "remaining: target minus value",
    "relative_velocity": "relative_velocity: velocity / remaining",
  ])

/// Prints velocities as they are estimated, and after all of them the sentences about each release.
private final class VelocityPrinter {
  private let question: VelocityQuestion
  private let invocation: Invocation
  private let touches: TouchMap
  private let writer: RowWriter
  private let isTable: Bool
  /// The releases until now, with the motions about which a table says more than their row.
  private var releases: [VelocityReport.Release] = []
  private var motions: [VelocityReport.Motion] = []
  /// Whether one of these was cancelled, which the sentences say once.
  private var isCancelled = false

  init(_ session: SessionRecord, _ question: VelocityQuestion, _ invocation: Invocation) throws {
    (self.question, self.invocation, touches) = (
      question, invocation, TouchMap(session.description)
    )
    isTable = try invocation.outputFormat() == .table
    let columns = VelocityRow.tableColumns(
      withItems: question.asksAboutItems, withClamp: invocation.has(Flags.clamp))
    writer = try invocation.rowWriter(columns: isTable ? columns : [], for: velocityGuide)
  }

  func write(_ release: VelocityReport.Release, _ motion: VelocityReport.Motion) throws {
    if question.explains, !isTable {
      for row in motion.storyRows(lift: release.time) {
        writer.write(motion.subject.row + row.row)
      }
      return
    }
    writer.write(VelocityRow(motion, at: release, question, touches).row)
    guard isTable else { return }
    let isFirstCancelled = motion.isCancelled && !isCancelled
    if isFirstCancelled || question.explains || motion.ranking != nil
      || !warningText(motion).isEmpty
    {
      motions.append(motion)
    }
    isCancelled = isCancelled || motion.isCancelled
  }

  func end(_ release: VelocityReport.Release) {
    guard isTable else { return }
    releases.append(release)
    releases[releases.count - 1].motions = motions
    (motions, isCancelled) = ([], false)
  }

  func finish() throws {
    writer.finish()
    invocation.describe(writer, by: velocityGuide)
    for release in releases {
      invocation.output.write(decisionText(release, question))
      for motion in release.motions {
        invocation.output.write(warningText(motion))
        let name = motion.subject.name
        if let ranking = motion.ranking { try printRanking(ranking, of: name, invocation) }
        if question.explains { try printStory(motion, of: name, lift: release.time, invocation) }
      }
    }
  }
}

/// How many samples a story for people shows before the oldest that counts.
private let shownBeforeWindow = 5

/// How many of the candidates a ranking for people shows. The other formats have all.
private let shownRanks = 10

/// Each doubt about an estimate, as a line.
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
