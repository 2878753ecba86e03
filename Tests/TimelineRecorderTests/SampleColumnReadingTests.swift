import KymographCSQLite
import TestSupport
import Testing
import TimelineModel

@testable import TimelineRecorder
@testable import TimelineStore

/// Sealed samples that are read in columns, and by what each key did in each second.
@Suite struct SampleColumnReadingTests {
  let folder: TemporaryFolder
  let path: String

  /// Half a minute of three keys, one of them set twice at some instants and one only now and then.
  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("run.kymo")
    var settings = RecorderSettings()
    settings.sealsFromStart = true
    settings.commitNanoseconds = .max
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: .live, settings: settings)
    let keys = (0..<3).map { recorder.keyHandle(for: "k\($0)", role: .animated, unit: "pt") }
    for frame in 0..<3_600 {
      let time = Instant(nanoseconds: Int64(frame) * 8_333_333)
      let phase: MotionPhase = [.driving, .settling, .idle][frame / 100 % 3]
      recorder.record(Double(frame * frame % 997), for: keys[0], at: time, phase: phase)
      if frame % 9 == 0 {
        recorder.record(-Double(frame % 50), for: keys[1], at: time, phase: phase)
        recorder.record(Double(frame % 50), for: keys[1], at: time, phase: .idle)
      }
      if frame % 400 == 7 { recorder.record(Double(frame), for: keys[2], at: time, phase: phase) }
      // Whole frames, so that no instant is in two transactions.
      if frame % 100 == 99 { recorder.writeBatch() }
    }
    try recorder.finish(at: Instant(nanoseconds: 30_000_000_000), outcome: .none)
  }

  private func change(_ sql: String) throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  /// What columns say, key after key: instants, bits of values and phases.
  private func columns(
    _ reader: RecordingReader, key: KeyHandle? = nil
  ) throws -> [Int32: [[UInt64]]] {
    var found: [Int32: [[UInt64]]] = [:]
    try reader.forEachSample(of: key, in: 1, from: RecordingReader.allTime) { all in
      for series in all {
        for index in series.times.indices {
          found[series.key, default: []].append([
            UInt64(bitPattern: series.times[index]), series.value(index).bitPattern,
            UInt64(series.phase(index).stored),
          ])
        }
      }
      return true
    }
    return found
  }

  @Test func `columns have the samples of each key as rows have them`() throws {
    try compareColumns()
  }

  private func compareColumns() throws {
    let reader = try RecordingReader(path: path)
    var rows: [Int32: [[UInt64]]] = [:]
    for row in try reader.samples(in: 1).rest() {
      rows[row.key.rawValue, default: []].append([
        UInt64(bitPattern: row.time.nanoseconds), row.value.bitPattern, UInt64(row.phase.stored),
      ])
    }
    #expect(rows.count == 3)
    #expect(try columns(reader) == rows)
    for key in try reader.keys(in: 1).map(\.handle) {
      let one = try columns(reader, key: key)
      #expect(one == [key.rawValue: rows[key.rawValue] ?? []])
    }
    #expect(try columns(reader, key: KeyHandle(rawValue: 99)).isEmpty)
    var stretches = 0
    try reader.forEachSample(of: nil, in: 1, from: RecordingReader.allTime) { _ in
      stretches += 1
      return false
    }
    #expect(stretches == 1)
  }

  @Test func `seconds have the ends, the extremes and the count of each key's values`() throws {
    try compareSeconds()
    let reader = try RecordingReader(path: path)
    let seconds = try reader.seconds(in: 1).rest()
    #expect(try reader.mostSamplesOfSecond(in: 1) == seconds.map(\.summary.sampleCount).max())
    #expect(
      try reader.sealedSampleCount(in: 1) == seconds.map(\.summary.sampleCount).reduce(0, +))
  }

  private func compareSeconds() throws {
    let reader = try RecordingReader(path: path)
    let seconds = try reader.seconds(in: 1).rest()
    var latest: [KeyHandle: Instant] = [:]
    var counts: [KeyHandle: Int64] = [:]
    for second in seconds {
      let summary = second.summary
      let rows = try reader.samples(
        of: summary.key, in: 1, from: summary.first.time...summary.last.time
      ).rest()
      #expect(Int64(rows.count) == summary.sampleCount)
      #expect(rows.first?.sample == summary.first)
      #expect(rows.last?.sample == summary.last)
      #expect(rows.map(\.value).min() == summary.smallest)
      #expect(rows.map(\.value).max() == summary.largest)
      var outline: [SampleRecord] = []
      second.outline(to: &outline)
      #expect(outline.map(\.value).min() == summary.smallest)
      #expect(outline.map(\.value).max() == summary.largest)
      #expect(summary.first.time > latest[summary.key] ?? Instant(nanoseconds: .min))
      latest[summary.key] = summary.last.time
      counts[summary.key, default: 0] += summary.sampleCount
    }
    for summary in try reader.keySummaries(in: 1) {
      #expect(counts[summary.key] == summary.sampleCount)
    }
  }

  @Test func `a few plain samples among sealed ones are read with them`() throws {
    func canReadByKey() throws -> Bool {
      let reader = try RecordingReader(path: path)
      return try reader.canReadByKey(reader.sessionRecord(1), from: 0)
    }
    #expect(try canReadByKey())
    let slot = { (ordinal: Int64, key: Int64) in ordinal << 32 | key << 2 | 1 }
    for (time, slot, value) in [
      (-5, slot(0, 0), -1.0), (8_333_333, slot(1, 0), 2_000), (5_000_000_001, slot(0, 1), 3_000),
      (5_000_000_001, slot(0, 2), 4_000), (40_000_000_000, slot(0, 0), 5_000),
    ] {
      try change("INSERT INTO plain_sample VALUES (1, \(time), \(slot), \(value))")
    }
    try change("DELETE FROM key_summary")
    #expect(try canReadByKey())
    try compareColumns()
    try compareSeconds()
    // What is mostly plain, and what may still grow, is read as rows.
    for number in 0..<300 {
      try change("INSERT INTO plain_sample VALUES (1, \(50_000_000_000 + number), 0, 5)")
    }
    #expect(try !canReadByKey())
    try change("DELETE FROM plain_sample WHERE t_ns > 45000000000")
    #expect(try canReadByKey())
    try change("UPDATE session SET end_ns = NULL")
    #expect(try !canReadByKey())
  }
}
