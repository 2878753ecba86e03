/// One command of the program: its words, its flags and its functions. Help is printed from this.
struct Command {
  /// The word after the program's name.
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The positional arguments as help shows them ("FILE [SESSION]").
  let arguments: String
  /// How many positional arguments it takes.
  let argumentCount: ClosedRange<Int>
  /// Lines that show it at work; the first is the commonest.
  let examples: [String]
  /// What else there is to know.
  let discussion: String
  /// What stands under the discussion, line by line as it is, so that it can be pasted.
  let sample: String
  /// Whether `--` parts two groups of positional arguments; otherwise nothing after it is a flag.
  let hasTwoGroups: Bool
  let flags: [FlagDeclaration]
  /// Whether the verb alone gets the help, though no argument is missing.
  let showsHelpAlone: Bool
  /// Makes what does its work on one file of many, by its flags alone; nil where there is no such work.
  let worker: ((Invocation) throws -> Worker)?
  /// Does the work.
  let run: (Invocation) throws -> ExitCode

  init(
    name: String, summary: String, arguments: String, argumentCount: ClosedRange<Int>,
    examples: [String], discussion: String = "", sample: String = "", hasTwoGroups: Bool = false,
    flags: [any FlagSource] = [], showsHelpAlone: Bool = false,
    worker: ((Invocation) throws -> Worker)? = nil,
    run: @escaping (Invocation) throws -> ExitCode
  ) {
    (self.name, self.summary, self.arguments) = (name, summary, arguments)
    (self.argumentCount, self.examples, self.discussion) = (argumentCount, examples, discussion)
    (self.sample, self.hasTwoGroups, self.showsHelpAlone) = (sample, hasTwoGroups, showsHelpAlone)
    (self.worker, self.run) = (worker, run)
    self.flags = flags.flatMap(\.declarations)
  }
}
