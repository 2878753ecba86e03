/// What help without a command prints.
func overviewHelp() -> String {
  let width = (Command.all.map(\.name.count).max() ?? 0) + 2
  var text = """
    kymo records interactive animation transitions, replays them, computes the
    velocity at the release and says whether two runs move alike.

    Examples:
      kymo record --scenario grid.json --gesture pinch.evemu --into pinch.kymo
      kymo velocity pinch.kymo

    Commands:

    """
  for command in Command.all {
    text += "  " + command.name.padded(to: width) + command.summary + "\n"
  }
  text += """

    kymo help COMMAND says more; kymo --version prints the versions.
    kymo help NAME says what a name of UIKit, TLLayoutTransitioning or objc.io is
    called here (valueForAnimatedKey, for one); kymo help names lists them all.
    Sessions are named FILE#SELECTOR or by a second word: last (the default), a
    number, the beginning of a uuid, or a name.
    Exit codes: 0 done or the same, 1 the answer is no, 2 wrong usage, 3 done with
    loss, 4 input unreadable or output not writable, 130 interrupted.

    """
  return text
}

/// What `kymo help COMMAND` prints; 80 columns.
func commandHelp(_ command: Command) -> String {
  var text = "kymo \(command.name): \(command.summary)\n\nUsage: kymo \(command.name)"
  text += command.arguments.isEmpty ? "" : " \(command.arguments)"
  text += command.flags.isEmpty ? "\n" : " [flags]\n"
  text += "\nExamples:\n"
  for example in command.examples { text += "  \(example)\n" }
  if !command.flags.isEmpty {
    text += "\nFlags:\n"
    let labels = command.flags.map { "--\($0.name)" + ($0.value.map { " \($0)" } ?? "") }
    let width = min((labels.map(\.count).max() ?? 0) + 2, 26)
    for (flag, label) in zip(command.flags, labels) {
      let lines = wrapped(flag.help, width: 78 - width)
      text += "  " + label.padded(to: width) + lines[0] + "\n"
      for line in lines.dropFirst() { text += "  " + "".padded(to: width) + line + "\n" }
    }
  }
  if !command.discussion.isEmpty {
    text += "\n" + wrapped(command.discussion, width: 80).joined(separator: "\n") + "\n"
    if !command.sample.isEmpty { text += "\n" + command.sample + "\n" }
  }
  return text
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
  /// The text with blanks after it up to a width; at least one blank.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(isEmpty ? 0 : 1, width - count))
  }
}
