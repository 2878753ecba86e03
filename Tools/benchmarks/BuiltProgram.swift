import KymographCLibrary

/// A program that benchmarks start.
struct BuiltProgram {
  private let path: String

  /// The program, which Tools/bench names. Without a name that which was built beside this one.
  static var kymo: BuiltProgram {
    get throws {
      try getenv("KYMO_BENCH_PROGRAM").map { BuiltProgram(path: String(cString: $0)) }
        ?? BuiltProgram(named: "kymo")
    }
  }

  private init(path: String) { self.path = path }

  /// A program that was built beside this one.
  init(named name: String) throws {
    path = "\(BuiltProgram.folder)/\(name)"
    guard access(path, X_OK) == 0 else {
      throw UsageError(
        "\(path) is missing; build it first: swift build -c release --product \(name)")
    }
  }

  /// A program of the system, looked up in PATH. `nil` if there is none.
  init?(installed name: String) {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    let found = folders.split(separator: ":").map { "\($0)/\(name)" }
    guard let path = found.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.path = path
  }

  private static var folder: String {
    let own = CommandLine.arguments[0]
    return own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
  }

  /// The cost of a run.
  struct Use {
    /// The exit code. -1 when it could not be started or was killed.
    var code: Int32
    /// Time of the processor, of the user and of the system.
    var nanoseconds: Double
    /// The most memory that the program itself held. Of Linux.
    var peakBytes: Double
  }

  /// Runs it to its end, its output thrown away.
  ///
  /// - Parameter input: A file to read as its standard input. `nil`: that of this program.
  @discardableResult
  func run(_ arguments: [String], input: String? = nil) -> Use {
    let failed = Use(code: -1, nanoseconds: 0, peakBytes: 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    if let input { posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0) }
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    defer { for word in words { free(word) } }
    words.append(nil)
    var child: pid_t = 0
    guard posix_spawn(&child, path, &actions, nil, words, environ) == 0 else { return failed }
    var (status, usage) = (Int32(0), rusage())
    while wait4(child, &status, 0, &usage) < 0 {
      guard errno == EINTR else { return failed }
    }
    func nanoseconds(_ time: timeval) -> Double {
      Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3
    }
    return Use(
      // The low seven bits are the signal that killed it, the next eight the code.
      code: status & 0x7f == 0 ? status >> 8 & 0xff : -1,
      nanoseconds: nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime),
      peakBytes: Double(usage.ru_maxrss) * 1024)
  }

  /// Runs it under valgrind's callgrind.
  ///
  /// - Parameters:
  ///   - input: A file to read as its standard input. `nil`: that of this program.
  ///   - isOfMainThread: Whether only the instructions of the main thread count.
  /// - Returns: the instructions. `nil` without valgrind, or if the program fails.
  func instructions(
    _ arguments: [String], input: String? = nil, isOfMainThread: Bool = false
  ) throws -> Double? {
    guard let valgrind = BuiltProgram(installed: "valgrind"),
      let strip = BuiltProgram(installed: "strip")
    else { return nil }
    let folder = try TemporaryFolder()
    // Valgrind's older releases give up on the debugging information that clang writes for C.
    let stripped = "\(folder.path)/program"
    guard strip.run(["-g", "-o", stripped, path]).code == 0 else { return nil }
    let counts = "\(folder.path)/counts"
    let options = [
      "--tool=callgrind", "--callgrind-out-file=\(counts)",
      "--separate-threads=\(isOfMainThread ? "yes" : "no")", "--log-file=\(folder.path)/log",
    ]
    guard valgrind.run(options + [stripped] + arguments, input: input).code == 0,
      // Callgrind numbers the files of threads from 1.
      let file = fopen(isOfMainThread ? "\(counts)-01" : counts, "r")
    else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let words = text.split(whereSeparator: \.isWhitespace)
      if words.first == "totals:", words.count == 2 { return Double(words[1]) }
    }
    return nil
  }
}
