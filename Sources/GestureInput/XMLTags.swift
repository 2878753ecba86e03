/// The tags of an XML text in order, with their attributes and the text after each.
///
/// Comments, declarations and CDATA are passed over, and entities stay as they are. Cost: linear in the length.
struct XMLTags: Sequence, IteratorProtocol {
  struct Tag {
    /// The name without its namespace.
    var name: String
    var attributes: [String: String] = [:]
    /// Whether it is `</name>`.
    var isEnd = false
    /// Whether it is `<name/>`.
    var isEmpty = false
    /// Everything up to the next tag.
    var text: ArraySlice<UInt8> = []
    /// Whether no tag follows.
    var isOpen = false
    /// The line that the tag begins in.
    var line = 1
  }

  /// Most bytes of a tag.
  private static let longestTag = 1 << 16

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var counted = 0
  private var depth = 0
  private var endsInTag = false

  /// Whether the text that was read ends before its elements do.
  var isCut: Bool { depth > 0 || endsInTag }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Tag? {
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        position = end(of: "-->", from: start + 4)
        continue
      }
      if rest.starts(with: "![CDATA[".utf8) {
        position = end(of: "]]>", from: start + 9)
        continue
      }
      guard let close = closing(from: start + 1) else {
        position = bytes.count
        endsInTag = true
        return nil
      }
      position = close + 1
      guard let first = rest.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "!") else {
        continue
      }
      line += bytes[counted..<start].count { $0 == UInt8(ascii: "\n") }
      counted = start
      var tag = Self.tag(bytes[(start + 1)..<close])
      tag.line = line
      if !tag.isEmpty { depth += tag.isEnd ? -1 : 1 }
      let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
      tag.text = bytes[position..<next]
      tag.isOpen = next == bytes.count
      return tag
    }
    return nil
  }

  /// The index behind a mark, or the end.
  private func end(of mark: String, from start: Int) -> Int {
    let mark = Array(mark.utf8)
    var index = Swift.min(start, bytes.count)
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
        return index + mark.count
      }
      index += 1
    }
    return bytes.count
  }

  /// The index of the sign that ends a tag. `nil` if the tag does not end, or is too long.
  private func closing(from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<Swift.min(bytes.count, start + Self.longestTag) {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index
      }
    }
    return nil
  }

  private static func tag(_ inside: ArraySlice<UInt8>) -> Tag {
    var rest = inside
    var tag = Tag(name: "")
    if rest.first == UInt8(ascii: "/") {
      tag.isEnd = true
      rest.removeFirst()
    }
    if rest.last == UInt8(ascii: "/") {
      tag.isEmpty = true
      rest.removeLast()
    }
    let name = rest.prefix { !isBlank($0) }
    tag.name = plain(name)
    rest = rest[name.endIndex...]
    while true {
      rest = rest.drop(while: isBlank)
      guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return tag }
      let key = trimmed(rest[..<equals])
      rest = rest[(equals + 1)...].drop(while: isBlank)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.dropFirst().firstIndex(of: quote)
      else { return tag }
      tag.attributes[plain(key)] = String(
        decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 32 }

  /// A name without its namespace: `inkml:trace`, `xml:id`.
  private static func plain(_ name: ArraySlice<UInt8>) -> String {
    let colon = name.lastIndex(of: UInt8(ascii: ":"))
    return String(decoding: colon.map { name[($0 + 1)...] } ?? name, as: UTF8.self)
  }
}
