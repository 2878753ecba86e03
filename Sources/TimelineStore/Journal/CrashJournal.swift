import KymographCLibrary
import Synchronization

/// The crash journal of a session that is being recorded: a file beside the recording that holds what a
/// recorder has recorded and not yet committed.
///
/// The file is mapped into memory and written there, so the kernel has every word as soon as it is
/// stored, and keeps it when the process dies. The disk's space is taken before a lane is used: a disk
/// that fills up later can never stop a store into mapped memory. While its recorder lives, the
/// recorder holds an exclusive `flock` on the file. The file is removed when the session is finished.
///
/// Not Sendable: its owner says who uses it when.
package final class CrashJournal {
  package let path: String
  /// Whose it is.
  package let header: JournalHeader
  /// The lanes so far.
  package private(set) var lanes: [JournalLane] = []

  /// The first schema version whose recorders keep a crash journal.
  package static let firstSchemaVersion: Int64 = 3

  private let recording: String
  /// -1 while the recorder has let go of the file.
  private var descriptor: Int32
  private let firstPage: UnsafeMutablePointer<UInt64>
  private let identity: (device: dev_t, inode: ino_t)

  /// The journal of a session of a recording.
  ///
  /// - Parameter recording: The database's full path, links followed, as SQLite names its log by.
  package static func path(of recording: String, session: Int64) -> String {
    "\(recording)-crash\(session)"
  }

  /// Makes the file with its header and takes the lock on it.
  ///
  /// A file of the name that is no longer locked is replaced: the caller has folded in what it held.
  ///
  /// - Parameters:
  ///   - recording: The database's full path.
  ///   - session: The session's position in it.
  ///   - uuid: The session's identity.
  ///   - laneWords: Length of each ring in words. Made a power of two, and a page at least.
  ///   - laneCount: How many lanes there may be.
  /// - Throws: ``StoreError``: the folder cannot be written, the disk is full, or a recorder holds the
  ///   file.
  package init(
    recording: String, session: Int64, uuid: String, laneWords: Int, laneCount: Int
  ) throws(StoreError) {
    let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))
    var ring = pageBytes / 8
    while ring < laneWords, ring < CrashJournal.longestLaneWords { ring *= 2 }
    let header = JournalHeader(
      pageBytes: pageBytes, laneWords: ring,
      laneCount: min(max(laneCount, 1), CrashJournal.mostLanes), session: session, uuid: uuid)
    let path = CrashJournal.path(of: recording, session: session)
    let descriptor = try CrashJournal.create(path, for: recording)
    var facts = stat()
    guard fstat(descriptor, &facts) == 0,
      CrashJournal.allocate(descriptor, from: 0, bytes: pageBytes),
      let page = CrashJournal.map(firstPageOf: descriptor, bytes: pageBytes)
    else {
      let error = CrashJournal.noSpace(path, for: recording)
      unlink(path)
      close(descriptor)
      throw error
    }
    for (index, word) in header.encoded.enumerated() { page[index] = word }
    page[JournalFormat.processWord] = UInt64(UInt32(bitPattern: getpid()))
    page[JournalFormat.suspendedWord] = 0
    // After a power cut there is a journal of this session then, whatever its lanes hold.
    msync(page, pageBytes, MS_SYNC)
    _ = NewFile.sync(descriptor)
    NewFile.syncFolder(of: path)
    self.path = path
    self.recording = recording
    self.header = header
    self.descriptor = descriptor
    firstPage = page
    identity = (facts.st_dev, facts.st_ino)
  }

  private let owner = getpid()

  deinit {
    for lane in lanes { lane.unmap() }
    munmap(firstPage, header.pageBytes)
    if descriptor >= 0 { closeLocked(descriptor, of: owner) }
  }
}

@available(*, unavailable, message: "its owner says who uses it when")
extension CrashJournal: Sendable {}

// MARK: - Lanes

extension CrashJournal {
  /// A gigabyte: the longest ring that a reader takes for one.
  package static let longestLaneWords = 1 << 27

  /// The most lanes that a reader takes for possible.
  package static let mostLanes = Int(JournalTable.recoveredLane)

  /// Adds a lane, empty and with all its space taken from the disk.
  ///
  /// - Returns: nil when there are as many as there may be, the disk has no room, or the system no
  ///   memory.
  package func addLane() -> JournalLane? {
    guard descriptor >= 0, lanes.count < header.laneCount else { return nil }
    let offset = header.offset(ofLane: lanes.count)
    guard CrashJournal.allocate(descriptor, from: offset, bytes: header.laneBytes),
      let lane = JournalLane(
        header, number: lanes.count, descriptor: descriptor,
        firstLaneHead: lanes.first?.head.pointee.load(ordering: .acquiring) ?? 0)
    else {
      // A part of a lane is none. A reader goes by the file's length.
      _ = ftruncate(descriptor, off_t(offset))
      return nil
    }
    lanes.append(lane)
    return lane
  }
}

// MARK: - Holding, letting go, removing

extension CrashJournal {
  /// Where what is lost is counted, as long as the journal's value lives.
  package var lossCounter: JournalLossCounter {
    JournalLossCounter(page: firstPage, salt: header.salt)
  }

  /// The file's descriptor, which a child process closes so that the lock ends with its recorder. -1
  /// while the file is let go.
  package var lockDescriptor: Int32 { descriptor }

  /// Gives up the lock and the descriptor. What is stored into the lanes meanwhile still reaches the file.
  ///
  /// - Parameter isSuspended: Whether the recorder means to come back, so that nobody else may take what
  ///   is in the lanes while its process lives.
  package func letGo(isSuspended: Bool = true) {
    guard descriptor >= 0 else { return }
    firstPage[JournalFormat.suspendedWord] = isSuspended ? 1 : 0
    // Mapped memory holds on to the opened file, and so to its lock, after the descriptor is closed.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  /// After ``letGo(isSuspended:)``: says that nobody comes back, so that others may take what is in the
  /// lanes.
  package func giveUp() { firstPage[JournalFormat.suspendedWord] = 0 }

  /// Takes the lock again after ``letGo()``.
  ///
  /// - Throws: ``StoreError``: the file is gone or another one, or somebody holds it.
  package func takeUp() throws(StoreError) {
    guard descriptor < 0 else { return }
    let opened = open(path, O_RDWR | O_CLOEXEC)
    guard opened >= 0 else { throw .lostJournal(recording, journal: path) }
    var facts = stat()
    guard fstat(opened, &facts) == 0, facts.st_dev == identity.device,
      facts.st_ino == identity.inode
    else {
      close(opened)
      throw .lostJournal(recording, journal: path)
    }
    guard Self.lockAlone(opened) else {
      close(opened)
      throw .beingRecorded(recording)
    }
    firstPage[JournalFormat.suspendedWord] = 0
    descriptor = opened
  }

  /// Deletes the file. Its memory stays until the value goes away.
  package func remove() {
    var facts = stat()
    // The name may lead to another recorder's file by now.
    guard stat(path, &facts) == 0, facts.st_dev == identity.device,
      facts.st_ino == identity.inode
    else { return }
    unlink(path)
  }
}

// MARK: - The file

extension CrashJournal {
  /// Opens a new file under an exclusive lock.
  private static func create(_ path: String, for recording: String) throws(StoreError) -> Int32 {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw noSpace(path, for: recording) }
    guard lockAlone(opened) else {
      close(opened)
      throw .beingRecorded(recording)
    }
    // Who may read the recording may read what is still to come into it, as with SQLite's own files.
    var facts = stat()
    let isReadable = stat(recording, &facts) != 0 || fchmod(opened, facts.st_mode & 0o777) == 0
    guard isReadable, ftruncate(opened, 0) == 0 else {
      let error = noSpace(path, for: recording)
      close(opened)
      throw error
    }
    return opened
  }

  /// Takes the lock on a journal. A program that looks at the journal shares the lock for a moment, and is waited for.
  private static func lockAlone(_ descriptor: Int32) -> Bool {
    WriterTurn.wait { flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? true : nil } ?? false
  }

  /// Takes space from the disk and makes the file that long.
  private static func allocate(_ descriptor: Int32, from offset: Int, bytes: Int) -> Bool {
    #if canImport(Darwin)
      var store = fstore_t(
        fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
        fst_length: off_t(bytes), fst_bytesalloc: 0)
      guard fcntl(descriptor, F_PREALLOCATE, &store) != -1 else { return false }
      return ftruncate(descriptor, off_t(offset + bytes)) == 0
    #else
      var code: Int32
      repeat {
        code = posix_fallocate(descriptor, off_t(offset), off_t(bytes))
      } while code == EINTR
      // The function gives its error as its result.
      errno = code
      return code == 0
    #endif
  }

  private static func map(
    firstPageOf descriptor: Int32, bytes: Int
  ) -> UnsafeMutablePointer<UInt64>? {
    JournalLane.map(
      nil, bytes: bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, at: 0
    )?.assumingMemoryBound(to: UInt64.self)
  }

  /// The error behind a call that has just failed.
  private static func noSpace(_ path: String, for recording: String) -> StoreError {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG:
      StoreError(
        .full, path: recording,
        "The disk has no room for the crash journal \(path). Make room and record again.")
    case EACCES, EPERM, EROFS:
      StoreError(
        .readOnly, path: recording,
        "The crash journal \(path) cannot be made. Check the permissions of its folder.")
    default:
      StoreError(
        .cannotOpen, path: recording,
        "The crash journal \(path) cannot be made (system error \(errno)). Record onto a local "
          + "disk.")
    }
  }
}

extension CrashJournal {
  /// The sessions whose crash journals lie beside a recording, in the order of their numbers. Whether
  /// they are what their names say is not looked at.
  ///
  /// - Parameter recording: The database's full path.
  /// - Complexity: that of `FileFacts.endings`. The recording itself is not read.
  package static func sessions(beside recording: String) -> [Int64] {
    FileFacts.endings(beside: recording.utf8).compactMap { ending in
      ending.hasPrefix("-crash") ? Int64(ending.dropFirst(6)).flatMap { $0 > 0 ? $0 : nil } : nil
    }.sorted()
  }

  /// Whether a recorder holds one of them.
  static func isHeld(beside recording: String) -> Bool {
    sessions(beside: recording).contains { isLocked(path(of: recording, session: $0)) }
  }
}
