import TimelineModel
import TimelineStore

/// Counts what could not be kept: per key for values, per sort for the rest, with the range of time.
struct LossTally {
  private var samples: [Int32: LossRecord] = [:]
  private var others: [LossRecord.What: LossRecord] = [:]

  mutating func add(_ what: LossRecord.What, key: KeyHandle? = nil, at time: Instant) {
    if let key {
      LossTally.count(what, key, time, in: &samples[key.rawValue])
    } else {
      LossTally.count(what, nil, time, in: &others[what])
    }
  }

  private static func count(
    _ what: LossRecord.What, _ key: KeyHandle?, _ time: Instant, in record: inout LossRecord?
  ) {
    guard var known = record else {
      record = LossRecord(what: what, key: key, first: time, last: time, count: 1)
      return
    }
    known.first = min(known.first, time)
    known.last = max(known.last, time)
    known.count += 1
    record = known
  }

  /// What was counted since the last call: values in the order of their keys, then the rest.
  mutating func take() -> [LossRecord] {
    guard !samples.isEmpty || !others.isEmpty else { return [] }
    let losses =
      samples.sorted { $0.key < $1.key }.map(\.value)
      + LossRecord.What.allCases.compactMap { others[$0] }
    samples.removeAll()
    others.removeAll()
    return losses
  }
}
