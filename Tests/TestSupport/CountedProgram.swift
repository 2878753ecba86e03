import Foundation

/// The built `kymo`, or a script in its stead that counts each start.
///
/// If the environment variable `KYMO_TEST_STARTS` names a file, each start of the program appends one line to it:
/// starts by a test, by a shell and by a script of the project. The program's own children are no starts.
enum CountedProgram {
  /// The file to call. Its name is `kymo`, so that a search path finds it.
  static let url: URL = {
    let program = buildFolder.appendingPathComponent("kymo")
    guard let log = ProcessInfo.processInfo.environment["KYMO_TEST_STARTS"], !log.isEmpty else {
      return program
    }
    let folder = URL(fileURLWithPath: log + ".program", isDirectory: true)
    let script = folder.appendingPathComponent("kymo")
    // One short write, which appends as a whole. A test's limit on the size of files ends no program here.
    let text = """
      #!/bin/sh
      (trap '' XFSZ; echo "$1" >>'\(log)') 2>/dev/null
      exec '\(program.path)' "$@"

      """
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Another process of the tests may have made it, and be running it.
    if FileManager.default.contents(atPath: script.path) != Data(text.utf8) {
      _ = FileManager.default.createFile(
        atPath: script.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
    }
    return script
  }()
}
