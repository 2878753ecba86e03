import TimelineModel

/// One command of the program: its words, its forms and its functions. Help is printed from this.
struct Command {
  /// The word after the program's name, or two words of which the first names a family ("file doctor").
  let name: String
  /// One line for the list of commands.
  let summary: String
  /// The ways to call it. Most commands have one.
  let forms: [CommandForm]
  /// Lines that show it at work. The first is the commonest.
  let examples: [String]
  /// What else there is to know.
  let discussion: String
  /// What stands under the discussion, line by line as it is, so that it can be pasted.
  let sample: String
  /// Whether the name alone gets the help, though no argument is missing.
  let showsHelpAlone: Bool
  /// When it ends with a code, beyond what holds for all commands: "if …".
  let exits: KeyValuePairs<ExitCode, String>
  private let makeColumns: () -> [ResultColumn]
  /// The index of the form that the words ask for.
  let choose: (Invocation) throws -> Int

  /// A command of several forms.
  ///
  /// - Parameter choose: The index of the form that the words ask for. Flags of another form are then refused.
  init(
    name: String, summary: String, forms: [CommandForm], examples: [String],
    exits: KeyValuePairs<ExitCode, String> = [:], discussion: String = "", sample: String = "",
    columns: @autoclosure @escaping () -> [ResultColumn] = [], showsHelpAlone: Bool = false,
    choose: @escaping (Invocation) throws -> Int
  ) {
    (self.name, self.summary, self.forms, self.examples) = (name, summary, forms, examples)
    (self.discussion, self.sample, self.choose) = (discussion, sample, choose)
    (self.exits, makeColumns) = (exits, columns)
    self.showsHelpAlone = showsHelpAlone
  }

  /// A command of one form.
  init(
    name: String, summary: String, arguments: String, argumentCount: ClosedRange<Int>,
    choices: [String: Choices] = [:],
    examples: [String], exits: KeyValuePairs<ExitCode, String> = [:],
    discussion: String = "", sample: String = "",
    columns: @autoclosure @escaping () -> [ResultColumn] = [],
    flags: @autoclosure @escaping () -> [any FlagSource] = [], showsHelpAlone: Bool = false,
    worker: ((Invocation) throws -> Worker)? = nil,
    run: @escaping (Invocation) throws -> ExitCode
  ) {
    let form = CommandForm(
      arguments: arguments, argumentCount: argumentCount, choices: choices, flags: flags(),
      worker: worker, run: run)
    self.init(
      name: name, summary: summary, forms: [form], examples: examples, exits: exits,
      discussion: discussion, sample: sample, columns: columns(), showsHelpAlone: showsHelpAlone,
      choose: { _ in 0 })
  }

  /// The flags of all forms.
  var flags: [FlagDeclaration] {
    var seen: Set<String> = []
    return forms.flatMap(\.flags).filter { seen.insert($0.name).inserted }
  }

  /// The names that are read without being offered, by the argument or flag of which they are values.
  var otherNames: [(value: String, names: [String])] {
    let ofArguments = forms.flatMap { form in
      form.choices.sorted { $0.key < $1.key }.map { ($0.key, $0.value.others) }
    }
    return (ofArguments + flags.map { ("--\($0.name)", $0.choices.others) })
      .filter { !$0.1.isEmpty }
  }

  /// The columns of the rows that it prints, and the fields of objects in them. Empty if no list describes them.
  var columns: [ResultColumn] { makeColumns().flattened }

  /// The form whose work is done on one file of many, by its flags alone. `nil` if there is no such form.
  var workerForm: CommandForm? { forms.first { $0.worker != nil } }
}

/// One way to call a command: what it takes and what it does.
struct CommandForm {
  /// The positional arguments as help shows them ("FILE…").
  let arguments: String
  /// How many positional arguments it takes.
  let argumentCount: ClosedRange<Int>
  /// The words that an argument of this name can be.
  let choices: [String: Choices]
  /// Whether `--` parts two groups of positional arguments. Otherwise nothing after it is a flag.
  let hasTwoGroups: Bool
  private let declared: DeclaredFlags
  var flags: [FlagDeclaration] { declared.flags }
  /// Makes what does its work on one file of many, by its flags alone. `nil` where there is no such work.
  let worker: ((Invocation) throws -> Worker)?
  /// Does the work.
  let run: (Invocation) throws -> ExitCode

  init(
    arguments: String, argumentCount: ClosedRange<Int>, choices: [String: Choices] = [:],
    hasTwoGroups: Bool = false,
    flags: @autoclosure @escaping () -> [any FlagSource] = [],
    worker: ((Invocation) throws -> Worker)? = nil,
    run: @escaping (Invocation) throws -> ExitCode
  ) {
    (self.arguments, self.argumentCount) = (arguments, argumentCount)
    self.choices = choices
    (self.hasTwoGroups, self.worker, self.run) = (hasTwoGroups, worker, run)
    declared = DeclaredFlags(make: flags)
  }

  /// Whether it takes a flag.
  func has(_ flag: FlagDeclaration) -> Bool { flags.contains { $0.name == flag.name } }
}

/// The flags of a form, made when they are first asked for: a run of the program looks at one of forty commands.
private final class DeclaredFlags {
  private let make: () -> [any FlagSource]
  private(set) lazy var flags = make().flatMap(\.declarations)

  init(make: @escaping () -> [any FlagSource]) { self.make = make }
}

/// Commands of one heading in help.
struct CommandGroup {
  let title: String
  /// What makes its entries: a command is run without those that stand behind it in the list.
  let makers: [() -> CommandEntry]

  var entries: [CommandEntry] { makers.map { $0() } }
}

/// A line of the list of commands.
struct CommandEntry {
  /// The command's name, or the first word of a family.
  let name: String
  let summary: String
  /// One command, or the members of a family.
  let commands: [Command]
  /// Whether the commands share their first word, and this is it.
  let isFamily: Bool

  /// A command on a line of its own.
  init(_ command: Command) {
    (name, summary) = (command.name, command.summary)
    (commands, isFamily) = ([command], false)
  }

  /// Commands that share their first word, on one line.
  init(family name: String, _ summary: String, _ commands: [Command]) {
    (self.name, self.summary) = (name, summary)
    (self.commands, isFamily) = (commands, true)
  }
}
