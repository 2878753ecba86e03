import TimelineModel
import TimelineStore

/// Counts what could not be kept: per key for values, per sort for the rest, with the range of time.
struct LossTally {
  private var samples: [Int32: LossRecord] = [:]
  private var others: [LossRecord.What: LossRecord] = [:]

  mutating func add(_ what: LossRecord.What, key: KeyHandle? = nil, at time: Instant) {
    add(LossRecord(what: what, key: key, first: time, last: time, count: 1))
  }

  /// Adds what was counted before.
  mutating func add(_ loss: LossRecord) {
    if let key = loss.key {
      LossTally.add(loss, to: &samples[key.rawValue])
    } else {
      LossTally.add(loss, to: &others[loss.what])
    }
  }

  private static func add(_ loss: LossRecord, to record: inout LossRecord?) {
    guard var known = record else {
      record = loss
      return
    }
    known.first = min(known.first, loss.first)
    known.last = max(known.last, loss.last)
    known.count += loss.count
    record = known
  }

  /// Takes back what was added; the range of time stays where something else was counted in it.
  mutating func remove(_ loss: LossRecord) {
    if let key = loss.key {
      LossTally.remove(loss, from: &samples[key.rawValue])
    } else {
      LossTally.remove(loss, from: &others[loss.what])
    }
  }

  private static func remove(_ loss: LossRecord, from record: inout LossRecord?) {
    guard var known = record, known.count > loss.count else {
      record = nil
      return
    }
    known.count -= loss.count
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
