import Foundation
import PageBrowser
import TestSupport

/// A script in a browser's place: `hear` waits for a request on descriptor 3, and `say` writes to descriptor 4.
/// The first request, which asks whether it is there, has the number 1.
struct FakeBrowser {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Starts a script in a browser's place.
  func start(
    _ script: String, isInterrupted: @escaping () -> Bool = { false }
  ) throws -> Browser {
    try Data(script.utf8).write(to: URL(fileURLWithPath: folder.path("script")))
    return try Browser(
      Browser.Settings(
        path: fixture("browsers/fake"), profile: folder.url.path,
        environment: ["PATH=/usr/bin:/bin", "FOLDER=\(folder.url.path)"], isSteady: false),
      isInterrupted: isInterrupted)
  }

  /// The line of a script that answers to the first request.
  static let greeting = #"hear; say '{"id":1,"result":{"product":"fake"}}'"#
  /// The line of a script that says nothing more.
  static let waiting = "wait_for_end"
}
