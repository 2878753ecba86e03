import MotionJudgement
package import TimelineModel
import TimelineStatistics
import TimelineStore

extension GroupComparison: ResultRow {
  /// What was asked and how much was tested: what `kymo compare` prints before its lists.
  package static var fields: [ResultField<Self>] {
    [
      ResultField("alpha", "A p below this is significant.", \.options.alpha),
      ResultField("level", "The coverage of intervals.", \.options.level),
      ResultField("adjustment", "How p is adjusted.") { $0.options.isAdjusted ? "holm" : "none" },
      ResultField("tests", "The number of tests.", \.testCount),
      ResultField("level_of_one_test", "The limit of the smallest p.", \.levelOfOneTest),
      ResultField("significant", "The number of significant changes.", \.significantCount),
      ResultField("seed", "The seed of the bootstrap.", \.options.seed),
      ResultField("resamples", "Drawings of the bootstrap.") { _ in Bootstrap.usualResampleCount },
      ResultField("effect", "The change that more_runs can show.", \.options.effect),
      ResultField("power", "The power to find that change.") { _ in RunsNeeded.usualPower },
      ResultField("paired_by", "The method that pairs the sessions.") { $0.pairing?.way },
      ResultField("pairs", "The pairs, by their numbers in the lists.") {
        $0.pairing?.pairs.map { [$0.base, $0.new] }
      },
    ]
  }
}

extension GroupComparison {
  /// The columns of the object. CSV has those of `rows[]` without that word.
  package static var columns: [ResultColumn] {
    func list<Part: ResultRow>(_ name: String, _ help: String, _: Part.Type) -> ResultColumn {
      ResultColumn(name, .list(.object(Part.fields.described())), help)
    }
    return fields.described() + [
      list("base", "The sessions of the first group.", GroupRun.self),
      list("new", "The sessions of the second group.", GroupRun.self),
      list("rows", "The compared numbers. CSV has their columns without rows[].", Row.self),
      list("geomeans", "The geometric means of all numbers of one unit.", Mean.self),
      ResultColumn("warnings", .list(.text), "Sentences that limit the answer."),
    ]
  }

  /// The lists of the object. Their values are made one after the other, because the numbers of all sessions take memory.
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

  /// The rows that `kymo compare BASE… -- NEW… --format csv` prints, made one after the other: one for each number, with the
  /// numbers of both sides in columns such as `base.median`.
  ///
  /// The numbers of each session are not among them. The column `unit` has the unit of a row.
  package var flatRows: some Sequence<[EventField]> {
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

extension GroupRun: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("file", "The recording.", \.file),
      ResultField("session", "The session's number.", \.session.number),
      ResultField("uuid", "The session's uuid.", \.session.uuid),
      ResultField("name", "The session's name.", \.session.description.name),
      ResultField("software", "The program that recorded.", \.session.description.software),
      ResultField("refresh_rate", "Display frames per second.", \.session.description.refreshRate),
      ResultField("clean", "Whether the recorder closed it.", \.session.isClean),
    ]
  }
}

extension GroupComparison.Row: ResultRow {
  /// The row of `kymo compare`: one number on both sides.
  package var row: [EventField] { Self.fields.row(of: self) }

  package static var fields: [ResultField<Self>] {
    [
      ResultField("metric", "The name of the number, such as settle_2_ms.", \.name),
      ResultField("key", "The number's key; null for the whole session.", \.key),
      ResultField("role", "The key's role: progress, animated or custom.", \.metric.role),
      ResultField("transition", "The release's number, counted from 0.", \.metric.transition),
      ResultField("outcome", "The outcome of the sessions; null for all.", \.outcome),
      ResultField("unit", "The unit of the number.", \.metric.unit),
      ResultField("base", "The numbers of the base.", GroupComparison.Side.fields, \.base),
      ResultField("new", "The numbers of the new sessions.", GroupComparison.Side.fields, \.new),
      ResultField("change_percent", "The change relative to the base.", \.change.percent),
      ResultField("change_low_percent", "Lower end of the change.") {
        ($0.changeInterval?.low).percent
      },
      ResultField("change_high_percent", "Upper end of the change.") {
        ($0.changeInterval?.high).percent
      },
      ResultField("shift", "The change, in the row's unit.", \.shift?.estimate),
      ResultField("shift_low", "The shift's lower end.", \.shift?.low),
      ResultField("shift_high", "The shift's upper end.", \.shift?.high),
      ResultField("shift_coverage", "The coverage of the shift's interval.", \.shift?.coverage),
      ResultField("test", "The name of the statistical test.", \.test),
      ResultField("exact", "Whether p is exact.") { row in row.method.map { $0 == .exact } },
      ResultField("statistic", "The test's statistic.", \.statistic),
      ResultField("pairs", "The number of pairs that have the number.", \.pairCount),
      ResultField("gained", "Pairs from cancel to finish.", \.flips?.gained),
      ResultField("lost", "Pairs from finish to cancel.", \.flips?.lost),
      ResultField("p", "p of this test alone.", \.p),
      ResultField("adjusted_p", "p for all tests together.", \.adjustedP),
      ResultField("significant", "Whether adjusted_p is below alpha.", \.isSignificant),
      ResultField("more_runs", "Further sessions per side that would show a change.", \.moreRuns),
      ResultField("band", "The grade of the new hitches: good, warning or critical.", \.band),
    ]
  }
}

extension GroupComparison.Side: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("n", "The number of sessions that have the number.", \.measured.count),
      ResultField("median", "The median of the sessions.", \.median),
      ResultField("low", "Lower end of the median's interval.", \.interval?.low),
      ResultField("high", "Upper end of the median's interval.", \.interval?.high),
      ResultField("coverage", "The coverage of the median's interval.", \.interval?.coverage),
      ResultField("p90", "The number that 90 % of the sessions do not exceed.", \.percentile90),
      ResultField("p90_low", "Lower end of p90's interval.", \.percentile90Interval?.low),
      ResultField("p90_high", "Upper end of p90's interval.", \.percentile90Interval?.high),
      ResultField("values", "The number of each session.", \.values),
    ]
  }
}

extension GroupComparison.Mean: ResultRow {
  package static var fields: [ResultField<Self>] {
    [
      ResultField("unit", "The unit of the numbers.", \.unit),
      ResultField("rows", "The number of rows in the mean.", \.rowCount),
      ResultField("base", "The mean of the base.", \.base),
      ResultField("new", "The mean of the new sessions.", \.new),
      ResultField("change_percent", "The change relative to the base.", \.change.percent),
      ResultField("refused", "The reason why there is no mean.", \.refusal),
    ]
  }
}
