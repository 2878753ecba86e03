import Foundation
import KymoCommands
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// A test runs a command in one of four forms:
// - `kymo`, in this process;
// - `shell`, a line of shell whose `kymo` runs in this process;
// - `program`, the built program in a process of its own, for what concerns processes: signals, locks between
//   programs, children, limits, the environment as the system has it, and files that may end a program;
// - `ProgramRun.shell`, a line of shell whose `kymo` is the built program.

/// Runs a command in this process.
func kymo(
  _ arguments: String..., input: String = "", environment: [String: String] = [:]
) throws -> ProgramRun {
  try kymo(arguments, input: Data(input.utf8), environment: environment)
}

/// Runs a command in this process, on a thread of its own.
///
/// - Parameters:
///   - arguments: The words after the program's name.
///   - input: Standard input.
///   - file: A file that is standard input; nil: `input` is.
///   - environment: Variables that go before those of this process.
///   - folder: The working folder; nil: the tests' own, with which no command has anything to do.
///   - mask: The permissions that new files do not get; nil: those that this process withholds. Only on Linux.
func kymo(
  _ arguments: [String], input: Data = Data(), from file: String? = nil,
  environment: [String: String] = [:],
  in folder: String? = nil, mask: mode_t? = nil
) throws -> ProgramRun {
  let input = try file.map(OpenFile.init(reading:)) ?? OpenFile(input)
  let (output, errors) = (try OpenFile(), try OpenFile())
  let console = Console(
    input: input.descriptor, output: output.descriptor, errors: errors.descriptor,
    ownsProcess: false,
    variable: { environment[$0] ?? getenv($0).map { String(cString: $0) } })
  let code = try OwnThread.run(in: folder, mask: mask) {
    CommandLineRun(ProgramRun.commandWords(arguments), on: console).run().rawValue
  }
  return ProgramRun(output: try output.text(), errors: try errors.text(), code: code)
}

/// Runs a command in this process, which must end well and silently, and reads its rows. It may say which session of
/// several it takes.
func answers(_ arguments: String..., input: String = "") throws -> [Row] {
  let run = try kymo(arguments + ["--format", "json"], input: Data(input.utf8))
  #expect(run.code == 0, "\(run.errors)")
  let notes = run.errors.split(separator: "\n").filter {
    !$0.contains("sessions; this is the last")
  }
  #expect(notes.isEmpty, "\(run.errors)")
  return try rows(run.output)
}

/// Runs a line of shell, in which `kymo` and `$kymo` are commands in this process, `$program` is the built program in a
/// process of its own, and `$1`, `$2`, … are the arguments.
func shell(
  _ line: String, _ arguments: [String] = [], environment: [String: String] = [:]
) throws -> ProgramRun {
  let service = try CommandService()
  defer { service.end() }
  return try ProgramRun.shell(
    line, arguments, environment: environment.merging(service.environment) { $1 })
}

/// Runs the built program in a process of its own.
func program(
  _ arguments: [String], input: Data = Data(), environment: [String: String] = [:]
) throws -> ProgramRun {
  try ProgramRun.run(arguments, input: input, environment: environment)
}

/// The process of a test that has one of its own, as `processExitsWith` gives it.
enum OwnProcess {
  /// Ends the process upon so much more time of the processor, which a call on a recording never takes.
  static func limit(seconds: Int = 20) {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      getrusage(RUSAGE_SELF, &usage)
    #endif
    let used = Int(usage.ru_utime.tv_sec) + Int(usage.ru_stime.tv_sec)
    set(seconds: used + 1 + seconds)
  }

  /// Lets no allocation succeed beyond so many bytes of mapped memory.
  static func limit(memory: Int) {
    #if os(Linux)
      set(__rlimit_resource_t(RLIMIT_AS.rawValue), memory)
    #endif
  }

  private static func set(seconds: Int) {
    #if os(Linux)
      set(__rlimit_resource_t(RLIMIT_CPU.rawValue), seconds)
    #else
      set(RLIMIT_CPU, seconds)
    #endif
  }

  private static func set(_ resource: Int32, _ value: Int) {
    var limit = rlimit()
    getrlimit(resource, &limit)
    limit.rlim_cur = rlim_t(value)
    setrlimit(resource, &limit)
  }
}

/// An open file, which is closed with the value.
private final class OpenFile: Sendable {
  let descriptor: Int32

  init(reading path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Makes a file without a name, with a content that is read from its start.
  init(_ content: Data = Data()) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("kymograph-\(UUID().uuidString)").path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    unlink(path)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    if !content.isEmpty {
      try handle.write(contentsOf: content)
      try handle.seek(toOffset: 0)
    }
  }

  deinit { close(descriptor) }

  /// Everything in it.
  func text() throws -> String {
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
    try handle.seek(toOffset: 0)
    return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
  }
}

/// Threads with a working folder of their own.
private enum OwnThread {
  /// The stack of a program's main thread, in bytes.
  private static let stackSize = 8 << 20

  /// Does work on a new thread with a main thread's stack, and waits for it.
  ///
  /// - Parameters:
  ///   - folder: The working folder, which threads that the work starts have too; nil: that of the process.
  ///   - mask: The permissions that new files do not get; nil: those that the process withholds.
  static func run<Result: Sendable>(
    in folder: String?, mask: mode_t?, _ work: @escaping @Sendable () -> Result
  ) throws -> Result {
    let (end, answer) = (DispatchSemaphore(value: 0), Answer<Result>())
    let thread = Thread {
      if enter(folder, mask) { answer.value = work() }
      end.signal()
    }
    thread.stackSize = stackSize
    thread.start()
    end.wait()
    guard let value = answer.value else { throw POSIXError(.ENOENT) }
    return value
  }

  /// Written before the end is signalled, and read after.
  private final class Answer<Result>: @unchecked Sendable {
    var value: Result?
  }

  private static func enter(_ folder: String?, _ mask: mode_t?) -> Bool {
    if folder == nil, mask == nil { return true }
    #if os(Linux)
      // From here on the thread shares neither its folder nor its mask with others. 0x200 is CLONE_FS.
      typealias Part = @convention(c) (Int32) -> Int32
      guard let symbol = dlsym(nil, "unshare"),
        unsafeBitCast(symbol, to: Part.self)(0x200) == 0
      else { return false }
      if let mask { umask(mask) }
      return folder.map { chdir($0) == 0 } ?? true
    #else
      typealias Change = @convention(c) (UnsafePointer<CChar>) -> Int32
      guard mask == nil, let folder,
        let symbol = dlsym(
          UnsafeMutableRawPointer(bitPattern: -2), "pthread_chdir_np")
      else {
        return false
      }
      return unsafeBitCast(symbol, to: Change.self)(folder) == 0
    #endif
  }
}

/// Commands that a shell calls, run in this process.
///
/// The script `Tests/Fixtures/programs/served` takes the program's place. It leaves its words, environment and input in
/// files, and its number in a pipe; then it waits for the exit code and prints what has come of the call.
private final class CommandService: Sendable {
  private let folder: TemporaryFolder
  private let calls: Int32
  private let ended = DispatchSemaphore(value: 0)

  init() throws {
    folder = try TemporaryFolder()
    // A link, because nobody can start a file that another thread's new process still has open for writing.
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("kymo"), withDestinationPath: fixture("programs/served"))
    guard mkfifo(folder.path("calls"), 0o600) == 0 else { throw POSIXError(.EIO) }
    // Open for both, it has no end while nobody calls.
    calls = open(folder.path("calls"), O_RDWR | O_CLOEXEC)
    guard calls >= 0 else { throw POSIXError(.EIO) }
    Thread.detachNewThread { self.serve() }
  }

  deinit { close(calls) }

  /// What a shell needs to call the commands.
  var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return [
      "kymo": folder.path("kymo"), "KYMO_TEST_CALLS": folder.url.path,
      "program": builtProgram("kymo").path,
      "PATH": "\(folder.url.path):\(path)",
    ]
  }

  /// Ends the service, once the shell has ended.
  func end() {
    _ = "end\n".withCString { write(calls, $0, 4) }
    ended.wait()
  }

  private func serve() {
    defer { ended.signal() }
    var line = ""
    var byte: UInt8 = 0
    while read(calls, &byte, 1) == 1 {
      guard byte == UInt8(ascii: "\n") else {
        line.unicodeScalars.append(Unicode.Scalar(byte))
        continue
      }
      if line == "end" { return }
      do { try answer(folder.path(line)) } catch { print("\(error)") }
      line = ""
    }
  }

  private func answer(_ call: String) throws {
    func words(_ ending: String) throws -> [String] {
      try Data(contentsOf: URL(fileURLWithPath: call + ending)).split(
        separator: 0, omittingEmptySubsequences: false
      ).dropLast().map { String(decoding: $0, as: UTF8.self) }
    }
    let given = try words(".words")
    let variables = try words(".environment").map { $0.split(separator: "=", maxSplits: 1) }
    let run: ProgramRun
    do {
      run = try kymo(
        Array(given.dropFirst(2)),
        input: try Data(contentsOf: URL(fileURLWithPath: call + ".input")),
        environment: Dictionary(
          variables.map { (String($0[0]), $0.count > 1 ? String($0[1]) : "") }
        ) { $1 },
        in: given[0], mask: mode_t(given[1], radix: 8))
    } catch {
      run = ProgramRun(output: "", errors: "\(error)\n", code: 99)
    }
    try Data(run.output.utf8).write(to: URL(fileURLWithPath: call + ".output"))
    try Data(run.errors.utf8).write(to: URL(fileURLWithPath: call + ".errors"))
    // The caller waits for the other end.
    let code = try FileHandle(forWritingTo: URL(fileURLWithPath: call + ".code"))
    try code.write(contentsOf: Data("\(run.code)\n".utf8))
    try code.close()
  }
}
