import KymographCLibrary
import SQLiteAccess

/// A recording as it was before a change that a program which was ended left half done.
///
/// SQLite takes such a change back with the journal beside the file, which writes the file. Who only reads does that
/// in a copy.
enum RolledBackCopy {
  /// Copies a recording and its journal into a folder of its own, takes the change back there, and opens the
  /// copy, whose names are gone by then: the room is free again when the connection is closed.
  ///
  /// - Parameters:
  ///   - file: The recording's full path.
  ///   - path: The file as the caller named it.
  ///   - limit: What looking at the copy may take.
  /// - Throws: ``StoreError``: there is no room for a copy in the folder of temporary files, or somebody
  ///   takes the change back at this moment.
  static func connection(
    to file: String, path: String, _ limit: WorkLimit
  ) throws(StoreError) -> Connection {
    let journal = file + "-journal"
    let before = FileFacts(of: journal)
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    guard let name = strdup(temporary + "/kymo-XXXXXX") else { throw noCopy(path, temporary) }
    defer { free(name) }
    guard mkdtemp(name) != nil else { throw noCopy(path, temporary) }
    let folder = String(cString: name)
    let copy = folder + "/copy"
    defer {
      NewFile.remove(copy)
      rmdir(folder)
    }
    guard duplicate(journal, as: copy + "-journal"), duplicate(file, as: copy) else {
      throw noCopy(path, folder)
    }
    // Gone, or another one: the file was being changed while it was copied.
    guard FileFacts(of: journal) == before else {
      throw .inUse(path)
    }
    return try naming(path) { () throws(SQLiteError) in
      let writer = try Connection(path: copy, for: .writing)
      writer.obey(limit)
      _ = try writer.integer(FileHeader.definitionCount)
      return try Connection(path: copy, for: .readingUnchanging, named: path)
    }
  }

  private static func duplicate(_ file: String, as copy: String) -> Bool {
    let source = open(file, O_RDONLY | O_CLOEXEC)
    let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    defer {
      close(source)
      close(target)
    }
    guard source >= 0, target >= 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(source, &chunk, chunk.count)
      if count <= 0 { return count == 0 }
      guard write(target, chunk, count) == count else { return false }
    }
  }

  private static func noCopy(_ path: String, _ folder: String) -> StoreError {
    StoreError(
      .unfinishedChange, path: path,
      "\(path) was left by a program that ended in the middle of a change, and there is no room in "
        + "\(folder) for a copy to read it from. Make room, or run kymo file migrate \(path).")
  }
}
