import Foundation
import TestSupport
import Testing
import TimelineModel
import TimelineRecorder
import TimelineStore

@Suite struct SummaryTests {
  let folder: TemporaryFolder
  var path: String { folder.path("run.kymo") }

  init() throws { folder = try TemporaryFolder() }

  /// Records a key's values at times in milliseconds, and a second key that has none.
  private func record(
    _ values: [(milliseconds: Int64, value: Double)], finish: Bool = true
  ) throws -> KeyHandle {
    let recorder = try Recorder(path: path, session: fixedDescription(), policy: .wait)
    _ = recorder.keyHandle(for: "silent", role: .custom, unit: "1")
    let key = recorder.keyHandle(for: "x", role: .custom, unit: "pt")
    for (milliseconds, value) in values {
      recorder.record(
        value, for: key, at: Instant(nanoseconds: milliseconds * 1_000_000), phase: .driving)
    }
    if finish { try recorder.finish(at: .zero, outcome: .none) }
    return key
  }

  private func summaries() throws -> [KeySummary] {
    try RecordingReader(path: path).keySummaries(in: 1)
  }

  @Test func `a key without values has no summary`() throws {
    _ = try record([])
    #expect(try summaries().isEmpty)
  }

  @Test func `one value has no rate`() throws {
    let key = try record([(7, -2)])
    let summary = try #require(try summaries().first)
    #expect(
      summary
        == KeySummary(key: key, only: Sample(time: Instant(nanoseconds: 7_000_000), value: -2)))
    #expect(summary.lowestRate == nil)
    #expect(summary.highestRate == nil)
    #expect(summary.meanRate == nil)
  }

  @Test func `rates come from the longest and the shortest time between two values`() throws {
    _ = try record([(0, 1), (10, 5), (10, 3), (14, -4), (24, 2)])
    let summary = try #require(try summaries().first)
    #expect(summary.sampleCount == 5)
    #expect(summary.smallest == -4)
    #expect(summary.largest == 5)
    #expect(summary.first.value == 1)
    #expect(summary.last.value == 2)
    #expect(summary.lowestRate == 100)
    #expect(summary.highestRate == 250)
    #expect(summary.meanRate == 4 / 0.024)
  }

  @Test func `values that all share one time have no rate`() throws {
    _ = try record([(3, 1), (3, 2)])
    let summary = try #require(try summaries().first)
    #expect(summary.sampleCount == 2)
    #expect(summary.last.value == 2)
    #expect(summary.highestRate == nil)
    #expect(summary.meanRate == nil)
  }

  @Test(
    arguments: [
      [(0, 1.0), (400, 2), (200, 9), (800, 3)], [(5, 1), (4, 2), (3, 3)], [(0, 1), (900, 2)],
    ] as [[(milliseconds: Int64, value: Double)]])
  func `a summary that was written equals one taken from the rows`(
    values: [(milliseconds: Int64, value: Double)]
  ) throws {
    _ = try record(values, finish: false)
    let fromRows = try summaries()
    #expect(try RecordingReader(path: path).sessionRecord(1).isClean == false)
    try FileManager.default.removeItem(atPath: path)
    _ = try record(values)
    #expect(try summaries() == fromRows)
    #expect(fromRows.first?.sampleCount == Int64(values.count))
  }

  @Test func `the newest values up to a lift come in the order of time`() throws {
    let key = try record((0..<10).map { (Int64($0), Double($0)) })
    let reader = try RecordingReader(path: path)
    func newest(upTo milliseconds: Int64, limit: Int) throws -> [Double] {
      try reader.newestSamples(
        of: key, in: 1, upTo: Instant(nanoseconds: milliseconds * 1_000_000), limit: limit
      ).map(\.sample.value)
    }
    #expect(try newest(upTo: 6, limit: 3) == [4, 5, 6])
    #expect(try newest(upTo: 1, limit: 20) == [0, 1])
    #expect(try newest(upTo: -1, limit: 20).isEmpty)
    #expect(try newest(upTo: 5, limit: 0).isEmpty)
    #expect(try newest(upTo: 5, limit: -1).isEmpty)
    let range = Instant(nanoseconds: 2_000_000)...Instant(nanoseconds: 4_000_000)
    #expect(
      try reader.samples(of: key, in: 1, from: range).rest().map(\.sample.value) == [2, 3, 4])
    #expect(try reader.samples(in: 1, from: range).rest().map(\.sample.value) == [2, 3, 4])
  }

  @Test func `a session that is not there is named`() throws {
    _ = try record([])
    let error = #expect(throws: StoreError.self) {
      try RecordingReader(path: path).sessionRecord(2)
    }
    #expect(error?.code == .noSuchSession)
    #expect(error?.isAboutTheFile == false)
  }
}
