/// What the holes of a pattern hold.
struct ShapeFields {
  var time: WrittenTime?
  var unit: TimeUnit?
  /// The digits of the time's fraction of a second. `nil` if it does not count seconds.
  var digits: Int?
  var x: Double?
  var y: Double?
  var dx: Double?
  var dy: Double?
  var identifier: String?
  var phase: WrittenPhase?
  /// The index of the pointer that the phase is of: 1 of `ACTION_POINTER_DOWN(1)`.
  var phaseIndex: Int?
  /// Whether the phase is another contact's.
  var isAside = false
  /// Whether the word in the place of a phase is not one: the line tells something else.
  var isOther = false
  var isDown: Bool?
  var index: Int?
  var type: String?
  var code: String?
  var value: String?
  /// Whether the pattern ends with a hole, whose text may be cut off.
  var endsInHole = false

  /// Adds what other fields hold.
  mutating func add(_ other: ShapeFields) {
    (time, unit, digits) =
      other.time == nil ? (time, unit, digits) : (other.time, other.unit, other.digits)
    (x, y) = (other.x ?? x, other.y ?? y)
    (dx, dy) = (other.dx ?? dx, other.dy ?? dy)
    identifier = other.identifier ?? identifier
    (phase, phaseIndex) = other.phase == nil ? (phase, phaseIndex) : (other.phase, other.phaseIndex)
    (isOther, isDown) = (isOther || other.isOther, other.isDown ?? isDown)
  }

  /// Reads a hole at a position.
  ///
  /// - Parameter literal: The text behind the hole, at which a word ends.
  mutating func take(
    _ hole: ShapePattern.Hole, _ unit: TimeUnit?, _ scan: inout ByteScan, before literal: [UInt8],
    _ phases: [String: WrittenPhase]
  ) -> Bool {
    switch hole {
    case .time: return takeTime(unit, &scan, before: literal)
    case .x:
      x = writtenNumber(&scan)
      return x != nil
    case .y:
      y = writtenNumber(&scan)
      return y != nil
    case .dx:
      dx = writtenNumber(&scan)
      return dx != nil
    case .dy:
      dy = writtenNumber(&scan)
      return dy != nil
    case .index:
      index = scan.number(digits: 1...3).map { Int($0) }
      return index != nil
    case .identifier, .type, .code, .value:
      let word = String(decoding: Self.word(&scan, before: literal, also: "-.#"), as: UTF8.self)
      switch hole {
      case .type: type = word
      case .code: code = word
      case .value: value = word
      default: identifier = word
      }
      return !word.isEmpty
    case .isDown:
      let word = String(decoding: Self.word(&scan, before: literal, also: ".-"), as: UTF8.self)
        .lowercased()
      switch word {
      case "true", "yes", "pressed", "down": isDown = true
      case "false", "no", "released", "up": isDown = false
      default:
        guard let number = Double(word) else { return false }
        isDown = number > 0
      }
      return true
    case .phase: return takePhase(&scan, before: literal, phases)
    }
  }

  private mutating func takePhase(
    _ scan: inout ByteScan, before literal: [UInt8], _ phases: [String: WrittenPhase]
  ) -> Bool {
    let word = String(decoding: Self.word(&scan, before: literal, also: "."), as: UTF8.self)
    guard !word.isEmpty else { return false }
    phase = phases[word] ?? WrittenPhase(word: word)
    // ACTION_POINTER_2_DOWN is of the second pointer.
    if word.contains("POINTER"), let digit = word.first(where: \.isNumber)?.wholeNumberValue,
      digit > 0
    {
      phaseIndex = digit - 1
    }
    if scan.byte == UInt8(ascii: "("), isDigit(scan.byte(after: 1)),
      literal.first != UInt8(ascii: "(")
    {
      scan.index += 1
      phaseIndex = scan.number(digits: 1...3).map { Int($0) }
      guard scan.take(")") else { return false }
    }
    isOther = phase == nil
    return true
  }

  private mutating func takeTime(_ unit: TimeUnit?, _ scan: inout ByteScan, before literal: [UInt8])
    -> Bool
  {
    if let clock = WrittenClock(scan.text, at: scan.index) {
      (time, digits, scan.index) = (.nanoseconds(clock.nanoseconds), clock.digits, clock.end)
      return true
    }
    guard let number = WrittenNumber(&scan) else { return false }
    (time, self.unit) = (number.time, unit)
    if unit == .seconds { digits = number.digits }
    // A unit behind the number, unless the pattern goes on with it.
    if unit == nil, literal.first.map({ !isLetter($0) }) ?? true {
      var after = scan
      if let behind = TimeUnit(word: String(decoding: after.word(), as: UTF8.self)) {
        self.unit = behind
        if behind == .seconds { digits = number.digits }
        scan = after
      }
    }
    return true
  }

  /// A word, up to the literal that follows the hole if that is inside of it.
  private static func word(
    _ scan: inout ByteScan, before literal: [UInt8], also signs: String
  ) -> ArraySlice<UInt8> {
    let start = scan.index
    while isWordByte(scan.byte) || signs.utf8.contains(scan.byte), scan.index - start < 64,
      !scan.isAtEnd
    {
      if let first = literal.first, first == scan.byte, scan.index > start,
        ShapePattern.take(literal, scan.text, at: scan.index) != nil
      {
        break
      }
      scan.index += 1
    }
    return scan.text[start..<scan.index]
  }
}

/// A decimal number, as a text writes it.
struct WrittenNumber {
  /// As a time whose unit something else says.
  var time: WrittenTime
  /// The digits of its fraction.
  var digits: Int

  /// Reads a number of at most 18 digits before its point.
  init?(_ scan: inout ByteScan) {
    let start = scan.index
    let isNegative = scan.take("-")
    guard var whole = scan.number(digits: 1...18) else {
      scan.index = start
      return nil
    }
    var billionths: Int64 = 0
    digits = 0
    if scan.byte == UInt8(ascii: "."), isDigit(scan.byte(after: 1)) {
      scan.index += 1
      while isDigit(scan.byte) {
        if digits < 9 {
          (billionths, digits) = (billionths * 10 + Int64(scan.byte) - 48, digits + 1)
        }
        scan.index += 1
      }
      for _ in digits..<9 { billionths *= 10 }
    }
    if isNegative {
      (whole, billionths) = billionths == 0 ? (-whole, 0) : (-whole - 1, 1_000_000_000 - billionths)
    }
    time = .number(whole: whole, billionths: billionths)
  }
}

/// A coordinate at a position, which is taken: a decimal number with a sign and an exponent or without.
func writtenNumber(_ scan: inout ByteScan) -> Double? {
  let start = scan.index
  if "+-".utf8.contains(scan.byte) { scan.index += 1 }
  while isDigit(scan.byte), scan.index - start < 40 { scan.index += 1 }
  if scan.byte == UInt8(ascii: "."),
    isDigit(scan.byte(after: 1)) || isDigit(scan.text[max(start, scan.index - 1)])
  {
    scan.index += 1
    while isDigit(scan.byte), scan.index - start < 40 { scan.index += 1 }
  }
  if scan.byte | 0x20 == UInt8(ascii: "e") {
    let isSigned = "+-".utf8.contains(scan.byte(after: 1))
    if isDigit(scan.byte(after: isSigned ? 2 : 1)) {
      scan.index += isSigned ? 2 : 1
      while isDigit(scan.byte), scan.index - start < 48 { scan.index += 1 }
    }
  }
  guard scan.index > start, let number = coordinate(scan.text[start..<scan.index]),
    // Hexadecimal numbers are names.
    scan.byte != UInt8(ascii: "x"), !isDigit(scan.byte)
  else {
    scan.index = start
    return nil
  }
  return number
}
