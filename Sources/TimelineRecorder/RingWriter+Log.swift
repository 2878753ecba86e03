import TimelineStore

extension RingWriter {
  /// The knowledge of a log that cannot be emptied.
  struct LogState {
    /// Whether it is longer than it may be, and the app was told.
    var isLong = false
    /// Whether the disk refused to move it, and the app was told.
    var hasFailed = false
    /// Bytes that it had when a reader was last waited for.
    var bytesAtLastWait = 0
  }

  /// Moves the content of the log into the database where that is due: by its length, or when nothing has
  /// been written for a while. Then the disk has it, also where a reader of an older state lets nothing be
  /// moved. Under ``RecordingPolicy/wait`` every turn has something to write.
  ///
  /// A reader keeps its part of the log, and the log grows meanwhile. From
  /// ``RecorderSettings/longLogBytes`` on the reader is waited for, once for each
  /// ``RecorderSettings/checkpointBytes`` that have come: readers that begin meanwhile find everything in
  /// the database and hold nothing, so a row of short queries is over by then. One that still
  /// reads is reported, once until the log is empty again.
  ///
  /// - Returns: the warnings for the app.
  mutating func checkpointIfDue() -> RecordingTrouble? {
    guard let store, store.logBytes > 0 else { return nil }
    idleTurns += 1
    let isIdle = idleTurns > settings.idleTurns
    let bytes = store.logBytes
    guard bytes >= settings.checkpointBytes || isIdle else { return nil }
    if isIdle { idleTurns = 0 }
    let isTooLong = bytes > settings.longLogBytes
    do throws(StoreError) {
      let isMoved = try store.checkpoint()
      if isIdle, !isMoved { sync(store) }
      if isTooLong || (log.isLong && isMoved) {
        try empty(store, bytes: bytes, isMoved: isMoved)
      }
      log.hasFailed = false
      return nil
    } catch {
      if isIdle { sync(store) }
      return noteRefusal(error, isTooLong: isTooLong)
    }
  }

  /// Leaves an empty log behind, if no reader is in the log or goes in time.
  private mutating func empty(
    _ store: RecordingStore, bytes: Int, isMoved: Bool
  ) throws(StoreError) {
    let isWaiting = bytes >= log.bytesAtLastWait + settings.checkpointBytes
    // A reader of an older state cannot be passed.
    guard isMoved || isWaiting else { return }
    store.setBusyTimeout(milliseconds: isWaiting ? settings.busyMilliseconds : 0)
    defer {
      store.setBusyTimeout(
        milliseconds: policy == .live
          ? settings.busyMilliseconds : RecordingFormat.busyTimeoutMilliseconds)
    }
    if isWaiting { log.bytesAtLastWait = bytes }
    try store.checkpointAndTruncate()
    log.isLong = false
    log.bytesAtLastWait = 0
  }

  private mutating func noteRefusal(_ error: StoreError, isTooLong: Bool) -> RecordingTrouble? {
    let trouble: RecordingTrouble
    if error.code == .busy {
      // A reader in the log is met again the next time.
      guard isTooLong, !log.isLong else { return nil }
      log.isLong = true
      trouble = .longLog
    } else {
      guard !log.hasFailed else { return nil }
      log.hasFailed = true
      trouble = .checkpoint(error)
    }
    writeDown(trouble)
    return trouble
  }
}
