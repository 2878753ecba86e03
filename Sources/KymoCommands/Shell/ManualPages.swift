/// The manual pages of the program, one for itself and one for each command, in the language mdoc.
///
/// Everything comes from the commands' data, as help does. `mandoc -Tlint` finds nothing in them.
struct ManualPages {
  /// The hidden verb that prints the pages. The words after it are the date of the pages, such as "November 26, 2026".
  static let verb = ".manual-pages"
  /// The beginning of the line before each page, which the name of its file follows. It is a comment in mdoc.
  static let separator = ".\\\" FILE "

  private var lines: [String] = []

  /// All pages, each after a line with the name of its file.
  static func text(date: String) -> String {
    var pages = ManualPages()
    pages.begin("kymo", "record, replay, measure and compare gesture-driven animations", date)
    pages.addOverview()
    for command in Command.all {
      pages.begin(
        "kymo-" + command.name.replacing(" ", with: "-"), command.summary.asManualSummary, date)
      pages.add(command)
    }
    return pages.lines.joined(separator: "\n") + "\n"
  }

  // MARK: Parts of a page

  private mutating func begin(_ name: String, _ summary: String, _ date: String) {
    lines += [
      Self.separator + "\(name).1", ".Dd \(date)", ".Dt \(name.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(name)", ".Nd \(Self.argument(summary))", ".Sh SYNOPSIS",
    ]
  }

  private mutating func addOverview() {
    lines += [
      ".Nm kymo", ".Ar COMMAND", ".Op Ar ARGUMENTS", ".Op Ar FLAGS", ".Nm kymo", ".Ar FILE",
      ".Sh DESCRIPTION",
    ]
    add(
      paragraph:
        "A session is FILE#NUMBER, FILE#NAME, FILE#UUID or FILE#last. kymo FILE is kymo show FILE."
    )
    for group in Command.groups {
      lines += [".Ss \(Self.argument(group.title))", ".Bl -tag -width Ds"]
      for command in group.entries.flatMap(\.commands) {
        lines += [".It Ic \(Self.argument(command.name))", Self.line(command.summary + ".")]
      }
      lines.append(".El")
    }
    addExits([
      (.yes, "if it is done, or the answer is positive"), (.no, "if the answer is negative"),
      (.usage, "if the call is wrong"), (.loss, "if a part of the input was left out"),
      (.unreadable, "if a file cannot be read or written"),
      (.interrupted, "if control-C interrupted it"),
    ])
    lines.append(".Sh SEE ALSO")
    let names = Command.all.map { "kymo-" + $0.name.replacing(" ", with: "-") }.sorted()
    for name in names { lines.append(".Xr \(name) 1" + (name == names.last ? "" : " ,")) }
  }

  private mutating func add(_ command: Command) {
    for form in command.forms {
      lines += [".Nm kymo", ".Cm \(Self.argument(command.name))"]
      if !form.arguments.isEmpty { lines.append(".Ar \(Self.argument(form.arguments))") }
      if !form.flags.isEmpty { lines.append(".Op Ar FLAGS") }
    }
    lines.append(".Sh DESCRIPTION")
    lines.append(Self.line(command.summary + "."))
    for paragraph in command.discussion.split(separator: "\n\n") {
      lines.append(".Pp")
      add(paragraph: String(paragraph))
    }
    if !command.sample.isEmpty {
      add(literal: command.sample.split(separator: "\n").map(String.init))
    }
    for form in command.forms {
      for section in FlagSection.allCases {
        let flags = form.flags.filter { $0.section == section }
        guard !flags.isEmpty else { continue }
        let use = command.forms.count == 1 ? "" : "kymo \(command.name) \(form.arguments): "
        lines += [".Ss \(Self.argument(use + section.rawValue))", ".Bl -tag -width Ds"]
        for flag in flags { add(flag) }
        lines.append(".El")
      }
    }
    addExits(exits(of: command))
    lines.append(".Sh EXAMPLES")
    add(literal: command.examples)
    lines += [".Sh SEE ALSO", ".Xr kymo 1"]
  }

  private mutating func add(_ flag: FlagDeclaration) {
    let short = flag.short.map { "Fl \($0.dropFirst()) , " } ?? ""
    let value = flag.value.map { " Ar \(Self.argument($0))" } ?? ""
    lines.append(".It \(short)Fl \(Self.escaped("-" + flag.name))\(value)")
    add(paragraph: flag.explanation)
  }

  private mutating func add(paragraph: String) {
    // A sentence begins a line, and no line is longer than 80 bytes.
    var sentence: [String] = []
    for word in paragraph.split(whereSeparator: \.isWhitespace).map(String.init) {
      sentence.append(word)
      let last = word.last { !")\"".contains($0) }
      if let last, ".!?".contains(last) { add(sentence: &sentence) }
    }
    add(sentence: &sentence)
  }

  private mutating func add(sentence: inout [String]) {
    guard !sentence.isEmpty else { return }
    let text = Self.escaped(sentence.joined(separator: " "))
    lines += wrapped(text, width: 78).map(Self.protected)
    sentence = []
  }

  private mutating func add(literal text: [String]) {
    lines.append(".Bd -literal")
    lines += text.map(Self.line)
    lines.append(".Ed")
  }

  private mutating func addExits(_ exits: [(ExitCode, String)]) {
    lines += [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    for (code, condition) in exits {
      lines.append(".It \(code.rawValue)")
      add(paragraph: condition + ".")
    }
    lines.append(".El")
  }

  // MARK: Escaping

  /// A line of text: no letter of it is taken for a request.
  private static func line(_ text: String) -> String {
    protected(escaped(text))
  }

  /// An escaped line that is not taken for a request.
  private static func protected(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// One argument of a macro: each word is text, though it may be the name of a macro or punctuation.
  private static func argument(_ text: String) -> String {
    "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\""
  }

  /// Text as it is: backslashes are not escapes, and dashes, accents and quotes stay those of ASCII.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "^": escaped += "\\(ha"
      case "~": escaped += "\\(ti"
      case let scalar where scalar.isASCII: escaped.unicodeScalars.append(scalar)
      case let scalar:
        escaped += "\\[u" + hexadecimal(scalar.value) + "]"
      }
    }
    return escaped
  }

  /// At least four digits, in capitals.
  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension String {
  /// A summary as a manual page's line NAME has it: it begins small.
  fileprivate var asManualSummary: String { prefix(1).lowercased() + dropFirst() }
}
