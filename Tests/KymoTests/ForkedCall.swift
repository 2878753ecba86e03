import Foundation

@testable import kymo

/// One call of the program in a copy of this process that `fork` makes: a trap ends the copy alone, and no
/// program is loaded anew, so that thousands of calls take seconds.
///
/// For the body of an exit test, where nothing else runs that could hold a lock at the fork.
struct ForkedCall {
  /// How it ended: the exit code, or below 0 the signal.
  let code: Int32
  /// Standard output.
  let output: String
  /// Standard error.
  let errors: String

  /// Processor time that a call may take, in seconds; it is counted by the kernel as work done, whatever else
  /// the machine does. The dearest call of the tests takes a tenth of one.
  private static let mostSeconds: rlim_t = 20

  /// Memory that a call may map, in bytes, that of the test program included.
  private static let mostBytes: rlim_t = 3 << 30

  /// Calls the program.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name.
  ///   - folder: Where the outputs are put meanwhile.
  init(_ words: [String], in folder: String) throws {
    let (outputs, errorFile) = (folder + "/stdout", folder + "/stderr")
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(nil, "fork"), to: Fork.self)
    let child = fork()
    if child == 0 {
      for (file, place) in [(outputs, STDOUT_FILENO), (errorFile, STDERR_FILENO)] {
        dup2(open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600), place)
      }
      dup2(open("/dev/null", O_RDONLY), STDIN_FILENO)
      Self.limit(RLIMIT_CPU, Self.mostSeconds)
      Self.limit(RLIMIT_AS, Self.mostBytes)
      _exit(CommandLineRun(arguments: words).run().rawValue)
    }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    code = status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
    output = String(decoding: try Data(contentsOf: URL(fileURLWithPath: outputs)), as: UTF8.self)
    errors = String(decoding: try Data(contentsOf: URL(fileURLWithPath: errorFile)), as: UTF8.self)
  }

  #if canImport(Glibc)
    private typealias Resource = __rlimit_resource
  #else
    private typealias Resource = Int32
  #endif

  private static func limit(_ resource: Resource, _ most: rlim_t) {
    var limit = rlimit(rlim_cur: most, rlim_max: most)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    #else
      setrlimit(resource, &limit)
    #endif
  }
}
