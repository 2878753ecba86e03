/// The page "Commands and flags" of the manual, in Markdown.
///
/// Everything comes from the commands' data, as help and the manual pages do.
struct CommandReference {
  /// The word after ``ManualPages/verb`` that asks for this page.
  static let form = "--markdown"

  private var lines = [
    "# Commands and flags", "",
    "Find every command of `kymo`, its flags and its exit codes.", "",
    "The program printed this page from the data of its commands. `kymo help COMMAND` adds examples and explanations.",
    "`kymo help COMMAND --all` also lists the names that are read without being offered.",
    "<doc:ExitCodesAndLimits> describes the names of sessions, the output and the limits of input, which all commands share.",
  ]

  /// The page.
  static func text() -> String {
    var page = CommandReference()
    for group in Command.groups { page.add(group) }
    for command in Command.all { page.add(command) }
    return page.lines.joined(separator: "\n") + "\n"
  }

  // MARK: Parts of the page

  private mutating func add(_ group: CommandGroup) {
    lines += ["", "## \(group.title)", "", "| command | purpose | article |", "|---|---|---|"]
    for command in group.entries.flatMap(\.commands) {
      let name = "`kymo \(command.name)`"
      lines.append(
        "| \(name) | \(Self.escaped(command.summary)) | <doc:\(Self.article(command))> |")
    }
  }

  private mutating func add(_ command: Command) {
    lines += [
      "", "## kymo \(command.name)", "", Self.escaped(command.summary) + ".", "", "```text",
    ]
    for form in command.forms {
      let arguments = form.arguments.isEmpty ? "" : " \(form.arguments)"
      lines.append("kymo \(command.name)\(arguments)" + (form.flags.isEmpty ? "" : " [FLAGS]"))
    }
    lines.append("```")
    for form in command.forms where !form.flags.isEmpty {
      let use = command.forms.count == 1 ? "flag" : "flag of `\(Self.code(form.arguments))`"
      lines += ["", "| \(use) | meaning |", "|---|---|"]
      for section in FlagSection.allCases {
        for flag in form.flags where flag.section == section {
          lines.append("| `\(Self.code(flag.label))` | \(Self.escaped(flag.explanation)) |")
        }
      }
    }
    lines += ["", "| exits with | condition |", "|---|---|"]
    for (code, condition) in exits(of: command) {
      lines.append("| \(code.rawValue) | \(Self.escaped(condition)) |")
    }
  }

  /// The file of the article that explains a command.
  private static func article(_ command: Command) -> String {
    let words = command.name.split(separator: " ").map(String.init)
    return articles[command.name] ?? articles[words[0]] ?? "ExitCodesAndLimits"
  }

  /// By a command's name, or by the first word of a family.
  private static let articles = [
    "record": "RecordAnApp", "watch": "WatchAPage", "export": "Export", "replay": "ReportAndPlayer",
    "show": "ReportAMotionBug", "list": "Views", "report": "ReportAndPlayer",
    "plot": "ReportAndPlayer", "sql": "QueryWithSQL", "velocity": "VelocityAndDecisions",
    "fit": "FitASettle", "rerun": "RerunAGesture", "label": "LabelGestures",
    "rule try": "VelocityAndDecisions", "rule tune": "TuneARule", "compare": "CompareSessions",
    "check": "GateABuild", "golden": "GateABuild", "rows": "ManyRecordings",
    "file": "FileAndViews", "file recover": "SurvivingAKill", "scenario": "ScenarioFiles",
    "curve ease": "ScenarioFiles", "curve settle": "EstimatorsAndRest",
    "web-recorder": "RecordAWebPage", "mcp": "ForCodingAgents",
  ]

  // MARK: Escaping

  /// Text as it is: no letter of it is a mark of Markdown.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for letter in text {
      if "\\|*<[`".contains(letter) { escaped.append("\\") }
      escaped.append(letter)
    }
    return escaped
  }

  /// Text within a code span of a table, in which a bar alone ends the cell.
  private static func code(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
