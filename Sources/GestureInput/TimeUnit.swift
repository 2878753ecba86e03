/// The unit in which a text counts its times.
package enum TimeUnit: String, CaseIterable, Sendable {
  case nanoseconds = "ns"
  case microseconds = "us"
  case milliseconds = "ms"
  case seconds = "s"

  /// How many nanoseconds it has.
  var nanoseconds: Int64 {
    switch self {
    case .nanoseconds: 1
    case .microseconds: 1000
    case .milliseconds: 1_000_000
    case .seconds: 1_000_000_000
    }
  }

  /// The unit's name in a sentence.
  var plural: String {
    switch self {
    case .nanoseconds: "nanoseconds"
    case .microseconds: "microseconds"
    case .milliseconds: "milliseconds"
    case .seconds: "seconds"
    }
  }

  /// From one report of a finger to the next, in nanoseconds: panels report 20 to 1000 times a second.
  static let usualSteps = 1e6...50e6
  /// Steps that no finger has, in nanoseconds. A mouse reports 8000 times a second.
  static let possibleSteps = 1e5...1e9

  /// The only unit in which a step is one of a finger. `nil`: none is.
  init?(ofStep step: Double) {
    guard
      let unit = Self.allCases.first(where: { Self.usualSteps ~= step * Double($0.nanoseconds) })
    else { return nil }
    self = unit
  }

  /// The unit of a word: `ms`, `msec`, `millis`, `milliseconds`, `µs`.
  init?(word: some StringProtocol) {
    switch word.lowercased() {
    case "ns", "nsec", "nanos", "nanosec", "nanosecs", "nanosecond", "nanoseconds":
      self = .nanoseconds
    case "us", "µs", "μs", "usec", "usecs", "micros", "microsec", "microsecond", "microseconds":
      self = .microseconds
    case "ms", "msec", "msecs", "millis", "millisec", "millisecs", "millisecond", "milliseconds":
      self = .milliseconds
    case "s", "sec", "secs", "second", "seconds": self = .seconds
    default: return nil
    }
  }
}
