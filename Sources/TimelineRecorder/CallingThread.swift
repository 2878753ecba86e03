public import CThread

/// Who is calling.
@usableFromInline
enum CallingThread: Sendable {
  /// A number of the calling thread that no other living thread has; a thread that begins after
  /// another's end may have that one's.
  @inlinable @inline(__always)
  static var number: UInt { UInt(kymograph_thread_number()) }
}
