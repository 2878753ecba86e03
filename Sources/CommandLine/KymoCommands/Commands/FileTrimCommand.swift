import TimelineModel
import TimelineQuery
import TimelineStore

/// `kymo file trim`: cuts a session down to a range of time.
func fileTrimCommand() -> Command {
  Command(
    name: "file trim", summary: "cut a session down to a range of time", arguments: "FILE",
    argumentCount: 1...1,
    examples: [
      "kymo file trim run.kymo --from 1.5 --to 4", "kymo file trim run.kymo#2 --to 800ms",
    ],
    discussion: """
      Instants stay as they are, and so do the session's keys and elements. The first frame
      that stays becomes a key frame; summaries and counts are computed again, and the view
      losses says what was removed. Work on a copy to keep the whole.
      """,
    flags: [
      Flags.from.described("remove what is earlier (0.25, 250ms, …)"),
      Flags.to.described("remove what is later"), Flags.listing,
    ], run: runTrim)
}

private func runTrim(_ invocation: Invocation) throws -> ExitCode {
  let since = try invocation.value(Flags.from)
  let until = try invocation.value(Flags.to)
  guard since != nil || until != nil else {
    throw Failure.usage("kymo file trim expects --from, --to or both")
  }
  guard since ?? .min <= until ?? .max else {
    throw Failure.usage("--from is later than --to, so nothing would stay")
  }
  let argument = try SessionArgument(invocation)
  let kept = Instant(nanoseconds: since ?? .min)...Instant(nanoseconds: until ?? .max)
  try argument.requireOverlap(kept, flag: since == nil ? "to" : "from")
  let editor = try RecordingEditor(path: argument.reader.path)
  let removal = try editor.trim(editor.number(of: argument.session.uuid), to: kept)
  try editor.settleIntoOneFile()
  if removal == nil {
    invocation.note("nothing of \(argument.session.label) is outside that range")
  }
  try invocation.print(removal.map { [$0.row] } ?? [])
  return .yes
}
