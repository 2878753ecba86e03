import Foundation
import KymographCSQLite
import TestSupport
import TimelineModel
import TimelineStore

/// What the tests of this folder share: a small recording of every sort of row, and a door to SQLite
/// that does what no recorder would do.
enum Recordings {
  static func description(_ uuid: String = "00000000-0000-4000-8000-000000000001")
    -> SessionDescription
  {
    var description = SessionDescription(software: "tests 1", clock: "virtual", name: "small")
    description.uuid = uuid
    description.wallClockStartNanoseconds = 1
    description.viewport = Size2D(width: 320, height: 480)
    description.layouts = [LayoutDescription(name: "grid", type: "flow", parameters: "{}")]
    return description
  }

  /// A store with one row of everything, committed and not closed.
  static func open(_ path: String) throws -> RecordingStore {
    let store = try RecordingStore(
      path: path, description: description(), uuid: "00000000-0000-4000-8000-000000000001")
    try store.begin(isDurable: false)
    let key = KeyHandle(rawValue: 0)
    let item = ItemHandle(rawValue: 0)
    try store.insert(KeyRecord(handle: key, name: "x", role: .animated, unit: "pt"))
    try store.insert(
      ItemRecord(handle: item, identity: ElementIdentity(category: .cell, id: "apple")))
    for step in 0..<5 {
      let time = Instant(nanoseconds: Int64(step) * 10)
      try store.insert(
        SampleRecord(
          key: key, sample: Sample(time: time, value: Double(step) / 3), phase: .driving,
          ordinal: 0))
      try store.insert(
        FrameRecord(
          number: Int64(step),
          state: FrameState(
            time: time, phase: .driving, progress: 0.5, contentOffset: .zero,
            contentSize: Size2D(width: 1, height: 2)), isKeyFrame: step == 0))
      let element = ElementRecord(
        item: item, indexPath: ItemIndexPath(section: 0, item: 0),
        pose: Pose(center: Point2D(x: Double(step), y: 1), size: Size2D(width: 3, height: 4)))
      try store.insert(.changed(element), frame: Int64(step))
    }
    try store.insert(
      TouchSample(time: .zero, contact: 0, phase: .began, position: Point2D(x: 1, y: 2)),
      sequence: 0)
    try store.insert(TimelineEvent(time: .zero, kind: .start), sequence: 0)
    try store.insert(
      ReleaseDecision(
        transition: 0, time: .zero, outcome: .finish, decidedBy: "rule", rule: "progress",
        ruleOutcome: .finish, threshold: 0.5, progress: 0.75, progressVelocity: 1,
        marginProgress: 0.25), sequence: 0)
    try store.insert(
      ReleaseEstimate(
        transition: 0, time: .zero, key: key, value: 1,
        estimate: VelocityEstimate(estimator: "lsq2", velocity: 2, sampleCount: 3), target: 4,
        remaining: 3, relativeVelocity: 0.5, settleTimeSeconds: 1), sequence: 0)
    try store.insert(
      LossRecord(what: .sample, key: key, first: .zero, last: .zero, count: 2), sequence: 0)
    try store.commit()
    return store
  }

  /// A finished recording with one row of everything.
  static func make(_ path: String) throws {
    let store = try open(path)
    try store.begin(isDurable: true)
    let key = KeyHandle(rawValue: 0)
    let summary = try store.summary(of: key)
    try store.close(
      at: Instant(nanoseconds: 40), outcome: .finished, counts: RecordCounts(),
      summaries: summary.map { [$0] } ?? [])
    try store.commit()
    try store.settleIntoOneFile()
  }

  /// Reads everything that a reader can give.
  ///
  /// - Returns: how many rows there were.
  @discardableResult static func readEverything(_ path: String) throws(StoreError) -> Int {
    let reader = try RecordingReader(path: path)
    var count = 0
    for session in try reader.sessionRecords() {
      let number = session.number
      count += 1
      count += try reader.keys(in: number).count + reader.items(in: number).count
      count += try reader.samples(in: number).rest().count
      count += try reader.keySummaries(in: number).count
      count += try reader.frames(in: number).rest().count
      count += try reader.foldedFrames(in: number).rest().count
      _ = try reader.frame(shownAt: Instant(nanoseconds: 25), in: number)
      count += try reader.touches(in: number).rest().count
      count += try reader.events(in: number).rest().count
      count += try reader.decisions(in: number).count + reader.estimates(in: number).count
      count += try reader.losses(in: number).count
    }
    return count
  }

  /// Runs a text on a database without any of the project's care.
  ///
  /// - Parameter look: Runs before the database is closed.
  static func run(
    _ sql: String, on path: String, look: () throws -> Void = {}
  ) throws {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
    else {
      throw RawError(message: String(cString: sqlite3_errmsg(database)))
    }
    try look()
  }

  struct RawError: Error {
    let message: String
  }
}
