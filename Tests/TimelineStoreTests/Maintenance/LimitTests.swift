import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel
import TimelineStore

/// Recordings that are always on: the oldest goes, and the file says so.
@Suite struct LimitTests {
  let folder: TemporaryFolder
  var path: String { folder.path("on.kymo") }

  init() throws { folder = try TemporaryFolder() }

  private let key = KeyHandle(rawValue: 0)

  private func begin(_ uuid: String, wallClock: Int64 = 0) throws -> RecordingStore {
    var description = Recordings.description(uuid)
    description.wallClockStartNanoseconds = wallClock
    let store = try RecordingStore(path: path, description: description, uuid: uuid)
    try store.begin(isDurable: false)
    try store.insert(KeyRecord(handle: key, name: "x", role: .custom, unit: "1"))
    try store.commit()
    return store
  }

  /// A second of session time: 4,000 values, a frame of which every tenth is a key frame, a touch.
  private func second(_ second: Int64, in store: RecordingStore) throws {
    try store.begin(isDurable: false)
    let start = second * 1_000_000_000
    for step in 0..<4_000 as Range<Int64> {
      try store.insert(
        SampleRecord(
          key: key,
          sample: Sample(
            time: Instant(nanoseconds: start + step * 250_000), value: Double(step) / 7),
          phase: .driving, ordinal: 0))
    }
    let time = Instant(nanoseconds: start)
    try store.insert(
      FrameRecord(
        number: second,
        state: FrameState(
          time: time, phase: .driving, progress: nil, contentOffset: .zero, contentSize: .zero),
        isKeyFrame: second % 10 == 0))
    try store.insert(
      TouchSample(time: time, contact: 0, phase: .moved, position: .zero), sequence: second)
    try store.commit()
  }

  private func close(_ store: RecordingStore, at second: Int64) throws {
    try store.begin(isDurable: true)
    var counts = RecordCounts()
    counts.samples = second * 4_000
    counts.frames = second
    counts.touches = second
    try store.close(
      at: Instant(nanoseconds: second * 1_000_000_000), outcome: .none, counts: counts,
      summaries: [])
    try store.commit()
    try store.settleIntoOneFile()
  }

  private var fileBytes: Int64 {
    get throws {
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      return (facts[.size] as? NSNumber)?.int64Value ?? 0
    }
  }

  @Test func `the oldest sessions go first, then the oldest of the one that is recorded`() throws {
    let limit = RecordingLimit(sizeBytes: RecordingLimit.smallestSizeBytes)
    for name in ["one", "two"] {
      let store = try begin(name)
      for time in 0..<15 as Range<Int64> {
        try second(time, in: store)
        _ = try store.enforce(limit, latest: .zero)
      }
      try close(store, at: 15)
    }
    let store = try begin("three")
    var largest: Int64 = 0
    for time in 0..<120 as Range<Int64> {
      try second(time, in: store)
      while try store.enforce(limit, latest: .zero) {}
      if time % 20 == 19 { largest = max(largest, try fileBytes) }
    }
    try close(store, at: 120)
    largest = max(largest, try fileBytes)
    #expect(largest <= RecordingLimit.smallestSizeBytes)
    let reader = try RecordingReader(path: path)
    #expect(try reader.sessionRecords().map(\.uuid) == ["three"])
    let removals = try reader.removals()
    #expect(removals.map(\.uuid) == ["one", "two", "three"])
    #expect(removals.map(\.isWhole) == [true, true, false])
    #expect(removals.map(\.reason) == [.limit, .limit, .limit])
    #expect(removals[0].rowCount == 15 * 4_002)
    // The newest values are all there, and what is there and what went are what was given.
    let samples = try reader.samples(in: 3).rest()
    #expect(samples.count >= 40_000)
    let touches = try reader.touches(in: 3).rest().count
    let frames = try reader.frames(in: 3).rest()
    #expect(frames.first?.isKeyFrame == true)
    #expect(
      removals[2].rowCount + Int64(samples.count + touches + frames.count) == 120 * 4_002)
    #expect(samples.last?.sample.time == Instant(nanoseconds: 119_999_750_000))
    let findings = try RecordingExamination.examine(path)
    #expect(findings.allSatisfy { $0.severity == .note }, "\(findings)")
    #expect(findings.filter { $0.what == "removed" }.map(\.session) == [1, 2, 3])
    // A row less than the mark and the removals say is damage still.
    try Recordings.run("DELETE FROM plain_sample WHERE t_ns = 119999750000", on: path)
    #expect(try RecordingExamination.examine(path).contains { $0.what == "count" })
    #expect(try reader.query("PRAGMA integrity_check").rest() == [[.text("ok")]])
  }

  @Test func `ended sessions go when they are older than asked for`() throws {
    let day: Int64 = 86_400_000_000_000
    for (name, start) in [("old", 0), ("young", 9 * day)] {
      let store = try begin(name, wallClock: start)
      try second(0, in: store)
      try close(store, at: 1)
    }
    let store = try begin("now", wallClock: 10 * day)
    let limit = RecordingLimit(ageNanoseconds: 2 * day)
    #expect(try store.enforce(limit, latest: .zero))
    #expect(try !store.enforce(limit, latest: .zero))
    try close(store, at: 1)
    #expect(try RecordingReader(path: path).sessionRecords().map(\.uuid) == ["young", "now"])
  }

  @Test func `without a limit nothing goes, and the last seconds never do`() throws {
    let store = try begin("one")
    for time in 0..<9 as Range<Int64> { try second(time, in: store) }
    #expect(try !store.enforce(RecordingLimit(), latest: .zero))
    #expect(try !store.enforce(RecordingLimit(sizeBytes: 0), latest: .zero))
    try close(store, at: 9)
    #expect(try RecordingReader(path: path).samples(in: 1).rest().count == 36_000)
  }
}
