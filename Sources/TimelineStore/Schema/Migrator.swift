package import SQLiteAccess
import TimelineSchema

/// Brings a file to the newest schema: an empty one at once, an older one step by step.
package enum Migrator {
  /// What a file says of itself.
  enum Contents: Equatable {
    /// Nothing in it yet.
    case empty
    /// A recording of this schema version, 1 or later.
    case recording(Int64)
  }

  /// Reads application id and version. Refuses a file that is not ours.
  static func inspect(
    _ connection: borrowing Connection
  ) throws(StoreError) -> Contents {
    // Tables come first: id, version and tables are made by one commit, so that tables without an id
    // belong to somebody else, also when another recorder is making the file at this moment.
    let tables = try naming(connection, try connection.integer(FileHeader.definitionCount))
    let id = try naming(connection, try connection.integer(FileHeader.applicationID))
    let version = try naming(connection, try connection.integer(FileHeader.version))
    if id == 0, version == 0, tables == 0 { return .empty }
    guard id == Int64(Schema.applicationID) else { throw .notARecording(connection.path) }
    guard let version, version >= 1 else {
      throw .damaged(connection.path, "its schema version is \(version ?? 0)")
    }
    return .recording(version)
  }

  /// The same for a file that is to be written: one from a newer program is refused too.
  static func inspectForWriting(
    _ connection: borrowing Connection
  ) throws(StoreError) -> Contents {
    let contents = try inspect(connection)
    if case .recording(let version) = contents, version > Int64(Schema.version) {
      throw .newerSchema(connection.path, found: version, known: Schema.version)
    }
    return contents
  }

  /// The same for a file that may come from anywhere: its schema may not take long, and may hold nothing
  /// in our tables' places but tables. To be called first of all on a new connection.
  @discardableResult
  static func inspectWholly(
    _ connection: borrowing Connection
  ) throws(StoreError) -> Contents {
    let limit = WorkLimit()
    limit.allow(FileSchema.mostSteps)
    connection.obey(limit)
    defer { connection.obeyNoLimit() }
    let contents = try inspectForWriting(connection)
    if case .recording(let version) = contents {
      _ = try FileSchema(connection, version: version)
    }
    return contents
  }

  /// Runs the steps that the file lacks. All of them and their bookkeeping rows commit together.
  package static func migrate(
    _ connection: borrowing Connection
  ) throws(StoreError) {
    let known = Int64(Schema.version)
    let found = try inspectForWriting(connection)
    if found == .recording(known) { return }
    if found == .empty { try naming(connection, try connection.execute(FileHeader.useNewPages)) }
    try naming(connection, try connection.begin())
    do {
      // Looked at again inside the transaction: another recorder may have been quicker.
      let contents = try inspectForWriting(connection)
      if case .recording(let version) = contents {
        try run(from: version, connection)
      } else {
        try run(from: 0, connection)
      }
      try naming(connection, try connection.commit())
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Makes an empty file a recording of a schema version, as salvage wants it.
  package static func make(
    version: Int64, _ connection: borrowing Connection
  ) throws(StoreError) {
    try naming(connection, try connection.execute(FileHeader.useNewPages))
    try naming(connection, try connection.begin())
    try run(from: 0, upTo: version, connection)
    try naming(connection, try connection.commit())
  }

  private static func run(
    from version: Int64, upTo last: Int64 = Int64(Schema.version),
    _ connection: borrowing Connection
  ) throws(StoreError) {
    let missing = Schema.steps.indices.filter { $0 >= version && $0 < last }
    if missing == Array(Schema.steps.indices) {
      try naming(connection, try connection.execute(Schema.ofNewFiles))
    } else {
      // Views of other people's making stay as they are written when a table of ours gets another name: one
      // that is broken already would stop the step.
      try naming(connection, try connection.execute(FileHeader.leaveViewsAlone(true)))
      defer { _ = try? connection.execute(FileHeader.leaveViewsAlone(false)) }
      for index in missing {
        try naming(connection, try connection.execute(Schema.steps[index].sql))
      }
    }
    try naming(connection) { () throws(SQLiteError) in
      for index in missing {
        let row = try connection.prepare(MigrationTable.insertText)
        try row.run(Int64(index + 1), Schema.steps[index].name, Schema.steps[index].checksum)
      }
    }
    try naming(connection, try connection.execute(FileHeader.mark(version: last)))
  }
}
