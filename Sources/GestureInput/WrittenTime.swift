/// A time as a text writes it.
enum WrittenTime: Hashable {
  /// A number whose unit something else says: whole ones, and billionths of one.
  case number(whole: Int64, billionths: Int64)
  /// Nanoseconds: an ISO date, a clock `10:02:07.200`, or a number with its unit.
  case nanoseconds(Int64)

  /// A finite number that a Double holds: JSON has no others.
  init?(_ value: Double) {
    let whole = value.rounded(.down)
    guard let exact = Int64(exactly: whole) else { return nil }
    self = .number(whole: exact, billionths: Int64(((value - whole) * 1e9).rounded()))
  }

  /// The time in nanoseconds, rounded once. `nil` if it does not fit.
  ///
  /// - Parameter unit: The unit of a number.
  func nanoseconds(in unit: TimeUnit) -> Int64? {
    switch self {
    case .nanoseconds(let time): return time
    case .number(let whole, let billionths):
      let (large, overflow) = whole.multipliedReportingOverflow(by: unit.nanoseconds)
      let small = (Double(billionths) * Double(unit.nanoseconds) / 1e9).rounded()
      let (sum, sumOverflow) = large.addingReportingOverflow(Int64(small))
      return overflow || sumOverflow ? nil : sum
    }
  }

  /// From an earlier number to this one, in the text's own unit. `nil` if one of them says its unit.
  func step(since earlier: WrittenTime) -> Double? {
    guard case .number(let whole, let part) = self,
      case .number(let earlierWhole, let earlierPart) = earlier
    else { return nil }
    let (difference, overflow) = whole.subtractingReportingOverflow(earlierWhole)
    return overflow ? nil : Double(difference) + Double(part - earlierPart) / 1e9
  }

  // MARK: Text

  /// A time in a text: `12.5`, `1.2e3`, `12 ms`, a clock `10:02:07.2`, a Dart duration `0:00:00.012000`, an ISO date.
  ///
  /// A clock counts from midnight, and a date from 1970. Cost: linear in the length.
  init?(text: ArraySlice<UInt8>) {
    let text = trimmed(text)
    guard text.count <= Self.longest, let last = text.last else { return nil }
    if let number = Self.decimal(text) {
      self = number
      return
    }
    if !Self.isDigit(last), last != UInt8(ascii: "Z"),
      let end = text.lastIndex(where: Self.isDigit),
      let number = Self.decimal(text[...end]),
      let unit = TimeUnit(word: String(decoding: trimmed(text[(end + 1)...]), as: UTF8.self)),
      let time = number.nanoseconds(in: unit)
    {
      self = .nanoseconds(time)
      return
    }
    guard let time = Self.date(text) ?? Self.clock(text) else { return nil }
    self = .nanoseconds(time)
  }

  /// The most bytes of a time in a text.
  private static let longest = 64

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// A number in decimal notation, exactly to a billionth.
  private static func decimal(_ text: ArraySlice<UInt8>) -> WrittenTime? {
    var rest = text
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var digits: [UInt8] = []
    var point: Int?
    while let byte = rest.first, isDigit(byte) || byte == UInt8(ascii: ".") {
      rest.removeFirst()
      if isDigit(byte) {
        digits.append(byte - UInt8(ascii: "0"))
      } else {
        guard point == nil else { return nil }
        point = digits.count
      }
    }
    guard !digits.isEmpty else { return nil }
    var exponent = 0
    if let byte = rest.first {
      let sign = rest.dropFirst().first
      guard byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E"),
        let power = wholeNumber(
          rest.dropFirst(sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") ? 2 : 1)),
        power <= 400
      else { return nil }
      exponent = Int(power) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }
    return number(digits, point: (point ?? digits.count) + exponent, isNegative: isNegative)
  }

  private static func number(_ digits: [UInt8], point: Int, isNegative: Bool) -> WrittenTime? {
    func digit(_ index: Int) -> UInt64 {
      digits.indices.contains(index) ? UInt64(digits[index]) : 0
    }
    var whole: UInt64 = 0
    for index in 0..<max(0, point) {
      let (tens, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) = tens.addingReportingOverflow(digit(index))
      guard !overflow, !sumOverflow else { return nil }
      whole = sum
    }
    var billionths = Int64((point..<point + 9).reduce(UInt64(0)) { $0 * 10 + digit($1) })
    if digit(point + 9) >= 5 { billionths += 1 }
    guard isNegative else {
      return Int64(exactly: whole).map { .number(whole: $0, billionths: billionths) }
    }
    guard whole <= UInt64(Int64.max) + (billionths == 0 ? 1 : 0) else { return nil }
    let negative = Int64(truncatingIfNeeded: 0 &- whole)
    return billionths == 0
      ? .number(whole: negative, billionths: 0)
      : .number(whole: negative - 1, billionths: 1_000_000_000 - billionths)
  }

  /// `10:02:07.200`, and `02:07.200` with a fraction alone.
  private static func clock(_ text: ArraySlice<UInt8>) -> Int64? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count),
      let seconds = decimal(withPoint(parts[parts.count - 1]))?.nanoseconds(in: .seconds),
      parts.count == 3 || parts[1].count > 3
    else { return nil }
    guard (0..<60_000_000_000).contains(seconds), parts.dropLast().allSatisfy({ $0.count <= 4 })
    else { return nil }
    var minutes: Int64 = 0
    for part in parts.dropLast() {
      guard let number = wholeNumber(part) else { return nil }
      minutes = minutes * 60 + number
    }
    return minutes * 60_000_000_000 + seconds
  }

  /// A fraction may stand behind a comma: Python's logs have it.
  private static func withPoint(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return text }
    var text = text
    text[comma] = UInt8(ascii: ".")
    return text
  }

  /// `2024-05-01T10:02:07.200Z`, with a space for the T, with slashes, and with a zone `+02:00`.
  private static func date(_ text: ArraySlice<UInt8>) -> Int64? {
    let parts = text.split(
      maxSplits: 1, whereSeparator: { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: " ") })
    guard parts.count == 2 else { return nil }
    let day = parts[0].split(whereSeparator: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "/") })
    guard day.count == 3, day[0].count == 4, let year = wholeNumber(day[0]),
      let month = wholeNumber(day[1]).flatMap({ (1...12).contains($0) ? $0 : nil }),
      let dayOfMonth = wholeNumber(day[2]).flatMap({ (1...31).contains($0) ? $0 : nil })
    else { return nil }
    var time = trimmed(parts[1])
    var offset: Int64 = 0
    if time.last == UInt8(ascii: "Z") {
      time.removeLast()
    } else if let sign = time.lastIndex(where: {
      $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
    }) {
      let zone = time[(sign + 1)...].filter { $0 != UInt8(ascii: ":") }
      guard zone.count == 4, let number = wholeNumber(zone[...]) else { return nil }
      offset = (number / 100 * 60 + number % 100) * (time[sign] == UInt8(ascii: "-") ? -1 : 1)
      time = trimmed(time[..<sign])
    }
    guard let clock = clock(time) else { return nil }
    // Days since 1970 of a date of the Gregorian calendar, with March as the first month of a year.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + dayOfMonth - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    guard (-80_000...80_000).contains(days) else { return nil }
    return (days * 86_400 - offset * 60) * 1_000_000_000 + clock
  }
}
