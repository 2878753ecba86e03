import KymographCLocks

// The addresses that a caller has of our objects.

extension OpaquePointer {
  /// The address of an object, which is kept until ``release(_:)``.
  init(retaining object: AnyObject) {
    self.init(Unmanaged.passRetained(object).toOpaque())
  }

  /// Lends the object to a piece of work.
  @inline(__always)
  func with<Handle: AnyObject, Value>(
    _ type: Handle.Type, _ body: (Handle) -> Value
  ) -> Value {
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(self))._withUnsafeGuaranteedRef(body)
  }

  /// Lets the object go.
  func release<Handle: AnyObject>(_ type: Handle.Type) {
    Unmanaged<Handle>.fromOpaque(UnsafeRawPointer(self)).release()
  }
}

/// Lets this library's own SQLite lock by open file description. Called before the first file is opened.
func keepLocks() { _ = kymograph_locks_install() }
