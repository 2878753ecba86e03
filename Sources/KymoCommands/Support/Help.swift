/// What help without a command prints.
func overviewHelp() -> String {
  let entries = Command.groups.flatMap(\.entries)
  let width = (entries.map(\.name.count).max() ?? 0) + 2
  var text = """
    kymo: record, replay, measure and compare gesture-driven animations

    Usage: kymo COMMAND [ARGUMENTS] [FLAGS]

    Start here:
      kymo record --scenario grid.json --gesture pinch.evemu --into pinch.kymo
      kymo replay pinch.kymo                   play it in the terminal
      kymo velocity pinch.kymo                 why it finished or cancelled
      kymo compare old.kymo new.kymo           exits with 1 if the motion differs
      kymo report pinch.kymo -o pinch.html     play it in a browser

    """
  for group in Command.groups {
    text += "\n\(group.title)\n"
    for entry in group.entries {
      text += "  " + entry.name.padded(to: width) + entry.summary + "\n"
    }
  }
  return text + """

    Help:  kymo help COMMAND   kymo help concepts   kymo help columns   kymo help exit-codes
    A session is FILE#NUMBER, FILE#NAME, FILE#UUID or FILE#last. kymo FILE is kymo show FILE.
    Most commands print rows: --format table|json|ndjson|csv|markdown, or --json.
    Exit codes: 0 yes or done, 1 no, 2 wrong usage, 3 done with losses, 4 unreadable,
                130 interrupted

    """
}

/// What `kymo help FAMILY` prints.
func familyHelp(_ family: CommandEntry) -> String {
  let width = (family.commands.map(\.name.count).max() ?? 0) + 2
  var text = "kymo \(family.name): \(family.summary)\n\n"
  for command in family.commands {
    text += "  kymo " + command.name.padded(to: width) + command.summary + "\n"
  }
  return text + "\nkymo help \(family.commands[0].name) explains one of them.\n"
}

/// What `kymo help COMMAND` prints. 80 columns.
///
/// - Parameter withAllNames: Whether the names that are read without being offered have a list.
func commandHelp(_ command: Command, withAllNames: Bool = false) -> String {
  var text = "kymo \(command.name): \(command.summary)\n\n"
  for (number, form) in command.forms.enumerated() {
    text += number == 0 ? "Usage: " : "       "
    text += "kymo \(command.name)" + (form.arguments.isEmpty ? "" : " \(form.arguments)")
    text += form.flags.isEmpty ? "\n" : " [FLAGS]\n"
  }
  text += "\nExamples:\n"
  for example in command.examples { text += "  \(example)\n" }
  for paragraph in command.discussion.split(separator: "\n\n") {
    text += "\n" + wrapped(String(paragraph), width: 80).joined(separator: "\n") + "\n"
  }
  if !command.sample.isEmpty { text += "\n" + command.sample + "\n" }
  let width = min((command.flags.map(\.label.count).max() ?? 0) + 2, 26)
  for form in command.forms {
    let use = command.forms.count == 1 ? "" : " of kymo \(command.name) \(form.arguments)"
    for section in FlagSection.allCases where section != .rows {
      let flags = form.flags.filter { $0.section == section }
      guard !flags.isEmpty else { continue }
      text += "\n\(section.rawValue)\(use):\n"
      for flag in flags { text += flag.lines(labelWidth: width) }
    }
  }
  if command.flags.contains(where: { $0.section == .rows }) {
    text += "\nRows: --format table|json|ndjson|csv|markdown, --json, --all-digits\n"
  }
  if !command.columns.isEmpty { text += "Columns: kymo help columns \(command.name)\n" }
  let others = command.otherNames
  if withAllNames {
    for (label, names) in others {
      let lines = wrapped(names.joined(separator: ", "), width: 76)
      text += "\nAlso read as \(label):\n" + lines.map { "  \($0)\n" }.joined()
    }
  } else if !others.isEmpty {
    text += "More names: kymo help \(command.name) --all\n"
  }
  return text + exitCodeHelp(command)
}

/// The codes with which a command exits in their order, each with its condition.
func exits(of command: Command) -> [(ExitCode, String)] {
  var exits = [(ExitCode.yes, "if it is done")] + command.exits.map { ($0.key, $0.value) }
  if command.exits.contains(where: { $0.key == .yes }) { exits.removeFirst() }
  exits += [(.usage, "if the call is wrong"), (.unreadable, "if a file cannot be read or written")]
    .filter { code, _ in !command.exits.contains { $0.key == code } }
  return exits.sorted { $0.0.rawValue < $1.0.rawValue }
}

/// When a command ends with which code.
private func exitCodeHelp(_ command: Command) -> String {
  var text = "\nExits with"
  for (code, condition) in exits(of: command) {
    let lines = wrapped(condition, width: 72)
    text += "\n  \(code.rawValue)  " + lines.joined(separator: "\n     ")
  }
  return text + "\nMore: kymo help exit-codes, kymo help concepts\n"
}

extension FlagDeclaration {
  /// The flag and its value.
  var label: String {
    (short.map { "\($0), " } ?? "") + "--\(name)" + (value.map { " \($0)" } ?? "")
  }

  /// What help says of the flag.
  var explanation: String {
    help + (repeats ? " (repeatable)" : "") + (standard.map { " [default: \($0)]" } ?? "")
  }

  /// The lines of the flag in help.
  fileprivate func lines(labelWidth width: Int) -> String {
    let lines = wrapped(explanation, width: 78 - width)
    return "  " + label.padded(to: width) + lines[0] + "\n"
      + lines.dropFirst().map { "  " + "".padded(to: width) + $0 + "\n" }.joined()
  }
}

/// Breaks sentences into lines of at most `width` letters.
func wrapped(_ sentence: String, width: Int) -> [String] {
  var lines = [""]
  for word in sentence.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
    if lines[lines.count - 1].isEmpty {
      lines[lines.count - 1] = String(word)
    } else if lines[lines.count - 1].count + 1 + word.count <= width {
      lines[lines.count - 1] += " \(word)"
    } else {
      lines.append(String(word))
    }
  }
  return lines
}

extension String {
  /// The text with blanks after it up to a width. At least one blank.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(isEmpty ? 0 : 1, width - count))
  }
}
