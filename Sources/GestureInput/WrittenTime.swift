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
    if !isDigit(last), last != UInt8(ascii: "Z"),
      let end = text.lastIndex(where: isDigit),
      let number = Self.decimal(text[...end]),
      let unit = TimeUnit(word: String(decoding: trimmed(text[(end + 1)...]), as: UTF8.self)),
      let time = number.nanoseconds(in: unit)
    {
      self = .nanoseconds(time)
      return
    }
    if let clock = WrittenClock(text, at: text.startIndex), clock.end == text.endIndex {
      self = .nanoseconds(clock.nanoseconds)
    } else if let time = Self.minutes(text) {
      self = .nanoseconds(time)
    } else {
      return nil
    }
  }

  /// The most bytes of a time in a text.
  private static let longest = 64

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

  /// `02:07.200`: minutes and seconds with a fraction, which may stand behind a comma, as in Python's logs.
  private static func minutes(_ text: ArraySlice<UInt8>) -> Int64? {
    var scan = ByteScan(text, at: text.startIndex)
    guard let minutes = scan.number(digits: 1...4), scan.take(":") else { return nil }
    var rest = text[scan.index...]
    guard rest.count > 3 else { return nil }
    if let comma = rest.firstIndex(of: UInt8(ascii: ",")) { rest[comma] = UInt8(ascii: ".") }
    guard let seconds = decimal(rest)?.nanoseconds(in: .seconds),
      (0..<60_000_000_000).contains(seconds)
    else { return nil }
    return minutes * 60_000_000_000 + seconds
  }
}
