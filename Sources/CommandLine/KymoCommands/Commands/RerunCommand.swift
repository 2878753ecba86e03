import GestureRerun
import TimelineModel
import TimelineQuery
import TimelineRecorder
import TimelineRendering
import TimelineReport
import TimelineStore
import TransitionScenarios

/// `kymo rerun FILE#S`: a recorded gesture again, with other parameters.
func rerunCommand() -> Command {
  Command(
    name: "rerun", summary: "run a recorded gesture again, with other parameters",
    arguments: "FILE --into OUT.kymo", argumentCount: 1...1,
    examples: [
      "kymo rerun pinch.kymo --set settle.dampingRatio=0.5 --into softer.kymo",
      "kymo rerun pinch.kymo --set release.threshold=0.1:0.9:0.1",
      "kymo rerun pinch.kymo --set settle.stiffness=100:400:50 --page springs.html",
    ],
    discussion: """
      A recording holds the scenario and the touches; without a change the run is the same, bit
      for bit. PATH is dotted in the scenario (release.threshold, layouts.grid.itemSize.0),
      VALUE is JSON or a plain word, and is checked as in a scenario file; null takes a field
      out. A range FROM:TO:STEP runs each value and prints decision, margin, settling time and
      overshoot; --into is not needed then. Labels (kymo label) go along where a release is at the
      same instant, and "wrong" are the releases decided otherwise than was meant. margin and settle_2_ms are those of kymo compare,
      settleTime_s is that of kymo velocity. What it came from and what was changed is kept with
      the session (kymo show). A session without scenario or touches is decided and settled anew
      at the instants of its frames, by what release.… and settle.… say; frames behind a release
      are left out, which is said and ends with 3. So does what is redacted, trimmed, lossy,
      or from another engine.
      """,
    flags: [
      RerunFlags.edit, RerunFlags.patch,
      Flags.into.described(
        "the recording; one that exists gets one more session", value: "OUT.kymo"),
      Flags.page.described("the curves together on a page", value: "OUT.html"),
      Flags.force.described("replace an existing page"),
      Flags.key.described("whose settling and overshoot are printed; progress by default"),
      Flags.name, Flags.uuid, Flags.wallClock, Flags.listing,
    ], run: runRerun)
}

/// The flags of `kymo rerun` alone.
enum RerunFlags {
  static var edit: Flag<RerunChanges.Assignment> {
    Flag(
      "set", "PATH=VALUE", "a value of the scenario; may be given again", repeats: true
    ) { text, name in
      try RerunChanges.Assignment(text, of: name, such: "settle.stiffness=200", form: "PATH=VALUE")
    }
  }
  static var patch: Flag<String> {
    .text("patch", "MERGE.json", "a merge patch (RFC 7396), before the others")
  }
}

private func runRerun(_ invocation: Invocation) throws -> ExitCode {
  try RerunAsked(invocation).run()
}

/// One call of the command.
private struct RerunAsked {
  let invocation: Invocation
  let source: SessionArgument
  let rerun: RerunSource
  let changes: RerunChanges
  /// The recording that is written; nil: one among the temporary files.
  let path: String?
  let key: String

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    changes = try RerunChanges(invocation)
    if changes.sweep == nil { _ = try invocation.requiredValue(Flags.into) }
    path = invocation.text(Flags.into)
    guard path.map({ !["-", ""].contains($0) }) ?? true else {
      throw Failure.usage("a recording is a file; --into expects its name")
    }
    if changes.sweep != nil, invocation.has(Flags.uuid) {
      throw Failure.usage("a range makes a session for each value; --uuid is for one")
    }
    source = try SessionArgument(invocation)
    key = invocation.text(Flags.key) ?? progressKeyName
    _ = invocation.has(Flags.key) ? try source.keys(named: key) : []
    if let path, FileFacts.isSameFile(path, source.reader.path) {
      throw Failure.usage("\(path) cannot be read and written at the same time")
    }
    rerun = try RerunSource(source.session, in: source.reader)
  }

  /// Whose session it is, for sentences.
  private var name: String {
    "\(inputName(source.reader.path))#\(source.session.number)"
      + (rerun.way == .releases ? ", of which release and settle alone can be changed," : "")
  }

  func run() throws -> ExitCode {
    let asked = try changes.edits(of: rerun, name: name)
    func prepared(_ edit: ScenarioEdit) throws -> Rerun {
      let name =
        edit.changes.isEmpty ? name : "\(name) with \(edit.changes.joined(separator: ", "))"
      return try rerun.rerun(edit, from: source.reader.path, name: name)
    }
    // A value that cannot be run is told before anything is written.
    for one in asked { _ = try prepared(one.edit) }
    let page = try invocation.fileOutput(Flags.page, beside: [source.reader.path])
    let scratch = path == nil ? try ScratchFolder(for: "the runs") : nil
    let output = path ?? (scratch.map { $0.path + "/runs.kymo" } ?? "")
    let before = try figures(of: source, labels: rerun.labels)
    let recorded = try changes.sweep.flatMap {
      try rerun.editable(name: name).number(at: $0.path).map(RerunChanges.Value.init)
    }
    var rows = before.map {
      row($0, of: source, file: source.reader.path, run: "recorded", value: recorded)
    }
    var wrong = ["\(before.count { $0.isWrong == true }) as recorded"]
    var curves = try page == nil ? [] : [RerunCurves(source, of: key, run: 0, name: "recorded")]
    var notes: [String] = []
    var code = ExitCode.yes
    let bar = ProgressBar(invocation.console, label: "running")
    defer { bar.finish() }
    for (index, one) in asked.enumerated() {
      bar.update(Double(index) / Double(asked.count))
      let (made, labels, result, troubles) = try record(
        try prepared(one.edit), into: output, value: one.value)
      let after = try figures(of: made, labels: labels)
      rows += after.map { row($0, of: made, file: path, run: "again", value: one.value) }
      wrong.append(
        "\(after.count { $0.isWrong == true }) \(one.value.map { "at \($0.text)" } ?? "again")")
      if page != nil {
        let name = one.value.map { "\(changes.sweep?.path ?? "") \($0.text)" } ?? "again"
        curves.append(try RerunCurves(made, of: key, run: index + 1, name: name))
      }
      for sentence in result.leftOut + result.refusals.map({ "refused: \($0)" })
      where !notes.contains(sentence) { notes.append(sentence) }
      if !result.leftOut.isEmpty || troubles != .yes { code = .loss }
    }
    bar.finish()
    try print(rows)
    let judged = before.count { $0.isWrong != nil }
    if judged > 0, try isForPeople {
      invocation.output.write(
        "\(counted(judged, "label")), decided otherwise than meant: \(wrong.joined(separator: ", ")).\n"
      )
    }
    if let page {
      try page.finish(with: self.page(rows, curves).html)
      page.announce()
    }
    for sentence in rerun.warnings + notes { invocation.note("\(name): \(sentence)") }
    return rerun.warnings.isEmpty ? code : .loss
  }

  private func record(
    _ run: Rerun, into output: String, value: RerunChanges.Value?
  ) throws -> (SessionArgument, [ReleaseLabel], Rerun.Result, ExitCode) {
    var session = run.description(software: programName)
    if let value {
      let base = invocation.text(Flags.name) ?? session.name
      session.name = (base.map { $0 + ", " } ?? "") + "\(changes.sweep?.path ?? "")=\(value.text)"
    } else {
      try session.identify(by: invocation)
    }
    let troubles = RecorderTroubles(invocation.console)
    var settings = RecorderSettings()
    settings.precision = source.session.precision
    let recorder = try Recorder(
      path: output, session: session, policy: .wait, settings: settings, onTrouble: troubles.report)
    var result = try run.run(into: recorder)
    try recorder.finish(at: result.end)
    let labels = try rerun.labels(
      of: RecordingReader(path: output).releases(in: recorder.session).all)
    if !labels.isEmpty {
      let editor = try RecordingEditor(path: output)
      let session = try editor.number(of: recorder.uuid)
      try editor.label(labels.map { (session, .set($0)) })
      _ = try editor.settleIntoOneFile()
    }
    if labels.count < rerun.labels.count {
      let count = rerun.labels.count - labels.count
      result.leftOut.append(
        "\(counted(count, "label")) left out: there is no release of that number at the same instant"
      )
    }
    let reader = try RecordingReader(path: output)
    let made = SessionArgument(
      console: invocation.console, reader: reader, session: try reader.session(recorder.session))
    return (made, labels, result, troubles.code)
  }

  // MARK: Answers

  private var isForPeople: Bool {
    get throws { try [.table, .markdown].contains(invocation.outputFormat()) }
  }

  private func figures(
    of made: SessionArgument, labels: [ReleaseLabel]
  ) throws -> [RerunFigures] {
    try RerunFigures.all(of: made.session, in: made.reader, labels: labels, key: key)
  }

  private func row(
    _ figures: RerunFigures, of made: SessionArgument, file: String?, run: String,
    value: RerunChanges.Value? = nil
  ) -> [EventField] {
    RerunRow(
      figures, run: run, path: changes.sweep?.path, value: value?.number, file: file,
      session: made.session
    ).row
  }

  private func columns(isWritten: Bool = false) -> [String] {
    RerunRow.tableColumns(
      isSweep: changes.sweep != nil, hasLabels: !rerun.labels.isEmpty, isWritten: isWritten)
  }

  private func print(_ rows: [[EventField]]) throws {
    let isForPeople = try isForPeople
    if isForPeople, let sweep = changes.sweep {
      invocation.output.write("\(DisplayText.harmless(sweep.path)):\n")
    }
    try invocation.print(rows, columns: isForPeople ? columns(isWritten: path != nil) : [])
  }

  private func page(_ rows: [[EventField]], _ curves: [RerunCurves]) -> CurvesPage {
    var run = -1
    let columns = columns()
    let told = rows.map { row in
      let fields = Dictionary(row.map { ($0.name, $0.value) }) { first, _ in first }
      // A run's first release begins its rows.
      let isFirst = fields["transition"] == rows[0].first { $0.name == "transition" }?.value
      if isFirst { run += 1 }
      return CurvesPage.Row(
        run: run, cells: columns.map { DisplayText.cell(fields[$0] ?? .null, column: $0) })
    }
    let what = changes.sweep?.path ?? (changes.words.isEmpty ? "nothing changed" : changes.words)
    return CurvesPage(
      title: "\(source.session.label) run again: \(what)",
      sentences: rerun.warnings, columns: columns, rows: told,
      drawing: RerunCurves.drawing(curves, title: what))
  }
}
