/// A shape of log lines that touches are read from. Adding one is an entry in ``all`` and a fixture.
struct TextShape: Sendable {
  /// The name that `--gesture-format` takes.
  var name: String
  /// What the lines are, in the words of those who have them.
  var title: String
  /// A line of it, for help.
  var example: String

  var format: GestureFormat { GestureFormat(name: name, title: title) }

  /// All shapes.
  static let all: [TextShape] = []
}
