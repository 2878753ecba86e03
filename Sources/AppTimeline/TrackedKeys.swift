import TimelineModel

/// A key with those of its values that a release needs.
struct TrackedKey {
  /// Its number in the session.
  let handle: KeyHandle
  /// Its name, as an app says it.
  let name: String
  let unit: String
  /// The last value, whatever the phase.
  var last: Double?
  /// The time of the newest value, and whether it was a settle's.
  var newest: (time: Instant, isSettling: Bool)?
  /// The values that were not a settle's, in the order of their times as a reader gets them.
  var driven: [Sample] = []
}

/// The keys of a timeline, in the order of their first setting, which is that of their numbers.
struct TrackedKeys {
  private(set) var all: [TrackedKey] = []
  /// The time of the transition's first settling value of the progress that follows a driven one.
  var settledFrom: Instant?
  private(set) var progressIndex: Int?
  /// Looked up only.
  private var animatedIndices: [String: Int] = [:]

  /// How far before a release a reader looks for values, in nanoseconds (`VelocitySource`).
  static let longestLook: Int64 = 60_000_000_000
  /// So many values, and those that no release can need are let go.
  static let usualCount = 4_096

  /// The names of the animated ones.
  var animatedNames: [String] {
    all.indices.filter { $0 != progressIndex }.map { all[$0].name }
  }

  /// The place of the progress.
  mutating func progress(_ make: () -> KeyHandle) -> Int {
    if let progressIndex { return progressIndex }
    progressIndex = all.count
    all.append(TrackedKey(handle: make(), name: progressKeyName, unit: "1"))
    return all.count - 1
  }

  /// The place of an animated key.
  mutating func animated(_ name: String, unit: String, _ make: () -> KeyHandle) -> Int {
    if let position = animatedIndices[name] { return position }
    animatedIndices[name] = all.count
    all.append(TrackedKey(handle: make(), name: name, unit: unit))
    return all.count - 1
  }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - prunes: Whether no release waits that may need old values.
  mutating func take(_ sample: Sample, _ position: Int, _ phase: MotionPhase, prunes: Bool) {
    all[position].last = sample.value
    if all[position].newest.map({ $0.time <= sample.time }) ?? true {
      all[position].newest = (sample.time, phase == .settling)
    }
    guard phase != .settling else {
      if position == progressIndex, let first = all[position].driven.first,
        first.time <= sample.time
      {
        settledFrom = min(settledFrom ?? sample.time, sample.time)
      }
      return
    }
    // The recorder refuses numbers that are not finite.
    guard sample.value.isFinite else { return }
    var index = all[position].driven.count
    while index > 0, all[position].driven[index - 1].time > sample.time { index -= 1 }
    all[position].driven.insert(sample, at: index)
    guard prunes, all[position].driven.count >= TrackedKeys.usualCount,
      all[position].driven.count.isMultiple(of: TrackedKeys.usualCount)
    else { return }
    let oldest = all[position].driven[all[position].driven.count - 1].time
      .advanced(byNanoseconds: -2 * TrackedKeys.longestLook)
    all[position].driven.removeAll { $0.time < oldest }
  }

  /// Lets go of the values up to a release.
  mutating func forget(upTo time: Instant) {
    for position in all.indices { all[position].driven.removeAll { $0.time <= time } }
  }
}
