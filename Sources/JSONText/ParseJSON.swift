/// Reads one JSON text.
///
/// The text is UTF-8 and follows RFC 8259 strictly: no comments, no comma before a closing bracket,
/// nothing after the value. Beyond the standard, a field name may not stand twice in an object,
/// nesting ends at 128 levels, and every number fits a 64-bit floating-point number. A byte order mark at the beginning is passed over, and an
/// escape that is half of a character is read as U+FFFD.
///
/// Cost: linear in the length.
///
/// - Parameters:
///   - bytes: The text.
///   - line: The number of the text's first line, for messages. A reader of NDJSON gives its own.
/// - Throws: ``JSONError`` with line and column as its path.
package func parseJSON(_ bytes: [UInt8], line: Int = 1) throws(JSONError) -> JSONValue {
  try bytes.withUnsafeBufferPointer { text throws(JSONError) in
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = text.starts(with: mark) ? UnsafeBufferPointer(rebasing: text[mark.count...]) : text
    if let offset = firstInvalidUTF8(text) {
      throw JSONError(
        path: textLocation(of: offset, in: text, firstLine: line), message: "The text is not UTF-8."
      )
    }
    var syntax = JSONSyntax(text, firstLine: line)
    return try syntax.read()
  }
}

/// The offset of the first byte that belongs to no UTF-8 character. `nil` when all do.
private func firstInvalidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
  if bytes.allSatisfy({ $0 < 0x80 }) { return nil }
  var iterator = bytes.makeIterator()
  var codec = UTF8()
  var offset = 0
  while true {
    switch codec.decode(&iterator) {
    case .scalarValue(let scalar): offset += UTF8.width(scalar)
    case .emptyInput: return nil
    case .error: return offset
    }
  }
}
