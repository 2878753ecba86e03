package import TimelineModel

/// A number that sessions are compared by or that a rule may be about. Its raw value is its name in tolerance files,
/// flags and rows.
///
/// Its unit, its meaning, and whether a rule may judge it are in the list of fields of the result that has it.
public enum Measure: String, CaseIterable, Sendable {
  /// From the session's first sample or frame to its last.
  case duration = "duration_ms"
  /// Frames of the display, or instants at which a key was set if there are none.
  case frames
  /// The longest interval that 50 % of the frames do not exceed.
  case intervalP50 = "interval_p50_ms"
  /// The same for 95 %.
  case intervalP95 = "interval_p95_ms"
  /// The same for 99 %.
  case intervalP99 = "interval_p99_ms"
  /// Milliseconds of lateness in each second of motion.
  case hitchRatio = "hitch_ms_per_s"
  /// Intervals above twice the expected one.
  case jank = "jank_percent"
  /// Of a session, 1 for a release that finished and 0 for a cancelled one. Of two, the releases that flipped.
  case decision
  /// How far the progress was from the other outcome.
  case margin
  /// The steepest slope, units per second.
  case peakVelocity = "peak_velocity_per_s"
  /// From the stretch's start to the steepest slope.
  case peakTime = "peak_time_ms"
  /// The velocity at the release by the session's own estimator, units per second.
  case releaseVelocity = "release_velocity_per_s"
  /// From a tenth to nine tenths of the way.
  case rise = "rise_ms"
  /// From the release until the value stays within 2 % of the way left then. See `Settle`.
  case settle2 = "settle_2_ms"
  /// The same for 5 %.
  case settle5 = "settle_5_ms"
  /// How far beyond the last value. See `Settle`.
  case overshoot = "overshoot_percent"
  /// How far behind the first value.
  case undershoot = "undershoot_percent"
  /// How often the value turned round.
  case turns
  /// The last value, in the key's unit.
  case finalValue = "final_value"
  /// How much later or earlier B is.
  case lag = "lag_ms"
  /// The distance that is left after the lag, of the key's range in A.
  case residual = "residual_percent"
  /// The largest stretch of time that brings the two together.
  case warp = "warp_ms"
  /// Settings, keys, elements and events that differ.
  case structure
  /// The largest distance of an element's center, in points.
  case layoutDistance = "layout_distance_pt"
  /// One minus the smallest intersection over union of an element's frames.
  case layoutMiss = "layout_miss"
  /// With how many others an element's drawing order was the other way round.
  case orderSwaps = "order_swaps"
  /// By how much later or earlier an element appeared or vanished.
  case appearance = "appearance_ms"

  /// The name as people read it, without its unit: "settle 2%", "peak velocity".
  package var words: String {
    let units = ["_ms_per_s", "_per_s", "_ms", "_percent", "_pt"]
    let ending = units.first(where: rawValue.hasSuffix) ?? ""
    return rawValue.dropLast(ending.count).split(separator: "_")
      .map { Int($0) == nil ? "\($0)" : "\($0)%" }.joined(separator: " ")
  }
}

extension ResultField {
  /// A measure with its unit. Empty for a key's own unit, "/s" for that unit a second.
  package init<Value: FieldConvertible>(
    _ measure: Measure, _ unit: String, _ help: String, inTable: Bool = true,
    isJudged: Bool = true, _ read: @escaping @Sendable (Record) -> Value
  ) {
    self.init(measure.rawValue, unit: unit, help, inTable: inTable, read)
    (self.measure, self.isJudged) = (measure.rawValue, isJudged)
  }

  /// The same measure, read off another result.
  package func measured<Other>(
    _ read: @escaping @Sendable (Other) -> Double?
  ) -> ResultField<Other> {
    var field = ResultField<Other>(name, unit: unit, help, inTable: isInTable, read)
    (field.measure, field.isJudged) = (measure, isJudged)
    return field
  }
}

extension Array {
  /// The measures of the list, each with its unit.
  package func measures<Record>() -> [(measure: Measure, unit: String)]
  where Element == ResultField<Record> {
    compactMap { field in
      field.measure.flatMap(Measure.init(rawValue:)).map { ($0, field.unit) }
    }
  }

  /// The field of a measure. `nil` if the list has none.
  package func field<Record>(of measure: Measure) -> Element? where Element == ResultField<Record> {
    first { $0.measure == measure.rawValue }
  }

  /// The fields that a rule may judge.
  package func judged<Record>() -> [Element] where Element == ResultField<Record> {
    filter(\.isJudged)
  }

  /// These measures first, then the others of the list.
  package func leading<Record>(with measures: [Measure]) -> [Element]
  where Element == ResultField<Record> {
    measures.compactMap { field(of: $0) }
      + filter { field in !measures.contains { $0.rawValue == field.measure } }
  }
}
