import TimelineModel
import TimelineStore

/// Sessions with something of everything, for tests that change recordings.
enum EditedRecordings {
  /// Adds a session: a frame, a sample and a touch every 10 ns, a key frame every tenth frame. One
  /// element moves, one stands still, one appears and goes.
  static func add(
    _ uuid: String, to path: String, frames: Int64 = 30, names: String = "secret item"
  ) throws {
    let store = try RecordingStore(
      path: path, description: Recordings.description(uuid), uuid: uuid)
    try store.begin(isDurable: false)
    let key = KeyHandle(rawValue: 0)
    try store.insert(KeyRecord(handle: key, name: "x", role: .animated, unit: "pt"))
    for item in 0..<3 as Range<Int32> {
      try store.insert(
        ItemRecord(
          handle: ItemHandle(rawValue: item),
          identity: ElementIdentity(category: .cell, id: "\(names) \(item)")))
    }
    var counts = RecordCounts()
    for number in 0..<frames {
      let time = Instant(nanoseconds: number * 10)
      let isKey = number % 10 == 0
      try store.insert(
        SampleRecord(
          key: key, sample: Sample(time: time, value: Double(number) / 3), phase: .driving,
          ordinal: 0))
      try store.insert(
        TouchSample(time: time, contact: 0, phase: .moved, position: .zero), sequence: number)
      try store.insert(
        FrameRecord(
          number: number,
          state: FrameState(
            time: time, phase: .driving, progress: nil, contentOffset: .zero, contentSize: .zero),
          isKeyFrame: isKey))
      var changes: [AttributeChange] = [.changed(element(0, x: Double(number) * 1.5))]
      if number == 0 {
        changes.append(.changed(element(1, x: -0.0)))
      } else if isKey {
        changes.append(.same(element(1, x: -0.0)))
      }
      switch number % 7 {
      case 3: changes.append(.changed(element(2, x: Double(number))))
      case 4 where isKey: changes.append(.same(element(2, x: Double(number - 1))))
      case 5 where number > 3: changes.append(.gone(ItemHandle(rawValue: 2)))
      default: break
      }
      for change in changes { try store.insert(change, frame: number) }
      counts.attributes += Int64(changes.count)
    }
    try store.insert(
      TimelineEvent(
        time: .zero, kind: .mark,
        fields: EventField.list(["id": "\(names) 1", "n": 1])), sequence: 0)
    counts.samples = frames
    counts.frames = frames
    counts.touches = frames
    counts.events = 1
    try store.close(
      at: Instant(nanoseconds: frames * 10), outcome: .none, counts: counts,
      summaries: try store.summary(of: key).map { [$0] } ?? [])
    try store.commit()
    try store.settleIntoOneFile()
  }

  private static func element(_ item: Int32, x: Double) -> ElementRecord {
    ElementRecord(
      item: ItemHandle(rawValue: item), indexPath: ItemIndexPath(section: 0, item: Int(item)),
      pose: Pose(center: Point2D(x: x, y: 1), size: Size2D(width: 3, height: 4)))
  }

  /// Every row of a session in every view but the session's number.
  static func contents(_ path: String, session: Int64) throws -> [[SQLValue]] {
    let reader = try RecordingReader(path: path)
    var rows: [[SQLValue]] = []
    for view in [
      "samples", "frames", "attributes", "touches", "events", "decisions", "estimates", "layouts",
      "keys", "items", "sessions",
    ] {
      let found = try reader.query("SELECT * FROM \(view) WHERE session = \(session)").rest()
      rows += found.map { Array($0.dropFirst()) }
    }
    return rows
  }
}

extension SQLValue {
  /// The value as a whole number; nil for anything else.
  var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }
}
