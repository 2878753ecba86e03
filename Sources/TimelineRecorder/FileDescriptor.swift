#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A number that the system gives an open file.
enum FileDescriptor {
  /// Closes a file; nothing for a number below 0.
  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      if descriptor >= 0 { _ = Glibc.close(descriptor) }
    #else
      if descriptor >= 0 { _ = Darwin.close(descriptor) }
    #endif
  }
}
