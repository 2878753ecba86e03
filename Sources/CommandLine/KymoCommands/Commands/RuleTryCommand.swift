import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// So many gestures nearest to flipping are shown unless told otherwise.
private let shownNearest = 5

/// What the command does with one file.
private func whatIfWorker(_ invocation: Invocation) throws -> Worker {
  let question = try invocation.whatIfQuestion()
  let labels = try LabelSource(invocation)
  return invocation.console.fileWorker { session, reader, writer in
    var found = WhatIf()
    try found.add(session, in: reader, file: reader.path, asking: question)
    found.label(by: try labels.labels(of: reader))
    writer.put(found.gestures) { $0.put($1) }
    writer.put(found.warnings) { $0.put($1) }
    writer.put(found.withoutProgress)
  }
}

/// `kymo rule try FILE…`: every recorded gesture decided again.
func ruleTryCommand() -> Command {
  Command(
    name: "rule try", summary: "decides recorded gestures again by another rule or estimator",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo rule try *.kymo --rule progress --threshold 0.3:0.7:0.05",
      "kymo rule try pinch.kymo --rule velocity --velocity-threshold 0.5:3:0.25",
      "kymo rule try pinch.kymo --estimator impulse --rule projection --json",
    ],
    discussion: """
      Prints the gestures whose decision flips, those nearest to the other
      outcome, and for a range FROM:TO:STEP in one of the rule's flags the outcomes that each
      value gives. A number that a session's own rule does not know
      changes nothing there. Every session of a file counts, or the one that FILE#SELECTOR
      names. Timed transitions and cancelled contacts are left out. A release that is derived,
      as no
      decision was recorded, counts; "derived" says by what. A file that cannot be read is
      named and left out, with 3. The rows of the other formats
      are of the kinds gesture (all of them), sweep, and error (what was left out). Where
      gestures have labels (kymo label), "wrong" says which are decided otherwise than was meant, and
      they are counted for the recorded decisions and for each rule.
      \(Flags.estimatorNames)
      """,
    flags: [
      Flags.releaseRule, Flags.estimation, WhatIfFlags.nearest, Flags.labels, Flags.manyFiles,
      Flags.listing,
    ],
    worker: whatIfWorker, run: runWhatIf)
}

/// The flags of `kymo rule try` alone.
enum WhatIfFlags {
  static var nearest: Flag<Int> {
    .wholeNumber(
      "nearest", "N", in: 0...Int.max, "how many of the gestures nearest to the other outcome; 5")
  }
}

private func runWhatIf(_ invocation: Invocation) throws -> ExitCode {
  _ = try invocation.whatIfQuestion()
  let sweep = try Sweep(invocation)
  let nearest = try invocation.value(WhatIfFlags.nearest) ?? shownNearest
  let files = try ManyFiles(invocation, label: "deciding")
  let found = try files.gather(invocation.positionals) { reader in
    var found = WhatIf()
    found.gestures = try reader.list { try $0.gesture() }
    found.warnings = try reader.list { try $0.text() }
    found.withoutProgress = try reader.count()
    return found
  }.flatMap { $0 }
  files.finishBar()
  guard !found.isEmpty else { return try files.unreadable(invocation, rows: kindOfError) }
  var whatIf = WhatIf()
  for one in found {
    whatIf.gestures += one.gestures
    whatIf.withoutProgress += one.withoutProgress
    for warning in one.warnings { invocation.note("\(warning)") }
  }
  if whatIf.withoutProgress > 0 {
    invocation.note("\(whatIf.withoutProgress) without a recorded progress cannot be decided again")
  }
  try refuseUnknownNumbers(whatIf, invocation)
  let steps = sweep.map { whatIf.sweep($0.parameter, through: $0.values) } ?? []
  if try invocation.outputFormat() == .table {
    try printForPeople(whatIf, sweep, steps, nearest: nearest, invocation)
  } else {
    try invocation.print(
      whatIf.rows + steps.map { $0.row(of: sweep?.flag ?? "") } + files.errorRows.map(kindOfError))
  }
  return files.code(.yes, hasAnswer: true)
}

/// What was left out, as a row of its kind.
private func kindOfError(_ row: [EventField]) -> [EventField] {
  EventField.list(["kind": "error"]) + row
}

/// A number that no session's rule knows would be asked about in vain.
private func refuseUnknownNumbers(
  _ whatIf: WhatIf, _ invocation: Invocation
) throws {
  let kinds = whatIf.gestures.map(\.estimatorDecision.rule.kind)
  guard !kinds.isEmpty else { return }
  let known = [
    Flags.velocityThreshold.name: kinds.contains { $0.defaultVelocityThreshold != nil },
    Flags.decelerationRate.name: kinds.contains { $0.takesDecelerationRate },
  ]
  for flag in invocation.given(Flags.velocityThreshold, Flags.decelerationRate)
  where known[flag] == false {
    throw Failure.usage(
      "the recorded rule, \(kinds[0].rawValue), has no --\(flag); name one that has by --rule")
  }
}

extension Invocation {
  /// Who decides gestures again.
  func whatIfQuestion() throws -> VelocityQuestion {
    guard try value(Flags.estimator) != .all else {
      throw Failure.usage("a gesture is decided by one estimator; name it instead of all")
    }
    return try velocityQuestion()
  }
}

/// One parameter of the rule and the values that it takes.
private struct Sweep {
  /// The flag's name.
  var flag: String
  /// What the flag sets.
  var parameter: WritableKeyPath<RuleChange, Double?>
  /// Evenly spaced, both ends included where the steps hit them.
  var values: [Double]

  /// More steps than anybody reads are a mistyped step.
  private static let longest = 10_000

  init?(_ invocation: Invocation) throws {
    let swept = Invocation.ruleNumbers.filter { invocation.isRange($0.flag) }
    guard let (flag, parameter) = swept.first else { return nil }
    guard swept.count == 1 else {
      throw Failure.usage(
        "--\(flag.name) and --\(swept[1].flag.name) are both ranges; sweep through one")
    }
    self.flag = flag.name
    self.parameter = parameter
    values = try invocation.requiredValue(flag.swept(most: Sweep.longest)).values
    for value in [values[0], values[values.count - 1]] {
      var change = try invocation.velocityQuestion().rule
      change[keyPath: parameter] = value
      try invocation.check(change)
    }
  }
}

private func printForPeople(
  _ whatIf: WhatIf, _ sweep: Sweep?, _ steps: [WhatIf.Step], nearest: Int,
  _ invocation: Invocation
) throws {
  let derived = whatIf.gestures.count { $0.decision.derived != nil }
  let isLabelled = whatIf.gestures.contains { $0.meaning != nil }
  let columns = WhatIf.Gesture.tableColumns(withDerived: derived > 0, withLabels: isLabelled)
  let flips = whatIf.flips
  let count = whatIf.gestures.count
  invocation.output.write(
    "\(counted(count, "gesture")) decided again, \(flips.count) \(flips.count == 1 ? "flips" : "flip").\n"
      + (derived == 0
        ? ""
        : "Of \(derived) no decision was recorded: the release is derived, and decided by the session's own "
          + "rule or the one that is named.\n") + (isLabelled ? wordsOfLabels(whatIf) : ""))
  if !flips.isEmpty {
    invocation.output.write("\nDecided otherwise:\n")
    try invocation.print(flips.map { derivedInWords($0.row) }, columns: columns)
  }
  if count > 0, nearest > 0 {
    invocation.output.write("\nNearest to the other outcome:\n")
    try invocation.print(
      whatIf.nearest(nearest).map { derivedInWords($0.row) }, columns: columns)
  }
  if whatIf.gestures.contains(where: {
    $0.estimatorDecision.rule.kind.preset?.estimator.isPerReport == true
  }) {
    invocation.output.write("\n\(reportRateNote)\n")
  }
  guard let sweep, count > 0 else { return }
  invocation.output.write("\nBy \(sweep.flag):\n")
  try invocation.print(
    steps.map { $0.row + EventField.list(["share": bar($0.finishes, of: count)]) },
    columns: WhatIf.Step.columns.filter { isLabelled || !$0.hasPrefix("wrong") } + ["share"])
}

/// How many of the labelled gestures are decided otherwise than was meant, then and now.
private func wordsOfLabels(_ whatIf: WhatIf) -> String {
  let judged = whatIf.gestures.filter { $0.isWrong != nil }
  let unsure = whatIf.gestures.count { $0.meaning == .unsure }
  let silent = whatIf.gestures.count { $0.meaning == nil }
  let wrong = judged.filter { $0.isWrong == true }
  let finishes = wrong.count { $0.meaning == .cancel }
  return
    "\(counted(judged.count, "label")): \(judged.count { $0.wasWrong == true }) decided otherwise than meant as "
    + "recorded, \(wrong.count) now (\(finishes) wrong finish, \(wrong.count - finishes) wrong cancel); "
    + "\(unsure) unsure, \(silent) without a label.\n"
}

/// A bar of up to twenty blocks: the share that finishes.
private func bar(_ part: Int, of whole: Int) -> String {
  let width = 20
  let full = (part * width + whole / 2) / whole
  return String(repeating: "█", count: full) + String(repeating: "·", count: width - full)
}
