import JSONText
import TimelineModel
import TimelineQuery
import TimelineRendering

/// What the command does with one file.
private func benchWorker(_ invocation: Invocation) throws -> Worker {
  invocation.console.fileWorker { session, reader, writer in
    let run = try BenchRun(session, in: reader)
    writer.put(run.file)
    writer.put(run.session)
    writer.put(run.metrics)
  }
}

/// The form of `kymo compare` for two groups: whether many sessions moved otherwise than many others.
func compareGroupsForm() -> CommandForm {
  CommandForm(
    arguments: "BASE… -- NEW…", argumentCount: 2...100_000, hasTwoGroups: true,
    flags: [
      BenchFlags.paired, BenchFlags.alpha, BenchFlags.noAdjust, BenchFlags.metric,
      Flags.key.described("only metrics of this key"), BenchFlags.allMetrics, Flags.seed,
      BenchFlags.format, Flags.json, Flags.manyFiles,
    ],
    worker: benchWorker, run: runBench)
}

/// The flags of the comparison of groups alone.
enum BenchFlags {
  static var allMetrics: Flag<Bool> {
    .toggle(
      "all-metrics", "every metric, not only those that people feel; each is one more test")
  }
  static var paired: Flag<Bool> {
    .toggle("paired", "runs replay the same gestures: by the sessions' names, else by order")
  }
  static var alpha: Flag<Double> {
    .number("alpha", "P", "p below this is significant; 0.05")
  }
  static var noAdjust: Flag<Bool> {
    .toggle(
      "no-adjust",
      "do not adjust p for the number of tests: with many metrics some are significant by chance")
  }
  static var metric: Flag<[Measure]> {
    Flag(
      "metric", "NAMES", "only these metrics, by their names in JSON, with commas between"
    ) { text, _ in
      let names = SessionMetrics.measures.map(\.rawValue)
      return try text.split(separator: ",", omittingEmptySubsequences: false).map {
        guard let name = Measure(rawValue: String($0)), names.contains(name.rawValue) else {
          let hint = nearestName(to: String($0), among: names).map { "did you mean \($0)? " } ?? ""
          throw Failure.usage(
            "there is no metric '\($0)'; \(hint)there are \(names.joined(separator: ", "))")
        }
        return name
      }
    }
  }
  static var format: Flag<OutputFormat> {
    Flags.format(
      "table (default), json, markdown or csv", among: [.table, .json, .markdown, .csv])
  }
}

private func runBench(_ invocation: Invocation) throws -> ExitCode {
  let format = try invocation.outputFormat(BenchFlags.format)
  let options = try invocation.benchOptions()
  let (baseNames, newNames) = try invocation.twoGroups()
  let files = try ManyFiles(invocation, label: "reading")
  let runs = try files.gather(baseNames + newNames) { reader in
    BenchRun(file: try reader.text(), session: try reader.session(), metrics: try reader.metrics())
  }
  files.finishBar()
  let base = runs[..<baseNames.count].flatMap { $0 }
  let new = runs[baseNames.count...].flatMap { $0 }
  // Without a side there is nothing to hold the other one against.
  guard !base.isEmpty, !new.isEmpty else { return .unreadable }
  try invocation.checkKey(options.key, base + new)
  let comparison = try BenchComparison(base, new, options: options)
  switch format {
  case .table: invocation.output.write(BenchTable(comparison).text)
  case .markdown: invocation.output.write(BenchTable(comparison).markdown)
  case .json:
    invocation.output.write(
      data: DisplayText.escaped(json: benchJSON(comparison, files.errorRows)) + "\n")
  case .csv, .ndjson: invocation.output.write(data: benchCSV(comparison))
  }
  if format == .csv || format == .json {
    for warning in comparison.warnings { invocation.note("\(warning)") }
  }
  return files.code(comparison.significantCount > 0 ? .no : .yes, hasAnswer: true)
}

extension Invocation {
  fileprivate func benchOptions() throws -> BenchComparison.Options {
    var options = BenchComparison.Options()
    options.isPaired = has(BenchFlags.paired)
    options.isAdjusted = !has(BenchFlags.noAdjust)
    options.key = text(Flags.key)
    if let alpha = try value(BenchFlags.alpha) {
      guard alpha > 0, alpha < 1 else {
        throw Failure.usage("--alpha is a probability above 0 and below 1, such as 0.05")
      }
      options.alpha = alpha
    }
    options.seed = try value(Flags.seed) ?? options.seed
    guard !has(BenchFlags.metric) || !has(BenchFlags.allMetrics) else {
      throw Failure.usage("--metric and --all-metrics are both given")
    }
    if has(BenchFlags.allMetrics) { options.metrics = SessionMetrics.measures }
    options.metrics = try value(BenchFlags.metric) ?? options.metrics
    return options
  }

  /// The words on both sides of `--`.
  fileprivate func twoGroups() throws -> (first: [String], second: [String]) {
    let count = firstGroupCount ?? 0
    guard count > 0, count < positionals.count else {
      throw Failure.usage(
        "there is no file \(count > 0 ? "after" : "before") --: kymo compare BASE… -- NEW…")
    }
    return (Array(positionals[..<count]), Array(positionals[count...]))
  }

  fileprivate func checkKey(_ key: String?, _ runs: [BenchRun]) throws {
    guard let key else { return }
    let keys = Set(runs.flatMap { $0.metrics.metrics.compactMap(\.key) }).sorted()
    guard keys.contains(key) else {
      throw Failure.usage("no session has the key \(key)\(didYouMean(key, among: keys) ?? "")")
    }
  }
}

/// A bench with every number in it, as one JSON object.
private func benchJSON(_ bench: BenchComparison, _ errors: [[EventField]]) -> String {
  let lists: [(String, [FieldValue])] = [
    ("base", bench.baseRuns.rows.map(FieldValue.object)),
    ("new", bench.newRuns.rows.map(FieldValue.object)),
    ("rows", bench.rows.rows.map(FieldValue.object)),
    ("geomeans", bench.means.rows.map(FieldValue.object)),
    ("warnings", bench.warnings.map(FieldValue.text)),
    ("errors", errors.map(FieldValue.object)),
  ]
  // One line for each run and each row, so that two files can be compared line by line.
  var parts = bench.row.map { "\(FieldValue.text($0.name).json): \($0.value.json)" }
  for (name, values) in lists {
    let lines = values.map { "\n  " + $0.json }.joined(separator: ",")
    parts.append("\(FieldValue.text(name).json): [\(lines)]")
  }
  return "{" + parts.joined(separator: ",\n ") + "}"
}

/// A bench as one line for each row.
private func benchCSV(_ bench: BenchComparison) -> String {
  let rows = bench.rows.map { row in
    row.row.flatMap { field -> [EventField] in
      guard case .object(let inner) = field.value else { return [field] }
      // "base" with "median" in it becomes the column "base.median".
      return inner.compactMap { part in
        if case .list = part.value { return nil }
        return EventField("\(field.name).\(part.name)", part.value)
      }
    }
  }
  return renderedRows(rows, as: .csv)
}
