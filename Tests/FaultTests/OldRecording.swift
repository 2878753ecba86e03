import KymographCSQLite
import TimelineModel
import TimelineSchema
import TimelineStore

/// Writes a known session in the shape of an older program.
enum OldRecording {
  /// Makes a finished recording of an older schema version at a path where nothing is.
  static func make(_ known: KnownSession, version: Int, at path: String) throws {
    let database = try PlainDatabase(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try database.run("BEGIN")
    for (index, step) in Schema.steps.prefix(version).enumerated() {
      try database.run(step.sql)
      try database.run(
        "INSERT INTO migration VALUES (\(index + 1), '\(step.name)', '\(step.checksum)')")
    }
    try database.run("PRAGMA application_id = \(Schema.applicationID)")
    try database.run("PRAGMA user_version = \(version)")
    try insertNames(known, version: version, into: database)
    for step in 0..<known.steps {
      try insert(step, of: known, version: version, into: database)
    }
    if version >= 4 { try database.run("INSERT INTO transition " + Schema.transitions()) }
    try database.run("COMMIT")
  }

  private static func insertNames(
    _ known: KnownSession, version: Int, into database: PlainDatabase
  ) throws {
    try database.run(
      """
      INSERT INTO session (session, uuid, schema_version, clock, software, end_ns, outcome,
        sample_count, frame_count, attribute_count, touch_count, event_count, lost_count)
      VALUES (1, '\(known.uuid)', \(version), 'virtual', 'tests', \(known.end.nanoseconds),
        'finished', \(known.steps * known.keyCount), \(known.steps),
        \(known.steps * known.itemCount), \(known.steps), \(known.steps / 10), 0)
      """)
    for key in 0..<known.keyCount {
      try database.run("INSERT INTO key VALUES (1, \(key), 'key \(key)', 'animated', 'pt')")
    }
    for item in 0..<known.itemCount {
      try database.run("INSERT INTO item VALUES (1, \(item), 'cell', NULL, 'item \(item)')")
    }
  }

  private static func insert(
    _ step: Int, of known: KnownSession, version: Int, into database: PlainDatabase
  ) throws {
    let time = known.time(step).nanoseconds
    for key in 0..<known.keyCount {
      try database.run(
        version < 3
          ? "INSERT INTO sample VALUES (1, \(time), \(key), 0, \(known.value(key, at: step)), 1)"
          : """
          INSERT INTO \(AllTables.name("plain_sample", in: Int64(version)))
          VALUES (1, \(time), \(key << 2 | 1), \(known.value(key, at: step)))
          """
      )
    }
    let touch = known.touch(step).position
    try database.run(
      """
      INSERT INTO touch (session, sequence, t_ns, contact, phase, x, y)
      VALUES (1, \(step), \(time), 0, 'moved', \(touch.x), \(touch.y))
      """)
    let frame = known.frame(step)
    try database.run(
      """
      INSERT INTO frame VALUES (1, \(step), \(time), 1, 1, \(frame.progress ?? 0),
        \(frame.contentOffset.x), \(frame.contentOffset.y), \(frame.contentSize.width),
        \(frame.contentSize.height))
      """)
    for item in 0..<known.itemCount {
      let pose = known.pose(item, at: step)
      try database.run(
        """
        INSERT INTO \(AllTables.name("plain_attribute", in: Int64(version))) VALUES (1, \(step), \(item), 0, 0, \(item), \(pose.center.x),
          \(pose.center.y), \(pose.size.width), \(pose.size.height), \(pose.alpha), 0, 0,
          NULL, NULL, NULL, NULL, NULL, NULL, NULL)
        """)
    }
    if known.hasEvent(step) {
      let kind = known.event(step).kind.rawValue
      try database.run("INSERT INTO event VALUES (1, \(step / 10), \(time), '\(kind)', '{}')")
    }
  }
}
