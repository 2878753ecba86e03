import MotionJudgement

/// SKILL.md for agents that run commands in a shell: `kymo help skill`. Its tables are those of the commands and of the
/// faults. It has at most 2,000 bytes, which are about 500 tokens.
func skillDocument() -> String {
  let watch = watchCommand()
  return """
    ---
    name: kymograph
    description: See web motion as text. Use when an animation feels late, jumps, flashes, runs twice or ignores \
    the finger; after a change of a transition, gesture, spring or stagger; or to compare two builds.
    ---
    \(watch.summary):

    \(watch.examples.filter { !$0.contains("--again") }.map { "    \($0)\n" }.joined())
    Exits with \(watch.exits.map { "\($0.key.rawValue) \($0.value)" }.prefix(2).joined(separator: "; ")).

    | act | faults |
    |---|---|
    \(MotionFault.Act.allCases.map(row).joined(separator: "\n"))

    - Lines with `!` are faults. The others are facts.
    - `a (b to c)` is a 90 % interval. Claim no more than it says.
    - "too short to tell" is an answer. Repeat it with a longer drag.
    - Stiffness, overshoot and stagger depend on the design. Use `--\(WatchFlags.against.name)`.
    - \(AgentTool.dataRule)

    `--\(Flags.into.name) FILE.kymo` keeps the recording for the others:

    \(AgentTool.all.dropFirst().map { "- `kymo \($0.isOfClips ? "record --video" : $0.name)`: \($0.summary)\n" }.joined())
    More: `kymo help watch`

    """
}

/// The faults that an act shows.
private func row(_ act: MotionFault.Act) -> String {
  let names = MotionFault.all.filter { $0.act == act }.map(\.name)
  return "| \(words(act)) | \(names.joined(separator: ", ")) |"
}

private func words(_ act: MotionFault.Act) -> String {
  func form(_ flag: Flag<String>) -> String {
    "`--\(flag.name) \(flag.declaration.value ?? "")`"
  }
  return switch act {
  case .swipe: "\(form(WatchFlags.swipe)), `--\(WatchFlags.drag.name)`"
  case .click: "\(form(WatchFlags.click)), `--\(WatchFlags.press.name)`"
  case .any: "any"
  case .reducedMotion: "`--\(WatchFlags.reducedMotion.name)`"
  case .realClock: "`--\(WatchFlags.clock.name) \(WatchClock.real.rawValue)`"
  }
}
