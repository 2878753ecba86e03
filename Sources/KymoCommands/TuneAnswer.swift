import MotionMeasures
import MotionPhysics
import RunStudies
import TimelineModel
import TimelineRendering
import TimelineReport
import TimelineSession
import TimelineStore

/// What `kymo rule tune` found, as text, JSON and a page.
struct TuneAnswer {
  let result: TuningResult

  /// All of it as one JSON object, one line for each part.
  func json(_ errors: [[EventField]]) -> String {
    let lines = result.fields(withErrors: errors).map {
      "\(FieldValue.text($0.name).json): \($0.value.json)"
    }
    return "{" + lines.joined(separator: ",\n ") + "}"
  }

  private var settingRows: [[EventField]] {
    result.settingRows {
      $0.horizonNanoseconds == EstimationWindow.unlimited
        ? $0.name : NumberText.cell(Double($0.horizonNanoseconds) / 1e6) + "ms"
    }
  }

  /// Tables and sentences, to be read in a terminal.
  func printForPeople(_ invocation: Invocation) throws {
    let width = min(invocation.console.width ?? 80, 100)
    func put(_ sentence: String) {
      invocation.output.write(wrapped(sentence, width: width).joined(separator: "\n") + "\n")
    }
    for warning in result.warnings { invocation.note("\(warning)") }
    put(result.headline)
    if !result.labelled.gestures.isEmpty {
      invocation.output.write("\n")
      let rows = settingRows
      try invocation.print(rows, columns: result.columns(of: rows))
    }
    invocation.output.write("\n")
    for sentence in result.tuning.sentences { put(sentence) }
    if !invocation.has(TuneFlags.set) {
      put(
        "Only the threshold was searched. Search more with --set release.rule=progress,velocity "
          + "--set release.threshold=0.1:0.9 --set release.velocityThreshold=0.2:3.")
    }
    guard let found = result.tuning.found else { return }
    let wrong = found.best.errors.all
    if !wrong.isEmpty {
      invocation.output.write("\nWrong by the best setting:\n")
      try invocation.print(wrong.map(result.row))
    }
  }

  // MARK: Page

  /// The most gestures whose pictures stand in a page.
  private static let mostPictures = 100
  /// How long a picture goes on behind the release. It begins at most four times as long before.
  private static let pictureNanoseconds: Int64 = 700_000_000

  /// The page: costs over thresholds, regions, and the wrong gestures with a picture each.
  func page(_ console: Console) throws -> TuningPage {
    var page = TuningPage(
      title: result.headline, sentences: result.warnings.map { $0 + "." } + result.tuning.sentences)
    let rows = settingRows
    page.settings = TuningPage.Table(columns: result.columns(of: rows), rows: rows)
    guard let found = result.tuning.found else { return page }
    let release = result.bestRelease
    for region in found.regions {
      page.charts.append(
        CostDrawing(
          number: region.number.rawValue,
          steps: region.costs.map { ($0.low, $0.high, $0.cost) },
          region: region.range, nearCost: found.nearCost,
          best: result.shown(region.number, of: release),
          current: result.shown(region.number, of: result.ownRelease)))
    }
    let recordings = OpenRecordings(console)
    let wrong = found.best.errors.all
    page.leftOut = max(0, wrong.count - TuneAnswer.mostPictures)
    for index in wrong.prefix(TuneAnswer.mostPictures) {
      page.gestures.append(
        TuningPage.Gesture(
          fields: result.row(ofGesture: index),
          picture: try picture(result.labelled.gestures[index], recordings, release, console)))
    }
    return page
  }

  /// The progress of a gesture over time, with its release and the best threshold. `nil` where nothing is recorded.
  private func picture(
    _ gesture: LabelledGestures.Gesture, _ recordings: OpenRecordings,
    _ release: ReleaseParameters?, _ console: Console
  ) throws -> String? {
    let reader = try recordings.reader(gesture.file)
    let session = try reader.sessionRecord(gesture.session)
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
      [ReleaseBorder(key: key.name, value: $0.rule.threshold, name: "best threshold")]
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
