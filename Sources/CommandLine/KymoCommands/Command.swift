/// One verb of the program: its words, its flags and its work. Help is drawn from this.
struct Command {
  /// The verb.
  var name: String
  /// One line for the list of commands.
  var summary: String
  /// The positional arguments as help shows them ("FILE [SESSION]").
  var arguments: String
  /// How many positional arguments it takes.
  var argumentCount: ClosedRange<Int>
  /// Lines that show it at work; the first is the commonest.
  var examples: [String]
  /// What else there is to know.
  var discussion: String = ""
  /// What stands under the discussion, line by line as it is, so that it can be pasted.
  var sample: String = ""
  /// Whether `--` parts two groups of positional arguments; otherwise nothing after it is a flag.
  var hasTwoGroups = false
  /// Its own flags.
  var flags: [Flag] = []
  /// Whether the verb alone gets the help, though no argument is missing.
  var showsHelpAlone = false
  /// Makes what does its work on one file of many, by its flags alone; nil where there is no such work.
  var worker: ((Invocation) throws -> Worker)?
  /// Does the work.
  var run: (Invocation) throws -> ExitCode
}

/// A flag as data.
struct Flag: Sendable {
  /// Its name without the dashes.
  var name: String
  /// What its value is called in help; nil for a switch.
  var value: String?
  /// One sentence.
  var help: String
  /// Whether it may be given more than once.
  var repeats: Bool
  /// Its one letter or digit with a dash, for those that every Unix tool has: -o, -j, -0.
  var short: String? {
    switch name {
    case "out": "-o"
    case "jobs": "-j"
    case "null": "-0"
    default: nil
    }
  }
  /// What it was called in the version before, which is understood for one version.
  var formerName: String?

  init(
    _ name: String, _ value: String? = nil, _ help: String, repeats: Bool = false,
    formerName: String? = nil
  ) {
    self.name = name
    self.value = value
    self.help = help
    self.repeats = repeats
    self.formerName = formerName
  }
}

extension Flag {
  /// Output format of every listing.
  static let format = Flag("format", "FORMAT", "table (default), json, ndjson, csv or markdown")
  /// Short for `--format json`.
  static let json = Flag("json", nil, "short for --format json")
  /// All digits in a table.
  static let precise = Flag("precise", nil, "all digits of each number in a table")
  /// Filter on a key.
  static let key = Flag("key", "NAME", "only this key")
  /// Filter on an item.
  static let item = Flag("item", "ID", "only this item")
  /// Filter on time.
  static let from = Flag(
    "from", "TIME", "only from this time on (0.25, 250ms, …)", formerName: "since")
  /// Filter on time.
  static let to = Flag("to", "TIME", "only up to this time", formerName: "until")
  /// Thins rows out.
  static let every = Flag("every", "TIME", "at most one row in this much time")

  /// The flags of every command over many files.
  static let manyFiles: [Flag] = [
    Flag("jobs", "N", "this many files at once, each in a process of its own; -j for short"),
    Flag("time-limit", "TIME", "leave out what takes longer (60s); none by default"),
  ]

  /// The flags of every listing.
  static let listing: [Flag] = [.format, .json, .precise]
  /// The filters in time.
  static let window: [Flag] = [.from, .to, .every]
}
