#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Who is calling.
enum CallingThread {
  /// A number of the calling thread that no other living thread has; a thread that begins after
  /// another's end may have that one's.
  @inline(__always)
  static var number: UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
