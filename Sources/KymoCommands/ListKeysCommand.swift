import MotionMeasures
import TimelineModel
import TimelineStore

/// `kymo list keys`: what was recorded over time, and how often.
func listKeysCommand() -> Command {
  Command(
    name: "list keys", summary: "Print the keys of a session with counts, rates and ranges",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo list keys pinch.kymo", "kymo list keys pinch.kymo#2 --format csv"],
    discussion: """
      FILE alone means the last session. Recorded keys are listed. Keys that are computed from frames,
      such as viewport.contentOffset.y, are columns of kymo replay.
      """,
    columns: KeyListing.fields.described(),
    flags: [Flags.key, Flags.gestureReading, Flags.listing], run: runKeys)
}

private func runKeys(_ invocation: Invocation) throws -> ExitCode {
  let source = try SessionArgument(invocation)
  let keys = try source.keys(named: invocation.text(Flags.key))
  try invocation.print(KeyListing.all(keys, in: source.session.number, of: source.reader))
  return .yes
}
