import TimelineModel
import TimelineStore

/// The knowledge of a recorder about names, warnings and losses, beside the lanes: everything that is seldom
/// needed and stands under a lock.
struct RecorderRegistry {
  private struct KeyName: Hashable {
    var name: String
    var role: KeyRole
  }

  /// Names of keys and elements that are not yet in the tables, and the losses.
  struct Pending {
    var keys: [KeyRecord] = []
    var items: [ItemRecord] = []
    var losses: [LossRecord] = []

    var isEmpty: Bool { keys.isEmpty && items.isEmpty && losses.isEmpty }
  }

  private(set) var isOpen = true
  private var pendingKeys: [KeyRecord] = []
  private var pendingItems: [ItemRecord] = []
  private var losses = LossTally()
  private var keys: [KeyName: KeyHandle] = [:]
  private var keyNames: [String] = []
  private var items: [ElementIdentity: ItemHandle] = [:]
  private var warnings: Set<String> = []

  /// The number of a key, and its row when it is a new one.
  mutating func key(
    _ name: String, role: KeyRole, unit: String
  ) -> (handle: KeyHandle, new: KeyRecord?) {
    // Whatever door it comes in by, the name is the progress.
    let role = name == progressKeyName ? .progress : role
    let full = KeyName(name: name, role: role)
    if let known = keys[full] { return (known, nil) }
    let handle = KeyHandle(rawValue: Int32(keys.count))
    keys[full] = handle
    keyNames.append(name)
    let record = KeyRecord(handle: handle, name: name, role: role, unit: unit)
    guard isOpen else { return (handle, nil) }
    pendingKeys.append(record)
    return (handle, record)
  }

  /// The number of an element, and its row when it is a new one.
  mutating func item(_ identity: ElementIdentity) -> (handle: ItemHandle, new: ItemRecord?) {
    if let known = items[identity] { return (known, nil) }
    let handle = ItemHandle(rawValue: Int32(items.count))
    items[identity] = handle
    let record = ItemRecord(handle: handle, identity: identity)
    guard isOpen else { return (handle, nil) }
    pendingItems.append(record)
    return (handle, record)
  }

  /// The name behind a key's number.
  func name(of key: KeyHandle) -> String { keyNames[Int(key.rawValue)] }

  /// Whether something is wrong with a sort of thing for the first time.
  mutating func isFirst(_ code: String, of subject: String) -> Bool {
    isOpen && warnings.insert(code + " " + subject).inserted
  }

  /// Counts dropped records.
  mutating func lose(_ what: LossRecord.What, key: KeyHandle?, at time: Instant) {
    if isOpen { losses.add(what, key: key, at: time) }
  }

  /// Hands over everything that the next transaction has to write beside the lanes.
  mutating func takePending() -> Pending {
    defer {
      pendingKeys.removeAll(keepingCapacity: true)
      pendingItems.removeAll(keepingCapacity: true)
    }
    return Pending(keys: pendingKeys, items: pendingItems, losses: losses.take())
  }

  /// Takes back unwritten records.
  mutating func putBack(_ pending: Pending) {
    pendingKeys.insert(contentsOf: pending.keys, at: 0)
    pendingItems.insert(contentsOf: pending.items, at: 0)
    for loss in pending.losses { losses.add(loss) }
  }

  /// Forgets the records that were put back last and are in the tables after all.
  mutating func forget(_ written: Pending) {
    pendingKeys.removeFirst(min(written.keys.count, pendingKeys.count))
    pendingItems.removeFirst(min(written.items.count, pendingItems.count))
    for loss in written.losses { losses.remove(loss) }
  }

  /// Takes nothing more in.
  mutating func close() { isOpen = false }
}

/// Counts lost records: per key for values, per sort for the rest, with the range of time.
struct LossTally {
  private var samples: [Int32: LossRecord] = [:]
  private var others: [LossRecord.What: LossRecord] = [:]

  mutating func add(_ what: LossRecord.What, key: KeyHandle? = nil, at time: Instant) {
    add(LossRecord(what: what, key: key, first: time, last: time, count: 1))
  }

  /// Adds earlier counts.
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

  /// Takes back the added counts. The range of time stays where something else was counted in it.
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

  /// The counts since the last call: values in the order of their keys, then the rest.
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
