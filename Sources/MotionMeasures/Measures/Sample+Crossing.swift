package import TimelineModel

extension Sample {
  /// When the straight line to a later sample has a value, rounded to a nanosecond and between both. The later one's
  /// time if there is no such line.
  package func crossing(_ level: Double, to next: Sample) -> Instant {
    let share = (level - value) / (next.value - value)
    guard share.isFinite else { return next.time }
    let span = Double(next.time.nanoseconds(since: time)) * max(0, min(1, share))
    return time.advanced(byNanoseconds: Int64(exactly: span.rounded()) ?? 0)
  }
}
