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
    Transcript.append(output)
  }

  /// Runs a program that was built beside the tests.
  public static func run(
    _ arguments: [String], program: String = "kymo", input: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> ProgramRun {
    try execute(
      builtProgram(program), commandWords(arguments), input: input, environment: environment)
  }

  /// The arguments with the first one, which may be a name such as "list keys", as the words of a command line.
  public static func commandWords(_ arguments: [String]) -> [String] {
    guard let name = arguments.first, name.contains(" "),
      name.allSatisfy({ $0.isLowercase || " -".contains($0) })
    else { return arguments }
    return name.split(separator: " ").map(String.init) + arguments.dropFirst()
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

/// All outputs of a run of the tests, from which `Tools/check --columns` reads the names of columns.
private enum Transcript {
  /// The file that the environment variable `KYMO_TEST_OUTPUTS` names.
  private static let descriptor: Int32? = ProcessInfo.processInfo.environment["KYMO_TEST_OUTPUTS"]
    .flatMap { $0.isEmpty ? nil : open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644) }

  /// Appends an output that has rows for programs; a lost one loses names of columns alone.
  static func append(_ output: String) {
    guard let descriptor, output.hasPrefix("{") || output.hasPrefix("[") else { return }
    let bytes = Array("\(output)\n".utf8)
    _ = write(descriptor, bytes, bytes.count)
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
