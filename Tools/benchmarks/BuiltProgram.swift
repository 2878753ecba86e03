import KymographCLibrary

/// A program that was built beside this one.
struct BuiltProgram {
  private let path: String

  /// Finds a program.
  init(named name: String) throws {
    let own = CommandLine.arguments[0]
    let folder = own.lastIndex(of: "/").map { own[..<$0] } ?? "."
    path = "\(folder)/\(name)"
    guard access(path, X_OK) == 0 else {
      throw UsageError(
        "\(path) is missing; build it first: swift build -c release --product \(name)")
    }
  }

  /// Runs it to its end, its output thrown away.
  ///
  /// - Returns: its exit code; -1 when it could not be started or was killed.
  func run(_ arguments: [String]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, nil, words, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    // The low seven bits are the signal that killed it, the next eight the code.
    return status & 0x7f == 0 ? status >> 8 & 0xff : -1
  }
}
