import GestureInput
import TimelineInterchange
import TimelineModel
import TimelineStore

/// What touches alone can be written as; a gesture file will do, where the other formats want a session.
enum TouchFormat: String, CaseIterable {
  /// Calls of Chromium's DevTools protocol.
  case cdp
  /// A recording of evemu, which makes a touch screen of it.
  case evemu
}

/// `kymo export cdp|evemu`: the touches of a gesture file, of a session or of an app's lines.
func exportTouches(_ format: TouchFormat, _ invocation: Invocation) throws -> ExitCode {
  for flag in invocation.given(
    Flags.key, Flags.item, ExportFlags.table, Flags.wide, ExportFlags.guardFormulas,
    ExportFlags.tolerance)
  {
    throw Failure.usage("--\(flag) is not for \(format.rawValue), which is made of touches alone")
  }
  let map = try invocation.positionMap()
  let panel = try invocation.panel()
  guard panel == nil || format == .evemu else {
    throw Failure.usage("--panel is for evemu, whose files say how large the touch screen is")
  }
  let path = invocation.positionals[1]
  let read = try readTouches(path, invocation)
  let range = try invocation.range(Flags.from, Flags.to)
  let touches = read.touches.filter { range.contains($0.time) }
  guard !touches.isEmpty else {
    throw Failure.usage(
      read.touches.isEmpty
        ? "there are no touches in \(inputName(path))" : "there are no touches in that time")
  }
  let output = try FileOutput(
    invocation, flag: Flags.out, beside: [SessionArgument.split(path).path])
  let losses =
    switch format {
    case .cdp: try DevToolsTouches.write(touches, map: map) { try output.write($0) }
    case .evemu:
      try EvemuTouches.write(touches, map: map, panel: panel) { try output.write($0) }
    }
  try output.finish()
  output.announce()
  for loss in losses { invocation.note("\(loss)") }
  return losses.isEmpty && !read.hasLosses ? .yes : .loss
}

private func readTouches(
  _ path: String, _ invocation: Invocation
) throws -> (touches: [TouchSample], hasLosses: Bool) {
  let selector = invocation.positionals.count > 2 ? invocation.positionals[2] : nil
  let isFile = try invocation.namesGestureFile || isGestureFile(path)
  if isFile, let selector {
    throw Failure.usage("a gesture file has no sessions; leave '\(selector)' out")
  }
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
  return (try touches(of: SessionArgument(invocation.console, path, selector: selector)), false)
}

extension Invocation {
  /// The touch screen's size in its units: `--panel`.
  fileprivate func panel() throws -> Size2D? {
    guard let text = text(ExportFlags.panel) else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map {
      Int32(String($0))
    }
    guard parts.count == 2, let width = parts[0], let height = parts[1], width > 0, height > 0
    else {
      throw Failure.usage("--panel wants two whole numbers, such as 1080x2400, not '\(text)'")
    }
    return Size2D(width: Double(width), height: Double(height))
  }

  /// How places become CSS pixels, or units of a panel: `--scale` and `--offset`.
  fileprivate func positionMap() throws -> PositionMap {
    var map = PositionMap()
    if let text = text(ExportFlags.scale) {
      // A panel has whole units a pixel, and a third of one is no decimal number.
      let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
        Double(String($0))
      }
      let scale = parts.count == 2 ? (parts[0] ?? 0) / (parts[1] ?? 0) : parts[0] ?? 0
      guard parts.count <= 2, scale > 0, scale.isFinite else {
        throw Failure.usage("--scale wants a number above 0, such as 0.5 or 1/3, not '\(text)'")
      }
      map.scale = scale
    }
    if let text = text(ExportFlags.offset) {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
        Double(String($0))
      }
      guard parts.count == 2, let x = parts[0], let y = parts[1], x.isFinite, y.isFinite else {
        throw Failure.usage("--offset wants two numbers, such as 20,-4.5, not '\(text)'")
      }
      map.offset = Point2D(x: x, y: y)
    }
    return map
  }
}
