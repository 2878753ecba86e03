import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStatistics
import TimelineStore

/// A bench with every number in it, as one JSON object.
func benchJSON(_ bench: BenchComparison, _ errors: [[EventField]]) -> String {
  let lists: [(String, [FieldValue])] = [
    ("base", runs(bench.baseRuns)), ("new", runs(bench.newRuns)),
    ("rows", bench.rows.map { .object(fields($0, bench)) }),
    ("geomeans", bench.means.map { .object(fields($0)) }),
    ("warnings", bench.warnings.map(FieldValue.text)),
    ("errors", errors.map(FieldValue.object)),
  ]
  let pairs = bench.pairing?.pairs.map {
    FieldValue.list([FieldValue($0.base), FieldValue($0.new)])
  }
  // A seed that is no whole number of 64 bits with a sign is kept as text, so that no reader rounds it.
  let seed = String(bench.options.seed)
  let facts = [
    EventField("alpha", .number(bench.options.alpha)),
    EventField("level", .number(bench.options.level)),
    EventField("adjustment", .text(bench.options.isAdjusted ? "holm" : "none")),
    EventField("tests", FieldValue(bench.testCount)),
    EventField("levelOfOneTest", .number(bench.levelOfOneTest)),
    EventField("significant", FieldValue(bench.significantCount)),
    EventField("seed", Int64(exactly: bench.options.seed).map(FieldValue.integer) ?? .text(seed)),
    EventField("resamples", FieldValue(Bootstrap.usualResampleCount)),
    EventField("effect", .number(bench.options.effect)),
    EventField("power", .number(RunsNeeded.usualPower)),
    EventField("pairedBy", FieldValue(bench.pairing?.way.rawValue)),
    EventField("pairs", pairs.map(FieldValue.list) ?? .null),
  ]
  // One line for each run and each row, so that two files can be compared line by line.
  var parts = facts.map { "\(FieldValue.text($0.name).json): \($0.value.json)" }
  for (name, values) in lists {
    let lines = values.map { "\n  " + $0.json }.joined(separator: ",")
    parts.append("\(FieldValue.text(name).json): [\(lines)]")
  }
  return "{" + parts.joined(separator: ",\n ") + "}"
}

/// A bench as one line for each row.
func benchCSV(_ bench: BenchComparison) -> String {
  let rows = bench.rows.map { row in
    fields(row, bench).flatMap { field -> [EventField] in
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

private func runs(_ runs: [BenchRun]) -> [FieldValue] {
  runs.map { run in
    let description = run.session.description
    return .object([
      EventField("file", .text(run.file)), EventField("session", .integer(run.session.number)),
      EventField("uuid", .text(run.session.uuid)), EventField("name", FieldValue(description.name)),
      EventField("software", .text(description.software)),
      EventField("refreshRate", FieldValue(description.refreshRate)),
      EventField("clean", .flag(run.session.isClean)),
    ])
  }
}

private func fields(_ row: BenchComparison.Row, _ bench: BenchComparison) -> [EventField] {
  let isExact = row.method.map { $0 == .exact }
  return [
    EventField("metric", .text(row.name.rawValue)), EventField("key", FieldValue(row.key)),
    EventField("role", FieldValue(row.role?.rawValue)),
    EventField("transition", FieldValue(row.transition)),
    EventField("outcome", FieldValue(row.outcome?.rawValue)),
    EventField("unit", .text(row.unit)), EventField("base", .object(fields(row.base))),
    EventField("new", .object(fields(row.new))),
    EventField("changePercent", FieldValue(row.change.map { $0 * 100 })),
    EventField("changeLowPercent", FieldValue(row.changeInterval.map { $0.low * 100 })),
    EventField("changeHighPercent", FieldValue(row.changeInterval.map { $0.high * 100 })),
    EventField("shift", FieldValue(row.shift?.estimate)),
    EventField("shiftLow", FieldValue(row.shift?.low)),
    EventField("shiftHigh", FieldValue(row.shift?.high)),
    EventField("shiftCoverage", FieldValue(row.shift?.coverage)),
    EventField("test", .text(row.test.rawValue)),
    EventField("exact", FieldValue(isExact)), EventField("statistic", FieldValue(row.statistic)),
    EventField("pairs", FieldValue(row.pairCount)),
    EventField("gained", FieldValue(row.flips?.gained)),
    EventField("lost", FieldValue(row.flips?.lost)), EventField("p", FieldValue(row.p)),
    EventField("adjustedP", FieldValue(row.adjustedP)),
    EventField("significant", .flag(row.isSignificant)),
    EventField("moreRuns", FieldValue(row.moreRuns)),
    EventField("band", FieldValue(row.band?.rawValue)),
  ]
}

private func fields(_ side: BenchComparison.Side) -> [EventField] {
  [
    EventField("n", FieldValue(side.measured.count)), EventField("median", FieldValue(side.median)),
    EventField("low", FieldValue(side.interval?.low)),
    EventField("high", FieldValue(side.interval?.high)),
    EventField("coverage", FieldValue(side.interval?.coverage)),
    EventField("p90", FieldValue(side.percentile90)),
    EventField("p90Low", FieldValue(side.percentile90Interval?.low)),
    EventField("p90High", FieldValue(side.percentile90Interval?.high)),
    EventField("values", .list(side.values.map { FieldValue($0) })),
  ]
}

private func fields(_ mean: BenchComparison.Mean) -> [EventField] {
  [
    EventField("unit", .text(mean.unit)), EventField("rows", FieldValue(mean.rowCount)),
    EventField("base", FieldValue(mean.base)), EventField("new", FieldValue(mean.new)),
    EventField("changePercent", FieldValue(mean.change.map { $0 * 100 })),
    EventField("refused", FieldValue(mean.refusal)),
  ]
}
