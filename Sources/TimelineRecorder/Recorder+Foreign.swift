import Synchronization
public import TimelineModel
package import TimelineStore

// Calls from another language, whose mistakes end no process: a key or an element that this recorder did not give out is
// left out, with one warning for each sort. -1 stands for a name that could not be asked for, and is left out in silence.

extension Recorder {
  /// Keeps one value.
  ///
  /// - Complexity: that of ``record(_:for:at:phase:)``.
  @inlinable @inline(__always)
  package func recordForeign(
    _ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase
  ) {
    if core.store(value, for: key, at: time, phase: phase) { return }
    recordForeignSlowly(value, for: key, at: time, phase: phase)
  }

  @inline(never) @usableFromInline
  package func recordForeignSlowly(
    _ value: Double, for key: KeyHandle, at time: Instant, phase: MotionPhase
  ) {
    guard !core.isOff.load(ordering: .relaxed) else { return }
    guard core.hasIssued(key) else {
      guard key.rawValue != -1 else { return }
      if key == LeftOutName.key { return core.loseNameless(at: time) }
      return warnOfForeign(
        "unknownKey",
        "A value came with the number of a key that this recorder did not give out, and was left out.",
        at: time)
    }
    core.recordSlowly(value, for: key, at: time, phase: phase)
  }

  /// Keeps many values: those of ``recordForeign(_:for:at:phase:)`` one after another, with the thread's lane found once.
  ///
  /// - Parameters:
  ///   - values: The values, one for each key and time.
  ///   - phase: The phase of the session.
  package func recordForeign(_ values: ForeignValues, phase: MotionPhase) {
    var rest = values
    while rest.count > 0 {
      core.storeMany(&rest, phase)
      guard rest.count > 0 else { return }
      recordForeignSlowly(rest.value, for: rest.key, at: rest.time, phase: phase)
      rest.advance()
    }
  }

  /// Keeps one element's pose in the open frame.
  package func recordForeign(_ pose: borrowing Pose, of item: ItemHandle) {
    let path = ItemIndexPath(section: 0, item: 0)
    if core.frames.pointee.setUpright(pose, path, of: item) { return }
    recordForeignSlowly(copy pose, of: item, at: path)
  }

  @inline(never)
  private func recordForeignSlowly(_ pose: Pose, of item: ItemHandle, at path: ItemIndexPath) {
    guard !core.isOff.load(ordering: .relaxed) else { return }
    guard core.hasIssued(item) else {
      guard item.rawValue != -1 else { return }
      if item == LeftOutName.item { return core.recordSlowly(pose, of: item, at: path) }
      return warnOfForeign(
        "unknownItem",
        "A pose came with the number of an item that this recorder did not give out, and was left out.",
        at: .zero)
    }
    core.recordSlowly(pose, of: item, at: path)
  }

  /// Whether this is a copy in a child process that `fork` made: nothing may be asked of it, whose locks a thread of the
  /// parent may have held.
  package var isInForkedChild: Bool { core.isForkedChild.load(ordering: .relaxed) }

  /// Warns the first time that a number of this sort is nobody's.
  package func warnOfForeign(_ code: String, _ message: String, at time: Instant) {
    guard !core.isOff.load(ordering: .relaxed) else { return }
    core.warnOnce(code, message, of: "foreign", at: time)
  }

  /// Writes all records so far, on the caller's thread, and waits until the disk has them.
  ///
  /// - Throws: ``TimelineStore/StoreError``: the commit failed, and the records stay in the rings, or this is a forked child.
  package func syncForeign() throws(StoreError) {
    guard !isInForkedChild else { throw .inForkedChild(core.path) }
    let error = core.drain(urgent: true)
    core.deliverPendingTroubles()
    if let error { throw error }
  }
}

/// Values in a caller's memory: three arrays, each with the distance of its elements in bytes. 0 repeats the first one.
package struct ForeignValues {
  /// How many there are.
  package private(set) var count: Int
  private var keys: UnsafeRawPointer
  private var times: UnsafeRawPointer
  private var values: UnsafeRawPointer
  private let keyStride: Int
  private let timeStride: Int
  private let valueStride: Int

  /// Names the arrays.
  ///
  /// - Parameters:
  ///   - count: How many values there are. None if it is negative.
  ///   - keys: Numbers of keys, 32 bits each, with their stride.
  ///   - times: Nanoseconds of the session, 64 bits each, with their stride.
  ///   - values: Doubles, with their stride.
  package init(
    count: Int, keys: (UnsafeRawPointer, stride: Int), times: (UnsafeRawPointer, stride: Int),
    values: (UnsafeRawPointer, stride: Int)
  ) {
    self.count = count
    (self.keys, keyStride) = keys
    (self.times, timeStride) = times
    (self.values, valueStride) = values
  }

  @inline(__always)
  var key: KeyHandle { KeyHandle(rawValue: keys.loadUnaligned(as: Int32.self)) }
  @inline(__always)
  var time: Instant { Instant(nanoseconds: times.loadUnaligned(as: Int64.self)) }
  @inline(__always)
  var value: Double { values.loadUnaligned(as: Double.self) }

  /// Leaves the first one behind.
  @inline(__always)
  mutating func advance() {
    count &-= 1
    keys += keyStride
    times += timeStride
    values += valueStride
  }
}

@available(*, unavailable, message: "it names memory of the caller's")
extension ForeignValues: Sendable {}

extension RecorderCore {
  /// Whether a number is that of a key of this recorder that a file can hold.
  func hasIssued(_ key: KeyHandle) -> Bool {
    let number = UInt32(bitPattern: key.rawValue)
    return number < keyCount.load(ordering: .acquiring) && number <= JournalFormat.largestKey
  }

  /// Whether a number is that of an element of this recorder.
  func hasIssued(_ item: ItemHandle) -> Bool {
    UInt32(bitPattern: item.rawValue) < itemCount.load(ordering: .acquiring)
  }

  /// Stores values up to the first that needs a second look: the lane is found once, and its head shown once.
  func storeMany(_ values: inout ForeignValues, _ phase: MotionPhase) {
    let thread = CallingThread.number
    let entry = threadLanes.likelyEntry(of: thread)
    guard entry.pointee.thread.load(ordering: .relaxed) == thread else { return }
    let lane = entry.pointee.lane
    let keyCount = keyCount.load(ordering: .relaxed)
    let (words, mask, salt) = (lane.pointee.words, lane.pointee.mask, lane.pointee.salt)
    let first = lane.pointee.head
    // The limit lies after the head if the writer was to be called at it.
    let space = lane.pointee.limit &- first
    guard space <= lane.pointee.capacity else { return }
    var (head, rest) = (first, values)
    for _ in 0..<min(rest.count, Int(truncatingIfNeeded: space / JournalCheck.sampleWords)) {
      let (key, time, value) = (rest.key, UInt64(bitPattern: rest.time.nanoseconds), rest.value)
      guard UInt32(bitPattern: key.rawValue) < keyCount, RecorderCore.isFinite(value) else { break }
      let destination = words + Int(truncatingIfNeeded: head & mask)
      destination[0] = JournalCheck.firstWord(
        ofSample: RecorderCore.lead(key, phase), time, value.bitPattern, at: head, salt: salt)
      destination[1] = time
      destination[2] = value.bitPattern
      head &+= JournalCheck.sampleWords
      rest.advance()
    }
    lane.pointee.publish(head &- first)
    values = rest
  }
}
