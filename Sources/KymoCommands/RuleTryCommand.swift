import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineStore

/// The gestures nearest to flipping that are shown without `--nearest`.
private let shownNearest = 5

/// What the command does with one file.
private func whatIfWorker(_ invocation: Invocation) throws -> Worker {
  let question = try invocation.whatIfQuestion()
  let labels = try LabelSource(invocation)
  func ofText(_ text: InputText) throws -> WhatIf {
    try WhatIf(of: text, asking: question, invocation)
  }
  return invocation.fileWorker(texts: ofText) { session, reader in
    var found = WhatIf()
    try found.add(session, in: reader, file: reader.path, asking: question)
    found.label(by: try labels.labels(of: reader))
    return found
  }
}

/// `kymo rule try FILE…`: every recorded gesture decided again.
func ruleTryCommand() -> Command {
  Command(
    name: "rule try", summary: "Decide recorded gestures again with another rule",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo rule try *.kymo --rule progress --set release.threshold=0.3:0.7:0.05",
      "kymo rule try run.kymo --rule velocity --set release.velocityThreshold=0.5,1",
      "kymo rule try pinch.kymo#1 --estimator impulse --rule projection --json",
    ],
    exits: [
      .loss: "if a file cannot be read and is left out, or a part of a text could not be read"
    ],
    discussion: """
      Prints the gestures whose decision flips, and the gestures nearest to the other outcome. FILE
      means all of its sessions, and FILE#SESSION means one of them. Timed transitions and cancelled
      contacts are left out. If no decision was recorded, kymo derives the release, and the column
      "derived" names the source.

      FILE may also be a gesture file in any format, a table of values, or the lines of an app. kymo then
      decides each swipe with --rule, as kymo velocity does, and nothing flips.

      --set changes the rule as in a scenario file: release.threshold=0.4. A list A,B,C or a
      range FROM:TO:STEP of one number sweeps: kymo prints how many gestures each value finishes.
      A field that a session's rule does not use is ignored for that session.

      If gestures have labels (kymo label), the column "wrong" marks each decision that differs from
      its label. The other formats print rows of three kinds: gesture for every gesture, sweep, and
      error for a file that was left out.

      Fields: \(ReleaseField.allCases.map(\.path).joined(separator: ", ")).

      \(Flags.estimatorNames)
      """,
    columns: WhatIf.Gesture.fields.described()
      + [ResultColumn("parameter", .text, "The field that a sweep changes.")]
      + WhatIf.Step.fields.described()
      + WorkFailure.fields.described() + [InputText.readAsColumn],
    flags: [
      Flags.releaseRule,
      Flags.set.described(
        "change a field of release, such as release.threshold=0.4, or sweep one number through a "
          + "list or a range"
      ).inSection(.rule), Flags.towards,
      Flags.estimation, WhatIfFlags.nearest, Flags.labels, Flags.gestureReading,
      VelocityFlags.resolution.inSection(.gestureFiles), Flags.manyFiles, Flags.listing,
    ],
    worker: whatIfWorker, run: runWhatIf)
}

/// The flags of `kymo rule try` alone.
enum WhatIfFlags {
  static var nearest: Flag<Int> {
    .wholeNumber(
      "nearest", "N", in: 0...Int.max, "show this many of the gestures nearest to the other outcome"
    )
    .standard("\(shownNearest)")
  }
}

private func runWhatIf(_ invocation: Invocation) throws -> ExitCode {
  _ = try invocation.whatIfQuestion()
  _ = try LabelSource(invocation)
  let sweep = try Sweep(invocation)
  let nearest = try invocation.value(WhatIfFlags.nearest) ?? shownNearest
  let files = try ManyFiles(invocation, label: "deciding")
  let found = try files.gather(invocation.positionals) { (found: WhatIf) in found }.flatMap { $0 }
  files.finishBar()
  guard !found.isEmpty else { return try files.unreadable(invocation, rows: kindOfError) }
  var whatIf = WhatIf()
  for one in found {
    whatIf.gestures += one.gestures
    whatIf.withoutProgress += one.withoutProgress
    for warning in one.warnings { invocation.note("\(warning)") }
  }
  if whatIf.withoutProgress > 0 {
    invocation.note(
      "\(counted(whatIf.withoutProgress, "gesture")) left out: their progress was not recorded")
  }
  try refuseUnknownNumbers(whatIf, invocation)
  if try invocation.outputFormat() == .table {
    try printForPeople(whatIf, sweep, nearest: nearest, invocation)
  } else {
    let swept = sweep.map {
      whatIf.sweepRows($0.parameter, path: $0.field.path, through: $0.values)
    }
    let rows = whatIf.gestures.map { gesture in
      gesture.row + InputText.readAsFields(gesture.readAs)
    }
    try invocation.print(rows + (swept ?? []) + files.errorRows.map(kindOfError))
  }
  return files.code(.yes, hasAnswer: true)
}

extension WhatIf {
  /// Decides the swipes of a gesture file, or the values of a table at their end, as `kymo velocity --rule` does. Nobody
  /// has decided them before.
  fileprivate init(
    of text: InputText, asking question: VelocityQuestion, _ invocation: Invocation
  ) throws {
    self.init()
    guard try !question.rule.isEmpty || !invocation.releaseSettings().isEmpty else {
      throw Failure.usage(
        "\(text.name) has no recorded rule. Name the rule that decides its swipes with --rule")
    }
    var question = question
    if question.rule.isEmpty { question.rule.kind = ReleaseRule().kind }
    var samples = SampleFile(text)
    try samples.judge(
      by: question, with: invocation.value(VelocityFlags.resolution), invocation)
    samples.keepLastContacts(invocation)
    samples.sayWhatIsNoProgress(asking: question, invocation)
    samples.preferEstimation(of: &question, invocation)
    let session = SessionRecord(
      number: 1, uuid: "", description: SessionDescription(), schemaVersion: 0, end: nil)
    for answer in try sampleAnswers(samples, question, lift: nil) {
      guard let decision = answer.decision else { continue }
      var gesture = Gesture(
        undecided: text.path, session: session, number: gestures.count, at: answer.lift, decision)
      gesture.readAs = text.readAs
      gestures.append(gesture)
    }
  }
}

/// A row of its own kind for each thing that was left out.
private func kindOfError(_ row: [EventField]) -> [EventField] {
  EventField.list(["kind": "error"]) + row
}

/// Refuses a number that no session's rule has.
private func refuseUnknownNumbers(
  _ whatIf: WhatIf, _ invocation: Invocation
) throws {
  let kinds = whatIf.gestures.map(\.again.rule.kind)
  guard let first = kinds.first else { return }
  for (field, _) in try invocation.releaseSettings() where !kinds.contains(where: field.isUsed) {
    throw Failure.usage(
      "the recorded rule '\(first.rawValue)' has no \(field.path). Name another rule with --rule")
  }
}

extension Invocation {
  /// The question by which gestures are decided again.
  ///
  /// - Parameter sweeps: Whether a number of the rule may have several values.
  func whatIfQuestion(sweeps: Bool = true) throws -> VelocityQuestion {
    guard try value(Flags.estimator) != .all else {
      throw Failure.usage("--estimator must be one estimator here (got 'all')")
    }
    return try velocityQuestion(sweeps: sweeps)
  }
}

/// One number of the rule and the values that it takes.
private struct Sweep {
  let field: ReleaseField
  let parameter: WritableKeyPath<RuleChange, Double?>
  /// In the order in which they were given.
  let values: [Double]

  /// Nobody reads more rows.
  private static let mostValues = 10_000

  init?(_ invocation: Invocation) throws {
    let swept = try invocation.releaseSettings().filter { !$0.setting.isOne }
    guard let (field, setting) = swept.first, let parameter = field.parameter else { return nil }
    guard swept.count == 1 else {
      throw Failure.usage(
        "\(setting.words) and \(swept[1].setting.words) both have several values. Give one of them one value"
      )
    }
    guard setting.texts() != nil else { throw setting.stepIsMissing }
    (self.field, self.parameter) = (field, parameter)
    values = try field.numbers(of: setting)
    guard values.count <= Sweep.mostValues else {
      throw Failure.usage(
        "\(setting.words) has more than \(Sweep.mostValues) values. Use a larger step")
    }
  }
}

private func printForPeople(
  _ whatIf: WhatIf, _ sweep: Sweep?, nearest: Int, _ invocation: Invocation
) throws {
  let derived = whatIf.gestures.count { $0.decision.derived != nil }
  let undecided = whatIf.gestures.count(where: \.isUndecided)
  let isLabelled = whatIf.gestures.contains { $0.meaning != nil }
  let columns = WhatIf.Gesture.tableColumns(withDerived: derived > 0, withLabels: isLabelled)
  let flips = whatIf.flips
  let count = whatIf.gestures.count
  invocation.output.write(
    "\(counted(count, "gesture")) decided again, \(flips.count) \(flips.count == 1 ? "flips" : "flip").\n"
      + (undecided == 0
        ? ""
        : "\(undecided) without a recorded decision, so that \(undecided == 1 ? "it does" : "they do") not flip.\n")
      + (derived == 0
        ? ""
        : "\(derived) without a recorded decision: the release is derived, and decided with the session's rule "
          + "or the rule that you name.\n") + (isLabelled ? wordsOfLabels(whatIf) : ""))
  if !flips.isEmpty {
    invocation.output.write("\nDecided differently:\n")
    try invocation.print(flips.map { derivedInWords($0.row) }, columns: columns)
  }
  if count > 0, nearest > 0 {
    invocation.output.write("\nNearest to the other outcome:\n")
    try invocation.print(
      whatIf.nearest(nearest).map { derivedInWords($0.row) }, columns: columns)
  }
  if whatIf.gestures.contains(where: {
    $0.again.rule.kind.definition.velocity == .ofReports
  }) {
    invocation.output.write("\n\(reportRateNote)\n")
  }
  guard let sweep, count > 0 else { return }
  invocation.output.write("\nBy \(sweep.field.path):\n")
  try invocation.print(
    whatIf.sweep(sweep.parameter, through: sweep.values).map {
      $0.row + EventField.list(["share": bar($0.finishes, of: count)])
    },
    columns: WhatIf.Step.columns.filter { isLabelled || !$0.hasPrefix("wrong") } + ["share"])
}

/// How many of the labelled gestures are decided differently from their label, as recorded and now.
private func wordsOfLabels(_ whatIf: WhatIf) -> String {
  let judged = whatIf.gestures.filter { $0.isWrong != nil }
  let unsure = whatIf.gestures.count { $0.meaning == .unsure }
  let silent = whatIf.gestures.count { $0.meaning == nil }
  let wrong = judged.filter { $0.isWrong == true }
  let finishes = wrong.count { $0.meaning == .cancel }
  return
    "\(counted(judged.count, "label")): \(judged.count { $0.wasWrong == true }) decided wrongly as recorded, "
    + "\(wrong.count) now (\(finishes) wrong finish, \(wrong.count - finishes) wrong cancel), "
    + "\(unsure) unsure, \(silent) without a label.\n" + wordsOfThresholds(judged)
}

/// The thresholds with which each labelled gesture is decided as it was meant, in a sentence. Empty for several rules.
private func wordsOfThresholds(_ judged: [WhatIf.Gesture]) -> String {
  guard let kind = judged.first?.again.rule.kind,
    judged.allSatisfy({ $0.again.rule.kind == kind })
  else { return "" }
  let none =
    "No threshold decides each label as meant. Try another --rule, or search with kymo rule tune.\n"
  var (least, most) = (0.0, 1.0)
  for gesture in judged {
    let decision = gesture.again
    let step = decision.rule.thresholdStep(
      progress: decision.progress, velocity: decision.velocity)
    let isMeant = step.finishesBelow == (gesture.meaning == .finish)
    // Without a border no threshold changes the outcome.
    guard let border = step.border else {
      guard isMeant else { return none }
      continue
    }
    if isMeant { most = min(most, border) } else { least = max(least, border) }
  }
  guard least < most else { return none }
  let (low, high) = (NumberText.limit(least, rounded: .up), NumberText.limit(most, rounded: .down))
  let range =
    switch (least > 0, most < 1) {
    case (true, true) where most - least < 0.002: "between \(least) and \(most)"
    case (true, true): "between \(low) and \(high)"
    case (true, false): "above \(low)"
    case (false, true): "below \(high)"
    case (false, false): "from 0 to 1"
    }
  return "A threshold \(range) decides each label as meant.\n"
}

/// A bar of up to twenty blocks: the share that finishes.
private func bar(_ part: Int, of whole: Int) -> String {
  let width = 20
  let full = (part * width + whole / 2) / whole
  return String(repeating: "█", count: full) + String(repeating: "·", count: width - full)
}
