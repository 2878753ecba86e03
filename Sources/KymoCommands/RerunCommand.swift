import GestureRerun
import MotionMeasures
import MotionPhysics
import TimelineModel
import TimelineRecorder
import TimelineRendering
import TimelineReport
import TimelineSession
import TimelineStore
import TransitionScenarios

/// `kymo rerun FILE#S`: a recorded gesture again, with other parameters.
func rerunCommand() -> Command {
  Command(
    name: "rerun", summary: "Run a recorded gesture again with other settings",
    arguments: "FILE[#SESSION] [--into OUT.kymo]", argumentCount: 1...1,
    examples: [
      "kymo rerun pinch.kymo --set settle.dampingRatio=0.5 --into softer.kymo",
      "kymo rerun pinch.kymo#1 --set release.threshold=0.1:0.9:0.1",
      "kymo rerun pinch.kymo --set settle.stiffness=100,200,400 --page springs.html",
    ],
    exits: [
      .loss:
        "if something was left out, or if the session is redacted, trimmed, incomplete or from another version "
        + "of the engine"
    ],
    discussion: """
      Runs the session's scenario with its recorded touches. Without a change the new session is
      the same, bit for bit. FILE means its last session, which kymo names if there are several.

      PATH is the dotted path of a field in a scenario file, such as release.threshold or
      layouts.grid.itemSize.0. VALUE is JSON or a plain word, which kymo checks as in a scenario
      file. null removes the field.

      A list A,B,C or a range FROM:TO:STEP runs the gesture once with each value. It does not need
      --into. A text that contains commas needs quotes: name='"a, b"'.

      The rows show decision, margin, time to rest and overshoot. margin and settle_2_ms are those
      of kymo compare, and settle_time_s is that of kymo velocity. Labels (kymo label) are copied to
      the new session if it has a release with the same number at the same time. The column "wrong"
      marks decisions that differ from their label.

      If a session has no scenario or no touches, kymo computes only its decisions and settles
      again, at the times of its frames. Only release.… and settle.… can be set then. Frames after a
      release are left out. Decisions of the app stay, unless you name a rule.

      If you change the rule, fields that the new rule does not have fall away, and kymo names them.
      """,
    columns: RerunRow.fields.described(),
    flags: [
      Flags.rule.described(
        "the rule that decides, short for --set release.rule=NAME: "
          + ReleaseRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")),
      RerunFlags.set, RerunFlags.patch, Flags.labels,
      Flags.key.described("the key whose settling and overshoot are printed").standard(
        progressKeyName),
      Flags.into.described(
        "append the session to this recording, or create it", value: "OUT.kymo"
      ).inSection(.output),
      Flags.name.inSection(.output), Flags.uuid.inSection(.output),
      Flags.wallClock.inSection(.output),
      Flags.page.described("also write a report with all curves", value: "OUT.html")
        .inSection(.output),
      Flags.force.described("replace an existing report").inSection(.output), Flags.listing,
    ], run: runRerun)
}

/// The flags of `kymo rerun` alone.
enum RerunFlags {
  static var set: Flag<Setting> {
    Flags.set.described(
      "change a field of the scenario, and run the gesture once with each value of a list or a range"
    )
  }
  static var patch: Flag<String> {
    .text("patch", "MERGE.json", "apply a merge patch (RFC 7396) to the scenario before --set")
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
  /// The recording that is written. `nil`: one among the temporary files.
  let path: String?
  let key: String

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    changes = try RerunChanges(invocation)
    if changes.sweep == nil { _ = try invocation.requiredValue(Flags.into) }
    path = invocation.text(Flags.into)
    guard path.map({ !["-", ""].contains($0) }) ?? true else {
      throw Failure.usage("--into must be the name of a file (got '\(path ?? "")')")
    }
    if changes.sweep != nil, invocation.has(Flags.uuid) {
      throw Failure.usage("--uuid needs one session, and several values make several. Leave it out")
    }
    source = try SessionArgument(invocation)
    key = invocation.text(Flags.key) ?? progressKeyName
    _ = invocation.has(Flags.key) ? try source.keys(named: key) : []
    if let path, FileFacts.isSameFile(path, source.reader.path) {
      throw Failure.usage(
        "\(path) cannot be read and written at the same time. Name another file with --into")
    }
    let sheet = try LabelSource(invocation).named
    rerun = try RerunSource(source.session, in: source.reader, sheets: sheet.map { [$0] } ?? [])
  }

  /// Whose session it is, for sentences.
  private var name: String {
    "\(inputName(source.reader.path))#\(source.session.number)"
  }

  func run() throws -> ExitCode {
    var changes = changes
    let asked = try changes.edits(of: rerun, name: name)
    func prepared(_ edit: ScenarioEdit) throws -> Rerun {
      let name =
        edit.changes.isEmpty ? name : "\(name) with \(edit.changes.joined(separator: ", "))"
      return try rerun.rerun(edit, from: source.reader.path, name: name)
    }
    // A value that cannot be run is reported before anything is written.
    for one in asked { _ = try prepared(one.edit) }
    let page = try invocation.fileOutput(Flags.page, beside: [source.reader.path])
    let scratch = path == nil ? try ScratchFolder(for: "the sessions") : nil
    let output = path ?? (scratch.map { $0.path + "/sessions.kymo" } ?? "")
    let before = try figures(of: source, labels: rerun.labels)
    let recorded = try changes.sweep.flatMap {
      try rerun.editable(name: name).value(at: $0.path).map(RerunChanges.Value.init)
    }
    var rows = before.map {
      row($0, of: source, file: source.reader.path, run: "recorded", value: recorded)
    }
    var wrong = ["\(before.count { $0.isWrong == true }) as recorded"]
    var curves = try page == nil ? [] : [RerunCurves(source, of: key, run: 0, name: "recorded")]
    var notes = changes.notes
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
        "\(counted(judged, "label")), decided wrongly: \(wrong.joined(separator: ", ")).\n"
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
    try troubles.finish { try recorder.finish(at: result.end) }
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
        "\(counted(count, "label")) left out: the new session has no such release at the same time"
      )
    }
    let reader = try RecordingReader(path: output)
    let made = SessionArgument(
      console: invocation.console, reader: reader,
      session: try reader.sessionRecord(recorder.session))
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
      figures, run: run, path: changes.sweep?.path, value: value?.field ?? .null, file: file,
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
      // A session's first release begins its rows.
      let isFirst = fields["transition"] == rows[0].first { $0.name == "transition" }?.value
      if isFirst { run += 1 }
      return CurvesPage.Row(
        run: run, cells: columns.map { DisplayText.cell(fields[$0] ?? .null, column: $0) })
    }
    let what = changes.sweep?.path ?? (changes.words.isEmpty ? "no changes" : changes.words)
    return CurvesPage(
      title: "\(source.session.label) run again: \(what)",
      sentences: rerun.warnings, columns: columns, rows: told,
      drawing: RerunCurves.drawing(curves, title: what))
  }
}

/// The curves of one session for a report of many: the progress, and every key that settles.
struct RerunCurves {
  /// A key's curve.
  private struct Line {
    var key: KeyRecord
    var stretches: [CurveDrawing.Stretch]
  }

  private let run: Int
  private let name: String
  private var lines: [Line] = []
  private let borders: [ReleaseBorder]

  /// Reads a session.
  ///
  /// - Parameters:
  ///   - source: The session.
  ///   - key: A key that is shown in any case.
  ///   - run: Its number in the drawing.
  ///   - name: What the legend calls it.
  init(_ source: SessionArgument, of key: String, run: Int, name: String) throws {
    (self.run, self.name) = (run, name)
    let data = try SessionData(
      FileSource(source.session, in: source.reader), reading: .allKeys())
    borders = data.releases.compactMap {
      $0.recorded.flatMap { ReleaseBorder($0, among: data.tracks.all.map(\.record)) }
    }
    for curve in data.tracks.all
    where curve.record.role == .progress || curve.record.name == key
      || curve.phases.contains(.settling) && curve.record.role == .animated
    {
      var stretches: [CurveDrawing.Stretch] = []
      for (index, phase) in curve.phases.enumerated() {
        stretches.draw(
          to: Point2D(x: curve.curve.times[index].seconds, y: curve.curve.values[index]),
          isSettling: phase == .settling)
      }
      lines.append(Line(key: curve.record, stretches: stretches))
    }
  }

  /// All sessions over one another, a panel for each key. The first one, which was recorded, grey.
  static func drawing(_ runs: [RerunCurves], title: String) -> CurveDrawing {
    var panels: [CurveDrawing.Panel] = []
    for run in runs {
      for line in run.lines {
        let series = CurveDrawing.Series(name: run.name, run: run.run, stretches: line.stretches)
        if let index = panels.firstIndex(where: { $0.name == line.key.name }) {
          panels[index].series.append(series)
        } else {
          panels.append(
            CurveDrawing.Panel(
              name: line.key.name, unit: line.key.unit, series: [series],
              borders: run.borders.filter { $0.key == line.key.name }))
        }
      }
    }
    // The recorded session lies on top, as the others hide it where they are the same.
    for index in panels.indices { panels[index].series.sort { $0.run > $1.run } }
    var drawing = CurveDrawing(title: title, panels: panels)
    let last = max(1, runs.count - 2)
    drawing.colors =
      ["#888"]
      + runs.dropFirst().indices.map { index in
        // From blue to orange, by way of green: light and dark paper bear this lightness both.
        "hsl(\(215 - (index - 1) * 190 / last) 75% 48%)"
      }
    return drawing
  }
}
