import MotionPhysics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineReport
import TimelineStore

/// What `kymo tune` found, as text, JSON and a page.
struct TuneAnswer {
  /// What was found.
  let tuning: RuleTuning
  /// The gestures.
  let labelled: LabelledGestures
  /// What was varied.
  let space: TuningSpace
  /// What wrong decisions cost.
  let weights: TuningWeights

  /// What all gestures were judged by; nil where they differ.
  private var ownRelease: ReleaseParameters? {
    guard let first = labelled.gestures.first?.numbers.own else { return nil }
    return labelled.gestures.allSatisfy { $0.numbers.own == first } ? first : nil
  }

  /// The best setting, as the first gesture's session would have it.
  var bestRelease: ReleaseParameters? { tuning.found.flatMap { release($0.best.setting) } }

  private func release(_ setting: TuningSetting) -> ReleaseParameters? {
    labelled.gestures.first.map {
      setting.release(from: $0.numbers.own, measures: space.measures)
    }
  }

  /// What a person should know beside the answer.
  var warnings: [String] {
    var warnings: [String] = []
    let counts = labelled.counts
    func add(_ count: Int, _ what: String) {
      if count > 0 { warnings.append("\(counted(count, "label")) \(what)") }
    }
    if counts.releases == 0 {
      warnings.append("there is no release in these recordings that a rule or an app decided")
    } else if labelled.gestures.isEmpty, counts.unsure == 0 {
      warnings.append(
        counts.strays > 0
          ? "the labels beside the recordings are of other sessions; see kymo label --list"
          : "no gesture is labelled; say what each was meant for with kymo label")
    }
    add(counts.strays, "beside the recordings of sessions that are not in them")
    add(counts.withoutRelease, "of transitions that no rule or app decided, left out")
    add(counts.withoutProgress, "of releases without a recorded progress, left out")
    if ownRelease == nil, !labelled.gestures.isEmpty {
      warnings.append(
        "the sessions were judged in different ways; what is not varied stays each one's own, and the first "
          + "one's is shown")
    }
    if bestRelease?.rule.kind.preset?.estimator.isPerReport == true {
      warnings.append(
        "velocities by reports depend on how often the device reports; the best setting holds for devices that "
          + "report as often as those of the recordings")
    }
    return warnings
  }

  // MARK: JSON

  /// All of it as one JSON object, one line for each part.
  func json(_ errors: [[EventField]]) -> String {
    let counts = labelled.counts
    var parts = [
      EventField("version", .integer(1)),
      EventField(
        "labels",
        object([
          ("finish", FieldValue(tuning.finishCount)), ("cancel", FieldValue(tuning.cancelCount)),
          ("unsure", FieldValue(counts.unsure)), ("unlabelled", FieldValue(counts.unlabelled)),
          ("withoutProgress", FieldValue(counts.withoutProgress)),
          ("withoutRelease", FieldValue(counts.withoutRelease)),
          ("otherSessions", FieldValue(counts.strays)),
        ])),
      EventField(
        "weights",
        object([
          ("wrongFinish", .number(weights.wrongFinish)),
          ("wrongCancel", .number(weights.wrongCancel)),
        ])),
      EventField(
        "current",
        object([
          ("release", fields(ownRelease)), ("cost", .number(tuning.current.cost)),
          ("errors", FieldValue(tuning.current.all.count)),
          ("wrongFinish", references(tuning.current.wrongFinish)),
          ("wrongCancel", references(tuning.current.wrongCancel)),
        ])),
    ]
    if let found = tuning.found { parts += fields(found) }
    parts += [
      EventField("refused", .list(tuning.refusals.map { .text($0.sentence) })),
      EventField("warnings", .list((warnings + endWarnings).map(FieldValue.text))),
      EventField("errors", .list(errors.map(FieldValue.object))),
    ]
    let lines = parts.map { "\(FieldValue.text($0.name).json): \($0.value.json)" }
    return "{" + lines.joined(separator: ",\n ") + "}"
  }

  private var endWarnings: [String] {
    tuning.found?.atEnds.map {
      "the best \($0.rawValue) is at an end of the range that was searched"
    } ?? []
  }

  private func fields(_ found: RuleTuning.Found) -> [EventField] {
    let (best, expected, better) = (found.best, found.expected, found.better)
    let seed = Int64(exactly: expected.seed).map(FieldValue.integer)
    return [
      EventField(
        "best",
        object([
          ("release", fields(bestRelease)), ("cost", .number(best.errors.cost)),
          ("wrongFinish", references(best.errors.wrongFinish)),
          ("wrongCancel", references(best.errors.wrongCancel)),
          ("smallestMargin", FieldValue(best.smallestMargin)),
          ("thresholdMargin", FieldValue(best.thresholdMargin)),
          ("velocityThresholdMargin", FieldValue(best.velocityThresholdMargin)),
        ])),
      EventField(
        "expected",
        object([
          ("method", .text(expected.method.rawValue)), ("folds", FieldValue(expected.foldCount)),
          ("cost", .number(expected.cost)), ("errors", FieldValue(expected.errorCount)),
          ("errorShare", .number(expected.errorShare)), ("low", .number(expected.low)),
          ("high", .number(expected.high)),
          (
            "interval",
            .text(
              (expected.isOfCost ? "cost" : "errorShare")
                + (expected.isApproximate ? ", bootstrap, approximate" : ""))
          ), ("groups", FieldValue(expected.groupCount)),
          // One that is no whole number of 64 bits with a sign is text, so that no reader rounds it.
          ("seed", seed ?? .text(String(expected.seed))),
        ])),
      EventField(
        "region",
        .object(
          found.regions.map {
            EventField(
              $0.number.rawValue,
              .list([.number($0.range.lowerBound), .number($0.range.upperBound)]))
          }
            // Seconds, as a release has them.
            + found.timeRegions.map { region in
              let ends = [region.nanoseconds.lowerBound, region.nanoseconds.upperBound]
              return EventField(region.name, .list(ends.map { .number(Double($0) / 1e9) }))
            })),
      EventField(
        "better",
        object([
          ("b", FieldValue(better.b)), ("c", FieldValue(better.c)), ("p", .number(better.p)),
          ("claim", .flag(tuning.isClaimed)),
        ])),
      EventField(
        "moreLabels",
        object([
          ("toClaim", FieldValue(found.moreToClaim)), ("toHalve", FieldValue(found.moreToHalve)),
        ])),
      EventField(
        "rivals",
        .list(
          found.rivals.map {
            object([("release", fields(release($0.setting))), ("cost", .number($0.cost))])
          })),
      EventField("perhapsMislabelled", references(found.perhapsMislabelled)),
    ]
  }

  private func object(_ fields: [(String, FieldValue)]) -> FieldValue {
    .object(fields.map { EventField($0.0, $0.1) })
  }

  private func fields(_ release: ReleaseParameters?) -> FieldValue {
    release.map { .object($0.fields) } ?? .null
  }

  /// Gestures, as what finds them again.
  private func references(_ indices: [Int]) -> FieldValue {
    .list(
      indices.map { index in
        let gesture = labelled.gestures[index]
        return object([
          ("file", .text(gesture.file)), ("session", .integer(gesture.session)),
          ("uuid", .text(gesture.uuid)), ("transition", FieldValue(gesture.transition)),
          ("progress", .number(asked(gesture).progress)),
          ("velocity", FieldValue(asked(gesture).velocity)),
        ])
      })
  }

  /// What the best setting asks about.
  private func asked(
    _ gesture: LabelledGestures.Gesture
  ) -> (progress: Double, velocity: Double?) {
    gesture.numbers.asked(
      by: tuning.found?.best.setting ?? TuningSetting(measure: 0, change: RuleChange()))
  }

  // MARK: Text

  /// Tables and sentences, to be read in a terminal.
  func printForPeople(_ invocation: Invocation) throws {
    let width = min(invocation.console.width ?? 80, 100)
    func put(_ sentence: String) {
      invocation.output.write(wrapped(sentence, width: width).joined(separator: "\n") + "\n")
    }
    for warning in warnings { invocation.note("\(warning)") }
    put(headline)
    if !labelled.gestures.isEmpty {
      invocation.output.write("\n")
      try invocation.print(settingRows, columns: settingColumns)
    }
    invocation.output.write("\n")
    for sentence in tuning.sentences { put(sentence) }
    guard let found = tuning.found else { return }
    let wrong = found.best.errors.all
    if !wrong.isEmpty {
      invocation.output.write("\nWrong by the best setting:\n")
      try invocation.print(
        wrong.map { gestureFields($0) },
        columns: [
          "file", "session", "transition", "meant", "decision", "progress", "velocity", "note",
        ])
    }
  }

  /// How many gestures there are.
  var headline: String {
    let counts = labelled.counts
    return
      "\(counted(labelled.gestures.count, "labelled gesture")): \(tuning.finishCount) meant to finish, "
      + "\(tuning.cancelCount) to cancel; \(counts.unsure) unsure and \(counts.unlabelled) without a label are not "
      + "searched."
  }

  /// A wrong gesture as a row.
  func gestureFields(_ index: Int) -> [EventField] {
    let gesture = labelled.gestures[index]
    let isMislabelled = tuning.found?.perhapsMislabelled.contains(index) == true
    let (meant, decided) =
      gesture.numbers.isMeantToFinish ? ("finish", "cancel") : ("cancel", "finish")
    return [
      EventField("file", .text(gesture.file)), EventField("session", .integer(gesture.session)),
      EventField("transition", FieldValue(gesture.transition)),
      EventField("meant", .text(meant)), EventField("decision", .text(decided)),
      EventField("progress", .number(asked(gesture).progress)),
      EventField("velocity", FieldValue(asked(gesture).velocity)),
      EventField("note", .text(isMislabelled ? "perhaps mislabelled" : "")),
    ]
  }

  /// The columns that say something of one of the settings.
  var settingColumns: [String] {
    let named = ["setting", "rule", "threshold"]
    let numbers = TuningSpace.Number.allCases.filter { $0 != .threshold }
      .filter { number in
        settingRows.contains { row in
          row.contains { $0.name == number.rawValue && $0.value != .null }
        }
      }.map(\.rawValue)
    return named + numbers + ["estimator", "window", "wrong", "cost"]
  }

  /// What is in use, the best setting and its rivals as rows.
  var settingRows: [[EventField]] {
    var rows = [row("in use", ownRelease, tuning.current.all.count, tuning.current.cost)]
    guard let found = tuning.found else { return rows }
    rows.append(
      row("best", bestRelease, found.best.errors.all.count, found.best.errors.cost))
    for rival in found.rivals {
      let wrong = labelled.gestures.count { $0.numbers.isDecidedWrongly(by: rival.setting) }
      rows.append(row("rival", release(rival.setting), wrong, rival.cost))
    }
    return rows
  }

  private func row(
    _ name: String, _ release: ReleaseParameters?, _ wrong: Int, _ cost: Double
  ) -> [EventField] {
    let rule = release?.rule
    var fields = [
      EventField("setting", .text(name)), EventField("rule", FieldValue(rule?.kind.rawValue)),
    ]
    for number in TuningSpace.Number.allCases {
      fields.append(EventField(number.rawValue, FieldValue(shown(number, of: release))))
    }
    let window = release.map {
      $0.window.horizonNanoseconds == EstimationWindow.unlimited
        ? $0.window.name
        : DisplayText.number(Double($0.window.horizonNanoseconds) / 1e6) + "ms"
    }
    return fields + [
      EventField("estimator", FieldValue(release?.estimator.rawValue)),
      EventField("window", FieldValue(window)), EventField("wrong", FieldValue(wrong)),
      EventField("cost", .number(cost)),
    ]
  }

  /// A number of a setting as table and page show it; nil where the rule does not ask for it.
  private func shown(_ number: TuningSpace.Number, of release: ReleaseParameters?) -> Double? {
    guard let rule = release?.rule, number != .distance || number.matters(to: rule.kind) else {
      return nil
    }
    let value = number.value(in: rule)
    return number == .minimumVelocity && value == 0 ? nil : value
  }

  // MARK: Page

  /// The most gestures whose pictures stand in a page.
  private static let mostPictures = 100
  /// How long a picture goes on behind the release; it begins at most four times as long before.
  private static let pictureNanoseconds: Int64 = 700_000_000

  /// The page: costs over thresholds, regions, and the wrong gestures with a picture each.
  func page(_ console: Console) throws -> TuningPage {
    var page = TuningPage(title: headline, sentences: warnings.map { $0 + "." } + tuning.sentences)
    page.settings = TuningPage.Table(columns: settingColumns, rows: settingRows)
    guard let found = tuning.found else { return page }
    let release = bestRelease
    for region in found.regions {
      page.charts.append(
        CostDrawing(
          number: region.number.rawValue,
          steps: region.costs.map { ($0.low, $0.high, $0.cost) },
          region: region.range, nearCost: found.nearCost,
          best: shown(region.number, of: release), current: shown(region.number, of: ownRelease)))
    }
    let recordings = OpenRecordings(console)
    let wrong = found.best.errors.all
    page.leftOut = max(0, wrong.count - TuneAnswer.mostPictures)
    for index in wrong.prefix(TuneAnswer.mostPictures) {
      page.gestures.append(
        TuningPage.Gesture(
          fields: gestureFields(index),
          picture: try picture(labelled.gestures[index], recordings, release, console)))
    }
    return page
  }

  /// The progress of a gesture over time, with its release and the best threshold; nil where nothing is recorded.
  private func picture(
    _ gesture: LabelledGestures.Gesture, _ recordings: OpenRecordings,
    _ release: ReleaseParameters?, _ console: Console
  ) throws -> String? {
    let reader = try recordings.reader(gesture.file)
    let session = try reader.session(gesture.session)
    let source = SessionArgument(console: console, reader: reader, session: session)
    guard let key = try reader.keys(in: session.number).first(where: { $0.role == .progress })
    else { return nil }
    var wishes = Playback.Wishes()
    wishes.keys = [key.name]
    wishes.isStill = true
    let transitions = try reader.transitions(in: session.number).compactMap(\.start)
    let span = TuneAnswer.pictureNanoseconds
    wishes.from = max(
      transitions.last { $0 <= gesture.time } ?? .zero,
      gesture.time.advanced(byNanoseconds: -4 * span))
    let next = transitions.first { $0 > gesture.time }?.advanced(byNanoseconds: -1)
    wishes.to = min(
      next ?? gesture.time.advanced(byNanoseconds: span), gesture.time.advanced(byNanoseconds: span)
    )
    let drawing: CurveDrawing
    do {
      drawing = try RunPlot(try Playback([source], wishes), [source]).drawing
    } catch is Failure {
      // The release is there, the values around it are not.
      return nil
    }
    let borders = release.map {
      [PlayerRun.Border(key: key.name, value: $0.rule.threshold, name: "best threshold")]
    }
    let panels = drawing.panels.map { panel in
      CurveDrawing.Panel(
        name: panel.name, unit: panel.unit, series: panel.series,
        borders: panel.borders.filter { $0.value != borders?.first?.value } + (borders ?? []))
    }
    return CurveDrawing(
      title: "Transition \(gesture.transition) of \(session.label)", panels: panels,
      markers: drawing.markers
    ).svg
  }
}
