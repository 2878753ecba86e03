import TimelineModel
import TransitionEngine
import TransitionScenarios

/// `kymo scenario check FILE`: whether a scenario can be run, and what it contains.
func scenarioCheckCommand() -> Command {
  Command(
    name: "scenario check", summary: "Check a scenario file and print its contents",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo scenario check grid.json", "kymo scenario check grid.json --json"],
    exits: [.usage: "if the call is wrong, or the scenario cannot be run"],
    columns: contents(of: "").described(), flags: [Flags.listing]
  ) { invocation in
    let path = invocation.positionals[0]
    try invocation.print([
      contents(of: path).row(of: invocation.console.readScenario(path).scenario)
    ])
    return .yes
  }
}

private func contents(of path: String) -> [ResultField<Scenario>] {
  [
    ResultField("scenario", "The scenario file.") { _ in path },
    ResultField("name", "The scenario's name.", \.name),
    ResultField("layouts", "The names of the scenario's layouts.") { $0.layouts.map(\.name) },
    ResultField("items", "The number of elements.") { $0.data.itemCounts.reduce(0, +) },
    ResultField("steps", "The number of steps in the script.", \.script.count),
    ResultField("gesture", "The recognizer of the gesture.", \.gesture?.mapping.recognizer),
  ]
}

/// `kymo scenario schema`: the JSON schema of scenario files.
func scenarioSchemaCommand() -> Command {
  Command(
    name: "scenario schema", summary: "Print the JSON schema of scenario files",
    arguments: "", argumentCount: 0...0,
    examples: ["kymo scenario schema > scenario.schema.json", "kymo scenario schema"]
  ) { invocation in
    invocation.output.write(Scenario.schema)
    return .yes
  }
}

extension Console {
  /// Reads a scenario file. Also its text, for the recording.
  func readScenario(_ path: String) throws -> (scenario: Scenario, text: String) {
    let bytes = try readInput(path, atMost: .description)
    let scenario = try Scenario.read(bytes, name: inputName(path))
    return (scenario, String(decoding: bytes, as: UTF8.self))
  }
}
