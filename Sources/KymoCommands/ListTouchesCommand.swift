import GestureInput
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo list touches`: the contacts of a recording, or of a gesture file.
func listTouchesCommand() -> Command {
  Command(
    name: "list touches", summary: "Print the touches of a session or of a gesture file",
    arguments: "FILE", argumentCount: 1...1,
    examples: ["kymo list touches pinch.kymo", "kymo list touches pinch.evemu --format csv"],
    discussion: """
      FILE alone means the last session. Positions are in the units of the touch recording. kymo
      recognizes a gesture file by its content, and --gesture-format names an ambiguous format.
      Positions of libinput-events are sums of deltas since the start of the gesture.
      """,
    columns: TouchSample.fields.described() + [InputText.readAsColumn],
    flags: [
      Flags.gestureReading, Flags.timeFilter, Flags.listing,
    ], run: runTouches)
}

private func runTouches(_ invocation: Invocation) throws -> ExitCode {
  let writer = try invocation.rowWriter(columns: TouchSample.columns)
  func write(_ touch: TouchSample, readAs: [EventField] = [], _ filter: inout RowFilter) {
    guard filter.takes(touch.time, series: "\(touch.contact)") else { return }
    writer.write(touch.row + readAs)
  }
  if let text = try InputText(invocation.positionals[0], invocation), !text.isLines {
    let gesture = try text.touches()
    var filter = try RowFilter(invocation)
    let format = try invocation.outputFormat()
    let saysMore = !gesture.saysItsFormat && (format == .json || format == .ndjson)
    let readAs = saysMore ? text.readAsFields : []
    for touch in gesture.touches { write(touch, readAs: readAs, &filter) }
    writer.finish()
    return .yes
  }
  let source = try SessionArgument(invocation)
  let touches = try source.reader.touches(in: source.session.number)
  var filter = try RowFilter(invocation, of: source)
  while let touch = try touches.next() { write(touch, &filter) }
  writer.finish()
  return .yes
}
