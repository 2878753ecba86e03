import Synchronization
import TimelineModel
import TimelineStore

extension RecorderCore {
  func keyHandle(for name: String, role: KeyRole, unit: String) -> KeyHandle {
    guard !isForkedChild.load(ordering: .relaxed) else { return KeyHandle(rawValue: 0) }
    guard !LeftOutName.isAny(of: name, unit) else {
      warnOfLongName(of: "A key", "values")
      return LeftOutName.key
    }
    return shared.withLock { _ in
      let (handle, new) = registry.withLock { $0.key(name, role: role, unit: unit) }
      if let new { appendName(.key(new)) }
      // Only now is the number good: whoever sees it, the name is in the journal before.
      let count = UInt32(handle.rawValue) + 1
      if count > keyCount.load(ordering: .relaxed) {
        keyCount.store(count, ordering: .releasing)
      }
      return handle
    }
  }

  func itemHandle(for identity: ElementIdentity) -> ItemHandle {
    guard !isForkedChild.load(ordering: .relaxed) else { return ItemHandle(rawValue: 0) }
    guard !LeftOutName.isAny(of: identity.id, identity.elementKind) else {
      warnOfLongName(of: "An element", "poses")
      return LeftOutName.item
    }
    return shared.withLock { _ in
      let (handle, new) = registry.withLock { $0.item(identity) }
      if let new { appendName(.item(new)) }
      let count = UInt32(handle.rawValue) + 1
      if count > itemCount.load(ordering: .relaxed) {
        itemCount.store(count, ordering: .releasing)
      }
      return handle
    }
  }

  /// Stores a name into the shared lane. It waits for the next transaction beside the lanes as well, so
  /// where there is no room only a kill before that transaction loses it.
  private func appendName(_ record: JournalRecord) {
    let words = record.unchecked
    if policy == .wait, sharedLane.pointee.free(reserved: true) < UInt64(words.count) {
      drain()
    }
    guard sharedLane.pointee.free(reserved: true) >= UInt64(words.count) else {
      return callWriter()
    }
    sharedLane.pointee.store(words, record.kind)
    sharedLane.pointee.publish(UInt64(words.count))
    sharedLane.pointee.setLimit()
  }

  /// The number of a key by a name of the program's own text, from the calling thread's cache.
  @inline(__always)
  func key(literal name: StaticString, role: KeyRole, unit: StaticString) -> KeyHandle {
    if name.hasPointerRepresentation, let lane = threadLanes.likelyLane(of: CallingThread.number),
      let key = lane.pointee.names.key(
        at: UInt(bitPattern: name.utf8Start), count: name.utf8CodeUnitCount, role: role)
    {
      return key
    }
    return slowKey(literal: name, role: role, unit: unit)
  }

  @inline(never)
  private func slowKey(literal name: StaticString, role: KeyRole, unit: StaticString) -> KeyHandle {
    let key = keyHandle(for: "\(name)", role: role, unit: "\(unit)")
    if !isOff.load(ordering: .relaxed), name.hasPointerRepresentation, policy == .live,
      let lane = laneOfCaller()
    {
      lane.pointee.names.keep(
        key, at: UInt(bitPattern: name.utf8Start), count: name.utf8CodeUnitCount, role: role)
    }
    return key
  }

  /// The number of a key by any name, from the calling thread's cache.
  @inline(__always)
  func key(named name: borrowing String, role: KeyRole, unit: borrowing String) -> KeyHandle {
    if let lane = threadLanes.likelyLane(of: CallingThread.number) {
      let known = name.utf8.withContiguousStorageIfAvailable { bytes in
        lane.pointee.names.key(bytes, role: role)
      }
      if let known, let known { return known }
    }
    return slowKey(named: copy name, role: role, unit: copy unit)
  }

  @inline(never)
  private func slowKey(named name: String, role: KeyRole, unit: String) -> KeyHandle {
    let key = keyHandle(for: name, role: role, unit: unit)
    if key != LeftOutName.key, !isOff.load(ordering: .relaxed), policy == .live,
      let lane = laneOfCaller()
    {
      var name = name
      name.withUTF8 { bytes in
        // The lane may have been found at the second look only, and know the name.
        if lane.pointee.names.key(bytes, role: role) == nil {
          lane.pointee.names.keep(key, bytes, role: role)
        }
      }
    }
    return key
  }
}

extension HotLane {
  /// Stores a record's words at the next place, the first of them filled in.
  func store(_ words: [UInt64], _ kind: JournalFormat.Kind) {
    let destination = next
    words.withUnsafeBufferPointer { words in
      if let start = words.baseAddress { destination.update(from: start, count: words.count) }
    }
    destination[0] = JournalFormat.firstWord(
      JournalFormat.lead(kind, UInt32(words.count)), of: destination, count: words.count, at: head,
      salt: salt)
  }
}
