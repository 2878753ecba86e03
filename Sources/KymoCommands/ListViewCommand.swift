import TimelineModel
import TimelineStore

/// A view of a recording that `kymo list` prints as it is.
enum ListedView: String {
  case transitions, decisions, estimates, losses

  fileprivate var summary: String {
    switch self {
    case .transitions: "Print the transitions of a session"
    case .decisions: "Print the recorded decisions of a session"
    case .estimates: "Print the recorded velocity estimates"
    case .losses: "Print the rows that a recorder or a command could not keep"
    }
  }
}

/// `kymo list VIEW FILE`: the rows of a view, of one session.
func listViewCommand(_ view: ListedView) -> Command {
  Command(
    name: "list \(view.rawValue)", summary: view.summary, arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo list \(view.rawValue) pinch.kymo", "kymo list \(view.rawValue) pinch.kymo#2 --json",
    ],
    discussion: """
      FILE alone means \(view == .losses ? "all its sessions, deleted ones too" : "its last session").
      The columns are those of the view \(view.rawValue), which kymo sql can query.
      """,
    flags: [Flags.listing]
  ) { invocation in
    let name = invocation.positionals[0]
    if view == .losses, SessionArgument.split(name).selector == nil {
      let reader = try invocation.console.openRecording(name)
      try invocation.write(try reader.rows(ofView: view.rawValue, session: nil))
      return .yes
    }
    let source = try SessionArgument(invocation)
    try invocation.write(
      try source.reader.rows(ofView: view.rawValue, session: source.session.number))
    return .yes
  }
}
