/// A command that had another name before 0.2.0: the old words end with 2, and the error prints the new line.
struct FormerName {
  /// The words that are replaced: a command, or a flag of one.
  let old: [String]
  let new: [String]
  /// The command's flags that have another name now.
  private let flags: [String: String]

  /// The line that takes the place of the arguments; nil if their command has its name still.
  static func newLine(of arguments: [String]) -> String? {
    guard let verb = arguments.first,
      let name = commands.first(where: { $0.old[0] == verb })
    else { return nil }
    let words = arguments.dropFirst().map(name.renamed)
    return (["kymo"] + name.new + words).map(quoted).joined(separator: " ")
  }

  private init(_ old: String, _ new: String, flags: [String: String] = [:]) {
    (self.old, self.new) = (
      old.split(separator: " ").map(String.init), new.split(separator: " ").map(String.init)
    )
    self.flags = flags
  }

  /// A word with its flag's name of now; `--flag=value` too.
  private func renamed(_ word: String) -> String {
    let name = String(word.prefix { $0 != "=" })
    return (flags[name] ?? name) + word.dropFirst(name.count)
  }

  /// A word as a shell takes it.
  private static func quoted(_ word: String) -> String {
    let plain = word.utf8.allSatisfy { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_./=:,#%+@".utf8.contains(byte)
    }
    return plain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  /// The commands that have another name now.
  private static var commands: [FormerName] {
    [
      FormerName("play", "replay"), FormerName("info", "show"), FormerName("describe", "show"),
      FormerName("sessions", "list sessions"), FormerName("keys", "list keys"),
      FormerName("events", "list events"), FormerName("touches", "list touches"),
      FormerName("filmstrip", "plot --film"), FormerName("whatif", "rule try"),
      FormerName("tune", "rule tune"), FormerName("bench", "compare"),
      FormerName(
        "expect", "check", flags: ["--expectations": "--requirements", "--report": "--page"]),
      FormerName("review", "check", flags: ["-o": "--review", "--out": "--review"]),
      FormerName("accept", "golden accept"), FormerName("calibrate", "golden learn"),
      FormerName("seal", "file pack"), FormerName("compact", "file pack"),
      FormerName("expand", "file unpack"), FormerName("merge", "file merge"),
      FormerName("trim", "file trim"), FormerName("delete", "file delete"),
      FormerName("migrate", "file migrate"), FormerName("doctor", "file doctor"),
      FormerName("recover", "file recover"), FormerName("work", "rows"),
      FormerName("layout", "scenario layout"), FormerName("ease", "curve ease"),
      FormerName("settle", "curve settle"), FormerName("web", "web-recorder"),
    ]
  }
}
