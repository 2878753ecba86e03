import Foundation
import RecordingRepair
import TestSupport
import Testing
import TimelineModel

@testable import TimelineStore

/// A journal may hold anything: what passes its check is read, in order, and nothing else.
@Suite struct DamagedJournalTests {
  let fixture: JournalFixture
  let journal: [UInt8]

  init() throws {
    fixture = try JournalFixture()
    try fixture.write()
    journal = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture.journal)))
  }

  /// The records that are read out of these bytes, lane by lane, or nil when they are refused.
  private func read(_ bytes: [UInt8]) throws -> [JournalRecord]? {
    try Data(bytes).write(to: URL(fileURLWithPath: fixture.journal))
    var opening = JournalScan.open(
      fixture.journal, session: 1, uuid: fixture.uuid, isExclusive: false)
    guard let scan = opening.scan.take() else { return nil }
    var records: [JournalRecord] = []
    _ = try scan.read(from: [:]) { records.append($0) }
    return records
  }

  /// Whether these are the first records of one lane, and then the first of the other.
  private func isPrefix(_ records: [JournalRecord]) -> Bool {
    (0...JournalFixture.firstLane.count).contains { count in
      let rest = records.dropFirst(count)
      return records.starts(with: JournalFixture.firstLane.prefix(count))
        && rest.count <= JournalFixture.secondLane.count
        && JournalFixture.secondLane.starts(with: rest)
    }
  }

  @Test func `a sound journal is read whole`() throws {
    let records = try #require(try read(journal))
    #expect(records == JournalFixture.firstLane + JournalFixture.secondLane)
  }

  @Test func `flipped bits leave the records before them`() throws {
    var generator = SplitMix(seed: 21)
    var shortened = 0
    var refused = 0
    for round in 0..<1_500 {
      var bytes = journal
      // Every second round in the words that are in use.
      let limit = round.isMultiple(of: 2) ? bytes.count : 4_096 * 2 + 1_200
      for _ in 0...generator.next() % 3 {
        bytes[Int(generator.next() % UInt64(limit))] ^= 1 << UInt8(generator.next() % 8)
      }
      guard let records = try read(bytes) else {
        refused += 1
        continue
      }
      #expect(isPrefix(records), "round \(round): \(records.count) records")
      if records.count < 14 { shortened += 1 }
    }
    print("1,500 journals with flipped bits: \(refused) refused, \(shortened) shortened")
    #expect(refused > 10)
    #expect(shortened > 50)
  }

  @Test func `a journal that was cut off anywhere is read as far as it goes, or refused`() throws {
    for length in stride(from: 0, to: journal.count, by: 97) {
      guard let records = try read(Array(journal[..<length])) else {
        #expect(length < 4_096)
        continue
      }
      #expect(isPrefix(records))
    }
  }

  @Test func `noise behind a good header gives nothing`() throws {
    var generator = SplitMix(seed: 22)
    for round in 0..<40 {
      var bytes = journal
      for index in 4_096..<bytes.count where round < 20 || index % 4_096 < 8 || index > 9_000 {
        bytes[index] = UInt8(truncatingIfNeeded: generator.next())
      }
      let records = try #require(try read(bytes))
      #expect(isPrefix(records))
    }
  }

  @Test func `a damaged journal is folded in up to the damage, and the file says so`() throws {
    var bytes = journal
    // In the middle of the first lane's words.
    bytes[4_096 * 2 + 8 * 14] ^= 1
    try Data(bytes).write(to: URL(fileURLWithPath: fixture.journal))
    let before = try RecordingExamination.examine(fixture.path)
    #expect(before.contains { $0.what == "journal" && $0.detail.contains("have no record") })
    try fixture.openForWriting()
    let rows = try fixture.rows()
    // Five in the tables, three before the damage, one in the other lane.
    #expect(rows["samples"]?.count == 9)
    #expect(!FileManager.default.fileExists(atPath: fixture.journal))
    let found = try RecordingExamination.examine(fixture.path)
    #expect(found.contains { $0.what == "recovered" && $0.detail.contains("could not be read") })
    #expect(try RecordingReader(path: fixture.path).isPartLost(in: 1))
    try fixture.openForWriting()
    #expect(try fixture.rows() == rows)
  }
}
