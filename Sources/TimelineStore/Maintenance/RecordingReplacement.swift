import KymographCLibrary

/// A recording that is made beside a file and takes its name when it is whole. Nobody records into that file from
/// before it is read until then. Who wants to waits, and finds the new one.
package final class RecordingReplacement {
  /// Where the new recording is made.
  package let part: String
  private let path: String
  /// The file whose name it takes: a link stays one.
  private let target: String
  private let isReplacing: Bool
  private let takesAnyFile: Bool
  private let before: FileStamp?
  /// Keeps others out. `nil` where no recorder could begin.
  private var keeper: RecordingEditor?

  /// Waits until nobody writes the file, and keeps others out of it from then on.
  ///
  /// - Parameters:
  ///   - path: The file, if there is one.
  ///   - replacing: Whether a file that is there may be replaced.
  ///   - takesAnyFile: Whether it may also be damaged or no recording. What lies beside it goes with it then.
  /// - Throws: ``StoreError``: a file is in the way, is being recorded, or cannot be opened.
  package init(
    _ path: String, replacing: Bool, takesAnyFile: Bool = false
  ) throws(StoreError) {
    self.path = path
    let target = FileFacts.resolved(path)
    self.target = target
    part = target + ".part-\(getpid())"
    isReplacing = replacing
    self.takesAnyFile = takesAnyFile
    if FileFacts(of: target) != .absent {
      guard replacing else { throw .exists(path) }
      do throws(StoreError) {
        let keeper = try RecordingEditor(path: path)
        self.keeper = keeper
        if keeper.isAwaited { throw .beingRecorded(path) }
      } catch {
        guard takesAnyFile, error.code != .busy else { throw error }
      }
    }
    before = FileStamp(target.utf8)
    NewFile.removeLeftovers(beside: target)
    NewFile.remove(part)
  }

  deinit { NewFile.remove(part) }

  /// Gives the new recording its name. It must be closed, and so must every reader of the file in this process.
  ///
  /// - Throws: ``StoreError``: the file was replaced meanwhile, another program keeps it open, or the disk refuses.
  package func finish() throws(StoreError) {
    let isDone = try WriterTurn.wait { () throws(StoreError) in
      try WriterTurn.take(at: target, isAlone: true) { () throws(StoreError) in
        try replaceOriginal()
      }
    }
    guard isDone != nil else { throw .inUse(path) }
  }

  /// - Returns: nil while a reader keeps the file's log alive.
  private func replaceOriginal() throws(StoreError) -> Bool? {
    let now = FileStamp(target.utf8)
    let isAsBefore =
      keeper == nil
      ? now == before && !isLocked(target + "-wal") : now?.isSameFile(as: before) == true
    guard isAsBefore else { throw .changedMeanwhile(path, "another file has this name") }
    if let keeper, try keeper.settleIntoOneFile(waits: false) != .nothing { return nil }
    keeper = nil
    if takesAnyFile {
      // It would be taken for the new recording's.
      NewFile.removeCompanions(of: target)
      for session in CrashJournal.sessions(beside: target) {
        unlink(CrashJournal.path(of: target, session: session))
      }
      NewFile.syncFolder(of: target)
    }
    let code = NewFile.put(part, at: target, replacing: isReplacing)
    if code == EEXIST { throw .exists(path) }
    guard code == 0 else {
      throw StoreError(
        [ENOSPC, EDQUOT].contains(code) ? .full : .readOnly, path: path,
        "\(path) cannot be written: \(String(cString: strerror(code))). Choose another folder.")
    }
    return true
  }
}

@available(*, unavailable, message: "its editor belongs to one thread at a time")
extension RecordingReplacement: Sendable {}
