import Foundation
import TestSupport

/// What a recorder's crash journal held at moments of a recording. The journal is mapped memory, so the
/// shim sees nothing of it: the kernel writes its pages to the disk whenever it likes.
final class JournalCopies {
  private struct Copy {
    var operations: Int64
    var files: [String: Data]
  }

  private var copies: [Copy] = []

  /// The unit in which the kernel writes mapped memory back.
  private static let pageBytes = 4_096

  /// Copies every journal that lies beside a recording.
  func take(beside path: String, after operations: Int64) throws {
    let place = URL(fileURLWithPath: path)
    let folder = place.deletingLastPathComponent().path
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder)
    where name.hasPrefix(place.lastPathComponent + "-crash") {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    copies.append(Copy(operations: operations, files: files))
  }

  /// Makes the journals as a power cut may leave them: each page as it was before the cut or after it,
  /// now and then zeros. A journal that was removed is there again.
  func cut(after operations: Int64, seed: UInt64, into folder: String) throws {
    guard let index = copies.lastIndex(where: { $0.operations <= operations }) else { return }
    var generator = SplitMix(seed: seed)
    let older = copies[max(0, index - 1)]
    let newer = copies[min(copies.count - 1, index + 1)]
    for (name, after) in newer.files.sorted(by: { $0.key < $1.key }) {
      let before = older.files[name] ?? Data(count: after.count)
      var file = Data()
      for start in stride(from: 0, to: after.count, by: JournalCopies.pageBytes) {
        let end = min(start + JournalCopies.pageBytes, after.count)
        switch generator.next() % 16 {
        case 0: file += Data(count: end - start)
        case 1...7 where end <= before.count: file += before[start..<end]
        default: file += after[start..<end]
        }
      }
      try file.write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }
}
