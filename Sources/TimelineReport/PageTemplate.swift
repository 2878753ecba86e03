import TimelineModel

/// A report of one file: HTML with places for its style, its script and its data, which no script but its own may run.
struct PageTemplate: Sendable {
  private let parts: [Part]
  private let style: [UInt8]
  private let script: [UInt8]

  /// A stretch of the HTML, or the name of what stands in a place of it.
  private enum Part {
    case plain(ArraySlice<UInt8>)
    case placeholder(String)
  }

  /// Cuts HTML at `{{NAME}}`.
  ///
  /// - Parameters:
  ///   - html: The report, with the places STYLE, STYLE-HASH, SCRIPT, SCRIPT-HASH and DATA.
  ///   - style: Its style sheet.
  ///   - scripts: Its script, if it has one, in the order in which its parts build on each other.
  init(_ html: [UInt8], style: [UInt8], scripts: [[UInt8]] = []) {
    self.style = style
    script =
      Array("\"use strict\";\n(() => {\n".utf8) + scripts.flatMap(withoutComments)
      + Array("})();\n".utf8)
    var parts: [Part] = []
    var rest = html[...]
    let (open, close) = (UInt8(ascii: "{"), UInt8(ascii: "}"))
    while let start = rest.indices.dropLast().first(where: {
      rest[$0] == open && rest[$0 + 1] == open
    }),
      let end = rest[start...].firstIndex(of: close)
    {
      parts.append(.plain(rest[..<start]))
      parts.append(.placeholder(String(decoding: rest[(start + 2)..<end], as: UTF8.self)))
      rest = rest[(end + 2)...]
    }
    self.parts = parts + [.plain(rest)]
  }

  /// How many bytes a report takes beside its data, and a few for hashes.
  var byteCount: Int {
    parts.reduce(style.count + script.count) { sum, part in
      if case .plain(let plain) = part { return sum + plain.count }
      return sum
    }
  }

  /// The report.
  ///
  /// - Parameters:
  ///   - capacity: About how many bytes the data take.
  ///   - appendData: Appends the elements with the data.
  func page(capacity: Int, _ appendData: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount + capacity)
    for part in parts {
      switch part {
      case .plain(let plain): bytes += plain
      case .placeholder("STYLE"): bytes += style
      case .placeholder("SCRIPT"): bytes += script
      case .placeholder("STYLE-HASH"): appendBase64(SHA256.digest(style), to: &bytes)
      case .placeholder("SCRIPT-HASH"): appendBase64(SHA256.digest(script), to: &bytes)
      case .placeholder("DATA"): appendData(&bytes)
      case .placeholder(let name): preconditionFailure("A page names \(name), which nothing fills.")
      }
    }
    return bytes
  }
}

/// A script without its comments, which a report does not need: the lines that begin with `//`, and those from a line that
/// begins with `/**` to one that ends with `*/`.
private func withoutComments(_ script: [UInt8]) -> [UInt8] {
  var kept: [UInt8] = []
  var isInComment = false
  for line in script.split(separator: UInt8(ascii: "\n")) {
    let text = line.drop { $0 == UInt8(ascii: " ") }
    if text.starts(with: "/**".utf8) { isInComment = true }
    if !isInComment, !text.starts(with: "//".utf8) { kept += line + [UInt8(ascii: "\n")] }
    if line.suffix(2).elementsEqual("*/".utf8) { isInComment = false }
  }
  return kept
}

/// Appends a script element with data, which no browser runs.
func appendElement(
  _ name: String, _ type: String, to bytes: inout [UInt8], _ content: (inout [UInt8]) -> Void
) {
  bytes += Array("<script type=\"\(type)\" id=\"\(name)\">".utf8)
  content(&bytes)
  bytes += Array("</script>\n".utf8)
}

/// Appends JSON in which no letter means anything to HTML: a name may be `</script>`.
func appendJSON(_ value: FieldValue, to bytes: inout [UInt8]) {
  for byte in value.json.utf8 {
    switch byte {
    case UInt8(ascii: "<"): bytes += Array("\\u003c".utf8)
    case UInt8(ascii: ">"): bytes += Array("\\u003e".utf8)
    case UInt8(ascii: "&"): bytes += Array("\\u0026".utf8)
    default: bytes.append(byte)
    }
  }
}
