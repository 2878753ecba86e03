/// Largest coordinate that is taken from a file. A panel has thousands of units. The limit keeps
/// differences and squares of absurd numbers finite everywhere behind.
let largestCoordinate = 1e9

/// Nanoseconds from `seconds.fraction`, by whole numbers alone. `nil` for anything else, for more
/// than nine digits of fraction, and for a time that does not fit 64 bits of nanoseconds.
func nanoseconds(fromSeconds text: ArraySlice<UInt8>) -> Int64? {
  let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  guard parts.count == 2, (1...9).contains(parts[1].count),
    let seconds = wholeNumber(parts[0]), let fraction = wholeNumber(parts[1])
  else { return nil }
  let scale = (parts[1].count..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
  let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, sumOverflow) = whole.addingReportingOverflow(fraction * scale)
  return overflow || sumOverflow ? nil : sum
}

/// Nanoseconds from whole seconds and microseconds. `nil` for a time that does not fit 64 bits of nanoseconds.
func nanoseconds(seconds: Int64, microseconds: Int64) -> Int64? {
  let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, sumOverflow) = whole.addingReportingOverflow(microseconds * 1000)
  return overflow || sumOverflow ? nil : sum
}

/// A number of digits alone, without a sign.
func wholeNumber(_ text: ArraySlice<UInt8>) -> Int64? {
  guard let first = text.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
    return nil
  }
  return Int64(String(decoding: text, as: UTF8.self))
}

/// A coordinate in decimal notation, finite and of sensible size.
func coordinate(_ text: ArraySlice<UInt8>) -> Double? {
  guard text.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
    let value = Double(String(decoding: text, as: UTF8.self))
  else { return nil }
  return coordinate(value)
}

/// The coordinate, when it is finite and of sensible size.
func coordinate(_ value: Double) -> Double? {
  abs(value) <= largestCoordinate ? value : nil
}

/// The bytes as text, for messages and names: at most 60 characters, nothing that controls a
/// terminal.
func shown(_ bytes: ArraySlice<UInt8>) -> String {
  let text = String(decoding: bytes.prefix(240), as: UTF8.self)
  let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
    if scalar == "\t" { return " " }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
    default: scalar
    }
  }
  let characters = String(String.UnicodeScalarView(scalars))
  return characters.count > 60 ? characters.prefix(60) + "…" : characters
}
