import Foundation

/// A page of the manual: README, or a page of the catalog.
public struct ManualPage: Sendable, CustomStringConvertible {
  /// Its file, from the package's folder.
  public let path: String
  /// What stands in it.
  public let text: String

  /// Reads a page.
  public init(path: String) throws {
    self.path = path
    text = try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The file, for the names of test cases.
  public var description: String { path }

  /// Puts other lines into blocks, by their numbers, where ``writesManual``.
  public func write(_ bodies: [Int: String]) throws {
    guard writesManual else { return }
    try writing.withLock {
      let now = try ManualPage(path: path)
      var text = now.text
      for (number, block) in now.blocks.enumerated().reversed() {
        if let body = bodies[number] { text.replaceSubrange(block.body, with: body) }
      }
      guard text != now.text else { return }
      try text.write(
        to: packageFolder.appendingPathComponent(path), atomically: true, encoding: .utf8)
    }
  }

  /// A fenced block.
  public struct Block: Sendable {
    /// The word behind the fence.
    public var language: String
    /// Where its lines lie in the page's text.
    public var body: Range<String.Index>
    /// The line of its fence, from 1.
    public var line: Int
    /// The line before it.
    public var before: Substring

    /// The value of a comment `<!-- name: value -->` right before it.
    public func directive(_ name: String) -> String? {
      guard before.hasPrefix("<!-- \(name): "), before.hasSuffix(" -->") else { return nil }
      return String(before.dropFirst(name.count + 7).dropLast(4))
    }
  }

  /// The fenced blocks in their order.
  public var blocks: [Block] {
    var blocks: [Block] = []
    var open: Block?
    var before: Substring = ""
    var number = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      number += 1
      if line.hasPrefix("```") {
        if var block = open {
          block.body = block.body.lowerBound..<line.startIndex
          blocks.append(block)
          open = nil
        } else {
          let start = text.index(after: line.endIndex)
          open = Block(
            language: String(line.dropFirst(3)), body: start..<start, line: number, before: before)
        }
      }
      before = line
    }
    return blocks
  }

  /// What stands between backticks within a line.
  public var codeSpans: [String] {
    var inFence = false
    return text.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("```") { inFence.toggle() }
      guard !inFence else { return [] }
      return line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
    }
  }
}

/// README, and every page of the catalog.
public let manualPages: [ManualPage] = {
  let catalog = "Sources/Kymograph/Kymograph.docc"
  let files =
    FileManager.default.enumerator(
      atPath: packageFolder.appendingPathComponent(catalog).path)?.compactMap { $0 as? String }
    ?? []
  let paths =
    ["README.md"] + files.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalog)/\($0)" }
  return paths.compactMap { try? ManualPage(path: $0) }
}()

/// Two tests may write one page.
private let writing = NSLock()

/// Whether the tests write what is compiled and printed into the pages: `KYMO_MANUAL=write`.
public let writesManual = ProcessInfo.processInfo.environment["KYMO_MANUAL"] == "write"
