import CLibrary

extension CrashJournal {
  /// The sessions whose crash journals lie beside a recording, in the order of their numbers. Whether
  /// they are what their names say is not looked at.
  ///
  /// - Parameter recording: The database's full path.
  /// - Complexity: linear in the files of the folder; the recording itself is not read.
  static func sessions(beside recording: String) -> [Int64] {
    guard let folder = opendir(FileFacts.folder(of: recording)) else { return [] }
    defer { closedir(folder) }
    let name = recording.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    let beginning = name + "-crash"
    var sessions: [Int64] = []
    while let entry = readdir(folder) {
      let found = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let found, found.hasPrefix(beginning),
        let number = Int64(found.dropFirst(beginning.count)), number > 0
      else { continue }
      sessions.append(number)
    }
    return sessions.sorted()
  }
}
