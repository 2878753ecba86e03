import TimelineModel
import TimelineStore

/// Everything that is counted while a session is written. It is a value: a copy takes a failed
/// transaction back.
struct SessionProgress {
  private struct KeyProgress {
    var summary: KeySummary
    /// How many values the key has at its latest instant.
    var ordinals: Int64
    /// Whether a value was earlier than one before it, so that the summary must be read back.
    var ranBackwards = false

    /// Adds a value and gives its ordinal. -1 when it is earlier than one before it.
    @inline(__always)
    mutating func add(_ sample: Sample) -> Int64 {
      let last = summary.last.time
      if sample.time < last {
        ranBackwards = true
        return -1
      }
      summary.add(sample)
      if sample.time != last { ordinals = 0 }
      ordinals += 1
      return ordinals - 1
    }
  }

  var counts = RecordCounts()
  /// Rows of attributes outside of key frames.
  var looseRows: Int64 = 0
  var decisions: Int64 = 0
  var estimates: Int64 = 0
  var losses: Int64 = 0
  /// The latest time of anything so far.
  private(set) var latest = Instant.zero
  private var keys: [KeyProgress?] = []
  private var items = ItemSummaries()

  /// Remembers a time.
  mutating func note(_ time: Instant) { latest = max(latest, time) }

  /// Adds a value to its key's summary.
  ///
  /// - Returns: its ordinal among the key's values at its instant. -1 when it is earlier than one before
  ///   it, and the table has to be asked.
  @inline(__always)
  mutating func count(_ key: Int, at nanoseconds: Int64, _ value: Double) -> Int64 {
    counts.samples += 1
    if nanoseconds > latest.nanoseconds { latest = Instant(nanoseconds: nanoseconds) }
    if key >= keys.count {
      keys.append(contentsOf: repeatElement(nil, count: key + 1 - keys.count))
    }
    let sample = Sample(time: Instant(nanoseconds: nanoseconds), value: value)
    if let ordinal = keys[key]?.add(sample) { return ordinal }
    keys[key] = KeyProgress(
      summary: KeySummary(key: KeyHandle(rawValue: Int32(key)), only: sample), ordinals: 1)
    return 0
  }

  /// The summaries of the keys that have values, in the order of their numbers.
  var keySummaries: [KeySummary] { keys.compactMap { $0?.summary } }

  /// Whether a key's values were not all in the order of time.
  func ranBackwards(_ key: KeyHandle) -> Bool { keys[Int(key.rawValue)]?.ranBackwards ?? false }
}

// MARK: - Frames

extension SessionProgress {
  mutating func beginFrame(_ frame: FrameRecord) {
    items.begin(frame)
    note(frame.state.time)
  }

  /// Adds a change of the frame to its element's summary.
  ///
  /// - Parameter change: The words of a crash journal's change, rounded as they are written.
  mutating func count(change words: UnsafeBufferPointer<UInt64>) { items.count(words) }

  mutating func endFrame(changes: Int) {
    counts.frames += 1
    counts.attributes += Int64(changes)
  }

  /// The summaries of the elements, in the order of their numbers.
  var itemSummaries: [ItemSummary] { items.summaries }
}
