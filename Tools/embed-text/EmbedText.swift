import Foundation

/// Writes the Swift source of `PackageResources`, which has the bytes of each text file as a property.
///
/// The plugin `EmbedText` calls `embed-text OUTPUT FILE…`. The property of `run.js` is `run_js`. Each text is a literal
/// in a body: a changed text compiles this one source again, and nothing that uses it.
@main
enum EmbedText {
  static func main() throws {
    guard CommandLine.arguments.count >= 2 else { fail("Usage: embed-text OUTPUT FILE…") }
    let output = CommandLine.arguments[1]
    let properties = try CommandLine.arguments.dropFirst(2).map { path in
      let text = try String(contentsOfFile: path, encoding: .utf8)
      // The compiler reads a line's end in a literal as a line feed, whatever it is.
      guard !text.utf8.contains(UInt8(ascii: "\r")) else {
        fail("embed-text: \(path) has carriage returns; end its lines with line feeds alone.")
      }
      return property(of: URL(fileURLWithPath: path).lastPathComponent, text)
    }
    let source = "enum PackageResources {\n" + properties.joined() + "}\n"
    // An output that is written again would be compiled again.
    if (try? String(contentsOfFile: output, encoding: .utf8)) == source { return }
    try source.write(toFile: output, atomically: true, encoding: .utf8)
  }

  private static func property(of file: String, _ text: String) -> String {
    let name = String(file.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let fence = String(repeating: "#", count: longestFence(in: text) + 1)
    return """
        static var \(name): [UInt8] {
          let text: StaticString = \(fence)\"\"\"
      \(text)
      \"\"\"\(fence)
          return text.withUTF8Buffer { Array($0) }
        }

      """
  }

  /// The most # in a row: with one more around it, nothing in a text ends its literal or is an escape in it.
  private static func longestFence(in text: String) -> Int {
    var (longest, length) = (0, 0)
    for byte in text.utf8 {
      length = byte == UInt8(ascii: "#") ? length + 1 : 0
      longest = max(longest, length)
    }
    return longest
  }

  private static func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data((sentence + "\n").utf8))
    exit(2)
  }
}
