import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// What `kymo fit` found, as text and as JSON.
struct FitAnswer {
  /// One value behind one release.
  private struct Entry {
    var settle: ObservedSettle
    var fit: MotionFit?
    var refusal: String?
  }

  private let source: SessionArgument
  private var entries: [Entry] = []

  /// The most values that are fitted where none is named.
  static let most = 32

  init(_ source: SessionArgument) { self.source = source }

  mutating func add(_ settle: ObservedSettle, _ fit: MotionFit) {
    entries.append(Entry(settle: settle, fit: fit))
  }

  mutating func add(_ settle: ObservedSettle, refusal: String) {
    entries.append(Entry(settle: settle, refusal: refusal))
  }

  /// Whether every value has a fit.
  var isComplete: Bool { entries.allSatisfy { $0.fit?.isAccepted == true } }

  // MARK: JSON

  /// All of it as one JSON object, a line for each fit.
  var json: String {
    let head = [
      EventField("version", .integer(1)), EventField("file", .text(source.reader.path)),
      EventField("session", .integer(source.session.number)),
      EventField("uuid", .text(source.session.uuid)),
    ].map { "\(FieldValue.text($0.name).json): \($0.value.json)" }
    let fits = entries.map { "  " + FieldValue.object(fields($0)).json }
    return "{" + head.joined(separator: ", ") + ",\n \"fits\": [\n" + fits.joined(separator: ",\n")
      + "\n ]}"
  }

  private func fields(_ entry: Entry) -> [EventField] {
    let settle = entry.settle
    var fields = [
      EventField("subject", .text(settle.subject)), EventField("unit", .text(settle.unit)),
      EventField("transition", FieldValue(settle.transition)),
      EventField("from_ns", FieldValue(settle.origin)),
    ]
    guard let fit = entry.fit else {
      fields.append(EventField("fits", .flag(false)))
      return fields + [EventField("refused", FieldValue(entry.refusal))]
    }
    fields.append(EventField("fits", .flag(fit.isAccepted)))
    return fields + self.fields(fit) + [
      EventField("sampleCount", FieldValue(fit.sampleCount)),
      EventField("seconds", .number(fit.seconds)), EventField("step", FieldValue(fit.step)),
      EventField("limits", .list(fit.limits.map(FieldValue.text))),
      EventField(
        "words",
        .list(
          fit.words.map {
            .object([EventField("system", .text($0.system)), EventField("text", .text($0.text))])
          })),
      EventField("rivals", .list(fit.rivals.map { .object(self.fields($0)) })),
    ]
  }

  private func fields(_ fit: MotionFit) -> [EventField] {
    [
      EventField("model", .text(fit.model.rawValue)),
      EventField("curve", FieldValue(fit.curveName)),
      EventField("rms", .number(fit.rms)), EventField("criterion", .number(fit.criterion)),
      EventField("timeScale", fit.timeScale.map { .object(fields($0)) } ?? .null),
      EventField(
        "parameters",
        .object(fit.parameters.map { EventField($0.name, .object(fields($0))) })),
    ]
  }

  private func fields(_ parameter: MotionFit.Parameter) -> [EventField] {
    [
      EventField("value", .number(parameter.value)),
      EventField("low", FieldValue(parameter.interval?.lowerBound)),
      EventField("high", FieldValue(parameter.interval?.upperBound)),
      EventField("unit", .text(parameter.unit)),
    ]
  }

  // MARK: Text

  /// Tables and sentences, to be read in a terminal.
  func printForPeople(_ invocation: Invocation) throws {
    let width = min(invocation.console.width ?? 80, 100)
    func put(_ sentence: String) {
      invocation.output.write(wrapped(sentence, width: width).joined(separator: "\n") + "\n")
    }
    for (index, entry) in entries.enumerated() {
      if index > 0 { invocation.output.write("\n") }
      put(DisplayText.harmless(headline(entry)))
      guard let fit = entry.fit else {
        put(entry.refusal ?? "")
        continue
      }
      put(verdict(fit, unit: entry.settle.unit))
      invocation.output.write("\n")
      let rows = (fit.timeScale.map { [$0] } ?? []) + fit.parameters
      try invocation.print(
        rows.map { [EventField("number", .text($0.name))] + fields($0) },
        columns: ["number", "value", "low", "high", "unit"])
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

  private func headline(_ entry: Entry) -> String {
    let settle = entry.settle
    let begin = "\(DisplayText.number(settle.origin.seconds)) s"
    let stretch =
      settle.transition.map { "from the release at \(begin) on (transition \($0))" }
      ?? "from \(begin) on"
    guard let fit = entry.fit else { return "\(settle.subject) \(stretch):" }
    return "\(settle.subject) \(stretch): \(counted(fit.sampleCount, "sample")) in "
      + "\(DisplayText.number(fit.seconds)) s."
  }

  private func name(_ fit: MotionFit) -> String {
    fit.model.rawValue + (fit.curveName.map { " \($0)" } ?? "")
  }

  private func length(_ number: Double, _ unit: String) -> String {
    DisplayText.number(number) + (unit == "1" ? "" : " \(DisplayText.harmless(unit))")
  }

  private func left(_ fit: MotionFit, _ unit: String) -> String {
    "it leaves \(length(fit.rms, unit)) (rms)"
      + (fit.step.map { "; values are in steps of \(length($0, unit))" } ?? "")
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
    .map { "\($0.name) \(DisplayText.number($0.value))" }
    return "As good: \(name(rival)) with \(numbers.joined(separator: ", ")); \(left(rival, unit))."
  }
}
