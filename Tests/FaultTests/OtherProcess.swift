import Foundation
import TestSupport

/// Another process that holds a recording's lock: it says when it has it and gives it up when it is told.
final class OtherProcess {
  private let process = Process()
  private let toOther = Pipe()
  private let fromOther = Pipe()

  /// Starts it, and comes back when it holds the lock.
  ///
  /// - Parameter words: What it is to hold: `write` for a transaction that writes, `read` for a snapshot.
  init(holding what: String, of path: String) throws {
    process.executableURL = builtProgram("kymo-crash")
    process.arguments = ["hold", what, path]
    process.standardInput = toOther
    process.standardOutput = fromOther
    try process.run()
    let said = nextLine()
    guard said == "held" else { throw Refusal(description: "the other process says '\(said)'") }
  }

  struct Refusal: Error, CustomStringConvertible {
    var description: String
  }

  /// Lets go, and comes back when the lock is free and the process gone.
  func letGo() {
    try? toOther.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  var endedWell: Bool { process.terminationStatus == 0 && process.terminationReason == .exit }

  private func nextLine() -> String {
    var line = Data()
    while let byte = try? fromOther.fileHandleForReading.read(upToCount: 1),
      byte != Data("\n".utf8),
      !byte.isEmpty
    {
      line += byte
    }
    return String(decoding: line, as: UTF8.self)
  }
}
