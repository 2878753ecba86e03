/// A time that a text writes as a clock, a date with a clock, or seconds with a fraction.
struct WrittenClock: Hashable {
  /// Nanoseconds since midnight, or since 1970 if the text has a date with its year.
  var nanoseconds: Int64
  /// The digits of its fraction of a second.
  var digits: Int
  /// The fraction's digits as a number.
  var fraction: Int64 = 0
  /// The index behind it.
  var end: Int

  init(nanoseconds: Int64, digits: Int, end: Int) {
    (self.nanoseconds, self.digits, self.end) = (nanoseconds, digits, end)
  }

  /// Reads `2026-09-14T10:02:07.200Z`, `07-18 19:01:04.000`, `09/14/26-10:02:07`, `Sep 14 10:02:07.2`, `0:00:01.234567` or
  /// `10:02:07,200` at an index. Fractions follow a point, a comma or a third colon. Without a year, days are those since
  /// the first of January.
  init?(_ text: ArraySlice<UInt8>, at start: Int) {
    var scan = ByteScan(text, at: start)
    let days = Self.date(&scan) ?? 0
    guard let hours = scan.number(digits: 1...6), scan.take(":"),
      let minutes = scan.number(digits: 2...2), minutes < 60
    else { return nil }
    guard scan.take(":"), let seconds = scan.number(digits: 2...2), seconds < 61 else { return nil }
    (digits, nanoseconds) = (0, 0)
    if ".,:".utf8.contains(scan.byte), isDigit(scan.byte(after: 1)) {
      scan.index += 1
      while isDigit(scan.byte) {
        if digits < 9 { (fraction, digits) = (fraction * 10 + Int64(scan.byte) - 48, digits + 1) }
        scan.index += 1
      }
    }
    var hour = hours
    let half = String(decoding: text[min(scan.index, text.endIndex)...].prefix(3), as: UTF8.self)
    if half.hasPrefix(" AM") || half.hasPrefix(" PM"), hours <= 12 {
      hour = hours % 12 + (half == " PM" ? 12 : 0)
      scan.index += 3
    }
    // The zone is the same in all lines.
    if scan.byte == UInt8(ascii: "Z") {
      scan.index += 1
    } else if "+-".utf8.contains(scan.byte), isDigit(scan.byte(after: 1)) {
      scan.index += 1
      while isDigit(scan.byte) || scan.byte == UInt8(ascii: ":") && isDigit(scan.byte(after: 1)) {
        scan.index += 1
      }
    }
    let (whole, overflow) = ((days * 24 + hour) * 3600 + minutes * 60 + seconds)
      .multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    let scale = (digits..<9).reduce(Int64(1)) { scale, _ in scale * 10 }
    (nanoseconds, end) = (whole + fraction * scale, scan.index)
  }

  /// The days of a date and what parts it from the clock. `nil`, and nothing taken, if there is none.
  private static func date(_ scan: inout ByteScan) -> Int64? {
    let start = scan.index
    if let days = numberedDate(&scan) ?? namedDate(&scan) { return days }
    scan.index = start
    return nil
  }

  private static func numberedDate(_ scan: inout ByteScan) -> Int64? {
    let start = scan.index
    guard let first = scan.number(digits: 1...4), "-/.".utf8.contains(scan.byte) else { return nil }
    let isYear = scan.index - start == 4
    scan.index += 1
    guard let second = scan.number(digits: 1...2) else { return nil }
    var third: Int64?
    if "-/.".utf8.contains(scan.byte) {
      scan.index += 1
      third = scan.number(digits: 1...4)
      guard third != nil else { return nil }
    }
    guard scan.take("T") || scan.take("-") || scan.blanks() else { return nil }
    if isYear { return third.flatMap { day(year: first, month: second, day: $0) } }
    guard let third else { return day(year: 1970, month: first, day: second) }
    // Which of the two is the month does not matter within a day.
    return first > 12
      ? day(year: third, month: second, day: first) : day(year: third, month: first, day: second)
  }

  /// `Sep 14 `, `Mon Sep 14 `, `14 Sep 2026 `.
  private static func namedDate(_ scan: inout ByteScan) -> Int64? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    var (month, date, year) = (Int64?.none, Int64?.none, Int64(1970))
    for _ in 0..<5 {
      if isDigit(scan.byte) {
        let start = scan.index
        guard let number = scan.number(digits: 1...4) else { return nil }
        if scan.byte == UInt8(ascii: ":") {
          scan.index = start
          break
        }
        if number > 31 { year = number } else { date = number }
      } else {
        let word = scan.word()
        guard word.count == 3 else { return nil }
        let name = String(decoding: word, as: UTF8.self)
        if let index = months.firstIndex(of: name) {
          month = Int64(index) + 1
        } else if !["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].contains(name) {
          return nil
        }
      }
      _ = scan.take(",")
      guard scan.blanks() else { return nil }
    }
    guard let month, let date else { return nil }
    return day(year: year, month: month, day: date)
  }

  /// Days since 1970. Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
  private static func day(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let year = (year < 100 ? year + 2000 : year) - (month <= 2 ? 1 : 0)
    let era = year / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }
}

/// A position in a line that moves over what it understands.
struct ByteScan {
  let text: ArraySlice<UInt8>
  var index: Int

  init(_ text: ArraySlice<UInt8>, at index: Int) { (self.text, self.index) = (text, index) }

  /// The byte at the position. 0 behind the end.
  var byte: UInt8 { index < text.endIndex ? text[index] : 0 }
  var isAtEnd: Bool { index >= text.endIndex }

  func byte(after count: Int) -> UInt8 {
    index + count < text.endIndex ? text[index + count] : 0
  }

  mutating func take(_ sign: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: sign) else { return false }
    index += 1
    return true
  }

  /// Whether there was space, which is taken.
  mutating func blanks() -> Bool {
    let start = index
    while byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { index += 1 }
    return index > start
  }

  /// A number of so many digits, which is taken.
  mutating func number(digits: ClosedRange<Int>) -> Int64? {
    let start = index
    var number: Int64 = 0
    while isDigit(byte), index - start < digits.upperBound {
      number = number * 10 + Int64(byte) - 48
      index += 1
    }
    guard digits.contains(index - start), !isDigit(byte) else {
      index = start
      return nil
    }
    return number
  }

  /// The letters, digits and underscores at the position, which are taken.
  mutating func word() -> ArraySlice<UInt8> {
    let start = index
    while isWordByte(byte) { index += 1 }
    return text[start..<index]
  }
}

func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte & 0xDF) }

/// Whether a byte belongs to a word: a letter, a digit, an underscore.
func isWordByte(_ byte: UInt8) -> Bool {
  isDigit(byte) || isLetter(byte) || byte == UInt8(ascii: "_")
}
