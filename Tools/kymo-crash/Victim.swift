import Foundation
import KymographCLibrary

/// The system's call under a name that no method of ours has.
private func sendSignal(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }

/// A child process of this program, to be killed.
struct Victim {
  private let process: pid_t

  /// Starts this program once more with these words.
  init(_ words: [String]) throws {
    let program = CommandLine.arguments[0]
    var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var started: pid_t = 0
    guard posix_spawnp(&started, program, nil, nil, arguments, environ) == 0 else {
      throw CrashTrialError(message: "\(program) cannot be started again")
    }
    process = started
  }

  /// Kills it, if it is not over by now.
  ///
  /// - Returns: whether it was the kill that ended it.
  /// - Throws: ``CrashTrialError`` when it ended by itself with an error.
  func kill() throws -> Bool {
    _ = sendSignal(process, SIGKILL)
    return try wait()
  }

  /// Waits for its end.
  ///
  /// - Returns: whether it was killed.
  @discardableResult
  func wait() throws -> Bool {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    let signal = status & 0x7f
    if signal == SIGKILL { return true }
    guard signal == 0, status >> 8 & 0xff == 0 else {
      throw CrashTrialError(message: "the child ended by itself: status \(status)")
    }
    return false
  }
}

/// Why the trials cannot go on.
struct CrashTrialError: Error {
  let message: String
}
