import JSONText
import MotionMeasures
import MotionPhysics
import RunStudies
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineStore

/// What the command does with one file.
private func tuneWorker(_ invocation: Invocation) throws -> Worker {
  let measures = try invocation.tuningSpace().measures
  let grouping = try invocation.value(TuneFlags.group)
  let labels = try LabelSource(invocation)
  let asked = try invocation.releaseSettings(ReleaseField.searched)
  let course = try invocation.swipeCourse(asked)
  let distance = try asked.first { $0.field == .distance }
    .map { abs(try $0.field.numbers(of: $0.setting)[0]) }
  // The sessions of a file come one after the other. Its labels are counted with the first.
  var counted: String?
  return { job, emit in
    counted = nil
    try invocation.fileWorker { session, reader in
      var found = LabelledGestures()
      let known = try labels.labels(of: reader)
      if counted != reader.path {
        counted = reader.path
        found.counts.strays = known.strays.count
      }
      try found.add(
        session, in: reader, file: reader.path, labels: known, measures: measures,
        grouping: grouping, course: course, distance: distance)
      return found
    }(job, emit)
  }
}

/// `kymo rule tune FILE…`: the rule that decides labelled gestures best, and how far that can be trusted.
func ruleTuneCommand() -> Command {
  let options = (
    fewest: RuleTuning.Options.fewestLabels, single: RuleTuning.Options.mostLeftOutSingly,
    folds: RuleTuning.Options.foldCount, level: RuleTuning.Options.claimLevel
  )
  return Command(
    name: "rule tune", summary: "Find the rule that decides labelled gestures best",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo rule tune *.kymo --set release.threshold=0.1:0.9",
      "kymo rule tune *.kymo --set release.rule=progress,velocity",
      "kymo rule tune *.kymo --labels labels.csv --wrong-finish 3 --page tuned.html",
      "kymo rule tune *.kymo --emit scenario > better.json",
    ],
    exits: [
      .yes:
        "if the best setting is better than the current one (sign test, p at most \(options.level))",
      .no:
        "if nothing shows that, if an outcome has fewer than \(options.fewest) labels, or if the labels "
        + "do not determine a number to half of its range",
      .loss: "if a file cannot be read and is left out",
    ],
    discussion: """
      Searches the settings of --set for the one with the least cost. The cost is the summed weight
      of the gestures that a setting decides differently from their label (kymo label). FILE means
      all of its sessions, and FILE#SESSION means one of them. Fields that you do not set keep each
      session's value.

      --set takes a list A,B,C or a range FROM:TO:STEP. A range without a step, such as
      release.threshold=0.1:0.9, is searched exactly, at each value at which an outcome changes.
      That holds for release.threshold and release.velocityThreshold. Without --set only the
      threshold is searched, from 0.1 to 0.9. kymo then prints the --set that searches other rules.

      If several settings cost the same, kymo takes the setting that changes the fewest fields, and
      then the setting farthest from any change of outcome. The error on new gestures is estimated
      by cross-validation: leave-one-out up to \(options.single) labels, \(options.folds) folds
      above that.

      If the labels do not determine a number, --emit prints the middle of the values that are about
      as good, with their range in a comment. A scenario file has no comments, so kymo prints the
      range on standard error.

      Fields: \(ReleaseField.searched.map(\.path).joined(separator: ", ")).
      """,
    columns: TuningResult.fields.described() + [WorkFailure.errorsColumn],
    flags: [
      TuneFlags.set, Flags.towards, Flags.labels, TuneFlags.wrongFinish, TuneFlags.wrongCancel,
      TuneFlags.group,
      Flags.seed.described("seed of the folds and of approximate intervals").standard("1"),
      TuneFlags.emit.inSection(.output),
      Flags.page.described(
        "also write a report: costs, regions, and the gestures that are wrong", value: "OUT.html"
      ).inSection(.output),
      Flags.force.inSection(.output), TuneFlags.format, Flags.json, Flags.precise,
      Flags.manyFiles,
    ],
    worker: tuneWorker, run: runTune)
}

/// The flags of `kymo rule tune` alone.
enum TuneFlags {
  static var set: Flag<Setting> {
    Flags.set.described(
      "the values of a field that are searched, such as release.threshold=0.1:0.9",
      value: "PATH=VALUES"
    )
    .standard("release.threshold=0.1:0.9")
  }
  static var wrongFinish: Flag<Double> {
    .number("wrong-finish", "W", "the cost of a finish that was meant to cancel").standard("1")
  }
  static var wrongCancel: Flag<Double> {
    .number("wrong-cancel", "W", "the cost of a cancel that was meant to finish").standard("1")
  }
  static var group: Flag<LabelledGestures.Grouping> {
    .choice(
      "group", "WHAT",
      "leave out together the gestures of one "
        + LabelledGestures.Grouping.allCases.map(\.rawValue).joined(separator: ", "))
  }
  static var emit: Flag<ReleaseEmission> {
    .choice(
      "emit", "SYSTEM",
      "print only the best setting, for "
        + ReleaseEmission.allCases.map(\.rawValue).joined(separator: ", "))
  }
  static var format: Flag<OutputFormat> {
    Flags.format("table or json", among: [.table, .json]).standard("table")
  }
}

private func runTune(_ invocation: Invocation) throws -> ExitCode {
  let format = try invocation.outputFormat(TuneFlags.format)
  let space = try invocation.tuningSpace()
  let options = try invocation.tuningOptions()
  let emission = try invocation.value(TuneFlags.emit)
  _ = try invocation.value(TuneFlags.group)
  _ = try invocation.swipeCourse(invocation.releaseSettings(ReleaseField.searched))
  _ = try LabelSource(invocation)
  guard emission == nil || format == .table && !invocation.has(TuneFlags.format) else {
    throw Failure.usage("--emit and --json both write to standard output. Use one of them")
  }
  let report = try invocation.fileOutput(
    Flags.page, beside: invocation.positionals.map { SessionArgument.split($0).path })
  let files = try ManyFiles(invocation, label: "reading")
  let read = try files.gather(invocation.positionals) { (found: LabelledGestures) in found }
    .flatMap { $0 }
  files.finishBar()
  guard !read.isEmpty else { return .unreadable }
  var labelled = LabelledGestures()
  for part in read {
    labelled.gestures += part.gestures
    labelled.counts += part.counts
  }
  let repeatedCount = labelled.removeRepeated()
  if repeatedCount > 0 {
    invocation.note(
      "\(counted(repeatedCount, "gesture")) of sessions that are given twice. Each counts once")
  }
  let bar = ProgressBar(invocation.console, label: "searching")
  let result = TuningResult(
    searching: labelled, in: space, options: options, progress: bar.update)
  bar.finish()
  try refuseUnused(space, labelled)
  let (tuning, answer) = (result.tuning, TuneAnswer(result: result))
  if let report {
    try report.finish(with: try answer.page(invocation.console).bytes)
  }
  let code: ExitCode = tuning.isClaimed ? .yes : .no
  if let emission {
    for sentence in result.warnings + tuning.sentences.prefix(1) { invocation.note("\(sentence)") }
    do throws(ReleaseEmission.Refusal) {
      guard let emitted = try result.emitted(for: emission) else {
        invocation.note("No setting is printed")
        return files.code(.no, hasAnswer: true)
      }
      for note in emitted.notes { invocation.note("\(note)") }
      invocation.output.write(data: emitted.text)
    } catch {
      throw Failure.usage(error.message)
    }
    return files.code(code, hasAnswer: true)
  }
  switch format {
  case .json:
    for sentence in tuning.refusals.map(\.sentence) { invocation.note("\(sentence)") }
    invocation.output.write(data: DisplayText.escaped(json: answer.json(files.errorRows)) + "\n")
  default: try answer.printForPeople(invocation)
  }
  report?.announce()
  return files.code(code, hasAnswer: true)
}

/// Refuses a number that no gesture's rule has.
private func refuseUnused(_ space: TuningSpace, _ labelled: LabelledGestures) throws {
  guard let number = space.unusedNumber(of: labelled.gestures),
    let own = labelled.gestures.first?.numbers.own
  else { return }
  throw Failure.usage(
    "the recorded rule '\(own.rule.kind.rawValue)' has no release.\(number.rawValue). "
      + "Search rules that have it as well, with --set release.rule=…")
}

extension Invocation {
  fileprivate func tuningOptions() throws -> RuleTuning.Options {
    var options = RuleTuning.Options()
    func weight(_ flag: Flag<Double>) throws -> Double {
      guard let weight = try value(flag) else { return 1 }
      guard TuningWeights.range.contains(weight) else {
        throw Failure.usage(
          "--\(flag.name) must be a weight above 0, such as 1 or 2.5 (got '\(weight)')")
      }
      return weight
    }
    options.weights = TuningWeights(
      wrongFinish: try weight(TuneFlags.wrongFinish), wrongCancel: try weight(TuneFlags.wrongCancel)
    )
    options.seed = try value(Flags.seed) ?? options.seed
    return options
  }
}

extension Invocation {
  /// The most combinations beside the thresholds. Ours: each is a search of its own.
  private static let mostPoints = 1_000_000

  /// The settings that `--set` asks to search.
  func tuningSpace() throws -> TuningSpace {
    var space = TuningSpace()
    let asked = try releaseSettings(ReleaseField.searched)
    if asked.isEmpty { space.numbers = [(.threshold, .range(0.1...0.9))] }
    for (field, setting) in asked { try space.add(field, setting) }
    guard let count = space.pointCount, count <= Invocation.mostPoints else {
      throw Failure.usage(
        "--set asks for more than \(Invocation.mostPoints) combinations. Use larger steps")
    }
    for estimator in space.estimators
    where estimator.definition.measure.isByReports
      && !space.kinds.contains(where: { $0.definition.preset?.estimator == estimator })
    {
      throw Failure.usage(
        "the estimator '\(estimator.rawValue)' computes distances per report. Search the compositor's rule as well, "
          + "with --set release.rule=…")
    }
    let units = space.velocityThresholdUnits
    if space.values(of: .velocityThreshold) != nil {
      guard space.kinds.isEmpty || !units.isEmpty else {
        throw Failure.usage(
          "none of the rules has a release.velocityThreshold. Name a rule that has, such as velocity"
        )
      }
      guard units.count < 2 else {
        throw Failure.usage(
          "release.velocityThreshold is in \(units.joined(separator: " and in ")) for these rules. Search the rules of "
            + "one unit at a time")
      }
    }
    return space
  }
}

extension TuningSpace {
  /// Adds the values of one field.
  fileprivate mutating func add(_ field: ReleaseField, _ setting: Setting) throws {
    switch field {
    case .rule: kinds = try field.names(of: setting, ReleaseRule.Kind.self)
    case .estimator: estimators = try field.names(of: setting, Estimator.self)
    case .preset: presets = try field.names(of: setting, EstimationPreset.self)
    case .window: horizons = try TuningSpace.times(field, setting)
    case .stopGap: stopGaps = try TuningSpace.times(field, setting)
    default:
      guard let number = field.tuned else { return }
      numbers.append((number, try TuningSpace.values(field, number, setting)))
    }
  }

  /// Nanoseconds, rising.
  private static func times(_ field: ReleaseField, _ setting: Setting) throws -> [Int64] {
    guard setting.texts() != nil else { throw setting.stepIsMissing }
    return Set(try field.numbers(of: setting)).sorted().map { Int64($0) }
  }

  private static func values(
    _ field: ReleaseField, _ number: Number, _ setting: Setting
  ) throws -> Values {
    let numbers = try field.numbers(of: setting).map { field == .distance ? abs($0) : $0 }
    guard number != .threshold || numbers.allSatisfy({ 0...1 ~= $0 }) else {
      throw Failure.usage(
        "--set \(field.path) must be within 0 and 1, shares of the distance (got '\(setting.text)')"
      )
    }
    guard case .range(let range) = setting.values else {
      return .list(Set(numbers).sorted(), isRange: false)
    }
    if range.values != nil { return .list(numbers, isRange: true) }
    guard number.isExact else { throw setting.stepIsMissing }
    return .range(range.ends)
  }
}
