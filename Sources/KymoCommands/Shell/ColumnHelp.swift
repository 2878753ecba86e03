import TimelineModel

/// What `kymo help columns` prints. 80 columns.
func columnsHelp() -> String {
  let names = Command.all.filter { !$0.columns.isEmpty }.map(\.name)
  return """
    kymo help columns: the columns of rows

    kymo help columns COMMAND lists the columns of one of these commands:

    \(wrapped(names.joined(separator: ", "), width: 76).map { "  " + $0 }.joined(separator: "\n"))

    \(columnRules(width: 80))

    """
}

/// What `kymo help columns COMMAND` prints. 80 columns.
func columnsHelp(of command: Command) -> String {
  let columns = command.columns
  let width = min((columns.map(\.name.count).max() ?? 0) + 2, 30)
  var text = "kymo \(command.name): the columns of its rows\n\n"
  for column in columns {
    var lines = wrapped(column.explanation, width: 78 - width).map { "".padded(to: width) + $0 }
    if column.name.count < width {
      lines[0] = column.name.padded(to: width) + lines[0].dropFirst(width)
    } else {
      lines.insert(column.name, at: 0)
    }
    text += lines.map { "  \($0)\n" }.joined()
  }
  return text + "\n" + columnRules(width: 80) + "\n"
}

/// The rules that hold for columns of all commands.
private func columnRules(width: Int) -> String {
  wrapped(
    "Rows of one command may have different columns. A table shows some of them, and the other formats have all. "
      + "A value that is not known is null, or empty in CSV. a.b is the field b of the object a, and a[].b that of each object in the list a.",
    width: width
  ).joined(separator: "\n")
}

extension ResultColumn {
  /// The column's line, with the unit of its numbers unless the name has it.
  var explanation: String {
    ["", "1", Self.unit(ofName: name)].contains(unit) ? help : "\(help) [\(unit)]"
  }
}

extension CommandReference {
  /// The word after ``ManualPages/verb`` that asks for the page of columns.
  static let columnsForm = "--columns"

  /// The page "Columns of rows" of the manual, in Markdown.
  static func columnsText() -> String {
    var lines = [
      "# Columns of rows", "", "Find each column of the rows that a command prints.", "",
      "The program printed this page from the lists by which it makes rows. `kymo help columns COMMAND` prints one of them.",
      "Columns of views have a page of their own, <doc:Views>.", "", columnRules(width: 120),
    ]
    for command in Command.all {
      let columns = command.columns
      guard !columns.isEmpty else { continue }
      lines += ["", "## kymo \(command.name)", "", "| column | meaning |", "|---|---|"]
      for column in columns {
        lines.append("| `\(column.name)` | \(escaped(column.explanation)) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
