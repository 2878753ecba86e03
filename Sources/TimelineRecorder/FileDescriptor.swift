import CLibrary

/// A number that the system gives an open file.
enum FileDescriptor {
  /// Closes a file; nothing for a number below 0.
  static func close(_ descriptor: Int32) {
    if descriptor >= 0 { _ = CLibrary.close(descriptor) }
  }
}
