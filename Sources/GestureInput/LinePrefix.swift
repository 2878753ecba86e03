/// What logs put before a line: times, processes, levels and tags of logcat, journald, syslog, NSLog, consoles and
/// containers.
struct LinePrefix {
  /// When the log got the line, without fractions of a second if ``WrittenClock/digits`` is 0. `nil`: it does not say.
  private(set) var time: WrittenClock?
  /// The index of the line's own text.
  private(set) var end: Int
  /// Whether numbers follow the time. Then it stays with them.
  private var isRow = false

  /// Most items before a line's own text.
  private static let mostItems = 8
  /// Most bytes of one item.
  private static let longestItem = 96
  private static let levels: Set<String> = [
    "VERBOSE", "TRACE", "DEBUG", "INFO", "LOG", "NOTICE", "WARN", "WARNING", "ERROR", "FINE",
  ]

  init(_ text: ArraySlice<UInt8>) {
    end = text.startIndex
    // Most lines of a recording have none.
    guard let first = text.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "{") else {
      return
    }
    var scan = ByteScan(text, at: end)
    for _ in 0..<Self.mostItems {
      guard takeItem(&scan) else { break }
      _ = scan.blanks()
      end = scan.index
    }
  }

  private mutating func takeItem(_ scan: inout ByteScan) -> Bool {
    let start = scan.index
    if takeTime(&scan) { return true }
    scan.index = start
    if !isRow, takeBrackets(&scan) || takeTag(&scan) { return true }
    scan.index = start
    if isRow { return false }
    if time != nil, takeProcess(&scan) { return true }
    scan.index = start
    if takeWord(&scan) { return true }
    scan.index = start
    return false
  }

  /// A clock that text follows. A number behind it makes the line a row of a table.
  private mutating func takeTime(_ scan: inout ByteScan) -> Bool {
    guard time == nil, isDigit(scan.byte) || isLetter(scan.byte),
      let clock = WrittenClock(scan.text, at: scan.index) ?? Self.epoch(scan)
    else { return false }
    var after = ByteScan(scan.text, at: clock.end)
    if ":|-".utf8.contains(after.byte) { after.index += 1 }
    guard after.byte == UInt8(ascii: " ") || after.isAtEnd else { return false }
    _ = after.blanks()
    if after.byte == UInt8(ascii: "|"), after.byte(after: 1) == UInt8(ascii: " ") {
      after.index += 1
    }
    time = clock
    _ = after.blanks()
    let isSigned = "-+.\"'".utf8.contains(after.byte) && isDigit(after.byte(after: 1))
    if isDigit(after.byte) || isSigned {
      guard takeProcess(&after) else {
        isRow = true
        return false
      }
    }
    scan.index = after.index
    return true
  }

  /// `1789380127.200 ` of logcat -v epoch, before a process.
  private static func epoch(_ scan: ByteScan) -> WrittenClock? {
    var scan = scan
    guard let seconds = scan.number(digits: 9...10), scan.take(".") else { return nil }
    let start = scan.index
    guard let part = scan.number(digits: 3...9), scan.byte == UInt8(ascii: " ") else { return nil }
    var after = scan
    _ = after.blanks()
    guard isDigit(after.byte) else { return nil }
    var fraction = part
    for _ in (scan.index - start)..<9 { fraction *= 10 }
    return WrittenClock(
      nanoseconds: seconds * 1_000_000_000 + fraction, digits: scan.index - start, end: scan.index)
  }

  /// `[10:02:07.200] `, `[INFO] `, behind a time also `[22538:0000580a] `. `[ 1234.567890]` has a time, and stays: the
  /// formats of devices begin with it.
  private mutating func takeBrackets(_ scan: inout ByteScan) -> Bool {
    guard scan.byte == UInt8(ascii: "["),
      let close = scan.text[scan.index...].prefix(Self.longestItem).firstIndex(
        of: UInt8(ascii: "]"))
    else { return false }
    let inside = trimmed(scan.text[(scan.index + 1)..<close])
    if time == nil, let clock = WrittenClock(inside, at: inside.startIndex) {
      time = clock
    } else if let seconds = nanoseconds(fromSeconds: inside) {
      let digits = inside.endIndex - 1 - (inside.firstIndex(of: UInt8(ascii: ".")) ?? 0)
      time = time ?? WrittenClock(nanoseconds: seconds, digits: digits, end: close + 1)
      return false
    } else {
      let isLevel = Self.levels.contains(String(decoding: inside, as: UTF8.self).uppercased())
      let isTag = time != nil && inside.allSatisfy { isWordByte($0) || ".:-/# ".utf8.contains($0) }
      guard isLevel || isTag else { return false }
    }
    scan.index = close + 1
    if scan.byte(after: 1) == UInt8(ascii: "-"), scan.byte(after: 3) == UInt8(ascii: "[") {
      scan.index += 2
    } else if scan.byte == UInt8(ascii: ":") {
      scan.index += 1
    }
    return true
  }

  /// `D/LWP     (11770): ` of logcat, `D(11770) `, `flutter: `, `app.js:12 `, `web_1  | `.
  private func takeTag(_ scan: inout ByteScan) -> Bool {
    let start = scan.index
    if "VDIWEFA".utf8.contains(scan.byte) {
      scan.index += 1
      let isTag = scan.byte == UInt8(ascii: "/")
      if isTag || scan.byte == UInt8(ascii: "(") {
        let item = scan.text[scan.index...].prefix(Self.longestItem)
        let sign = isTag ? UInt8(ascii: ":") : UInt8(ascii: ")")
        guard let end = item.firstIndex(of: sign),
          !item[..<end].contains(where: { "{=".utf8.contains($0) })
        else { return false }
        scan.index = end + 1
        return scan.byte == UInt8(ascii: " ")
      }
    }
    scan.index = start
    let token = Self.token(&scan)
    if token.elementsEqual("flutter:".utf8) { return true }
    if isPlaceInSource(token) { return true }
    guard start == scan.text.startIndex || time != nil, token.allSatisfy(Self.isNameByte),
      scan.blanks(), scan.take("|")
    else { return false }
    return scan.byte == UInt8(ascii: " ")
  }

  /// Behind a time: `1234  1234 I touch: `, `1234-1234/com.app D/Tag: `, `host prog[123]: `, `Runner[1534:381540] `.
  private func takeProcess(_ scan: inout ByteScan) -> Bool {
    var numbers = 0
    var hasLevel = false
    for count in 0..<6 {
      let token = Self.token(&scan)
      guard !token.isEmpty, token.count < Self.longestItem else { return false }
      let isProgram = token.last == UInt8(ascii: "]") && token.contains(UInt8(ascii: "["))
      if isProgram, count < 2 { return true }
      if token.last == UInt8(ascii: ":") {
        let name = token.dropLast()
        return hasLevel || name.last == UInt8(ascii: "]") || name.elementsEqual("kernel".utf8)
          || numbers > 0 && name.dropFirst().first == UInt8(ascii: "/")
      }
      if count == numbers, isNumber(token) { numbers += 1 }
      let isLevel = token.count == 1 && "VDIWEFA".utf8.contains(token[token.startIndex])
      // Android Studio: process, tag, package, level.
      if isLevel, numbers == 1, count >= 2 { return true }
      hasLevel = hasLevel || isLevel && numbers > 0
      guard numbers > 0 || count == 0 else { return false }
      _ = scan.blanks()
    }
    return false
  }

  /// A level in capitals, with a colon or a dash behind it or not: `DEBUG `, `INFO: `, `- name - INFO - `.
  private func takeWord(_ scan: inout ByteScan) -> Bool {
    if time != nil, scan.take("-"), scan.blanks() {
      for _ in 0..<3 {
        let token = Self.token(&scan)
        guard scan.blanks(), scan.take("-"), scan.blanks() else { return false }
        if Self.levels.contains(String(decoding: token, as: UTF8.self)) { return true }
      }
      return false
    }
    let word = String(decoding: scan.word(), as: UTF8.self)
    guard Self.levels.contains(word), ": ".utf8.contains(scan.byte) else { return false }
    _ = scan.take(":")
    return true
  }

  /// `1234`, `1234-1234/com.app`, `u0_a12`.
  private func isNumber(_ token: ArraySlice<UInt8>) -> Bool {
    guard let first = token.first else { return false }
    if token.starts(with: "u0_a".utf8) { return true }
    return isDigit(first) && token.allSatisfy { Self.isNameByte($0) || $0 == UInt8(ascii: "/") }
      && token.prefix { $0 != UInt8(ascii: "/") }.allSatisfy {
        isDigit($0) || $0 == UInt8(ascii: "-")
      }
  }

  /// `app.js:12`, `main.dart:12:5`, `(index):12`.
  private func isPlaceInSource(_ token: ArraySlice<UInt8>) -> Bool {
    guard let colon = token.firstIndex(of: UInt8(ascii: ":")), isDigit(token.last ?? 0) else {
      return false
    }
    let numbers = token[(colon + 1)...]
    guard !numbers.isEmpty, numbers.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ":") }) else {
      return false
    }
    let name = token[..<colon]
    if name.elementsEqual("(index)".utf8) { return true }
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > name.startIndex else {
      return false
    }
    return (1...5).contains(name.endIndex - point - 1) && name[(point + 1)...].allSatisfy(isLetter)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isWordByte(byte) || ".-@".utf8.contains(byte) || byte > 127
  }

  /// What stands before the next space, which is taken.
  private static func token(_ scan: inout ByteScan) -> ArraySlice<UInt8> {
    let start = scan.index
    while !scan.isAtEnd, scan.byte != UInt8(ascii: " "), scan.byte != UInt8(ascii: "\t"),
      scan.index - start < longestItem
    { scan.index += 1 }
    return scan.text[start..<scan.index]
  }
}
