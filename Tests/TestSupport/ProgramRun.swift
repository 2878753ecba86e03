public import Foundation

/// One run of a built program: what it printed and how it ended.
public struct ProgramRun: Sendable {
  /// Standard output.
  public var output: String
  /// Standard error.
  public var errors: String
  /// The exit code; a negative number is the signal that ended the program.
  public var code: Int32

  /// Makes the result of a run.
  public init(output: String, errors: String, code: Int32) {
    (self.output, self.errors, self.code) = (output, errors, code)
  }

  /// Runs a program that was built beside the tests.
  public static func run(
    _ arguments: [String], program: String = "kymo", input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try execute(
      builtProgram(program), arguments, input: input, environment: environment)
  }

  /// Runs a line of shell, in which `$kymo` and `$crash` are the built programs unless the environment names others,
  /// and `$1`, `$2`, … are the arguments.
  public static func shell(
    _ line: String, _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try execute(
      URL(fileURLWithPath: "/bin/sh"), ["-c", line, "sh"] + arguments, input: Data(),
      environment: [
        "kymo": builtProgram("kymo").path, "crash": builtProgram("kymo-crash").path,
      ].merging(environment) { $1 })
  }

  /// Input and outputs are files, so that no pipe can fill and block the program.
  private static func execute(
    _ executable: URL, _ arguments: [String], input: Data, environment: [String: String]
  ) throws -> ProgramRun {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let folder = try TemporaryFolder()
    let inputFile = folder.url.appendingPathComponent("stdin")
    let outputFile = folder.url.appendingPathComponent("stdout")
    let errorFile = folder.url.appendingPathComponent("stderr")
    for (file, content) in [(inputFile, input), (outputFile, Data()), (errorFile, Data())] {
      try content.write(to: file)
    }
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = try FileHandle(forWritingTo: outputFile)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
    process.waitUntilExit()
    return ProgramRun(
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errorFile), as: UTF8.self),
      code: process.terminationReason == .uncaughtSignal
        ? -process.terminationStatus : process.terminationStatus)
  }

  /// Standard output read as JSON: an array of objects.
  public func rows() throws -> [[String: any Sendable]] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
    return value as? [[String: any Sendable]] ?? []
  }
}

/// A program that was built beside the tests; `kymo` counts its starts if that is asked for.
public func builtProgram(_ name: String) -> URL {
  name == "kymo" ? CountedProgram.url : buildFolder.appendingPathComponent(name)
}

/// The folder of the built programs: on Linux the test bundle's own, on Apple one level up.
var buildFolder: URL {
  #if os(macOS)
    for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
      return bundle.bundleURL.deletingLastPathComponent()
    }
  #endif
  return Bundle.main.bundleURL
}
