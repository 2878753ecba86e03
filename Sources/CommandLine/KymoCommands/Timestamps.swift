#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Nanoseconds since 1970 as RFC 3339 text in UTC, with nanoseconds.
func timestamp(_ nanoseconds: Int64) -> String {
  let (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
  let whole = fraction < 0 ? seconds - 1 : seconds
  let rest = fraction < 0 ? fraction + 1_000_000_000 : fraction
  let date = Date(timeIntervalSince1970: Double(whole))
  let text = date.formatted(.iso8601)
  let digits = String(rest)
  let padded = String(repeating: "0", count: 9 - digits.count) + digits
  return text.dropLast() + ".\(padded)Z"
}

/// Reads RFC 3339 text, or seconds since 1970 with or without a fraction; nil for anything else.
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
