// The system's C library under one name.
#if canImport(Glibc)
  @_exported public import Glibc
#else
  @_exported public import Darwin
#endif

/// Runs a body on a new thread, which is the caller's to join or to detach.
///
/// - Returns: nil when the system gives no more threads; the body does not run then.
package func startThread(_ body: @escaping () -> Void) -> pthread_t? {
  let box = Unmanaged.passRetained(ThreadBody(body))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  let code = pthread_create(
    &thread, nil,
    { context in
      #if canImport(Darwin)
        let opaque: UnsafeMutableRawPointer? = context
      #else
        let opaque = context
      #endif
      if let opaque { Unmanaged<ThreadBody>.fromOpaque(opaque).takeRetainedValue().run() }
      return nil
    }, box.toOpaque())
  guard code == 0 else {
    box.release()
    return nil
  }
  return thread
}

/// The names in a folder, in whatever bytes and with "." and ".."; nil if it cannot be listed.
package func readFolder(_ path: UnsafePointer<CChar>) -> [[UInt8]]? {
  guard let entries = opendir(path) else { return nil }
  defer { closedir(entries) }
  var names: [[UInt8]] = []
  while let entry = readdir(entries) {
    names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
  }
  return names
}

/// What a thread does, as an object that a pointer can stand for.
private final class ThreadBody {
  let run: () -> Void

  init(_ run: @escaping () -> Void) { self.run = run }
}
