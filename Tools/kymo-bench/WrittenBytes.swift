#if canImport(Glibc)
  import Glibc
#endif

/// What the process has handed to the system to be written.
enum WrittenBytes {
  /// Bytes given to write() and its like since the program began, by `wchar` in Linux's /proc/self/io;
  /// nil where there is no such file. What goes into mapped memory, as a crash journal does, is not in it.
  static var now: Int? {
    #if canImport(Glibc)
      guard let file = fopen("/proc/self/io", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 128)
      while fgets(&line, Int32(line.count), file) != nil {
        let words = String(
          decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self
        )
        .split(whereSeparator: \.isWhitespace)
        if words.first == "wchar:", words.count > 1 { return Int(words[1]) }
      }
    #endif
    return nil
  }
}
