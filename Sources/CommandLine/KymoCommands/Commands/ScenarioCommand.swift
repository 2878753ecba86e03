import TimelineModel
import TransitionEngine
import TransitionScenarios

/// `kymo scenario check FILE`: whether a scenario can be run, and what it contains.
func scenarioCheckCommand() -> Command {
  Command(
    name: "scenario check", summary: "Check a scenario file and print its contents",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo scenario check grid.json", "kymo scenario check grid.json --json"],
    exits: [.usage: "if the call is wrong, or the scenario cannot be run"], flags: [Flags.listing]
  ) { invocation in
    let path = invocation.positionals[0]
    let scenario = try invocation.console.readScenario(path).scenario
    try invocation.print([
      EventField.list([
        "scenario": path, "name": scenario.name, "layouts": scenario.layouts.map(\.name),
        "items": scenario.data.itemCounts.reduce(0, +), "steps": scenario.script.count,
        "gesture": scenario.gesture?.mapping.recognizer.rawValue,
      ])
    ])
    return .yes
  }
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
  /// Reads a scenario file; also its text, for the recording.
  func readScenario(_ path: String) throws -> (scenario: Scenario, text: String) {
    let bytes = try readInput(path, atMost: .description)
    let scenario = try Scenario.read(bytes, name: inputName(path))
    return (scenario, String(decoding: bytes, as: UTF8.self))
  }
}
