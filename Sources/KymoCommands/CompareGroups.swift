import JSONText
import MotionJudgement
import MotionMeasures
import RunStudies
import TimelineModel
import TimelineRendering

/// What the command does with one file.
private func groupWorker(_ invocation: Invocation) throws -> Worker {
  let options = try invocation.groupOptions()
  // The names of keys are looked up among all metrics.
  let keepsAll = invocation.has(Flags.keys)
  return invocation.fileWorker { session, reader in
    try GroupRun(session, in: reader) { keepsAll || options.needs($0, of: $1) }
  }
}

/// The form of `kymo compare` for two groups: whether many sessions moved otherwise than many others.
func compareGroupsForm() -> CommandForm {
  CommandForm(
    arguments: "BASE… -- NEW…", argumentCount: 2...100_000, hasTwoGroups: true,
    flags: [
      GroupFlags.paired, GroupFlags.alpha, GroupFlags.noAdjust, GroupFlags.metric,
      Flags.keys.described("only metrics of these keys, with commas between"),
      GroupFlags.allMetrics,
      Flags.all.described("print every row of a table, not only \(GroupTable.mostRows)"),
      Flags.seed, GroupFlags.format, Flags.json, Flags.gestureReading, Flags.manyFiles,
    ],
    worker: groupWorker, run: runGroups)
}

/// The flags of the comparison of groups alone.
enum GroupFlags {
  static var allMetrics: Flag<Bool> {
    .toggle("all-metrics", "every metric, not only those that people feel")
  }
  static var paired: Flag<Bool> {
    .toggle("paired", "pair sessions by their names, or by their order")
  }
  static var alpha: Flag<Double> {
    Flag<Double>.number("alpha", "P", "p below this is significant").standard("0.05")
  }
  static var noAdjust: Flag<Bool> {
    .toggle(
      "no-adjust", "do not adjust p for the number of tests, so that some change by chance")
  }
  static var metric: Flag<[Measure]> {
    Flag(
      "metric", "NAMES", "only these metrics, with commas between, by their names in JSON"
    ) { text, _ in
      let names = SessionMetrics.measures.map(\.rawValue)
      return try text.split(separator: ",", omittingEmptySubsequences: false).map {
        guard let name = Measure(rawValue: String($0)), names.contains(name.rawValue) else {
          throw Failure.usage("unknown metric '\($0)'. \(choices(near: String($0), among: names))")
        }
        return name
      }
    }.offering(SessionMetrics.measures.map(\.rawValue))
  }
  static var format: Flag<OutputFormat> {
    Flags.format("table, json, markdown or csv", among: [.table, .json, .markdown, .csv])
      .standard("table")
  }
}

private func runGroups(_ invocation: Invocation) throws -> ExitCode {
  let format = try invocation.outputFormat(GroupFlags.format)
  var options = try invocation.groupOptions()
  let (baseNames, newNames) = try invocation.twoGroups()
  let files = try ManyFiles(invocation, label: "reading")
  let runs = try files.gather(baseNames + newNames) { (run: GroupRun) in run }
  files.finishBar()
  let base = runs[..<baseNames.count].flatMap { $0 }
  let new = runs[baseNames.count...].flatMap { $0 }
  // Without a side there is nothing to compare with.
  guard !base.isEmpty, !new.isEmpty else { return .unreadable }
  options.keys = try invocation.keys(of: base + new)
  let comparison = try GroupComparison(base, new, options: options)
  switch format {
  case .table, .markdown:
    let table = GroupTable(comparison, isWhole: invocation.has(Flags.all))
    let write = { invocation.output.write($0) }
    if format == .table { table.writeText(write) } else { table.writeMarkdown(write) }
  case .json:
    writeJSON(comparison, files.errorRows) {
      invocation.output.write(data: DisplayText.escaped(json: $0))
    }
  case .csv, .ndjson: writeCSV(comparison) { invocation.output.write(data: $0) }
  }
  if format == .csv || format == .json {
    for warning in comparison.warnings { invocation.note("\(warning)") }
  }
  return files.code(comparison.significantCount > 0 ? .no : .yes, hasAnswer: true)
}

extension Invocation {
  fileprivate func groupOptions() throws -> GroupComparison.Options {
    var options = GroupComparison.Options()
    options.isPaired = has(GroupFlags.paired)
    options.isAdjusted = !has(GroupFlags.noAdjust)
    if let alpha = try value(GroupFlags.alpha) {
      guard alpha > 0, alpha < 1 else {
        throw Failure.usage(
          "--alpha must be a number above 0 and below 1, such as 0.05 (got '\(FieldValue.jsonNumber(alpha))')"
        )
      }
      options.alpha = alpha
    }
    options.seed = try value(Flags.seed) ?? options.seed
    guard !has(GroupFlags.metric) || !has(GroupFlags.allMetrics) else {
      throw Failure.usage("--metric and --all-metrics exclude each other")
    }
    if has(GroupFlags.allMetrics) { options.metrics = SessionMetrics.measures }
    options.metrics = try value(GroupFlags.metric) ?? options.metrics
    return options
  }

  /// The words on both sides of `--`.
  fileprivate func twoGroups() throws -> (first: [String], second: [String]) {
    let count = firstGroupCount ?? 0
    guard count > 0, count < positionals.count else {
      throw Failure.usage(
        "missing \(count > 0 ? "NEW after" : "BASE before") --. Usage: kymo compare BASE… -- NEW…")
    }
    return (Array(positionals[..<count]), Array(positionals[count...]))
  }

  /// The keys that `--key` names, of which the sessions have metrics. `nil` without the flag.
  fileprivate func keys(of runs: [GroupRun]) throws -> Set<String>? {
    guard has(Flags.keys) else { return nil }
    let known = Set(runs.flatMap { $0.metrics.blocks.compactMap(\.key) })
    let names = texts(Flags.keys).flatMap { text in partedNames(text) { known.contains($0) } }
    if let name = names.first(where: { !known.contains($0) }) {
      throw unknownKey(name, among: known.sorted())
    }
    return Set(names)
  }
}

/// Writes two groups with every number in it, as one JSON object.
private func writeJSON(
  _ groups: GroupComparison, _ errors: [[EventField]], _ write: (String) -> Void
) {
  func line(_ name: String) -> String { "\(FieldValue.text(name).json): " }
  // One line for each run and each row, so that two files can be compared line by line.
  func writeList(_ name: String, _ values: some Sequence<FieldValue>) {
    write(",\n \(line(name))[")
    for (index, value) in values.enumerated() {
      write((index == 0 ? "\n  " : ",\n  ") + value.json)
    }
    write("]")
  }
  write("{" + groups.row.map { line($0.name) + $0.value.json }.joined(separator: ",\n "))
  for (name, values) in groups.lists { writeList(name, values) }
  writeList("errors", errors.map(FieldValue.object))
  write("}\n")
}

/// Writes two groups as one line for each row.
private func writeCSV(_ groups: GroupComparison, _ write: @escaping (String) -> Void) {
  let writer = RowWriter(format: .csv, output: write)
  for row in groups.flatRows { writer.write(row) }
  writer.finish()
}
