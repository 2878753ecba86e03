import MotionMeasures
import TimelineModel
import TimelineStore

/// `kymo file trim`: cuts a session down to a range of time.
func fileTrimCommand() -> Command {
  Command(
    name: "file trim", summary: "Cut a session down to a range of time",
    arguments: "FILE [--from TIME] [--to TIME]",
    argumentCount: 1...1,
    examples: [
      "kymo file trim run.kymo --from 0.1 --to 0.5", "kymo file trim run.kymo#2 --to 800ms",
    ],
    discussion: """
      FILE alone means the last session. Times, keys and elements stay as they are. The first frame
      that stays becomes a key frame. Summaries and counts are computed again, and the view losses
      lists what was removed. Work on a copy to keep the whole session.
      """,
    columns: RemovalRecord.fields.described(),
    flags: [
      Flags.from.described("remove everything before this time (0.25, 250ms, …)"),
      Flags.to.described("remove everything after this time"), Flags.listing,
    ], run: runTrim)
}

private func runTrim(_ invocation: Invocation) throws -> ExitCode {
  let since = try invocation.value(Flags.from)
  let until = try invocation.value(Flags.to)
  guard since != nil || until != nil else {
    throw Failure.usage("missing --from TIME or --to TIME")
  }
  guard since ?? .min <= until ?? .max else {
    throw Failure.usage("--from is later than --to, so nothing would stay")
  }
  let argument = try SessionArgument(invocation)
  let kept = Instant(nanoseconds: since ?? .min)...Instant(nanoseconds: until ?? .max)
  try argument.requireOverlap(kept, flag: since == nil ? "to" : "from")
  invocation.console.letGoOfStates()
  let editor = try RecordingEditor(path: argument.reader.path)
  let removal = try editor.trim(editor.number(of: argument.session.uuid), to: kept)
  let code = try invocation.console.settle(editor)
  if removal == nil {
    invocation.note("\(argument.session.label) has nothing outside of that range")
  }
  try invocation.print(removal.map { [$0.row] } ?? [])
  return code
}
