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
    columns: TouchSample.fields.described(),
    flags: [
      Flags.gestureReading, Flags.timeFilter, Flags.listing,
    ], run: runTouches)
}

private func runTouches(_ invocation: Invocation) throws -> ExitCode {
  let writer = try invocation.rowWriter(columns: TouchSample.columns)
  func write(_ touch: TouchSample, _ filter: inout RowFilter) {
    guard filter.takes(touch.time, series: "\(touch.contact)") else { return }
    writer.write(touch.row)
  }
  let path = invocation.positionals[0]
  if try invocation.namesGestureFile || isGestureFile(path) {
    let gesture = try readGestureFile(path, invocation)
    var filter = try RowFilter(invocation)
    for touch in gesture.touches { write(touch, &filter) }
    writer.finish()
    return gesture.losses.isEmpty ? .yes : .loss
  }
  let source = try SessionArgument(invocation)
  let touches = try source.reader.touches(in: source.session.number)
  var filter = try RowFilter(invocation, of: source)
  while let touch = try touches.next() { write(touch, &filter) }
  writer.finish()
  return .yes
}

/// The first bytes of every SQLite database (its file format, section 1.3.1).
private let databaseMark = Array("SQLite format 3\0".utf8)

/// Whether a file is to be read as touches or an app's lines: everything that is there and is no database.
func isGestureFile(_ path: String) throws -> Bool {
  if path == "-" { return true }
  let (file, selector) = SessionArgument.split(path)
  guard selector == nil else { return false }
  // A pipe is read once. No recording comes through one.
  guard try isRegularFile(file) else { return true }
  return try !firstBytes(of: file, count: databaseMark.count).elementsEqual(databaseMark)
}

extension Invocation {
  /// How a gesture file is to be read.
  func gestureReading() throws -> GestureReading {
    GestureReading(
      format: try value(Flags.gestureFormat),
      deltas: try value(Flags.deltas) ?? .accelerated,
      abi: try value(Flags.abi),
      timeUnit: try value(Flags.timeUnit), columns: try value(Flags.columns),
      pattern: try value(Flags.pattern))
  }

  /// Whether a flag says that a file holds touches.
  var namesGestureFile: Bool { !given(Flags.gestureReading).isEmpty }

  /// Refuses such flags for a recording.
  func refuseGestureReading(of file: String) throws {
    for flag in given(Flags.gestureReading) {
      throw Failure.usage(
        "--\(flag) can only be used with a gesture file (got '\(inputName(file))')")
    }
  }
}

extension GestureRecording {
  /// Refuses flags about another format than the file's.
  func refuseOtherFormats(_ invocation: Invocation, _ name: String) throws {
    for flag in invocation.given(Flags.deltas, Flags.abi) {
      let about = flag == Flags.deltas.name ? GestureFormat.libinputEvents : .evdev
      guard format != about else { continue }
      throw Failure.usage(
        "--\(flag) can only be used with \(about.rawValue) (\(name) is \(format.rawValue))")
    }
  }
}

/// Reads a gesture file, and says on standard error what was lost or doubtful in it.
func readGestureFile(_ path: String, _ invocation: Invocation) throws -> GestureRecording {
  let name = inputName(path)
  let gesture = try readGesture(
    try invocation.console.readInput(path, atMost: .touches), as: try invocation.gestureReading(),
    name: name)
  try gesture.refuseOtherFormats(invocation, name)
  gesture.warnOfSuspectData(name, on: invocation.console)
  return gesture
}

extension GestureRecording {
  /// Says what was taken for something else, and what could not be read.
  func warnOfSuspectData(_ name: String, on console: Console) {
    for warning in warnings { console.note(located(warning, in: name)) }
    for loss in losses { console.note(located(loss, in: name)) }
  }

  /// The file, the line and the sentence: "Line 8: It …" becomes "FILE:8: it …".
  private func located(_ sentence: String, in name: String) -> String {
    let parts = sentence.split(separator: ": ", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix("Line ") else {
      return "\(name): \(sentence.asClause)"
    }
    return "\(name):\(parts[0].dropFirst(5)): \(String(parts[1]).asClause)"
  }
}
