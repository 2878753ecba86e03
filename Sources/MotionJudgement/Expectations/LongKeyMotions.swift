import MotionMeasures
import TimelineModel
import TimelineSession
import TimelineStore

/// The times at which the keys of a long session moved, and their last motion: from the summary of each second, and from
/// the few values that are read.
struct LongKeyMotions {
  /// A stretch in which a key has another value than before, according to the seconds.
  private struct Movement {
    var first: ClosedRange<Instant>
    var last: ClosedRange<Instant>
  }

  private let source: FileSource
  private let stretch: MotionStretch
  /// What is known of each key.
  private struct Known {
    let record: KeyRecord
    var movement: Movement?
    var latest: Sample?
    var levels: StepLevels
  }

  private let positions: IndexByNumber
  private var known: [Known]

  /// Reads the seconds.
  ///
  /// - Returns: nil if a part of the session's samples is not sealed, since the seconds do not have it.
  /// - Complexity: linear in the seconds.
  init?(_ source: FileSource, _ keys: [KeyRecord]) throws {
    guard try source.canReadByKey(from: 0) else { return nil }
    self.source = source
    stretch = try SessionData(source, reading: SessionParts()).stretches.last ?? .everything
    positions = IndexByNumber(keys.enumerated().map { ($1.handle.rawValue, $0) })
    known = keys.map { Known(record: $0, levels: StepLevels(of: $0)) }
    try source.forEachSecond { add($0.summary) }
  }

  private mutating func add(_ second: KeySummary) {
    let position = positions[second.key.rawValue]
    guard position >= 0 else { return }
    let before = known[position].latest
    known[position].latest = second.last
    if known[position].levels.mayBeStep {
      for value in [second.first.value, second.smallest, second.largest, second.last.value] {
        known[position].levels.add(value)
      }
    }
    guard
      second.smallest < second.largest || before.map({ $0.value != second.first.value }) ?? false
    else { return }
    let start = before?.time ?? second.first.time
    let times = min(start, second.last.time)...second.last.time
    if known[position].movement == nil {
      known[position].movement = Movement(first: times, last: times)
    } else {
      known[position].movement?.last = times
    }
  }

  /// From a key's last value before its first change to its last change; nil if it never changes.
  func times(of key: KeyHandle) throws -> ClosedRange<Instant>? {
    guard let movement = known(key)?.movement else { return nil }
    let (begin, end) = (
      try source.curve(of: key, in: movement.first), try source.curve(of: key, in: movement.last)
    )
    guard let first = begin.changes.first, let last = end.changes.last else { return nil }
    return begin.times[first - 1]...max(begin.times[first - 1], end.times[last])
  }

  /// The figures of a key's last transition; nil if that has no value, or more values than are read here.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - summary: What it does in all.
  ///   - most: The most values that are read.
  func metrics(of key: KeyHandle, _ summary: KeySummary, atMost most: Int64) throws
    -> MotionMetrics?
  {
    let (start, end) = (
      max(stretch.start, summary.first.time), min(stretch.end, summary.last.time)
    )
    guard start <= end else { return nil }
    let share =
      end.seconds(since: start) / max(1e-9, summary.last.time.seconds(since: summary.first.time))
    guard Double(summary.sampleCount) * share <= Double(most) else { return nil }
    return MotionMetrics(
      try source.curve(of: key, in: start...end), in: stretch, unit: known(key)?.record.unit ?? "",
      isStep: try isStep(key))
  }

  /// Whether the values of a key hold: a second's few numbers may leave out those that say no.
  private func isStep(_ key: KeyHandle) throws -> Bool {
    guard let known = known(key), known.levels.isStep else { return false }
    return try source.isStep(known.record)
  }

  private func known(_ key: KeyHandle) -> Known? {
    let position = positions[key.rawValue]
    return position >= 0 ? known[position] : nil
  }
}

extension Curve {
  /// The places of the samples that differ from the one before.
  fileprivate var changes: [Int] {
    values.indices.dropFirst().filter { values[$0] != values[$0 - 1] }
  }
}
