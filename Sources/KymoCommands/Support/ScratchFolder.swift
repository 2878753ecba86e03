import KymographCLibrary

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder of its own among the temporary ones, which goes with everything in it when nothing uses it any more.
///
/// Its name has the number of this process, which holds a lock on the file `.kymo-owner` in it, so that another process sees when a
/// folder was left behind.
final class ScratchFolder {
  /// The folder.
  let path: String
  /// Holds the lock. -1: the file system has none.
  private let descriptor: Int32

  /// The files that it has of its own.
  var files: [String] { ["\(path)/\(Self.lockName)"] }

  private static let prefix = "kymo-"
  private static let lockName = ".kymo-owner"

  /// Makes the folder.
  ///
  /// - Parameter what: What it is for, as a message names it.
  init(for what: String) throws {
    let parent = FileManager.default.temporaryDirectory.path
    var name = Array("\(parent)/\(Self.prefix)\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else {
      throw Failure.unreadable(
        "\(parent) takes no folder for \(what): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // The lock is there before the name of its file, so that a file without a lock is always one that was left.
    let (lock, unlocked) = ("\(path)/\(Self.lockName)", "\(path)/\(Self.lockName)-new")
    var descriptor = open(unlocked, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0,
      flock(descriptor, LOCK_EX | LOCK_NB) != 0 || rename(unlocked, lock) != 0
    {
      close(descriptor)
      unlink(unlocked)
      descriptor = -1
    }
    self.descriptor = descriptor
  }

  deinit {
    Self.remove(path)
    if descriptor >= 0 { close(descriptor) }
  }

  private static func remove(_ path: String) {
    // A program that wrote into it and was ended may still be about to end.
    for _ in 0..<mostTries {
      try? FileManager.default.removeItem(atPath: path)
      guard FileManager.default.fileExists(atPath: path) else { return }
      usleep(pause)
    }
  }

  /// How often its removal is tried, and how long after that it is tried again, in µs.
  private static let (mostTries, pause) = (50, UInt32(10_000))

  /// Removes the folders that processes left behind which were killed: those of this user whose lock nobody holds, or
  /// that never had one and whose process has ended. What cannot be removed stays.
  static func removeAbandoned() {
    let parent = FileManager.default.temporaryDirectory.path
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] {
      guard let process = process(in: name) else { continue }
      let path = "\(parent)/\(name)"
      guard isOwn(path) else { continue }
      // The number of a process that was ended may be in use again, or that of one nobody has waited for.
      if isHeld(path).map({ !$0 }) ?? (kill(process, 0) != 0 && errno == ESRCH) {
        endBrowsers(of: path)
        remove(path)
      }
    }
  }

  /// Ends browsers that have a folder as their profile, and would go on writing into it. Only where the system tells the
  /// words of a process.
  private static func endBrowsers(of path: String) {
    let word = Array("--user-data-dir=\(path)".utf8)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = Int32(name),
        let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline"),
        words.split(separator: 0).contains(where: { $0.elementsEqual(word) })
      else { continue }
      kill(process, SIGKILL)
    }
  }

  /// The number of the process in the name of a folder. `nil` for another name.
  private static func process(in name: String) -> Int32? {
    guard name.hasPrefix(prefix) else { return nil }
    let parts = name.dropFirst(prefix.count).split(
      separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 6, let process = Int32(parts[0]) else {
      return nil
    }
    guard process > 0, "\(process)" == parts[0] else { return nil }
    return process
  }

  /// Whether a path is a folder of this user, and not a link to one.
  private static func isOwn(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
      && facts.st_uid == geteuid()
  }

  /// Whether a process holds the lock of a folder, in this container or another one. `nil` if it has no lock.
  private static func isHeld(_ path: String) -> Bool? {
    let descriptor = open("\(path)/\(lockName)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }
}
