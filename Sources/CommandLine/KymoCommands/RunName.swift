import TimelineQuery
import TimelineStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session as the words of a command name it: `FILE [SESSION] [FILE SESSION]`.
struct RunName: Equatable {
  /// The file, with or without `#SELECTOR`.
  var file: String
  /// The session, where a word of its own says it.
  var selector: String?

  /// Sorts one to four words into one or two runs: a word that is no file names the session of the file
  /// before it. One that ends as a recording's name is a file, whether or not it is there.
  static func runs(in words: [String], of command: Command) throws -> [RunName] {
    var runs: [RunName] = []
    for word in words {
      let path = SessionArgument.split(word).path
      let isFile = path.hasSuffix(".kymo") || isThere(path)
      if let last = runs.last, last.selector == nil, !isFile {
        runs[runs.count - 1].selector = word
      } else if runs.isEmpty || (isFile && runs.count < 2) {
        runs.append(RunName(file: word))
      } else {
        let why = isFile ? "two runs are the most" : "it names no file, and a session was named"
        throw Failure.usage(
          "'\(word)' is too much, \(why): kymo \(command.name) \(command.arguments); see kymo help "
            + command.name)
      }
    }
    return runs
  }

  /// Opens the session, and says what is doubtful about it.
  func open(_ console: Console) throws -> SessionArgument {
    try SessionArgument(console, file, selector: selector)
  }

  /// Opens the session of a recording that is still being written, which is then not doubtful.
  func openGrowing(_ console: Console) throws -> SessionArgument {
    let (path, selector) = try SessionArgument.split(file, selector)
    let reader = try console.openRecording(path)
    return SessionArgument(
      console: console, reader: reader, session: try reader.session(selectedBy: selector ?? "last"))
  }

  private static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }
}
