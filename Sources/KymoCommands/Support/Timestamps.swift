#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads RFC 3339 text, or seconds since 1970 with or without a fraction. `nil` for anything else.
func parseTimestamp(_ text: String) -> Int64? {
  if let seconds = Int64(text) {
    let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? nil : nanoseconds
  }
  if let seconds = Double(text) { return Int64(exactly: (seconds * 1e9).rounded()) }
  // The fraction is read apart, so that all nine of its digits count.
  guard let dot = text.firstIndex(of: ".") else {
    return (try? Date(text, strategy: .iso8601)).flatMap { wholeSeconds($0) }
  }
  let digits = text[text.index(after: dot)...].prefix { $0.isASCII && $0.isNumber }
  guard (1...9).contains(digits.count),
    let fraction = Int64(digits + String(repeating: "0", count: 9 - digits.count))
  else { return nil }
  let rest = text[text.index(dot, offsetBy: 1 + digits.count)...]
  guard let date = try? Date(String(text[..<dot] + rest), strategy: .iso8601),
    let seconds = wholeSeconds(date)
  else { return nil }
  let (nanoseconds, overflow) = seconds.addingReportingOverflow(fraction)
  return overflow ? nil : nanoseconds
}

private func wholeSeconds(_ date: Date) -> Int64? {
  guard let seconds = Int64(exactly: date.timeIntervalSince1970.rounded()) else { return nil }
  let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  return overflow ? nil : nanoseconds
}
