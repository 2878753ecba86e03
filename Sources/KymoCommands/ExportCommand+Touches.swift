import GestureInput
import TimelineInterchange
import TimelineModel
import TimelineStore

/// `kymo export cdp|evemu`: the touches of a gesture file, of a session or of an app's lines.
func exportTouches(_ format: any TouchFormat.Type, _ invocation: Invocation) throws -> ExitCode {
  for flag in invocation.given(
    Flags.keys, Flags.items, ExportFlags.table, ExportFlags.wide, ExportFlags.guardFormulas,
    ExportFlags.simplify)
  {
    throw Failure.usage("the format \(format.name) has only touches. Omit --\(flag)")
  }
  var map = PositionMap()
  map.scale = try invocation.value(ExportFlags.scale) ?? map.scale
  map.offset = try invocation.value(ExportFlags.translate) ?? map.offset
  let panel = try invocation.value(ExportFlags.panel)
  guard panel == nil || format.hasPanel else {
    throw Failure.usage("--panel needs the format evemu (got '\(format.name)')")
  }
  let path = invocation.positionals[1]
  let read = try readTouches(path, invocation)
  let range = try invocation.range(Flags.from, Flags.to)
  let touches = read.touches.filter { range.contains($0.time) }
  guard !touches.isEmpty else {
    throw Failure.usage(
      read.touches.isEmpty
        ? "\(inputName(path)) has no touches" : "\(inputName(path)) has no touches in that time")
  }
  let output = try FileOutput(
    invocation, flag: Flags.out, beside: [SessionArgument.split(path).path])
  let losses = try format.write(touches, map: map, panel: panel) { try output.write($0) }
  try output.finish()
  output.announce()
  for loss in losses { invocation.note("\(loss)") }
  return losses.isEmpty && !read.hasLosses ? .yes : .loss
}

private func readTouches(
  _ path: String, _ invocation: Invocation
) throws -> (touches: [TouchSample], hasLosses: Bool) {
  let isFile = try invocation.namesGestureFile || isGestureFile(path)
  func touches(of source: SessionArgument) throws -> [TouchSample] {
    try source.reader.touches(in: source.session.number).rest()
  }
  if isFile, try !invocation.namesGestureFile && OpenedLines.areIn(path) {
    let lines = try OpenedLines(path, invocation)
    return (try touches(of: lines.source), lines.hasLosses)
  }
  if isFile {
    let gesture = try readGestureFile(path, invocation)
    return (gesture.touches, !gesture.losses.isEmpty)
  }
  return (try touches(of: SessionArgument(invocation.console, path)), false)
}
