import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// `kymo velocity`: how fast everything was at the release, and what followed from it.
func velocityCommand() -> Command {
  Command(
    name: "velocity", summary: "velocity at the release, and the decision with its margin",
    arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo velocity pinch.kymo", "kymo velocity pinch.kymo --estimator all --json",
      "kymo velocity pinch.kymo --key progress --explain",
      "kymo velocity pinch.kymo --preset flutter --rule velocity",
      "kymo velocity drag.evemu", "kymo velocity drag.csv --lift 180ms --estimator all",
    ],
    discussion: """
      Velocities are in the key's unit per second; low and high bound a 90 % interval. No
      velocity (too few samples, a cancelled contact) is empty or null, a finger that had
      stopped is 0.
      FILE may also be a gesture file (see kymo list touches), the lines of an app, or CSV with the header t_ns,value or t_ns,x,y (and resampled, 0 or 1, in a last column). A pause before the
      lift counts as a stop, but not where libinput-events says how far fingers went: it says
      that they lifted 46 to 50 ms later than they did, so --preset gnome is the default there.
      With --rule a value of a table is a progress, and a
      contact's distance is divided by --set release.distance.
      \(Flags.estimatorNames) --estimator all asks every one of them.
      """,
    flags: [
      Flags.at.described("at this time instead of at the releases"),
      Flags.key,
      Flags.item.described("the attributes of this item, read from the frames"),
      VelocityFlags.pointer, Flags.estimation, Flags.releaseRule, Flags.clamp,
      VelocityFlags.set, VelocityFlags.explain, VelocityFlags.lift,
      Flags.gestureReading, Flags.listing,
    ], run: runVelocity)
}

/// The flags of `kymo velocity` alone.
enum VelocityFlags {
  static var pointer: Flag<Int> {
    Flag("pointer", "NUMBER", "only this contact") { text, name in
      guard let number = Int(text), number >= 0 else {
        throw Failure.usage("--\(name) expects the number of a contact, not '\(text)'")
      }
      return number
    }
  }
  static var set: Flag<Setting> {
    Flags.set.described(
      "change a field of release or settle as in a scenario file, such as release.window=60ms or "
        + "settle.stiffness=200"
    )
    .replacing([
      "spring": { value in
        zip(["mass", "stiffness", "damping"], value.split(separator: ","))
          .map { "--set settle.\($0)=\($1)" }.joined(separator: " ")
      }
    ])
  }
  static var explain: Flag<Bool> {
    .toggle("explain", "every sample: whether it counts, why not, and its weight")
  }
  static var lift: Flag<Int64> {
    .time("lift", "TIME", "of a file of samples: the lift; the last sample by default")
  }
}

private func runVelocity(_ invocation: Invocation) throws -> ExitCode {
  var question = try invocation.velocityQuestion(settles: true)
  question.explains = invocation.has(VelocityFlags.explain)
  let file = invocation.positionals[0]
  if try SampleFile.isOne(file), try !OpenedLines.areIn(file) {
    for flag in invocation.given(Flags.at, Flags.key, Flags.item) {
      throw Failure.usage("--\(flag) is about a recording; \(inputName(file)) has no sessions")
    }
    let samples = try SampleFile(insteadOfRecording: file, invocation)
    samples.preferWindow(of: &question, inputName(file), on: invocation.console)
    if question.estimators.isEmpty, question.preset == nil {
      question.estimators = [ReleaseParameters().estimator]
    }
    question.settle = try invocation.settle(changing: SettleParameters())
    return try estimateSamples(samples, of: file, question, invocation)
  }
  guard !invocation.has(VelocityFlags.lift) else {
    throw Failure.usage("--lift is for a file of samples; a recording has its lifts, or use --at")
  }
  try invocation.refuseGestureReading(of: file)
  let lines = try OpenedLines.areIn(file) ? OpenedLines(file, invocation) : nil
  let source = try lines?.source ?? SessionArgument(invocation)
  question.settle = try invocation.settle(changing: SessionParameters(source.session).settle)
  try question.narrow(invocation, source)
  question.moment = try invocation.instant(Flags.at)
  if let moment = question.moment { try source.requireOverlap(moment...moment, flag: "at") }
  let report = try VelocityReport(of: source.session, in: source.reader, asking: question)
  try printVelocities(report, of: source.session, question, invocation)
  for warning in report.warnings { invocation.note("\(warning)") }
  return lines?.hasLosses == true ? .loss : .yes
}

extension VelocityQuestion {
  /// Narrows the question to what is named: a key, an item, a contact, each of which must be there.
  fileprivate mutating func narrow(_ invocation: Invocation, _ source: SessionArgument) throws {
    let key = invocation.text(Flags.key)
    item = invocation.text(Flags.item)
    _ = try source.keys(named: key)
    if let item { try source.requireItem(item) }
    let pointer = try invocation.value(VelocityFlags.pointer)
    if let pointer {
      let touches = try source.reader.touches(in: source.session.number)
      var isThere = false
      while !isThere, let touch = try touches.next() { isThere = touch.contact == pointer }
      guard isThere else {
        throw Failure.usage("there is no contact \(pointer) in this session; see kymo list touches")
      }
    }
    guard key != nil || pointer != nil || item != nil else { return }
    keyNames = Set([key].compactMap { $0 })
    contacts = Set([pointer].compactMap { $0 })
  }
}

private func printVelocities(
  _ report: VelocityReport, of session: SessionRecord, _ question: VelocityQuestion,
  _ invocation: Invocation
) throws {
  let isTable = try invocation.outputFormat() == .table
  if question.explains, !isTable {
    let writer = try invocation.rowWriter()
    for release in report.releases {
      for motion in release.motions {
        for row in motion.storyRows(lift: release.time) {
          writer.write(motion.subject.row + row.row)
        }
      }
    }
    return writer.finish()
  }
  let columns = VelocityRow.tableColumns(
    withItems: question.item != nil, withClamp: invocation.has(Flags.clamp))
  let writer = try invocation.rowWriter(columns: isTable ? columns : [])
  for row in report.rows(of: session, asking: question) { writer.write(row) }
  writer.finish()
  guard isTable else { return }
  for release in report.releases {
    invocation.output.write(decisionText(release, question))
    for motion in release.motions {
      invocation.output.write(warningText(motion))
      let name = subjectName(motion.subject)
      if let ranking = motion.ranking { try printRanking(ranking, of: name, invocation) }
      if question.explains { try printStory(motion, of: name, lift: release.time, invocation) }
    }
  }
}
