public import TimelineModel
import TimelineStatistics
import TimelineStore

extension BenchComparison: ResultRow {
  /// What was asked and how much was tested: what `kymo compare` prints before its lists.
  package static var fields: [ResultField<Self>] {
    [
      ResultField("alpha", "A p below this is significant.", \.options.alpha),
      ResultField("level", "The coverage of intervals.", \.options.level),
      ResultField("adjustment", "How p is adjusted.") { $0.options.isAdjusted ? "holm" : "none" },
      ResultField("tests", "How many tests were made.", \.testCount),
      ResultField("level_of_one_test", "The smallest p has to be below this.", \.levelOfOneTest),
      ResultField("significant", "How many numbers changed.", \.significantCount),
      ResultField("seed", "The start of the bootstrap.", \.options.seed),
      ResultField("resamples", "Drawings of the bootstrap.") { _ in Bootstrap.usualResampleCount },
      ResultField("effect", "The change that more_runs is about.", \.options.effect),
      ResultField("power", "How surely it is found.") { _ in RunsNeeded.usualPower },
      ResultField("paired_by", "How runs are paired.") { $0.pairing?.way },
      ResultField("pairs", "The pairs, by their numbers in the lists.") {
        $0.pairing?.pairs.map { [$0.base, $0.new] }
      },
    ]
  }
}

extension BenchComparison {
  /// The fields of the object that `kymo compare BASE… -- NEW… --json` prints, without the files that were left out.
  ///
  /// `base` and `new` have the runs, `rows` the numbers on both sides with those of each run, and `geomeans` their means.
  /// Each of these names its unit.
  ///
  /// - Complexity: linear in rows times runs, also in memory.
  public var objectFields: [EventField] {
    row + lists.map { EventField($0.name, .list(Array($0.values))) }
  }

  /// The rows that `kymo compare BASE… -- NEW… --format csv` prints: one for each number, with the numbers of both sides
  /// in columns such as `base.median`.
  ///
  /// The numbers of each run are not among them. The column `unit` has the unit of a row.
  ///
  /// - Complexity: linear in the rows, also in memory.
  public var flatRows: [[EventField]] { Array(eachFlatRow) }

  /// The columns of the object. CSV has those of `rows[]` without that word.
  package static var columns: [ResultColumn] {
    func list<Part: ResultRow>(_ name: String, _ help: String, _: Part.Type) -> ResultColumn {
      ResultColumn(name, .list(.object(Part.fields.described())), help)
    }
    return fields.described() + [
      list("base", "The sessions of the first group.", BenchRun.self),
      list("new", "The sessions of the second group.", BenchRun.self),
      list("rows", "The compared numbers. CSV has their columns without rows[].", Row.self),
      list("geomeans", "The geometric means of all numbers of one unit.", Mean.self),
      ResultColumn("warnings", .list(.text), "Sentences that limit the answer."),
    ]
  }

  /// The lists of the object. Their values are made one after the other, because the numbers of all runs take memory.
  package var lists: [(name: String, values: AnySequence<FieldValue>)] {
    func list<Part: ResultRow>(_ parts: some Collection<Part>) -> AnySequence<FieldValue> {
      let fields = Part.fields
      return AnySequence(parts.lazy.map { .object(fields.row(of: $0)) })
    }
    return [
      ("base", list(baseRuns)), ("new", list(newRuns)), ("rows", list(rows)),
      ("geomeans", list(means)), ("warnings", AnySequence(warnings.map(FieldValue.text))),
    ]
  }

  /// ``flatRows``, made one after the other.
  package var eachFlatRow: some Sequence<[EventField]> {
    let fields = Row.fields
    return rows.lazy.map { row in
      fields.row(of: row).flatMap { field -> [EventField] in
        guard case .object(let inner) = field.value else { return [field] }
        // "base" with "median" in it becomes the column "base.median".
        return inner.compactMap { part in
          if case .list = part.value { return nil }
          return EventField("\(field.name).\(part.name)", part.value)
        }
      }
    }
  }
}

extension BenchRun: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("file", "The recording.", \.file),
      ResultField("session", "The session's number.", \.session.number),
      ResultField("uuid", "The session's uuid.", \.session.uuid),
      ResultField("name", "The session's name.", \.session.description.name),
      ResultField("software", "The software that moved.", \.session.description.software),
      ResultField("refresh_rate", "The display's rate.", \.session.description.refreshRate),
      ResultField("clean", "Whether it was closed.", \.session.isClean),
    ]
  }
}

extension BenchComparison.Row: ResultRow {
  /// The row of `kymo compare`: one number on both sides.
  package var row: [EventField] { Self.fields.row(of: self) }

  package static var fields: [ResultField<Self>] {
    [
      ResultField("metric", "The number's name.", \.name),
      ResultField("key", "The key that it is of; null for the session's own.", \.key),
      ResultField("role", "The role of that key.", \.metric.role),
      ResultField("transition", "The number of the release.", \.metric.transition),
      ResultField("outcome", "The outcome of the runs; null for all.", \.outcome),
      ResultField("unit", "The unit of the number.", \.metric.unit),
      ResultField("base", "The base's numbers.", BenchComparison.Side.fields, \.base),
      ResultField("new", "The new side's numbers.", BenchComparison.Side.fields, \.new),
      ResultField("change_percent", "The change, of the base.", \.change.percent),
      ResultField("change_low_percent", "Its lower end.") { ($0.changeInterval?.low).percent },
      ResultField("change_high_percent", "Its upper end.") { ($0.changeInterval?.high).percent },
      ResultField("shift", "The change, in the unit.", \.shift?.estimate),
      ResultField("shift_low", "Its lower end.", \.shift?.low),
      ResultField("shift_high", "Its upper end.", \.shift?.high),
      ResultField("shift_coverage", "The coverage of both.", \.shift?.coverage),
      ResultField("test", "The test.", \.test),
      ResultField("exact", "Whether its p is.") { row in row.method.map { $0 == .exact } },
      ResultField("statistic", "The test's statistic.", \.statistic),
      ResultField("pairs", "How many pairs have it.", \.pairCount),
      ResultField("gained", "Pairs from cancel to finish.", \.flips?.gained),
      ResultField("lost", "Pairs from finish to cancel.", \.flips?.lost),
      ResultField("p", "p of this test alone.", \.p),
      ResultField("adjusted_p", "p for all tests together.", \.adjustedP),
      ResultField("significant", "Whether that is below alpha.", \.isSignificant),
      ResultField("more_runs", "How many more runs it takes.", \.moreRuns),
      ResultField("band", "How smooth the new side is.", \.band),
    ]
  }
}

extension BenchComparison.Side: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("n", "Runs that have the number.", \.measured.count),
      ResultField("median", "The middle one.", \.median),
      ResultField("low", "The lower end of its interval.", \.interval?.low),
      ResultField("high", "The upper end.", \.interval?.high),
      ResultField("coverage", "The coverage of both.", \.interval?.coverage),
      ResultField("p90", "What nine of ten do not exceed.", \.percentile90),
      ResultField("p90_low", "The lower end of its interval.", \.percentile90Interval?.low),
      ResultField("p90_high", "The upper end.", \.percentile90Interval?.high),
      ResultField("values", "The number of each run.", \.values),
    ]
  }
}

extension BenchComparison.Mean: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("unit", "The unit of the numbers.", \.unit),
      ResultField("rows", "How many are in it.", \.rowCount),
      ResultField("base", "The base's mean.", \.base),
      ResultField("new", "The new side's mean.", \.new),
      ResultField("change_percent", "The change, of the base.", \.change.percent),
      ResultField("refused", "Why there is none.", \.refusal),
    ]
  }
}
