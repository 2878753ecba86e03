/// The bytes of a text without what mails, terminals and web pages put into it: no-break spaces become spaces, colours of
/// a terminal go, and so do the signs by which Markdown keeps `\_` and `\[` as they are.
func plainText(_ bytes: [UInt8]) -> [UInt8] {
  let escape: UInt8 = 0x1B
  guard bytes.contains(where: { $0 == 0xC2 || $0 == escape || $0 == backslash }) else {
    return bytes
  }
  var plain: [UInt8] = []
  plain.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    let next = index + 1 < bytes.count ? bytes[index + 1] : 0
    switch (byte, next) {
    case (0xC2, 0xA0):
      plain.append(UInt8(ascii: " "))
      index += 2
    case (escape, UInt8(ascii: "[")):
      // Up to a letter. An end that is missing takes nothing away.
      var end = index + 2
      while end < bytes.count, end < index + 20, !isLetter(bytes[end]) { end += 1 }
      let isSequence = end < bytes.count && isLetter(bytes[end])
      if !isSequence { plain.append(byte) }
      index = isSequence ? end + 1 : index + 1
    case (backslash, backslash):
      // JSON keeps a backslash so.
      plain += [byte, next]
      index += 2
    case (backslash, _) where "_[]*#<>".utf8.contains(next):
      plain.append(next)
      index += 2
    default:
      plain.append(byte)
      index += 1
    }
  }
  return plain
}

private let backslash = UInt8(ascii: "\\")

/// A line without the signs `> ` by which mails and Markdown quote it.
func withoutQuotation(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var text = text
  while text.first == UInt8(ascii: ">"), let next = text.dropFirst().first,
    next == UInt8(ascii: " ") || next == UInt8(ascii: ">")
  {
    text = trimmed(text.dropFirst())
  }
  return text
}

/// Whether a line only begins or ends a block of code in Markdown: three backticks or tildes, and a language.
func isFence(_ text: ArraySlice<UInt8>) -> Bool {
  guard let sign = text.first, sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") else {
    return false
  }
  let rest = text.drop { $0 == sign }
  return rest.startIndex - text.startIndex >= 3 && rest.count < 20 && rest.allSatisfy(isWordByte)
}
