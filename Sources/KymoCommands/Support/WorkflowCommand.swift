/// A mark on a build's page: a line of output by which a step of GitHub Actions speaks to its runner. Other runners print
/// it.
///
/// Facts from GitHub's "Workflow commands for GitHub Actions" and from the runner's reader of such lines: one begins
/// with `::`, white space before it aside. An older form, `##[`, counts anywhere in a line. `%`, CR and LF are written
/// as `%25`, `%0D` and `%0A`. In a property, `:` and `,` as `%3A` and `%2C`, too.
package struct WorkflowCommand {
  /// How loud the mark is.
  package enum Level: String {
    case error
    case warning
  }

  private let level: Level
  private let title: String
  private let message: String

  /// Makes a mark of any texts.
  package init(_ level: Level, title: String, _ message: String) {
    (self.level, self.title, self.message) = (level, title, message)
  }

  /// The line, its end included.
  package var line: String {
    "::\(level.rawValue) title=\(Self.escaped(title, "%\r\n:,"))::\(Self.escaped(message, "%\r\n"))\n"
  }

  /// Other output of a step, in which no name can be a command: a space parts what would begin one.
  package static func disarmed(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let line = line.replacing("##[", with: "# #[")
      let start = line.prefix { $0.isWhitespace }
      return line.dropFirst(start.count).hasPrefix("::")
        ? "\(start): \(line.dropFirst(start.count + 1))" : String(line)
    }.joined(separator: "\n")
  }

  private static func escaped(_ text: String, _ special: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      guard special.unicodeScalars.contains(scalar) else {
        escaped.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      escaped += "%" + (digits.count < 2 ? "0" : "") + digits
    }
    // The older form would count here, too.
    return escaped.replacing("##[", with: "# #[")
  }
}
