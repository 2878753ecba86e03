import GestureInput

/// What `kymo help formats` prints. 80 columns.
func formatsHelp() -> String {
  var text = "kymo help formats: the texts that touches are read from\n\n"
  for format in GestureFormat.allCases {
    text += "  \(format.rawValue.padded(to: 20))\(format.title)\n"
    if let example = format.example { text += "    \(cut(example, to: 76))\n" }
  }
  text += "\nRefused, with the program that records touches\n\n"
  for shape in TextShape.all where shape.refusal != nil {
    text += "  \(shape.name.padded(to: 20))\(shape.title)\n    \(cut(shape.example, to: 76))\n"
  }
  return text + "\n"
    + formatRules.map { wrapped($0, width: 80).joined(separator: "\n") }.joined(separator: "\n\n")
    + "\n"
}

/// The rules that hold for the formats of logs.
private let formatRules = [
  "The format is found from the content. --gesture-format NAME decides it if the content is of two.",
  "Times and tags that logcat, journald, syslog, NSLog, consoles and containers put before lines are passed over. "
    + "Their times are used if the lines have none.",
  "--pattern reads any other line: 'touch {id} at {x},{y} after {t:ms}'. Its holes are {t}, with ns, us, ms or s or without "
    + "a unit, {x}, {y}, the steps {dx} and {dy}, {id}, {phase}, {down} and {…} for any text. --columns reads any other table.",
]

private func cut(_ text: String, to count: Int) -> String {
  text.count <= count ? text : text.prefix(count - 1) + "…"
}

extension CommandReference {
  /// The word after ``ManualPages/verb`` that asks for the page of formats.
  static let formatsForm = "--formats"

  /// The page "Formats of touches" of the manual, in Markdown.
  static func formatsText() -> String {
    var lines = [
      "# Formats of touches", "", "Find the texts that touches are read from.", "",
      "The program printed this page from the lists by which it reads. `kymo help formats` prints them, too.",
      "",
    ]
    lines += formatRules.flatMap { wrapped($0, width: 120) + [""] }
    lines += ["| name | text | a line of it |", "|---|---|---|"]
    for format in GestureFormat.allCases {
      lines.append(row(format.rawValue, format.title, format.example ?? ""))
    }
    lines += [
      "", "## Refused", "",
      "These lines have no touches in them. The refusal names the program that records some.", "",
      "| name | text | a line of it |", "|---|---|---|",
    ]
    for shape in TextShape.all where shape.refusal != nil {
      lines.append(row(shape.name, shape.title, shape.example))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func row(_ name: String, _ title: String, _ example: String) -> String {
    "| `\(name)` | \(escaped(title)) | \(example.isEmpty ? "" : "`\(example.replacing("|", with: "\\|"))`") |"
  }
}
