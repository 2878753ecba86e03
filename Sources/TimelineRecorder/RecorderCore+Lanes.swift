import Synchronization
import TimelineModel
import TimelineStore

/// The kinds of records by what is dropped without room, and by the part that they may use of a lane.
struct Claim {
  /// How many words there must be room for.
  var words: Int
  /// The loss otherwise.
  var what: LossRecord.What
  /// The key of a value.
  var key: KeyHandle?
  /// The session's time of it.
  var time: Instant
  /// Whether it may use what values leave free.
  var isReserved = false
}

extension RecorderCore {
  /// Stores a record into the calling thread's lane, or counts it as lost.
  ///
  /// - Parameter store: Stores at the lane's next place and says how many words it took.
  /// - Returns: whether it was stored.
  @discardableResult
  func append(_ claim: Claim, _ store: (UnsafeMutablePointer<HotLane>) -> Int) -> Bool {
    switch policy {
    case .live:
      if let lane = laneOfCaller() { return append(claim, to: lane, store) }
      return shared.withLock { _ in append(claim, to: sharedLane, store) }
    case .wait:
      return shared.withLock { batch in append(claim, in: &batch, store) }
    }
  }

  private func append(
    _ claim: Claim, to lane: UnsafeMutablePointer<HotLane>,
    _ store: (UnsafeMutablePointer<HotLane>) -> Int
  ) -> Bool {
    defer {
      lane.pointee.setLimit()
      if lane.pointee.isHalfFull { callWriter() }
    }
    guard lane.pointee.free(reserved: claim.isReserved) >= UInt64(claim.words) else {
      lose(claim)
      return false
    }
    lane.pointee.publish(UInt64(truncatingIfNeeded: store(lane)))
    return true
  }

  /// Counts the records without room.
  func lose(_ claim: Claim) {
    registry.withLock { registry in
      guard registry.isOpen else { return }
      registry.lose(claim.what, key: claim.key, at: claim.time)
      lossCounter.count(claim.what, key: claim.key, at: claim.time)
    }
  }

  /// The calling thread's own lane, made when it is the thread's first call. `nil` for a thread that takes
  /// turns at the shared one.
  func laneOfCaller() -> UnsafeMutablePointer<HotLane>? {
    let thread = CallingThread.number
    if let lane = threadLanes.lane(of: thread) { return lane }
    if areLanesUsedUp.load(ordering: .relaxed) { return nil }
    return lanes.withLock { set in
      guard let lane = withoutFileSizeSignal({ set.journal.addLane() }) else {
        // While the file is let go there is none to be had. Later there may be.
        if set.journal.lockDescriptor >= 0 { areLanesUsedUp.store(true, ordering: .relaxed) }
        return nil
      }
      lane.populate()
      let hot = RecorderCore.makeHotLane(lane, salt: salt, settings)
      set.hot.append(hot)
      threadLanes.set(hot, of: thread)
      return hot
    }
  }

  /// Wakes the writer, once until it has come.
  func callWriter() {
    guard policy == .live, !isWriterCalled.exchange(true, ordering: .relaxed) else { return }
    thread.withLock { $0?.call() }
  }
}

// MARK: - Waiting for the disk

extension RecorderCore {
  /// Under ``RecordingPolicy/wait``: writes the waiting records first.
  private func append(
    _ claim: Claim, in batch: inout Batch, _ store: (UnsafeMutablePointer<HotLane>) -> Int
  ) -> Bool {
    let words = UInt64(claim.words)
    let mayWait = !batch.hasFailed || batch.isCutDue
    if sharedLane.pointee.free(reserved: true) < words, mayWait { cut(&batch) }
    if words > sharedLane.pointee.capacity, !batch.hasFailed {
      return writeDirectly(claim, in: &batch, store)
    }
    guard sharedLane.pointee.free(reserved: true) >= words else {
      lose(claim)
      note(claim.time, in: &batch)
      return false
    }
    sharedLane.pointee.publish(UInt64(truncatingIfNeeded: store(sharedLane)))
    note(claim.time, in: &batch)
    if batch.isCutDue || (sharedLane.pointee.isHalfFull && !batch.hasFailed) { cut(&batch) }
    return true
  }

  /// Writes the lane's content on the caller's thread.
  private func cut(_ batch: inout Batch) {
    batch.start = nil
    batch.isCutDue = false
    batch.hasFailed = drain() != nil
  }

  /// Remembers how much of the session's time the transaction to come spans.
  private func note(_ time: Instant, in batch: inout Batch) {
    guard let start = batch.start else {
      batch.start = time.nanoseconds
      return
    }
    let distance = time.nanoseconds(since: Instant(nanoseconds: start))
    if distance.magnitude >= settings.commitAge.magnitude {
      batch.isCutDue = true
    }
  }

  /// Writes a record that is longer than a ring past it, in a transaction of its own.
  private func writeDirectly(
    _ claim: Claim, in batch: inout Batch, _ store: (UnsafeMutablePointer<HotLane>) -> Int
  ) -> Bool {
    let room = UnsafeMutablePointer<UInt64>.allocate(capacity: claim.words)
    defer { room.deallocate() }
    // A lane that begins at the room: what is stored there is read from there.
    var lane = HotLane(passing: room, like: sharedLane.pointee)
    let count = withUnsafeMutablePointer(to: &lane) { store($0) }
    batch.hasFailed = drain(past: PassingRecord(start: room, count: count)) != nil
    if batch.hasFailed { lose(claim) }
    return !batch.hasFailed
  }
}
