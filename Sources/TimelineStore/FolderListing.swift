import KymographCLibrary
import TimelineModel

/// The names in the folder that was listed last, kept while the folder does not change.
///
/// A program that reads the recordings of a folder asks of each which files are beside it. A folder of 40,000 files would be
/// listed 40,000 times.
final class FolderListing: @unchecked Sendable {
  static let shared = FolderListing()

  private var lock = pthread_mutex_t()
  private var folder: [UInt8] = []
  private var stamp: FileStamp?
  /// In the order of their bytes.
  private var names: [[UInt8]] = []

  /// A folder that changed less than so many nanoseconds ago may change again without another time of change: the clocks
  /// of file systems have steps of up to two seconds (FAT).
  private static let step: Int64 = 3_000_000_000

  private init() { pthread_mutex_init(&lock, nil) }

  /// The names in a folder that begin with a name, in any order. None if the folder cannot be listed.
  ///
  /// - Parameter folder: The folder, in whatever bytes.
  /// - Complexity: linear in the files of the folder, and a logarithm of these if the folder did not change since the last call.
  func names(in folder: [UInt8], beginningWith name: some Collection<UInt8>) -> [[UInt8]] {
    // It does not wait: in a child of the program the thread that has the lock may be missing.
    guard pthread_mutex_trylock(&lock) == 0 else { return Self.list(folder, name) }
    defer { pthread_mutex_unlock(&lock) }
    let now = FileStamp(folder)
    if now == nil || now != stamp || folder != self.folder {
      guard let now, Int64(time(nil)) * 1_000_000_000 - now.changed > Self.step else {
        return Self.list(folder, name)
      }
      names = Self.list(folder, []).sorted { $0.lexicographicallyPrecedes($1) }
      (self.folder, stamp) = (folder, now)
    }
    let first = names.partitioningIndex { !$0.lexicographicallyPrecedes(name) }
    return Array(names[first...].prefix { $0.starts(with: name) })
  }

  private static func list(_ folder: [UInt8], _ name: some Collection<UInt8>) -> [[UInt8]] {
    (readFolder(FileFacts.cString(folder)) ?? []).filter { $0.starts(with: name) }
  }
}
