import GestureInput
import JSONText
import TimelineModel
import TimelineRendering
import TimelineStore

/// `kymo list events`: what happened, in the order recorded.
func listEventsCommand() -> Command {
  Command(
    name: "list events", summary: "Print gesture phases, starts, decisions, warnings and marks",
    arguments: "FILE", argumentCount: 1...1,
    examples: [
      "kymo list events pinch.kymo", "kymo list events pinch.kymo --event decision --json",
    ],
    discussion: "FILE alone means the last session.",
    flags: [
      EventsFlags.event, Flags.timeFilter, Flags.listing,
    ],
    run: runEvents)
}

/// The flags of `kymo list events` alone.
enum EventsFlags {
  static var event: Flag<String> {
    .text("event", "NAME", "only events of this name")
  }
}

private func runEvents(_ invocation: Invocation) throws -> ExitCode {
  let source = try SessionArgument(invocation)
  var filter = try RowFilter(invocation, of: source)
  // For people all fields of an event stand in one cell. Programs get them as fields of the row.
  let isTable = try invocation.outputFormat() == .table
  let wanted = invocation.text(EventsFlags.event)
  let writer = try invocation.rowWriter(
    columns: isTable
      ? ["t_ns", "event", "fields"] : ["t_ns", "event"] + source.eventFieldNames(of: wanted))
  let events = try source.reader.events(in: source.session.number)
  var names = Set<String>()
  while let event = try events.next() {
    names.insert(event.kind.rawValue)
    guard wanted.map({ $0 == event.kind.rawValue }) ?? true, filter.takes(event.time) else {
      continue
    }
    let fields = isTable ? EventField.list(["fields": inWords(event.fields)]) : event.fields
    writer.write(
      EventField.list(["t_ns": event.time, "event": event.kind.rawValue])
        + fields)
  }
  writer.finish()
  if let wanted, !names.contains(wanted) {
    invocation.note(
      "the session has no event '\(wanted)'. "
        + choices(near: wanted, among: names.sorted(), listedBy: "kymo list events"))
  }
  return .yes
}

extension SessionArgument {
  /// The fields of all events, or of those of one name, in the order of their first appearance: CSV
  /// has one header for all of them.
  fileprivate func eventFieldNames(of kind: String?) throws -> [String] {
    var names: [String] = []
    var seen = Set<String>()
    let events = try reader.events(in: session.number)
    while let event = try events.next() {
      guard kind.map({ $0 == event.kind.rawValue }) ?? true else { continue }
      for field in event.fields where seen.insert(field.name).inserted { names.append(field.name) }
    }
    return names
  }
}

extension EventRecord {
  /// The event's own fields, in the order of their names.
  var fields: [EventField] {
    guard let value = try? parseJSON(Array(fieldsJSON.utf8)),
      case .object(let fields) = value.fieldValue
    else { return EventField.list(["fields": fieldsJSON]) }
    return fields
  }
}

/// Fields as "name value, name value", for people.
private func inWords(_ fields: [EventField]) -> String {
  fields.map { field in
    if case .text(let text) = field.value { return "\(field.name) \(text)" }
    return "\(field.name) \(field.value.json)"
  }.joined(separator: ", ")
}
