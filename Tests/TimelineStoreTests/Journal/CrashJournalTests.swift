import Foundation
import Synchronization
import TestSupport
import Testing
import TimelineStore

@Suite struct CrashJournalTests {
  let folder: TemporaryFolder
  private let uuid = "01234567-89ab-4def-8123-456789abcdef"

  init() throws { folder = try TemporaryFolder() }

  private func journal(laneWords: Int = 1, lanes: Int = 4) throws -> CrashJournal {
    try CrashJournal(
      recording: folder.path("run.kymo"), session: 3, uuid: uuid, laneWords: laneWords,
      laneCount: lanes)
  }

  private func words(_ path: String) throws -> [UInt64] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return data.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
  }

  @Test func `a journal lies beside its recording and says whose it is`() throws {
    let journal = try journal()
    #expect(journal.path == folder.path("run.kymo-crash3"))
    let words = try words(journal.path)
    #expect(JournalHeader(words) == journal.header)
    #expect(words[JournalFormat.processWord] == UInt64(ProcessInfo.processInfo.processIdentifier))
    #expect(words[JournalFormat.suspendedWord] == 0)
    let magic: [UInt8] = (0..<8).map { UInt8(truncatingIfNeeded: words[0] >> UInt64($0 * 8)) }
    #expect(magic == Array("KYMOCRSH".utf8))
    journal.remove()
    #expect(!FileManager.default.fileExists(atPath: journal.path))
  }

  @Test func `a journal that is let go is free, though a child still has a copy of the descriptor`()
    throws
  {
    var journal: CrashJournal? = try journal()
    let path = try #require(journal?.path)
    func isFree() -> Bool {
      var opening = JournalScan.open(path, session: 3, uuid: uuid, isExclusive: true)
      return opening.scan.take() != nil
    }
    #expect(!isFree())
    // What fork gives a child: another number for the same opening of the file.
    let copy = dup(try #require(journal?.lockDescriptor))
    defer { close(copy) }
    journal = nil
    #expect(isFree())
  }

  @Test func `a header with any bit turned is none`() throws {
    let good = try journal().header.encoded
    #expect(JournalHeader(good) != nil)
    #expect(JournalHeader(good.dropLast()) == nil)
    for bit in 0..<good.count * 64 {
      var words = good
      words[bit / 64] ^= 1 << UInt64(bit % 64)
      #expect(JournalHeader(words) == nil)
    }
  }

  @Test func `a lane's ring goes on behind its end, and what is stored is in the file`() throws {
    let journal = try journal()
    let lane = try #require(journal.addLane())
    let second = try #require(journal.addLane())
    let capacity = Int(lane.capacity)
    #expect(lane.number == 0)
    #expect(second.number == 1)
    #expect(capacity == journal.header.laneWords)
    for index in 0..<4 { lane.words[capacity - 2 + index] = UInt64(index) + 1 }
    #expect(lane.words[0] == 3)
    #expect(lane.words[1] == 4)
    second.words[0] = 9
    lane.head.pointee.store(5, ordering: .releasing)
    lane.tail.pointee.store(2, ordering: .releasing)
    let words = try words(journal.path)
    #expect(journal.header.lanes(inBytes: words.count * 8) == 2)
    let start = journal.header.offset(ofLane: 0) / 8
    let ring = start + journal.header.pageBytes / 8
    #expect(words[start + JournalFormat.headWord] == 5)
    #expect(words[start + JournalFormat.tailWord] == 2)
    #expect(words[ring + capacity - 2] == 1)
    #expect(words[ring] == 3)
    #expect(words[ring + capacity + journal.header.pageBytes / 8] == 9)
  }

  @Test func `there are no more lanes than were asked for`() throws {
    let journal = try journal(lanes: 1)
    #expect(journal.addLane() != nil)
    #expect(journal.addLane() == nil)
    #expect(journal.lanes.count == 1)
  }

  @Test func `a journal that a recorder holds cannot be made again`() throws {
    let first = try journal()
    let error = #expect(throws: StoreError.self) { try journal() }
    #expect(error?.code == .busy)
    #expect(JournalHeader(try words(first.path)) == first.header)
  }

  @Test func `a journal that was let go is taken up again, and one that was replaced is not`()
    throws
  {
    let journal = try journal()
    let lane = try #require(journal.addLane())
    journal.letGo()
    #expect(try words(journal.path)[JournalFormat.suspendedWord] == 1)
    lane.words[0] = 7
    try journal.takeUp()
    let stored = try words(journal.path)
    #expect(stored[JournalFormat.suspendedWord] == 0)
    #expect(stored[journal.header.offset(ofLane: 0) / 8 + journal.header.pageBytes / 8] == 7)
    journal.letGo()
    try FileManager.default.removeItem(atPath: journal.path)
    #expect(throws: StoreError.self) { try journal.takeUp() }
    try Data("other".utf8).write(to: URL(fileURLWithPath: journal.path))
    #expect(throws: StoreError.self) { try journal.takeUp() }
    journal.remove()
    #expect(FileManager.default.fileExists(atPath: journal.path))
  }

  @Test func `without a folder to write there is no journal`() throws {
    let error = #expect(throws: StoreError.self) {
      try CrashJournal(
        recording: folder.path("none/run.kymo"), session: 1, uuid: uuid, laneWords: 1, laneCount: 1)
    }
    #expect(error?.code == .cannotOpen)
  }
}
