import KymographCLibrary

/// The start before the Swift runtime, and the program's arguments.
///
/// The runtime asks /proc for the program's path, to find a helper that prints backtraces, and for its
/// arguments. In an empty root (`chroot`, a container made of nothing) there is no /proc: the runtime would end
/// the program, or find no arguments. The C library hands them to what stands in `.init_array`.
enum EarlyStart {
  /// The program as it was called.
  static var program: String {
    CommandLine.arguments.first ?? givenArguments?[0].map { String(cString: $0) } ?? "kymo"
  }

  /// The words after the program's name.
  static var arguments: [String] {
    let words = CommandLine.arguments
    guard words.isEmpty, let given = givenArguments else { return Array(words.dropFirst()) }
    return (0..<Int(givenCount)).compactMap { given[$0].map { String(cString: $0) } }.dropFirst()
      + []
  }
}

private typealias CStrings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

// Written once, before anything of Swift's runs.
nonisolated(unsafe) private var givenCount: Int32 = 0
nonisolated(unsafe) private var givenArguments: CStrings?

#if compiler(>=6.3) && canImport(Glibc)
  // The number puts it before the initializers of the runtime, which have none.
  @section(".init_array.00101")
  @used
  private let beforeRuntime: @convention(c) (Int32, CStrings?) -> Void = { count, arguments in
    givenCount = count
    givenArguments = arguments
    if access("/proc/self/exe", F_OK) != 0 { setenv("SWIFT_BACKTRACE", "swift-backtrace=/", 0) }
  }
#endif
