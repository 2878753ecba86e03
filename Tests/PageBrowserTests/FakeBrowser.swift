import Foundation
import PageBrowser
import TestSupport

/// A script in a browser's place: `hear` waits for a request on descriptor 3, and `say` writes to descriptor 4.
/// The first request, which asks whether it is there, has the number 1.
struct FakeBrowser {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // A browser that ended is an error of write.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Starts a script that answers to the first request, and then goes on as it is told.
  func start(
    _ script: String, isInterrupted: @escaping () -> Bool = { false }
  ) throws -> Browser {
    let path = folder.path("browser")
    let text = """
      #!/bin/bash
      say() { printf '%s\\0' "$1" >&4; }
      hear() { IFS= read -r -d '' request <&3; }
      \(script)

      """
    _ = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
    return try Browser(
      Browser.Settings(
        path: path, profile: folder.url.path,
        environment: ["PATH=/usr/bin:/bin", "FOLDER=\(folder.url.path)"], isSteady: false),
      isInterrupted: isInterrupted)
  }

  /// The line of a script that answers to the first request.
  static let greeting = #"hear; say '{"id":1,"result":{"product":"fake"}}'"#
  /// The line of a script that waits until nobody speaks to it any more.
  static let waiting = "cat <&3 >/dev/null"
}
