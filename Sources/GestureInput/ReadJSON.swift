import JSONText

/// Reads touches of JSON: a document, an event a line, or values in a log.
///
/// Known are W3C WebDriver actions, rrweb, Chrome's traces, the DevTools protocol and the pad of `kymo web-recorder`. In
/// all other JSON an event is an object that has a position, and a time of its own or above it, by the names of
/// ``TouchField``.
///
/// - Returns: The browser as the pad's header names it.
func readJSON(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) -> String? {
  let pieces = JSONPieces(source)
  guard !pieces.isTooDeep else {
    throw source.error(.unsupported, "The JSON is nested too deep.")
  }
  var walk = JSONTouchWalk(source: source)
  for (bounds, line) in zip(pieces.bounds, pieces.lines) {
    guard bounds.count <= JSONPieces.longest else {
      throw source.error(
        .unsupported, line: line,
        "The JSON value is longer than 32 MiB. Write one event a line, without the brackets.")
    }
    guard let value = value(of: pieces.text[bounds], line, &log) else { continue }
    try walk.take(JSONPiece(value: value, line: line))
  }
  for line in Set(pieces.openLines).sorted() {
    log.losses.add(
      line: line, "The file ends within the JSON value that begins here. Its whole parts were read."
    )
  }
  try walk.write(to: &log, unit: reading.timeUnit)
  return walk.agent
}

/// The value of a piece of text. `nil` if it is none, which is a loss if it looks like one.
private func value(of text: ArraySlice<UInt8>, _ line: Int, _ log: inout TouchLog) -> JSONValue? {
  let failure: JSONError
  do throws(JSONError) {
    return try parseJSON(Array(text), line: line)
  } catch {
    failure = error
  }
  if let value = try? parseJSON(strictJSON(text), line: line) { return value }
  // Logs have words in brackets.
  let first = trimmed(text.dropFirst()).first
  guard text.first == UInt8(ascii: "{") || first == UInt8(ascii: "{") else { return nil }
  log.losses.add(line: line, "\(failure) It was left out.")
  return nil
}

/// Whether a line is one of a JSON text, or has a value behind a log's prefix.
func looksLikeJSON(_ text: ArraySlice<UInt8>, isFirstRow: Bool) -> Bool {
  let start = text.prefix(longestPrefix)
  // The second sign tells these from garbage that happens to begin so. A list's first value may stand on the next line.
  for (index, byte) in zip(start.indices, start) {
    guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else { continue }
    let rest = start[(index + 1)...]
    if byte == UInt8(ascii: "[") {
      if rest.first == UInt8(ascii: "{") { return true }
      continue
    }
    if rest.first == UInt8(ascii: "\"") || rest.first == UInt8(ascii: "'") { return true }
    let name = rest.drop { $0 == UInt8(ascii: " ") }.prefix(longestName)
    if let end = name.firstIndex(where: { !isLetter($0) }), end > name.startIndex,
      name[end] == UInt8(ascii: ":")
    {
      return true
    }
  }
  let second = trimmed(start.dropFirst()).first
  let isWord = second.map(isLetter) ?? true
  switch text.first {
  case UInt8(ascii: "{")?:
    return isWord || second == UInt8(ascii: "\"") || second == UInt8(ascii: "'")
  case UInt8(ascii: "[")?:
    return second == nil || "{[".utf8.contains(second!)
  default:
    // A list in a program's source: `const events = [`.
    return isFirstRow && (text.last == UInt8(ascii: "[") || text.last == UInt8(ascii: "{"))
  }
}

/// Bytes of a line that a value may begin in.
private let longestPrefix = 1 << 12
/// Bytes of a name without quotation marks.
private let longestName = 40
