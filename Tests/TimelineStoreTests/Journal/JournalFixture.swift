import Foundation
import Synchronization
import TestSupport
import TimelineModel

@testable import TimelineStore

/// A recording whose recorder was killed: some rows in its tables, more in its crash journal.
struct JournalFixture {
  let folder: TemporaryFolder
  let path: String
  let uuid = "00000000-0000-4000-8000-000000000001"

  init() throws {
    folder = try TemporaryFolder()
    path = FileFacts.resolved(folder.url.path) + "/run.kymo"
    _ = try Recordings.open(path)
  }

  var journal: String { path + "-crash1" }

  /// What lane 0 holds: a key of its own, values of one instant that has a value already, everything
  /// that counts its rows.
  static let firstLane: [JournalRecord] = [
    .key(KeyRecord(handle: KeyHandle(rawValue: 1), name: "y", role: .custom, unit: "1")),
    .sample(KeyHandle(rawValue: 0), Sample(time: at(40), value: 7), .driving),
    .sample(KeyHandle(rawValue: 0), Sample(time: at(40), value: -0.0), .driving),
    .sample(KeyHandle(rawValue: 0), Sample(time: at(5), value: 0.25), .settling),
    .touch(TouchSample(time: at(50), contact: 0, phase: .ended, position: Point2D(x: 3, y: 4))),
    .event(JournalEvent(time: at(50), kind: .finish, fieldsJSON: "{\"transition\":0}")),
    .sample(KeyHandle(rawValue: 1), Sample(time: at(60), value: 1e300), .idle),
    .loss(LossRecord(what: .frame, key: nil, first: at(1), last: at(2), count: 4)),
  ]

  /// What lane 1 holds: two frames, and a value of the key that lane 0 defines.
  static let secondLane: [JournalRecord] = [
    .frame(frame(5), changes: 2), .change(.gone(ItemHandle(rawValue: 0))),
    .change(
      .changed(
        ElementRecord(
          item: ItemHandle(rawValue: 1), indexPath: ItemIndexPath(section: 0, item: 1),
          pose: Pose(center: Point2D(x: 9, y: 8), size: Size2D(width: 7, height: 6))))),
    .item(
      ItemRecord(
        handle: ItemHandle(rawValue: 1), identity: ElementIdentity(category: .cell, id: "pear"))),
    .sample(KeyHandle(rawValue: 1), Sample(time: at(70), value: 2), .idle),
    .frame(frame(6), changes: 0),
  ]

  static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

  static func frame(_ number: Int64) -> FrameRecord {
    FrameRecord(
      number: number,
      state: FrameState(
        time: at(number * 10), phase: .settling, progress: nil, contentOffset: .zero,
        contentSize: Size2D(width: 1, height: 2)), isKeyFrame: false)
  }

  /// Writes a journal of so many words: the first ones, and zeros.
  func writeFirstPage(_ first: [UInt64], words: Int) throws {
    let page = first + [UInt64](repeating: 0, count: max(0, words - first.count))
    let bytes = page.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    try Data(bytes).write(to: URL(fileURLWithPath: journal))
  }

  /// Writes a journal as a recorder does, and lets go of it unless it is kept.
  ///
  /// - Parameter start: Where the lanes begin, as after so many words before.
  @discardableResult
  func write(
    _ lanes: [[JournalRecord]] = [firstLane, secondLane], uuid: String? = nil, start: UInt64 = 0
  ) throws -> CrashJournal {
    let journal = try CrashJournal(
      recording: path, session: 1, uuid: uuid ?? self.uuid, laneWords: 512, laneCount: 4)
    for records in lanes {
      guard let lane = journal.addLane() else { continue }
      var position = start
      for record in records {
        let words = record.encoded(at: position, salt: journal.header.salt) ?? []
        for (index, word) in words.enumerated() {
          lane.words[Int((position + UInt64(index)) % lane.capacity)] = word
        }
        position += UInt64(words.count)
      }
      lane.head.pointee.store(position, ordering: .releasing)
    }
    return journal
  }

  /// The tables' rows through a reader, as text.
  func rows() throws -> [String: [String]] {
    let reader = try RecordingReader(path: path)
    var rows: [String: [String]] = [:]
    for view in ["samples", "keys", "items", "touches", "events", "frames", "attributes", "losses"]
    {
      rows[view] = try reader.query(
        "SELECT * FROM \(view) WHERE session = 1 ORDER BY 1, 2, 3, 4, 5"
      )
      .rest().map { "\($0)" }
    }
    return rows
  }

  /// Every file's bytes but the log's index, which any reader may make.
  func bytes() throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    let folder = (path as NSString).deletingLastPathComponent
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where !name.hasSuffix("-shm") {
      bytes[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return bytes
  }

  /// Opens for writing, as the next recorder does, and takes the new session's rows out of the way.
  func openForWriting() throws {
    _ = try RecordingStore(
      path: path, description: Recordings.description(UUID().uuidString.lowercased()),
      uuid: UUID().uuidString.lowercased())
  }
}
