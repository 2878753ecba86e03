import KymographCLibrary

/// The identity that a recorder makes for a session when the caller gives none.
enum SessionIdentity {
  /// A random identity, version 4 of RFC 9562.
  static func randomUUID() -> String {
    var generator = SystemRandomNumberGenerator()
    let high = generator.next() & 0xffff_ffff_ffff_0fff | 0x4000
    let low = generator.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func hexadecimal(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// The wall clock, in nanoseconds since 1970-01-01T00:00:00Z.
  static func wallClockNanoseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}

/// The clock that never goes back and that no one can set.
///
/// On Apple's systems it is the one of `mach_absolute_time`, by which display links and touches are stamped and which
/// stands still while the device sleeps: CLOCK_UPTIME_RAW. CLOCK_MONOTONIC goes on there (clock_gettime(3) of Darwin).
package enum MonotonicClock {
  #if canImport(Darwin)
    private static var id: clockid_t { CLOCK_UPTIME_RAW }
  #else
    private static var id: clockid_t { CLOCK_MONOTONIC }
  #endif

  /// Its time, in nanoseconds since some moment before the process began. About 25 ns a reading.
  package static var nanoseconds: Int64 {
    var now = timespec()
    clock_gettime(id, &now)
    return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
  }
}
