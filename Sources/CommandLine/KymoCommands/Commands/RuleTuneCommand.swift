import JSONText
import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

/// What the command does with one file.
private func tuneWorker(_ invocation: Invocation) throws -> Worker {
  let measures = try invocation.tuningSpace().measures
  let grouping = try invocation.value(TuneFlags.group)
  // The labels of the file that is being read; its sessions come one after the other.
  var labels: (path: String, labels: RecordingLabels)?
  return { job, emit in
    labels = nil
    try invocation.console.fileWorker { session, reader, writer in
      var found = LabelledGestures()
      if labels?.path != reader.path {
        let read = try RecordingLabels(of: reader)
        labels = (reader.path, read)
        found.counts.strays = read.strays.count
      }
      try found.add(
        session, in: reader, file: reader.path, labels: labels?.labels ?? RecordingLabels(),
        measures: measures, grouping: grouping)
      writer.put(found)
    }(job, emit)
  }
}

/// `kymo rule tune FILE…`: the rule that decides labelled gestures best, and how far that can be trusted.
func ruleTuneCommand() -> Command {
  Command(
    name: "rule tune",
    summary: "searches the rule that decides labelled gestures as they were meant",
    arguments: "FILE…", argumentCount: 1...Int.max,
    examples: [
      "kymo rule tune *.kymo --vary threshold=0.1:0.9",
      "kymo rule tune *.kymo --vary rule=progress,velocity --vary threshold=0.1:0.9 \\\n      --vary velocityThreshold=0.1:5 --vary window=40ms,100ms --json",
      "kymo rule tune *.kymo --wrong-finish 3 --page tuned.html",
      "kymo rule tune *.kymo --emit scenario > better.json",
    ],
    discussion: """
      Searches all settings that --vary names for the one with the least cost: the summed
      weights of the gestures that it decides otherwise than kymo label says they were meant.
      What is not varied stays each session's own. A threshold without a step is searched
      exactly, in every place where an outcome changes; of settings with equal cost the one
      that changes fewer numbers is taken, then the one farthest from any change.
      What new gestures would cost is told by leaving gestures out and searching again: each
      one up to \(RuleTuning.Options.mostLeftOutSingly) labels, above that in \(RuleTuning.Options.foldCount) folds. \
      Ends with 0 when the best setting is better
      than what is in use (exact sign test, p at most \(RuleTuning.Options.claimLevel)), and with 1 when there is no
      evidence of that, when there are fewer than \(RuleTuning.Options.fewestLabels) labels of an outcome, and when the
      labels leave a number open over half of its range. A file that cannot be read is named
      and left out, with 3. Varied are
      \(VariedName.allCases.map(\.rawValue).joined(separator: ", ")), with values as 0.1,0.2 or
      FROM:TO:STEP.
      """,
    flags: [
      TuneFlags.vary, TuneFlags.wrongFinish, TuneFlags.wrongCancel, TuneFlags.group,
      Flags.seed.described("seed of the folds and of approximate intervals; 1"),
      TuneFlags.emit,
      Flags.page.described(
        "also a page: costs, regions, and the gestures that are wrong", value: "OUT.html"),
      Flags.force, TuneFlags.format, Flags.json, Flags.precise,
      Flags.manyFiles,
    ],
    worker: tuneWorker, run: runTune)
}

/// The flags of `kymo rule tune` alone.
enum TuneFlags {
  static var vary: Flag<Variation> {
    Flag(
      "vary", "NAME=VALUES", "what is searched; may be given again; threshold=0.1:0.9",
      repeats: true
    ) { text, _ in try Variation(text) }
  }
  static var wrongFinish: Flag<Double> {
    .number("wrong-finish", "W", "what a finish costs that was meant to cancel; 1")
  }
  static var wrongCancel: Flag<Double> {
    .number("wrong-cancel", "W", "what a cancel costs that was meant to finish; 1")
  }
  static var group: Flag<LabelledGestures.Grouping> {
    .choice(
      "group", "WHAT",
      "gestures of one "
        + LabelledGestures.Grouping.allCases.map(\.rawValue).joined(separator: ", ")
        + " are left out together")
  }
  static var emit: Flag<ReleaseEmission> {
    .choice(
      "emit", "SYSTEM",
      "print the best setting for "
        + ReleaseEmission.allCases.map(\.rawValue).joined(separator: ", ") + " instead")
  }
  static var format: Flag<OutputFormat> {
    Flags.format("table (default) or json", among: [.table, .json])
  }
}

private func runTune(_ invocation: Invocation) throws -> ExitCode {
  let format = try invocation.outputFormat(TuneFlags.format)
  let space = try invocation.tuningSpace()
  let options = try invocation.tuningOptions()
  let emission = try invocation.value(TuneFlags.emit)
  _ = try invocation.value(TuneFlags.group)
  guard emission == nil || format == .table && !invocation.has(TuneFlags.format) else {
    throw Failure.usage("--emit and --json are both for standard output; give one of them")
  }
  let report = try invocation.fileOutput(
    Flags.page, beside: invocation.positionals.map { SessionArgument.split($0).path })
  let files = try ManyFiles(invocation, label: "reading")
  let read = try files.gather(invocation.positionals) { try $0.labelledGestures() }
    .flatMap { $0 }
  files.finishBar()
  guard !read.isEmpty else { return .unreadable }
  var labelled = LabelledGestures()
  for part in read {
    labelled.gestures += part.gestures
    labelled.counts += part.counts
  }
  // A gesture that is there twice would be learned from while it is left out.
  var seen: Set<String> = []
  let gestures = labelled.gestures.filter { seen.insert("\($0.transition) \($0.uuid)").inserted }
  if gestures.count < labelled.gestures.count {
    let count = labelled.gestures.count - gestures.count
    invocation.note(
      "\(counted(count, "gesture")) of sessions that are given twice; each counts once")
    labelled.gestures = gestures
  }
  let bar = ProgressBar(invocation.console, label: "searching")
  let tuning = RuleTuning.search(
    labelled.gestures.map(\.numbers), in: space, options: options, progress: bar.update)
  bar.finish()
  try refuseUnused(space, labelled)
  let result = TuningResult(tuning, of: labelled, in: space, weights: options.weights)
  let answer = TuneAnswer(result: result)
  if let report {
    try report.finish(with: try answer.page(invocation.console).bytes)
  }
  let code: ExitCode = tuning.isClaimed ? .yes : .no
  if let emission {
    for sentence in result.warnings + tuning.sentences.prefix(1) { invocation.note("\(sentence)") }
    guard tuning.refusals.isEmpty, let release = result.bestRelease else {
      return files.code(.no, hasAnswer: true)
    }
    do throws(ReleaseEmission.Refusal) {
      invocation.output.write(data: try emission.text(of: release))
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

/// A number that no gesture's rule asks for would be searched in vain.
private func refuseUnused(_ space: TuningSpace, _ labelled: LabelledGestures) throws {
  guard space.kinds.isEmpty, let first = labelled.gestures.first else { return }
  let kinds = Set(labelled.gestures.map(\.numbers.own.rule.kind))
  for (number, _) in space.numbers where !kinds.contains(where: number.matters) {
    throw Failure.usage(
      "the recorded rule, \(first.numbers.own.rule.kind.rawValue), has no \(number.rawValue); vary rule as well, "
        + "by one that has")
  }
}

extension Invocation {
  fileprivate func tuningOptions() throws -> RuleTuning.Options {
    var options = RuleTuning.Options()
    func weight(_ flag: Flag<Double>) throws -> Double {
      guard let weight = try value(flag) else { return 1 }
      guard weight >= 1e-9, weight <= 1e9 else {
        throw Failure.usage("--\(flag.name) is a weight above 0, such as 1 or 2.5")
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
