import Foundation
import KymographCSQLite
import RecordingRepair
import TestSupport
import Testing
import TimelineModel

@testable import TimelineRecorder
@testable import TimelineStore

/// Samples that become segments while they are recorded, and afterwards.
@Suite struct SampleSealingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static var sealing: RecorderSettings {
    var settings = RecorderSettings()
    settings.limit = RecordingLimit(sizeBytes: 1 << 30)
    return settings
  }

  /// How samples come.
  enum Shape: CaseIterable {
    /// Six keys at 120 Hz, of which some are sampled apart and some twice at an instant.
    case usual
    /// The same with values that come late, by up to three seconds.
    case late
    /// Seconds apart, so that no transaction has enough for a segment.
    case sparse
    /// One key whose time runs backwards all along.
    case backwards
    case instant
  }

  private func record(
    _ shape: Shape, to name: String, _ settings: RecorderSettings, seconds: Int = 21,
    policy: RecordingPolicy = .wait
  ) throws -> String {
    let path = folder.path(name)
    let recorder = try Recorder(
      path: path, session: fixedDescription(), policy: policy, settings: settings)
    let keys = (0..<6).map { recorder.keyHandle(for: "k\($0)", role: .animated, unit: "pt") }
    func give(_ key: Int, _ time: Int64, _ value: Double, _ phase: MotionPhase = .driving) {
      recorder.record(value, for: keys[key], at: Instant(nanoseconds: time), phase: phase)
    }
    for frame in 0..<seconds * 120 {
      let time = Int64(frame) * 8_333_333
      let value = (Double(frame) / 120).squareRoot()
      switch shape {
      case .usual, .late:
        for key in 0..<5 where key < 4 || frame % 3 == 0 {
          give(
            key, time + (key == 3 ? 1_000_000 : 0), key == 0 ? Double(frame % 7) : value,
            frame / 600 % 2 == 0 ? .driving : .settling)
        }
        if frame % 50 == 0 { give(1, time, -0.0, .idle) }
        if shape == .late, frame % 97 == 5 {
          give(2, max(0, time - Int64(frame % 4) * 900_000_000), value, .idle)
        }
      case .sparse: give(frame % 2, time * 400, value)
      case .backwards: give(0, -time / 3, value)
      case .instant: give(frame % 6, 5, value)
      }
      if policy == .live, frame % 30 == 29 { recorder.writeBatch() }
    }
    try recorder.finish(at: Instant(nanoseconds: Int64(seconds) * 1_000_000_000), outcome: .none)
    return path
  }

  private func rows(
    _ path: String, _ sql: String = "SELECT * FROM samples ORDER BY t_ns, ordinal, key"
  ) throws -> [[SQLValue]] {
    try RecordingReader(path: path).query(sql).rest()
  }

  /// Everything that a reader says of samples.
  private struct Answers: Equatable {
    var rows: [[SampleRecord]] = []
    var times: [Int64] = []
    var numbers: [UInt64] = []
    var newest: [[KeyHandle: SampleRecord]] = []
    var summaries: [KeySummary] = []
  }

  private func answers(_ path: String) throws -> Answers {
    let reader = try RecordingReader(path: path)
    var answers = Answers()
    answers.rows.append(try reader.samples(in: 1).rest())
    // What a caller's query shows must not be shown by our own questions a second time.
    #expect(
      try reader.query("SELECT count(*) FROM samples").rest()
        == [[.integer(Int64(answers.rows[0].count))]])
    try reader.forEachSample(in: 1) { key, time, value, phase in
      answers.times.append(time)
      answers.numbers += [UInt64(key.rawValue), value.bitPattern, UInt64(phase.stored)]
    }
    let keys = try reader.keys(in: 1).map(\.handle)
    for seconds in [-2.0, 0, 9.99, 10.5, 21, 400] {
      let moment = Instant(nanoseconds: Int64(seconds * 1e9))
      let range = moment...moment.advanced(byNanoseconds: 700_000_000)
      answers.rows.append(try reader.samples(in: 1, from: range).rest())
      for key in keys {
        answers.rows.append(try reader.samples(of: key, in: 1, from: range).rest())
        answers.rows.append(try reader.newestSamples(of: key, in: 1, upTo: moment, limit: 7))
      }
      answers.newest.append(try reader.newestSamples(of: keys, in: 1, from: range))
    }
    answers.summaries = try reader.keySummaries(in: 1)
    // What a key did in each second says nothing of intervals.
    if try !reader.sessionRecord(1).isClean {
      for place in answers.summaries.indices {
        answers.summaries[place].shortestIntervalNanoseconds = nil
        answers.summaries[place].longestIntervalNanoseconds = nil
      }
    }
    return answers
  }

  /// Does with SQLite what no recorder would do.
  private func change(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }

  private func segments(_ path: String) throws -> Int64 {
    guard case .integer(let count) = try rows(path, "SELECT count(*) FROM sample_segment")[0][0]
    else { return -1 }
    return count
  }

  @Test(
    arguments: Shape.allCases.map { ($0, RecordingPolicy.wait) } + [
      (.usual, .live), (.late, .live),
    ])
  func `a recorder with a limit keeps the same samples in segments`(
    _ shape: Shape, _ policy: RecordingPolicy
  ) throws {
    let plain = try record(shape, to: "plain.kymo", RecorderSettings(), policy: policy)
    var settings = Self.sealing
    if policy == .live { settings.commitNanoseconds = .max }
    let sealed = try record(shape, to: "sealed.kymo", settings, policy: policy)
    #expect(try segments(plain) == 0)
    #expect(try segments(sealed) > 0)
    #expect(try rows(sealed) == rows(plain))
    #expect(try answers(sealed) == answers(plain))
    #expect(try rows(sealed, "SELECT * FROM keys") == rows(plain, "SELECT * FROM keys"))
    let findings = try RecordingExamination.examine(sealed, isDeep: true)
    let known: Set<String> = ["sealedSamples", "sealed"]
    #expect(findings.allSatisfy { known.contains($0.what) })
    if shape == .usual {
      #expect(try RecordingReader(path: sealed).firstSealedSample(in: 1) == 0)
      // What a second is of has a segment of its own only while it is the newest.
      let count = try segments(sealed)
      #expect(count >= 2)
      #expect(count <= 4)
    }
    _ = try RecordingEditor(path: sealed).expand(session: 1)
    let all = "SELECT * FROM main.plain_sample ORDER BY 1, 2, 3"
    #expect(try segments(sealed) == 0)
    #expect(try rows(sealed, all) == rows(plain, all))
  }

  @Test(arguments: Shape.allCases)
  func `sealing a finished session changes no answer, and is undone to the same rows`(
    _ shape: Shape
  ) throws {
    let path = try record(shape, to: "run.kymo", RecorderSettings())
    let plain = try rows(path, "SELECT * FROM plain_sample WHERE session > 0")
    let before = try answers(path)
    let report = try RecordingEditor(path: path).seal(session: 1)
    // What is left of sparse samples is too little for a segment.
    let left = shape == .sparse ? Int64(plain.count % 64) : 0
    #expect(report.rows == Int64(plain.count) - left)
    #expect(report.plainRows == left)
    #expect(
      try rows(path, "SELECT count(*) FROM main.plain_sample WHERE session > 0") == [
        [.integer(left)]
      ])
    #expect(try answers(path) == before)
    #expect(try RecordingEditor(path: path).seal(session: 1).segments == 0)
    #expect(
      try rows(path, "SELECT sum(sample_count), max(max_value), min(min_value) FROM key_samples")
        == [
          [.integer(Int64(plain.count))]
            + rows(path, "SELECT max(value), min(value) FROM samples")[0]
        ])
    #expect(try RecordingExamination.examine(path, isDeep: true).map(\.what) == ["sealedSamples"])
    let undone = try RecordingEditor(path: path).expand(session: 1)
    #expect(undone.rows == report.rows)
    #expect(undone.segments == report.segments)
    #expect(try rows(path, "SELECT * FROM plain_sample WHERE session > 0") == plain)
    #expect(try RecordingExamination.examine(path, isDeep: true).isEmpty)
  }

  @Test func `less than a segment stays plain rows`() throws {
    let path = try record(.sparse, to: "run.kymo", Self.sealing, seconds: 0)
    #expect(try RecordingEditor(path: path).seal(session: 1).segments == 0)
    let recorder = try Recorder(
      path: path, session: fixedDescription(2), policy: .wait, settings: Self.sealing)
    let key = recorder.keyHandle(for: "k", role: .animated, unit: "pt")
    for step in 0..<63 {
      recorder.record(1, for: key, at: Instant(nanoseconds: Int64(step)), phase: .idle)
    }
    try recorder.finish()
    #expect(try segments(path) == 0)
    #expect(try RecordingEditor(path: path).seal(session: 2).plainRows == 63)
  }

  @Test(arguments: [Shape.usual, .late])
  func `a cut session has the same samples, sealed or not`(_ shape: Shape) throws {
    let plain = try record(shape, to: "plain.kymo", RecorderSettings())
    let sealed = try record(shape, to: "sealed.kymo", Self.sealing)
    let range = Instant(nanoseconds: 5_000_000_000)...Instant(nanoseconds: 17_300_000_000)
    let removals = try [plain, sealed].map { path in
      try #require(try RecordingEditor(path: path).trim(1, to: range))
    }
    #expect(removals[0] == removals[1])
    #expect(try answers(sealed) == answers(plain))
    #expect(
      try RecordingExamination.examine(sealed, isDeep: true).map(\.what).sorted()
        == ["removed", "sealedSamples"])
    #expect(
      try RecordingEditor(path: sealed).delete(1).rowCount
        == RecordingEditor(path: plain).delete(1).rowCount)
    #expect(try rows(sealed, "SELECT * FROM sample_second") == [])
  }

  @Test func `a session that is carried over keeps its segments and its names hidden`() throws {
    let sealed = try record(.usual, to: "sealed.kymo", Self.sealing)
    let into = folder.path("merged.kymo")
    let editor = try RecordingEditor(path: into, isMade: true)
    let number = try editor.copySession(
      1, from: RecordingReader(path: sealed),
      redaction: Redaction(leavesOutTouches: true, hashesItems: true))
    try editor.settleIntoOneFile()
    #expect(number == 1)
    #expect(try segments(into) == segments(sealed))
    let values = "SELECT t_ns, value, phase, ordinal FROM samples ORDER BY 1, 4, 2"
    #expect(try rows(into, values) == rows(sealed, values))
    #expect(try RecordingExamination.examine(into, isDeep: true).map(\.what) == ["sealedSamples"])
  }

  @Test func `a damaged segment costs its samples and no others`() throws {
    let path = try record(.usual, to: "run.kymo", Self.sealing)
    let before = try rows(path)
    try change(
      """
      UPDATE sample_segment SET data = zeroblob(length(data)) WHERE first_ns =
        (SELECT first_ns FROM sample_segment ORDER BY first_ns LIMIT 1 OFFSET 1)
      """, on: path)
    #expect(throws: StoreError.self) { try RecordingReader(path: path).samples(in: 1).rest() }
    let second = Instant(nanoseconds: 1_000_000_000)
    #expect(try RecordingReader(path: path).samples(in: 1, from: .zero...second).rest().count > 500)
    let findings = try RecordingExamination.examine(path, isDeep: true)
    #expect(findings.filter { $0.severity == .damage }.map(\.what) == ["block"])
    let saved = folder.path("saved.kymo")
    let report = try RecordingSalvage.recover(path, into: saved)
    let lost = try #require(report.sessions[0].losses.first)
    let after = try rows(saved)
    #expect(lost.what == "samples")
    #expect(Int64(before.count - after.count) == lost.count)
    #expect(
      Set(after.map(String.init(describing:))).isSubset(of: before.map(String.init(describing:))))
    #expect(
      try RecordingExamination.examine(saved, isDeep: true).allSatisfy { $0.severity != .damage })
  }

  /// What a picture must not lose of a key's second.
  private struct Outline: Equatable {
    var first: Sample
    var last: Sample
    var smallest: Double
    var largest: Double
  }

  private func outlines(
    _ rows: RowCursor<SampleRecord>
  ) throws -> [KeyHandle: [Int64: Outline]] {
    var outlines: [KeyHandle: [Int64: Outline]] = [:]
    var latest = Instant(nanoseconds: .min)
    while let row = try rows.next() {
      #expect(row.sample.time >= latest)
      latest = row.sample.time
      let second = Int64((row.sample.time.seconds).rounded(.down))
      let value = row.sample.value
      var outline =
        outlines[row.key]?[second]
        ?? Outline(first: row.sample, last: row.sample, smallest: value, largest: value)
      outline.last = row.sample
      outline.smallest = min(outline.smallest, value)
      outline.largest = max(outline.largest, value)
      outlines[row.key, default: [:]][second] = outline
    }
    return outlines
  }

  @Test(arguments: Shape.allCases)
  func `an outline keeps the ends and the extremes of each key's seconds`(_ shape: Shape) throws {
    let path = try record(shape, to: "run.kymo", Self.sealing)
    let reader = try RecordingReader(path: path)
    let all = RecordingReader.allTime
    let exact = try outlines(try reader.samples(in: 1))
    let drawn = try outlines(try reader.outline(in: 1, from: all))
    for (key, seconds) in exact {
      for (second, outline) in seconds {
        #expect(drawn[key]?[second] == outline, "key \(key.rawValue), second \(second)")
      }
    }
    #expect(drawn.mapValues(\.count) == exact.mapValues(\.count))
    let count = try reader.outline(in: 1, from: all).rest().count
    if shape == .usual { #expect(count * 10 < (try reader.samples(in: 1).rest().count)) }
    let plain = try record(shape, to: "plain.kymo", RecorderSettings())
    let rows = try RecordingReader(path: plain)
    #expect(try outlines(rows.outline(in: 1, from: all)) == outlines(rows.samples(in: 1)))
    if shape == .usual {
      let drawn = try rows.outline(in: 1, from: all).rest().count
      #expect(drawn * 10 < (try rows.samples(in: 1).rest().count))
    }

    // A session that nobody closed is listed by the same seconds.
    let closed = try reader.keySummaries(in: 1)
    try change("UPDATE session SET end_ns = NULL; DELETE FROM key_summary;", on: path)
    let open = try RecordingReader(path: path).keySummaries(in: 1)
    func ends(_ summaries: [KeySummary]) -> [[Double]] {
      summaries.map {
        [
          Double($0.key.rawValue), Double($0.sampleCount), $0.first.time.seconds,
          $0.last.time.seconds,
          $0.smallest, $0.largest,
        ]
      }
    }
    #expect(ends(open) == ends(closed))
  }

  @Test func `segments that share an instant, and rows that a segment has too, are put right`()
    throws
  {
    let path = try record(.usual, to: "run.kymo", Self.sealing)
    let before = try rows(path)
    let part = try record(.usual, to: "part.kymo", Self.sealing, seconds: 3)
    try change(
      """
      ATTACH '\(part)' AS part;
      INSERT INTO sample_segment SELECT session, first_ns + 0, last_ns, row_count, phases, checksum, head, data
        FROM part.sample_segment WHERE first_ns > 0;
      DELETE FROM sample_second WHERE key = 0;
      """, on: path)
    let expanded = try record(.usual, to: "expanded.kymo", RecorderSettings(), seconds: 1)
    try change(
      "ATTACH '\(expanded)' AS other; INSERT INTO plain_sample SELECT * FROM other.plain_sample WHERE session > 0;",
      on: path)
    #expect(
      try RecordingExamination.examine(path).contains { $0.what == "sampleSeconds" })
    let saved = folder.path("saved.kymo")
    _ = try RecordingSalvage.recover(path, into: saved)
    #expect(try rows(saved) == before)
    #expect(
      try RecordingExamination.examine(saved, isDeep: true).allSatisfy { $0.severity != .damage })
  }
}
