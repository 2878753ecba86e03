import Synchronization
import TimelineModel
import TimelineStore

extension RecorderCore {
  /// Writes the records so far, on the caller's thread.
  ///
  /// - Parameters:
  ///   - past: A record that was too long for a ring.
  ///   - urgent: Whether a power cut must not take it back, nor what was written before.
  /// - Returns: the error when the transaction fails. Everything is then still where it was.
  @discardableResult
  func drain(past: PassingRecord? = nil, urgent: Bool = false) -> StoreError? {
    withoutFileSizeSignal {
      writer.withLock { writer in
        isWriterCalled.store(false, ordering: .relaxed)
        guard writer.store != nil else { return nil }
        let error = write(&writer, past: past, urgent: urgent)
        if error == nil {
          if let trouble = writer.checkpointIfDue() { announce([trouble]) }
        }
        return error
      }
    }
  }

  /// One transaction. The writer's lock is held.
  @discardableResult
  func write(
    _ writer: inout RingWriter, past: PassingRecord? = nil, urgent: Bool = false,
    closing: SessionEnd? = nil, isLast: Bool = false
  ) -> StoreError? {
    let isUrgent = isUrgent.exchange(false, ordering: .acquiring)
    let load = RingWriter.Load(
      lanes: lanes.withLock { $0.journal.lanes }, past: past, isUrgent: isUrgent || urgent,
      isLast: isLast)
    let outcome = writer.write(load, closing: closing) { registry.withLock { $0.takePending() } }
    if outcome.error != nil {
      registry.withLock { $0.putBack(outcome.unwritten) }
      if isUrgent { self.isUrgent.store(true, ordering: .relaxed) }
    }
    announce(outcome.pendingTroubles)
    return outcome.error
  }

  /// Keeps troubles until the app can be told of them.
  private func announce(_ troubles: [RecordingTrouble]) {
    guard !troubles.isEmpty else { return }
    pendingTroubles.withLock { $0 += troubles }
    hasPendingTroubles.store(true, ordering: .releasing)
  }

  /// Reports troubles to the app, outside of every lock.
  func deliverPendingTroubles() {
    guard hasPendingTroubles.load(ordering: .relaxed) else { return }
    let delivered = pendingTroubles.withLock { pendingTroubles in
      defer { pendingTroubles = [] }
      hasPendingTroubles.store(false, ordering: .relaxed)
      return pendingTroubles
    }
    for trouble in delivered { onTrouble?(trouble) }
  }

  /// Lets a thread of its own write from now on.
  ///
  /// - Returns: false when the system gives no thread.
  func startWriting() -> Bool {
    // The pages of the ring are made ready there: the caller's thread would wait for some milliseconds. No lock is held
    // meanwhile, which a fork would leave locked in the child.
    let lane = lanes.withLock { $0.journal.lanes.first }
    let thread = WriterThread(
      intervalNanoseconds: settings.commitAge,
      prepare: { lane?.populate() },
      turn: { [self] in
        drain()
        deliverPendingTroubles()
      })
    guard thread.start() else { return false }
    self.thread.withLock { $0 = thread }
    return true
  }

  /// Ends the writer's thread.
  func stopWriting() {
    let thread = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    thread?.stop()
  }
}

// MARK: - The end

extension RecorderCore {
  /// Writes the rest and closes the session.
  func finish(at end: Instant?, outcome: SessionOutcome?) throws(StoreError) {
    guard !isForkedChild.load(ordering: .relaxed) else { throw .inForkedChild(path) }
    guard !isSuspended.load(ordering: .relaxed) else { throw .suspended(path) }
    endFrame()
    // A record from now on is ignored.
    isOff.store(true, ordering: .releasing)
    stopWriting()
    let error = withoutFileSizeSignal {
      writer.withLock { writer -> StoreError? in
        guard let store = writer.store else { return .alreadyFinished(path) }
        registry.withLock { $0.close() }
        // The last commit has no later one to leave the rows to.
        store.setBusyTimeout(milliseconds: RecordingFormat.busyTimeoutMilliseconds)
        // After an error everything stays as it is: it may be asked for again.
        if !writer.isClosed {
          if let error = write(
            &writer, urgent: true, closing: SessionEnd(time: end, outcome: outcome))
          {
            return error
          }
          writer.isClosed = true
          lanes.withLock { $0.journal.remove() }
        }
        let remains: LogRemains
        do throws(StoreError) {
          remains = try store.settleIntoOneFile()
        } catch {
          return error
        }
        _ = writer.letGoOfStore()
        return remains == .changes ? .logInUse(path) : nil
      }
    }
    noteDescriptors()
    deliverPendingTroubles()
    if let error { throw error }
  }

  /// Writes the rest of a session that was not finished, which stays without its clean mark, and says
  /// in the file that this is all.
  func abandon() {
    guard !isForkedChild.load(ordering: .relaxed) else { return }
    stopWriting()
    withoutFileSizeSignal {
      writer.withLock { writer in
        guard writer.store != nil else {
          // Suspended, and nobody comes back: the journal is for whoever opens the file next.
          if isSuspended.load(ordering: .relaxed) { lanes.withLock { $0.journal.giveUp() } }
          return
        }
        isOff.store(true, ordering: .releasing)
        // A journal whose rows are all in the tables is of no use to anybody.
        if write(&writer, urgent: true, isLast: true) == nil, areLanesEmpty {
          lanes.withLock { $0.journal.remove() }
        }
        // Whatever is in the log is safe there, should the disk refuse to move it.
        _ = try? writer.letGoOfStore()?.settleIntoOneFile()
      }
    }
    deliverPendingTroubles()
  }

  private var areLanesEmpty: Bool {
    lanes.withLock { set in
      set.journal.lanes.allSatisfy { lane in
        lane.head.pointee.load(ordering: .acquiring) == lane.tail.pointee.load(ordering: .relaxed)
      }
    }
  }

  private func noteDescriptors() {
    journalDescriptor.store(lanes.withLock { $0.journal.lockDescriptor }, ordering: .relaxed)
    logDescriptor.store(
      writer.withLock { $0.store?.lockDescriptor ?? -1 }, ordering: .relaxed)
  }
}

// MARK: - Letting go of the file for a while

extension RecorderCore {
  /// Commits, and lets go of the file and all locks.
  func suspend() throws(StoreError) {
    guard !isForkedChild.load(ordering: .relaxed) else { throw .inForkedChild(path) }
    let error = withoutFileSizeSignal {
      writer.withLock { writer -> StoreError? in
        guard writer.store != nil else {
          return isSuspended.load(ordering: .relaxed) ? nil : .alreadyFinished(path)
        }
        let error = write(&writer, urgent: true)
        isSuspended.store(true, ordering: .relaxed)
        lanes.withLock { $0.journal.letGo(isSuspended: true) }
        if let store = writer.letGoOfStore() { try? store.checkpointAndTruncate() }
        return error
      }
    }
    noteDescriptors()
    deliverPendingTroubles()
    if let error { throw error }
  }

  /// Opens the file again and goes on.
  func resume() throws(StoreError) {
    guard !isForkedChild.load(ordering: .relaxed) else { throw .inForkedChild(path) }
    let error = withoutFileSizeSignal {
      writer.withLock { writer -> StoreError? in
        guard isSuspended.load(ordering: .relaxed) else {
          return writer.store == nil ? .alreadyFinished(path) : nil
        }
        do throws(StoreError) {
          let store = try RecordingStore(
            path: path, resuming: session, uuid: uuid,
            busyMilliseconds: policy == .live ? settings.busyMilliseconds : nil)
          try lanes.withLock { set throws(StoreError) in try set.journal.takeUp() }
          if let written = writer.takeUp(store) { registry.withLock { $0.forget(written) } }
          isSuspended.store(false, ordering: .relaxed)
          return nil
        } catch {
          return error
        }
      }
    }
    noteDescriptors()
    if let error { throw error }
    callWriter()
  }
}
