import Foundation
import TimelineModel
import TimelineRecorder
import TimelineStore

/// A recording whose recorder was killed, as three files: some rows in the database, some in the log, the
/// rest in the crash journal.
struct KilledRecording {
  var database: [UInt8]
  var log: [UInt8]
  var journal: [UInt8]

  static let uuid = "00000000-0000-4000-8000-000000000002"

  /// The files, made once: a session of its own that is finished, and one that is not.
  static let whole: KilledRecording? = try? make()

  /// A folder for the files of a run, in memory where the system has such a place: the durable commits of
  /// a recovery would wait for a disk.
  static func folder() throws -> URL {
    let memory = "/dev/shm"
    let parent =
      FileManager.default.isWritableFile(atPath: memory)
      ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent(
      "kymograph-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// The recorder is copied in the middle of its work: a copy of a journal is nobody's, as is one of a
  /// killed recorder.
  private static func make() throws -> KilledRecording {
    let folder = try folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("killed.kymo").path
    try remove(path)
    try Data(DamagedRecording.whole).write(to: URL(fileURLWithPath: path))
    var description = SessionDescription(software: "fuzz", clock: "virtual")
    description.uuid = uuid
    description.wallClockStartNanoseconds = 0
    var settings = RecorderSettings()
    settings.ringBytes = 8_192
    settings.reservedBytes = 1_024
    settings.ringCount = 2
    let recorder = try Recorder(
      path: path, session: description, policy: .wait, settings: settings)
    let key = recorder.keyHandle(for: "y", role: .animated, unit: "pt")
    let item = recorder.itemHandle(for: ElementIdentity(category: .cell, id: "pear"))
    // The recorder commits each 250 ms of the session's time: at 300 ms some of it is in the log.
    for step in 0..<7 {
      let time = Instant(nanoseconds: Int64(step) * 50_000_000)
      recorder.record(Double(step) / 3, for: key, at: time, phase: .driving)
      recorder.record(
        TouchSample(time: time, contact: 0, phase: .moved, position: Point2D(x: 1, y: Double(step)))
      )
      recorder.beginFrame(
        FrameState(
          time: time, phase: .driving, progress: 0.5, contentOffset: .zero,
          contentSize: Size2D(width: 320, height: 480)))
      recorder.record(
        Pose(center: Point2D(x: Double(step), y: 1), size: Size2D(width: 3, height: 4)), of: item,
        at: ItemIndexPath(section: 0, item: 0))
      recorder.endFrame()
    }
    func bytes(_ ending: String) throws -> [UInt8] {
      Array(try Data(contentsOf: URL(fileURLWithPath: path + ending)))
    }
    let files = KilledRecording(
      database: try bytes(""), log: try bytes("-wal"), journal: try bytes("-crash2"))
    try recorder.finish(at: Instant(nanoseconds: 400_000_000), outcome: .finished)
    return files
  }

  /// Writes the files anew, without anything that an input before left beside them.
  func write(to path: String) throws {
    try KilledRecording.remove(path)
    try Data(database).write(to: URL(fileURLWithPath: path))
    try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
    try Data(journal).write(to: URL(fileURLWithPath: path + "-crash2"))
  }

  private static func remove(_ path: String) throws {
    for ending in ["", "-wal", "-shm", "-journal", "-crash1", "-crash2", "-crash3"]
    where FileManager.default.fileExists(atPath: path + ending) {
      try FileManager.default.removeItem(atPath: path + ending)
    }
  }

  /// Changes bytes. Each edit takes five: where, as a 32-bit number with its lowest byte first, and the
  /// new byte. Places run through the database, the log and the journal.
  mutating func change(by edits: ArraySlice<UInt8>) {
    let edits = Array(edits)
    for start in stride(from: 0, to: edits.count - 4, by: 5) {
      let number = (0..<4).reduce(0) { $0 | Int(edits[start + $1]) << (8 * $1) }
      var place = number % (database.count + log.count + journal.count)
      if place < database.count {
        database[place] = edits[start + 4]
        continue
      }
      place -= database.count
      if place < log.count {
        log[place] = edits[start + 4]
      } else {
        journal[place - log.count] = edits[start + 4]
      }
    }
  }
}
