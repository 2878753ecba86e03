import TimelineModel

/// Reads lines of an unknown log by the names of their values: `move x=12.5, y: 40 t=1012`, `position: (12.5, 40)`.
///
/// It is the last resort: time, x and y must have names in nearly all lines that have a position, or the log its times.
func readNamedValues(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) {
  var lines: [NamedLine] = []
  var kinds: [String: Int] = [:]
  for line in source.lines {
    guard let named = NamedLine(line), named.isOfTouch,
      named.row.x != nil || named.row.phase != nil && named.hasOwnTime
    else { continue }
    lines.append(named)
    if named.row.x != nil { kinds[named.kind, default: 0] += 1 }
  }
  let placed = lines.filter { $0.row.x != nil }
  guard placed.count >= 3 else { throw refusal(ofLinesIn: source) }
  // A tenth of other lines are stray ones.
  let most = kinds.values.max() ?? 0
  guard most * 10 >= placed.count * 9 else {
    let (first, other) = twoKinds(placed)
    throw source.error(
      .unsupported, line: other,
      "Lines of several kinds have positions, as in lines \(first) and \(other). Keep the lines of one kind, or say"
        + " the shape with --pattern.")
  }
  let kind = kinds.first { $0.value == most }?.key ?? ""
  lines.removeAll { $0.row.x != nil && $0.kind != kind }
  let hasOwnTimes = placed.count(where: \.hasOwnTime) * 10 >= placed.count * 9
  let stamped = lines.filter { ($0.stamp?.digits ?? 0) > 0 }
  guard hasOwnTimes || stamped.count * 10 >= lines.count * 9 else {
    throw source.error(
      .unsupported, line: placed[0].row.line,
      "The lines have positions and no times that have a name. Write them as t_ms=12.5, or say the shape with --pattern"
        + " '\(patternGuess(of: placed[0].text))'.")
  }
  var rows = TouchRows()
  rows.noun = "line"
  var digits = 0
  if hasOwnTimes {
    for line in lines where line.hasOwnTime { rows.append(line.row) }
  } else {
    let clock = LogClock(stamped.compactMap(\.stamp))
    if let warning = clock.warning { log.warn(warning) }
    for (line, time) in zip(stamped, clock.times) {
      var row = line.row
      row.time = .nanoseconds(time)
      digits = max(digits, line.stamp?.digits ?? 0)
      rows.append(row)
    }
  }
  try rows.refuseBackwardTimes(source)
  if !hasOwnTimes, digits < 3 {
    throw source.error(
      .unsupported, line: placed[0].row.line,
      "The times of the log have \(digits) digits after the second, too few for a speed. Write milliseconds."
    )
  }
  try rows.write(to: &log, unit: reading.timeUnit, source)
}

/// The first lines of two kinds.
private func twoKinds(_ lines: [NamedLine]) -> (Int, Int) {
  let first = lines[0]
  let other = lines.first { $0.kind != first.kind } ?? first
  return (first.row.line, other.row.line)
}
