import GestureInput
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo touches`: the contacts of a recording, or of a gesture file.
let touchesCommand = Command(
  name: "touches", summary: "the touches of a session, or of a gesture file",
  arguments: "FILE [SESSION]", argumentCount: 1...2,
  examples: ["kymo touches pinch.kymo", "kymo touches pinch.evemu --format csv"],
  discussion: """
    Positions are in the units of the touch recording. A gesture file (evemu, getevent,
    csv, pointer) is recognised by its content, or named by --gesture-format.
    """,
  flags: [.gestureFormat] + Flag.window + Flag.listing
) { invocation in
  var filter = try RowFilter(invocation)
  let writer = try invocation.rowWriter(
    columns: ["t_ns", "contact", "slot", "trackingID", "phase", "x", "y", "resampled"])
  func write(_ touch: TouchSample) {
    guard filter.takes(touch.time, series: "\(touch.contact)") else { return }
    writer.write([
      EventField("t_ns", FieldValue(touch.time)), EventField("contact", FieldValue(touch.contact)),
      EventField("slot", FieldValue(touch.slot)),
      EventField("trackingID", FieldValue(touch.trackingID)),
      EventField("phase", .text(touch.phase.rawValue)), EventField("x", .number(touch.position.x)),
      EventField("y", .number(touch.position.y)), EventField("resampled", .flag(touch.isResampled)),
    ])
  }
  let path = invocation.positionals[0]
  if try invocation.has("gesture-format") || isGestureFile(path) {
    guard invocation.positionals.count == 1 else {
      throw Failure.usage(
        "a gesture file has no sessions; leave '\(invocation.positionals[1])' out")
    }
    let gesture = try readGestureFile(path, invocation)
    for touch in gesture.touches { write(touch) }
    writer.finish()
    return gesture.losses.isEmpty ? .yes : .loss
  }
  let source = try SessionArgument(invocation)
  let touches = try source.reader.touches(in: source.session.number)
  while let touch = try touches.next() { write(touch) }
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
  // A pipe is read once; no recording comes through one.
  guard try isRegularFile(file) else { return true }
  return try !firstBytes(of: file, count: databaseMark.count).elementsEqual(databaseMark)
}

extension Flag {
  /// The format of a gesture file.
  static let gestureFormat = Flag(
    "gesture-format", "NAME", "evemu, getevent, csv or pointer, if its content is ambiguous")
}

/// Reads a gesture file, and says on standard error what was lost or doubtful in it.
func readGestureFile(_ path: String, _ invocation: Invocation) throws -> GestureRecording {
  let format = try invocation.choice("gesture-format", of: GestureFormat.self)
  let name = inputName(path)
  let gesture = try readGesture(try readInput(path, atMost: .touches), format: format, name: name)
  gesture.sayWhatIsDoubtful(name)
  return gesture
}

extension GestureRecording {
  /// Says what was taken for something else, and what could not be read.
  func sayWhatIsDoubtful(_ name: String) {
    for warning in warnings { say("kymo: \(name): \(warning)") }
    for loss in losses { say("kymo: \(name): lost: \(loss)") }
  }
}
