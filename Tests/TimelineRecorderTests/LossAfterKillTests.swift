import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

/// What was lost and not yet written down survives a kill in the crash journal. A kill is made by copying
/// the files away under the recorder.
@Suite struct LossAfterKillTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// Rings of a page, of which values may use half: 85 of them. Nothing is written by the clock.
  private func recorder() throws -> Recorder {
    var settings = RecorderSettings()
    settings.ringBytes = 1
    settings.reservedBytes = 256 * 8
    settings.commitNanoseconds = .max
    return try Recorder(path: path, session: fixedDescription(), policy: .live, settings: settings)
  }

  private func record(_ times: Range<Int64>, _ key: KeyHandle, _ recorder: Recorder) {
    for time in times {
      recorder.record(1, for: key, at: Instant(nanoseconds: time), phase: .idle)
    }
  }

  /// The files as a kill would leave them now.
  private func kill() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: copy.path(name))
    }
    return copy
  }

  private func losses(_ copy: TemporaryFolder) throws -> [LossRecord] {
    try RecordingReader(path: copy.path("run.kymo")).losses(in: 1)
  }

  /// What a reader shows, what the next recorder folds in, and that it does so once.
  private func lossesAfterKill() throws -> [LossRecord] {
    let copy = try kill()
    let shown = try losses(copy)
    for _ in 0..<2 {
      let next = try Recorder(
        path: copy.path("run.kymo"),
        session: SessionDescription(software: "tests", clock: "virtual"), policy: .wait)
      try next.finish(at: .zero, outcome: .none)
      #expect(try losses(copy) == shown)
    }
    return shown
  }

  private func loss(_ key: KeyHandle?, _ first: Int64, _ last: Int64, _ count: Int64) -> LossRecord
  {
    LossRecord(
      what: .sample, key: key, first: Instant(nanoseconds: first), last: Instant(nanoseconds: last),
      count: count)
  }

  @Test func `losses that were not committed are there after a kill, each once`() throws {
    let recorder = try recorder()
    let key = recorder.keyHandle(for: "key", role: .custom, unit: "1")
    try recorder.withWriterHeld { () throws in
      record(0..<100, key, recorder)
      #expect(try lossesAfterKill() == [loss(key, 85, 99, 15)])
    }
    recorder.writeBatch()
    // Now they are in the table, and the journal's count is no more than that.
    try recorder.withWriterHeld { () throws in
      #expect(try lossesAfterKill() == [loss(key, 85, 99, 15)])
      record(200..<300, key, recorder)
      #expect(try lossesAfterKill() == [loss(key, 85, 99, 15), loss(key, 99, 299, 15)])
    }
    try recorder.finish(at: Instant(nanoseconds: 300), outcome: .none)
    #expect(try losses(folder) == [loss(key, 85, 99, 15), loss(key, 285, 299, 15)])
  }

  @Test func `keys beyond those with a place are counted together`() throws {
    let recorder = try recorder()
    let keys = (0..<JournalLosses.keys + 3).map {
      recorder.keyHandle(for: "key \($0)", role: .custom, unit: "1")
    }
    recorder.writeBatch()
    try recorder.withWriterHeld { () throws in
      record(0..<85, keys[0], recorder)
      record(100..<110, keys[JournalLosses.keys - 1], recorder)
      record(200..<220, keys[JournalLosses.keys], recorder)
      record(300..<305, keys[JournalLosses.keys + 2], recorder)
      let found = try lossesAfterKill()
      #expect(found == [loss(nil, 200, 304, 25), loss(keys[JournalLosses.keys - 1], 100, 109, 10)])
    }
    // In the table each has a row of its own again, and their sum is known.
    recorder.writeBatch()
    try recorder.withWriterHeld { () throws in
      let found = try lossesAfterKill()
      #expect(found.map(\.count) == [10, 20, 5])
    }
    try recorder.finish(at: .zero, outcome: .none)
  }

  @Test func `frames, touches and events that are lost are counted too`() throws {
    let recorder = try recorder()
    try recorder.withWriterHeld { () throws in
      for time in 0..<200 as Range<Int64> {
        let instant = Instant(nanoseconds: time)
        recorder.record(
          TouchSample(time: instant, contact: 0, phase: .moved, position: .zero))
        recorder.record(TimelineEvent(time: instant, kind: .mark))
      }
      let copy = try kill()
      let found = try losses(copy)
      let reader = try RecordingReader(path: copy.path("run.kymo"))
      let touches = try reader.touches(in: 1).rest().count
      let events = try reader.events(in: 1).rest().count
      #expect(found.map(\.what) == [.touch, .event])
      #expect(found.map { Int($0.count) } == [200 - touches, 200 - events])
    }
    try recorder.finish(at: .zero, outcome: .none)
  }

  @Test func `a damaged count is no loss`() throws {
    let recorder = try recorder()
    let key = recorder.keyHandle(for: "key", role: .custom, unit: "1")
    try recorder.withWriterHeld { () throws in
      record(0..<100, key, recorder)
      let copy = try kill()
      let journal = URL(fileURLWithPath: copy.path("run.kymo-crash1"))
      let whole = try Data(contentsOf: journal)
      var seen = 0
      for bit in 0..<64 * 6 {
        var damaged = whole
        // The first six places: five sorts that nothing was lost of, and values of keys without a place.
        let byte = 32 * 8 + bit / 64 * 24 + bit % 64 / 8
        damaged[byte] ^= 1 << UInt8(bit % 8)
        try damaged.write(to: journal)
        let found = try losses(copy)
        if found != [loss(key, 85, 99, 15)] { seen += 1 }
      }
      // A check of 16 bits lets one damage in 65,536 pass.
      #expect(seen == 0)
    }
    try recorder.finish(at: .zero, outcome: .none)
  }
}
