package import SQLiteAccess

/// Why a recording could not be opened, read or written: a code for programs and a sentence for
/// people, which names the file and says what can be done.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What sort of trouble it is.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// There is no such file.
    case notFound
    /// The path names a folder, or something else that is no file.
    case notAFile
    /// The file is not an SQLite database.
    case notADatabase
    /// The file is a database, and not one of Kymograph's.
    case notARecording
    /// The file was written by a newer program.
    case newerSchema
    /// Somebody else is writing the file.
    case busy
    /// The file's content contradicts itself.
    case damaged
    /// The disk is full.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// A change was left half done by a program that ended. Whoever writes takes it back first.
    case unfinishedChange
    /// The file cannot be opened.
    case cannotOpen
    /// Reading or writing failed in the system below.
    case inputOutput
    /// A query that is wrong, or that asks for more than reading.
    case query
    /// The recording has no such session.
    case noSuchSession
    /// The session has no such key.
    case noSuchKey
    /// The recording has a session with the uuid already.
    case uuidInUse
    /// The recorder was finished before.
    case finished
    /// The recorder is suspended.
    case suspended
    /// The recording is complete only together with its log, because another program reads an older state of it.
    case logInUse
    /// A file that would be written is there already.
    case exists
    /// Anything else that SQLite refused, as memory that ran out.
    case other
  }

  /// What sort of trouble it is.
  public let code: Code
  /// The file, as it was named by the caller.
  public let path: String
  /// What happened, where, and what can be done.
  public let message: String

  /// Whether the file is missing, unreadable or not a recording, rather than the question wrong.
  package var isAboutTheFile: Bool {
    switch code {
    case .query, .noSuchSession, .noSuchKey, .uuidInUse, .finished, .suspended, .logInUse, .exists:
      false
    default: true
    }
  }

  /// The message.
  public var description: String { message }

  package init(_ code: Code, path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }
}

extension StoreError {
  package static func notFound(_ path: String) -> StoreError {
    StoreError(.notFound, path: path, "There is no file \(path). Check the path.")
  }

  /// For a command, whose folder stands for the recordings below it.
  package static func notAFile(_ path: String) -> StoreError {
    do throws(StoreError) {
      _ = try RecordingFolder.recordings(below: Array(path.utf8))
    } catch {
      return error
    }
    return isNotAFile(path)
  }

  /// For a recorder and for an app, without a look into the folder.
  package static func isNotAFile(_ path: String) -> StoreError {
    StoreError(
      .notAFile, path: path, "\(path) is a folder or a device. Name the recording file itself.")
  }

  package static func empty(_ path: String) -> StoreError {
    StoreError(
      .notADatabase, path: path,
      "\(path) is empty. Copy or write it again. If it is a recording whose recorder was "
        + "killed at its start, kymo file migrate \(path) makes an empty recording of it."
    )
  }

  package static func exists(_ path: String) -> StoreError {
    StoreError(
      .exists, path: path,
      "\(path) is there already. Name another file, or allow it to be replaced.")
  }

  package static func cannotRead(_ path: String) -> StoreError {
    StoreError(
      .cannotOpen, path: path, "\(path) cannot be read. Check the permissions and the disk.")
  }

  package static func notADatabase(_ path: String) -> StoreError {
    StoreError(
      .notADatabase, path: path,
      "\(path) is not an SQLite database, so it is not a recording. Name a .kymo file.")
  }

  package static func notARecording(_ path: String) -> StoreError {
    StoreError(
      .notARecording, path: path,
      "\(path) is an SQLite database, but not a Kymograph recording. Name a .kymo file.")
  }

  package static func newerSchema(_ path: String, found: Int64, known: Int32) -> StoreError {
    StoreError(
      .newerSchema, path: path,
      "\(path) was written by a newer Kymograph (schema \(found), and this one knows \(known)), and is "
        + "not changed by an older one. Update Kymograph to use it.")
  }

  package static func beingRecorded(_ path: String) -> StoreError {
    StoreError(
      .busy, path: path,
      "\(path) is being recorded by another recorder. Wait until it has finished, or record into "
        + "another file.")
  }

  static func inUse(_ path: String) -> StoreError {
    StoreError(
      .busy, path: path, "\(path) is in use by another program. Try again when it is done.")
  }

  /// Its content is not what was looked at before.
  static func changedMeanwhile(_ path: String, _ what: String) -> StoreError {
    StoreError(
      .busy, path: path,
      "\(path) was changed by another program meanwhile: \(what). Look at it and try again.")
  }

  /// It was opened without locks, as a file that nobody writes.
  static func changedWhileRead(_ path: String) -> StoreError {
    StoreError(
      .busy, path: path,
      "\(path) was changed by another program while it was read. Read it again.")
  }

  static func tooManySamples(_ path: String, _ count: Int64, most: Int64) -> StoreError {
    StoreError(
      .other, path: path,
      "\(path) has a session of \(count) packed samples, of which at most \(most) can be read. "
        + "Delete the session with kymo file delete, or record shorter sessions.")
  }

  static func tooManyHeld(_ path: String, _ what: String, atMost most: Int64) -> StoreError {
    StoreError(
      .other, path: path,
      "\(path) has \(what); at most \(most) are held at a time. Ask about a part of the "
        + "time, or record it in shorter sessions.")
  }

  package static func damaged(_ path: String, _ what: String) -> StoreError {
    StoreError(
      .damaged, path: path,
      "\(path) is damaged: \(what). Save what is left with kymo file recover \(path) -o recovered.kymo."
    )
  }

  /// The schema has something in a place of ours that no recorder puts there.
  static func foreignSchema(_ path: String, _ what: String) -> StoreError {
    StoreError(
      .damaged, path: path,
      "\(path) was changed by a program other than a recorder, and is not read: \(what). Use the "
        + "original recording.")
  }

  package static func unfinishedChange(_ path: String) -> StoreError {
    StoreError(
      .unfinishedChange, path: path,
      "\(path) was left by a program that ended in the middle of a change, which \(path)-journal "
        + "undoes. Keep both files together and run kymo file migrate \(path).")
  }

  static func logInReadOnlyFolder(_ path: String) -> StoreError {
    StoreError(
      .readOnly, path: path,
      "\(path) was not finished, and its newest rows are in \(path)-wal, in a folder that cannot be "
        + "written. Copy both files to a folder of your own and open them there.")
  }

  package static func noFolder(_ path: String) -> StoreError {
    StoreError(
      .notFound, path: path, "The folder for \(path) does not exist. Make the folder first.")
  }

  static func uuidInUse(_ path: String, _ uuid: String) -> StoreError {
    StoreError(
      .uuidInUse, path: path,
      "\(path) already has a session with the uuid \(uuid). Give the new session another one.")
  }

  static func noSuchSession(_ path: String, _ session: Int64) -> StoreError {
    StoreError(.noSuchSession, path: path, "\(path) has no session \(session).")
  }

  static func noSession(_ path: String) -> StoreError {
    StoreError(.noSuchSession, path: path, "\(path) contains no session.")
  }

  static func noSession(_ path: String, named name: String) -> StoreError {
    StoreError(
      .noSuchSession, path: path, "\(path) has no session '\(name)'. Use one of its sessions().")
  }

  static func noKey(_ path: String, session: Int64, _ name: String, known: [String]) -> StoreError {
    let (shown, more) = (known.prefix(8).joined(separator: ", "), max(0, known.count - 8))
    let others =
      known.isEmpty
      ? "It has none" : "Its keys are \(shown)" + (more > 0 ? " and \(more) more" : "")
    return StoreError(
      .noSuchKey, path: path, "\(path)#\(session) has no key '\(name)'. \(others).")
  }

  package static func noSpaceForJournal(_ path: String, journal: String) -> StoreError {
    StoreError(
      .full, path: path,
      "There is no room for the crash journal \(journal), on the disk or in memory. Make room, or use "
        + "smaller rings, and record again.")
  }

  package static func changedJournal(_ path: String) -> StoreError {
    StoreError(
      .damaged, path: path,
      "The crash journal of \(path) was changed by another program while it was being recorded. All rows "
        + "that were committed before are safe.")
  }

  package static func noWriterThread(_ path: String) -> StoreError {
    StoreError(
      .other, path: path,
      "The system has no thread left that could write \(path). End some threads and record again.")
  }

  package static func inForkedChild(_ path: String) -> StoreError {
    StoreError(
      .finished, path: path,
      "The recording into \(path) belongs to the process that this one was forked from. Make a new "
        + "recorder into another file.")
  }

  package static func suspended(_ path: String) -> StoreError {
    StoreError(
      .suspended, path: path,
      "The recorder of \(path) is suspended. Resume it first.")
  }

  static func noLog(_ path: String) -> StoreError {
    StoreError(
      .cannotOpen, path: path,
      "The file system that \(path) is on cannot hold a write-ahead log. Record onto a local disk."
    )
  }

  static func noSuchOpenSession(_ path: String, _ session: Int64) -> StoreError {
    StoreError(
      .noSuchSession, path: path,
      "\(path) no longer has the unfinished session \(session) of this recorder. Make a new recorder."
    )
  }

  static func lostJournal(_ path: String, journal: String) -> StoreError {
    StoreError(
      .cannotOpen, path: path,
      "The crash journal \(journal) was removed or replaced while its recorder was suspended. Make a "
        + "new recorder. All rows that were committed before are safe.")
  }

  /// After its last commit.
  package static func logInUse(_ path: String) -> StoreError {
    StoreError(
      .logInUse, path: path,
      "The recording is complete in \(path) together with \(path)-wal, because another program reads the file. Keep "
        + "both together. When that program has ended, kymo file migrate \(path) makes one file of them."
    )
  }

  package static func alreadyFinished(_ path: String) -> StoreError {
    StoreError(
      .finished, path: path,
      "The recording into \(path) has been finished before. Make a new recorder for a new session.")
  }
}

extension StoreError {
  /// What an error of SQLite means for the file at `path`.
  ///
  /// - Parameters:
  ///   - error: SQLite's error.
  ///   - path: The file, as the caller named it.
  ///   - isQuery: Whether the text came from the caller rather than from us.
  package init(_ error: SQLiteError, path: String, isQuery: Bool = false) {
    let detail = "SQLite: \(error.message)"
    switch error.kind {
    case .busy:
      self.init(
        .busy, path: path,
        "\(path) is in use by another program (\(detail)). Try again when it is done.")
    case .full:
      self.init(
        .full, path: path,
        "The disk is full, so \(path) cannot grow. Make room. All committed rows are safe.")
    case .readOnly:
      self.init(
        .readOnly, path: path,
        "\(path) or its folder cannot be written (\(detail)). Check the permissions.")
    case .notADatabase: self = .notADatabase(path)
    case .corrupt: self = .damaged(path, detail)
    case .cannotOpen:
      self.init(
        .cannotOpen, path: path,
        "\(path) cannot be opened (\(detail)). Check the path and the permissions.")
    case .inputOutput:
      self.init(
        .inputOutput, path: path,
        "\(path) could not be read or written (\(detail)). Check the disk that it is on.")
    case .notAllowed where isQuery:
      self.init(
        .query, path: path,
        "The query must only read: recordings are opened read-only (\(detail)).")
    case .other where isQuery, .constraint where isQuery, .tooLarge where isQuery,
      .beyondLimits where isQuery:
      self.init(.query, path: path, "The query cannot be run on \(path). \(detail).")
    case .other, .constraint: self = .damaged(path, detail)
    case .interrupted:
      self = .damaged(path, "reading it takes more work than a file of its size can need")
    case .beyondLimits:
      self = .damaged(
        path,
        "a value of more than \(Connection.longestValueBytes) bytes is in it or was passed to it"
      )
    case .needsRollback: self = .unfinishedChange(path)
    case .tooLarge, .notAllowed:
      self.init(
        .other, path: path, "\(path) could not be used (\(detail)). Free memory and try again.")
    }
  }
}

/// Runs a piece of work and gives SQLite's errors the file's name and advice.
package func naming<Value: ~Copyable>(
  _ path: String, _ work: () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  do {
    return try work()
  } catch {
    throw StoreError(error, path: path)
  }
}

/// The same for a single call.
@discardableResult
package func naming<Value: ~Copyable>(
  _ path: String, _ call: @autoclosure () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  try naming(path, call)
}

/// Runs a piece of work on a connection and gives SQLite's errors the name and advice of its file.
package func naming<Value: ~Copyable>(
  _ connection: borrowing Connection, _ work: () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  try naming(connection.path, work)
}

/// The same for a single call.
@discardableResult
package func naming<Value: ~Copyable>(
  _ connection: borrowing Connection, _ call: @autoclosure () throws(SQLiteError) -> Value
) throws(StoreError) -> Value {
  try naming(connection.path, call)
}
