import KymographCLibrary
import TimelineInterchange
import TimelineModel
import TimelineRendering
import TimelineStore

extension WorkTasks {
  /// Writes a session in another format, and says where.
  func exported(
    _ session: SessionRecord, _ reader: RecordingReader, _ listed: ListedName,
    as format: ExportFormat, into folder: String
  ) throws -> WorkRow.Export {
    let path =
      "\(folder)/\(WorkTasks.relativePath(of: listed)).\(session.number).\(format.fileEnding)"
    try makeFolders(of: path)
    // A run that goes on behind an earlier one meets files whose rows were not written any more.
    let output = try FileOutput(
      invocation.console, path: path,
      replacing: invocation.has(Flags.force) || invocation.has(WorkFlags.skip),
      beside: [reader.path])
    let export = try SessionExport(session, in: reader)
    func unseen(_ share: Double) {}
    let report = try export.write(format, progress: unseen) { try output.write($0) }
    try output.finish()
    return WorkRow.Export(
      format: format, path: path, bytes: output.byteCount, losses: report.losses.map(\.sentence))
  }

  /// Where a recording's exports are in their folder: as the list names it, one name for each recording. A full path
  /// is in the folder %2F, `..` is %2E%2E, and a byte that is no UTF-8, like % itself, has its two digits.
  static func relativePath(of listed: ListedName) -> String {
    let parts = listed.path.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
    let names = parts.map { part -> String in
      if part.elementsEqual("..".utf8) { return "%2E%2E" }
      return escaped(Array(part))
    }
    return ((listed.path.first == UInt8(ascii: "/") ? ["%2F"] : []) + names).joined(separator: "/")
  }

  private static func escaped(_ name: [UInt8]) -> String {
    func digits(_ byte: UInt8) -> String {
      let text = String(byte, radix: 16, uppercase: true)
      return "%" + (text.count < 2 ? "0" : "") + text
    }
    var text = ""
    var rest = name[...]
    while let byte = rest.first {
      // The longest character that is whole.
      let width = (1...4).first { width in
        width <= rest.count && String(validating: rest.prefix(width), as: UTF8.self) != nil
      }
      guard let width, byte != UInt8(ascii: "%") else {
        text += digits(byte)
        rest = rest.dropFirst()
        continue
      }
      text += String(decoding: rest.prefix(width), as: UTF8.self)
      rest = rest.dropFirst(width)
    }
    return text
  }

  /// Makes the folders that a path leads through.
  func makeFolders(of path: String) throws {
    for index in path.indices where path[index] == "/" && index > path.startIndex {
      let folder = String(path[..<index])
      if mkdir(folder, 0o777) != 0, errno != EEXIST, errno != EISDIR {
        throw Failure.unreadable(
          "the folder \(folder) cannot be made: \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Takes away what a child that was killed left half written.
  func removeLeftovers(of child: pid_t) {
    guard let export else { return }
    removeLeftovers(in: export.folder, ending: ".part-\(child)")
  }

  private func removeLeftovers(in folder: String, ending: String) {
    for bytes in readFolder(folder) ?? [] {
      let name = String(decoding: bytes, as: UTF8.self)
      guard name != ".", name != ".." else { continue }
      let path = "\(folder)/\(name)"
      var facts = stat()
      guard lstat(path, &facts) == 0 else { continue }
      if facts.st_mode & S_IFMT == S_IFDIR {
        removeLeftovers(in: path, ending: ending)
      } else if name.hasSuffix(ending) {
        unlink(path)
      }
    }
  }
}
