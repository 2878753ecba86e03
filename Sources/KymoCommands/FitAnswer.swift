import MotionMeasures
import TimelineModel
import TimelineRendering
import TimelineStore

/// What `kymo fit` found, as text and as JSON.
struct FitAnswer {
  private let source: SessionArgument
  private let fits: [FittedSettle]

  /// The most values that are fitted where none is named.
  static let most = 32

  init(_ source: SessionArgument, _ fits: [FittedSettle]) {
    (self.source, self.fits) = (source, fits)
  }

  /// Whether every value has a fit.
  var isComplete: Bool { fits.allSatisfy(\.isAccepted) }

  private static let head: [ResultField<SessionArgument>] = [
    ResultField("version", "The version of the object.") { _ in 1 },
    ResultField("file", "The recording.", \.reader.path),
    ResultField("session", "The session's number.", \.session.number),
    ResultField("uuid", "The session's identity.", \.session.uuid),
  ]

  /// The columns of the JSON object.
  static var columns: [ResultColumn] {
    head.described() + [
      InputText.readAsColumn,
      ResultColumn("fits", .list(.object(FittedSettle.fields.described())), "The settles."),
    ]
  }

  /// All of it as one JSON object, a line for each fit.
  var json: String {
    let head = (Self.head.row(of: source) + (source.text?.text.readAsFields ?? []))
      .map { "\(FieldValue.text($0.name).json): \($0.value.json)" }
    let lines = fits.map { "  " + FieldValue.object($0.row).json }
    return "{" + head.joined(separator: ", ") + ",\n \"fits\": [\n" + lines.joined(separator: ",\n")
      + "\n ]}"
  }

  // MARK: Text

  /// Tables and sentences, to be read in a terminal.
  func printForPeople(_ invocation: Invocation) throws {
    let width = min(invocation.console.width ?? 80, 100)
    func put(_ sentence: String) {
      invocation.output.write(wrapped(sentence, width: width).joined(separator: "\n") + "\n")
    }
    for (index, entry) in fits.enumerated() {
      if index > 0 { invocation.output.write("\n") }
      put(DisplayText.harmless(headline(entry)))
      guard let fit = entry.fit else {
        put(entry.refusal ?? "")
        continue
      }
      put(verdict(fit, unit: entry.settle.unit))
      if let sentence = beginning(of: fit, entry.settle) { put(sentence) }
      invocation.output.write("\n")
      let rows = (fit.timeScale.map { [$0] } ?? []) + fit.parameters
      try invocation.print(
        rows.map { EventField.list(["number": $0.name]) + $0.row },
        columns: ["number"] + MotionFit.Parameter.columns)
      invocation.output.write("\n")
      for sentence in fit.limits { put(sentence) }
      for rival in fit.rivals { put(sentence(rival, unit: entry.settle.unit)) }
      guard fit.isAccepted else { continue }
      invocation.output.write("\n")
      let indent = (fit.words.map(\.system.count).max() ?? 0) + 2
      for words in fit.words {
        invocation.output.write(
          words.system.padded(to: indent) + DisplayText.harmless(words.text) + "\n")
      }
    }
  }

  private func headline(_ entry: FittedSettle) -> String {
    let settle = entry.settle
    let begin = "\(NumberText.cell(settle.origin.seconds)) s"
    let stretch =
      settle.transition.map { "from the release at \(begin) on (transition \($0))" }
      ?? "from \(settle.isFromLift ? "the lift at " : "")\(begin) on"
    guard let fit = entry.fit else { return "\(settle.subject) \(stretch):" }
    return "\(settle.subject) \(stretch): \(counted(fit.sampleCount, "sample")) in "
      + "\(NumberText.cell(fit.seconds)) s."
  }

  /// When the motion begins, if the samples determine it.
  private func beginning(of fit: MotionFit, _ settle: ObservedSettle) -> String? {
    guard fit.timeScale == nil, let delay = fit["delay"], let bounds = delay.interval else {
      return nil
    }
    let origin = settle.origin.seconds
    func time(_ delay: Double) -> String { NumberText.short(origin + delay, digits: 5) }
    return "It begins at \(time(delay.value)) s (\(time(bounds.lowerBound)) to "
      + "\(time(bounds.upperBound)))."
  }

  private func name(_ fit: MotionFit) -> String {
    fit.model.rawValue + (fit.curveName.map { " \($0)" } ?? "")
  }

  private func length(_ number: Double, _ unit: String) -> String {
    NumberText.cell(number) + (unit == "1" ? "" : " \(DisplayText.harmless(unit))")
  }

  private func left(_ fit: MotionFit, _ unit: String) -> String {
    "it leaves \(length(fit.rms, unit)) (rms)"
      + (fit.step.map { ", with values in steps of \(length($0, unit))" } ?? "")
      + (fit.error.map { ", with values known to \(length($0, unit))" } ?? "")
  }

  private func verdict(_ fit: MotionFit, unit: String) -> String {
    guard fit.isAccepted else {
      return "No model fits. The nearest is \(name(fit)), but \(left(fit, unit))."
    }
    return "\(name(fit)): \(left(fit, unit))."
  }

  private func sentence(_ rival: MotionFit, unit: String) -> String {
    let numbers = rival.parameters.filter {
      ["s", "1/s", "1"].contains($0.unit) && $0.name != "mass"
    }
    .map { "\($0.name) \(NumberText.cell($0.value))" }
    return
      "Fits as well: \(name(rival)) with \(numbers.joined(separator: ", ")), and \(left(rival, unit))."
  }
}
