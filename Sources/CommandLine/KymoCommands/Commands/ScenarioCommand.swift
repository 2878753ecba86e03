import TimelineModel
import TransitionEngine
import TransitionScenarios

/// `kymo scenario check FILE` and `kymo scenario schema`.
func scenarioCommand() -> Command {
  Command(
    name: "scenario", summary: "check a scenario file, or print the schema",
    arguments: "check FILE | schema", argumentCount: 0...2,
    examples: ["kymo scenario check grid.json", "kymo scenario schema > scenario.schema.json"],
    discussion: "check says what a scenario holds, and ends with 2 when it cannot be run.",
    flags: [
      Flags.listing
    ], run: runScenario)
}

private func runScenario(_ invocation: Invocation) throws -> ExitCode {
  switch (invocation.positionals.first, invocation.positionals.count) {
  case ("schema", 1):
    invocation.output.write(Scenario.schema)
  case ("check", 2):
    let path = invocation.positionals[1]
    let scenario = try invocation.console.readScenario(path).scenario
    try invocation.print([
      EventField.list([
        "scenario": path, "name": scenario.name, "layouts": scenario.layouts.map(\.name),
        "items": scenario.data.itemCounts.reduce(0, +), "steps": scenario.script.count,
        "gesture": scenario.gesture?.mapping.recognizer.rawValue,
      ])
    ])
  case ("check", 1):
    throw Failure.usage("FILE is missing: kymo scenario check FILE; see kymo help scenario")
  default:
    throw Failure.usage("kymo scenario takes check FILE, or schema; see kymo help scenario")
  }
  return .yes
}

extension Console {
  /// Reads a scenario file; also its text, for the recording.
  func readScenario(_ path: String) throws -> (scenario: Scenario, text: String) {
    let bytes = try readInput(path, atMost: .description)
    let scenario = try Scenario.read(bytes, name: inputName(path))
    return (scenario, String(decoding: bytes, as: UTF8.self))
  }
}
