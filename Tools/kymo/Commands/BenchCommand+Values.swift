import TimelineStatistics
import TimelineModel
import TimelineQuery
import TimelineRendering
import TimelineStore

/// A bench with every number in it, as one JSON object.
func benchJSON(_ bench: BenchComparison) -> String {
  let lists: [(String, [FieldValue])] = [
    ("base", runs(bench.baseRuns)), ("new", runs(bench.newRuns)),
    ("rows", bench.rows.map { .object(fields($0, bench)) }),
    ("geomeans", bench.means.map { .object(fields($0)) }),
    ("warnings", bench.warnings.map(FieldValue.text)),
  ]
  let pairs = bench.pairing?.pairs.map {
    FieldValue.list([FieldValue($0.base), FieldValue($0.new)])
  }
  // A seed that is no whole number of 64 bits with a sign is kept as text, so that no reader rounds it.
  let seed = String(bench.options.seed)
  let facts = [
    Field("alpha", .number(bench.options.alpha)), Field("level", .number(bench.options.level)),
    Field("adjustment", .text(bench.options.isAdjusted ? "holm" : "none")),
    Field("tests", FieldValue(bench.testCount)),
    Field("levelOfOneTest", .number(bench.levelOfOneTest)),
    Field("significant", FieldValue(bench.significantCount)),
    Field("seed", Int64(exactly: bench.options.seed).map(FieldValue.integer) ?? .text(seed)),
    Field("resamples", FieldValue(Bootstrap.usualResampleCount)),
    Field("effect", .number(bench.options.effect)), Field("power", .number(RunsNeeded.usualPower)),
    Field("pairedBy", FieldValue(bench.pairing?.way.rawValue)),
    Field("pairs", pairs.map(FieldValue.list) ?? .null),
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
    fields(row, bench).flatMap { field -> [Field] in
      guard case .object(let inner) = field.value else { return [field] }
      // "base" with "median" in it becomes the column "base.median".
      return inner.compactMap { part in
        if case .list = part.value { return nil }
        return Field("\(field.name).\(part.name)", part.value)
      }
    }
  }
  return renderedRows(rows, as: .csv)
}

private func runs(_ runs: [BenchRun]) -> [FieldValue] {
  runs.map { run in
    let description = run.session.description
    return .object([
      Field("file", .text(run.file)), Field("session", .integer(run.session.number)),
      Field("uuid", .text(run.session.uuid)), Field("name", FieldValue(description.name)),
      Field("software", .text(description.software)),
      Field("refreshRate", FieldValue(description.refreshRate)),
      Field("clean", .flag(run.session.isClean)),
    ])
  }
}

private func fields(_ row: BenchComparison.Row, _ bench: BenchComparison) -> [Field] {
  let isExact = row.method.map { $0 == .exact }
  return [
    Field("metric", .text(row.name.rawValue)), Field("key", FieldValue(row.key)),
    Field("role", FieldValue(row.role?.rawValue)), Field("transition", FieldValue(row.transition)),
    Field("unit", .text(row.unit)), Field("base", .object(fields(row.base))),
    Field("new", .object(fields(row.new))),
    Field("changePercent", FieldValue(row.change.map { $0 * 100 })),
    Field("changeLowPercent", FieldValue(row.changeInterval.map { $0.low * 100 })),
    Field("changeHighPercent", FieldValue(row.changeInterval.map { $0.high * 100 })),
    Field("shift", FieldValue(row.shift?.estimate)), Field("shiftLow", FieldValue(row.shift?.low)),
    Field("shiftHigh", FieldValue(row.shift?.high)),
    Field("shiftCoverage", FieldValue(row.shift?.coverage)),
    Field("test", .text(row.test.rawValue)),
    Field("exact", FieldValue(isExact)), Field("statistic", FieldValue(row.statistic)),
    Field("pairs", FieldValue(row.pairCount)), Field("gained", FieldValue(row.flips?.gained)),
    Field("lost", FieldValue(row.flips?.lost)), Field("p", FieldValue(row.p)),
    Field("adjustedP", FieldValue(row.adjustedP)), Field("significant", .flag(row.isSignificant)),
    Field("moreRuns", FieldValue(row.moreRuns)), Field("band", FieldValue(row.band?.rawValue)),
  ]
}

private func fields(_ side: BenchComparison.Side) -> [Field] {
  [
    Field("n", FieldValue(side.told.count)), Field("median", FieldValue(side.median)),
    Field("low", FieldValue(side.interval?.low)), Field("high", FieldValue(side.interval?.high)),
    Field("coverage", FieldValue(side.interval?.coverage)),
    Field("p90", FieldValue(side.percentile90)),
    Field("p90Low", FieldValue(side.percentile90Interval?.low)),
    Field("p90High", FieldValue(side.percentile90Interval?.high)),
    Field("values", .list(side.values.map { FieldValue($0) })),
  ]
}

private func fields(_ mean: BenchComparison.Mean) -> [Field] {
  [
    Field("unit", .text(mean.unit)), Field("rows", FieldValue(mean.rowCount)),
    Field("base", FieldValue(mean.base)), Field("new", FieldValue(mean.new)),
    Field("changePercent", FieldValue(mean.change.map { $0 * 100 })),
    Field("refused", FieldValue(mean.refusal)),
  ]
}
