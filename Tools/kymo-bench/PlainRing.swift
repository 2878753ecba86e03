import BenchYardsticks
import TimelineRecorder

/// A ring in C, as large as the recorder's.
final class PlainRing {
  /// What the C functions take.
  let pointer: OpaquePointer

  init() {
    guard let ring = yardstick_ring_make(RecorderSettings().ringBytes) else {
      fatalError("There is no memory for a ring.")
    }
    pointer = ring
  }

  deinit { yardstick_ring_free(pointer) }
}
