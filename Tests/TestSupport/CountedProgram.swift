import Foundation

/// The built `kymo`, or a script in its stead that counts each start.
///
/// If the environment variable `KYMO_TEST_STARTS` names a folder, each start of the program appends one line to the file
/// `starts` in it: starts by a test, by a shell and by a script of the project. The program's own children are no
/// starts.
enum CountedProgram {
  /// The file to call. Its name is `kymo`, so that a search path finds it.
  static let url: URL = {
    guard let name = ProcessInfo.processInfo.environment["KYMO_TEST_STARTS"], !name.isEmpty else {
      return buildFolder.appendingPathComponent("kymo")
    }
    let folder = URL(fileURLWithPath: name, isDirectory: true)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Links, because nobody can start a file that another thread's new process still has open for writing. Another
    // process of the tests may have made them.
    for (link, target) in [("built", buildFolder.path), ("kymo", fixture("programs/counted"))] {
      try? FileManager.default.createSymbolicLink(
        atPath: folder.appendingPathComponent(link).path, withDestinationPath: target)
    }
    return folder.appendingPathComponent("kymo")
  }()
}
