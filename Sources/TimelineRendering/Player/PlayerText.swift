import TimelineModel

/// How the player writes times and speeds.
enum PlayerText {
  /// Seconds with three decimals, rounded: "0.367".
  static func seconds(_ time: Instant) -> String {
    let microseconds = time.nanoseconds / 1000
    let rounded =
      microseconds < 0 ? (microseconds - 500) / 1000 : (microseconds + 500) / 1000
    let digits = String(rounded.magnitude % 1000)
    return (rounded < 0 ? "-" : "") + String(rounded.magnitude / 1000) + "."
      + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// "1×", "1/4×", "2×".
  static func speed(_ speed: Double) -> String {
    if speed < 1, (1 / speed).rounded() * speed > 0.9999, (1 / speed).rounded() * speed < 1.0001 {
      return "1/" + DisplayText.number((1 / speed).rounded()) + "×"
    }
    return DisplayText.number(speed) + "×"
  }
}
