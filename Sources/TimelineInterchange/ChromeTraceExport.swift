import GestureInput
import JSONText
import TimelineModel
import TimelineStore

/// A trace that the Perfetto UI and Chrome open.
///
/// The session is the process. Each key is a counter. Contacts, phases and the presence of items are
/// asynchronous spans, which may overlap. Decisions and events are instants. Times are microseconds with three
/// digits behind the point, so no nanosecond is lost. Items that are named also get counters of where they
/// stand.
struct ChromeTraceExport: SessionFormat {
  static let name = "chrome"
  static let title = "a Chrome trace"
  static let fileEnding = "trace.json"

  let work: ExportWork
  private let stream = Stream()

  /// Where a list of events is.
  private final class Stream {
    var isFirst = true
    var nextSpan: Int64 = 1
  }

  private var number: Int64 { export.session.number }

  static func write(_ work: ExportWork) throws -> ExportReport {
    try ChromeTraceExport(work: work).write()
    return ExportReport()
  }

  private func write() throws {
    text.put("{\"displayTimeUnit\":\"ms\",\"otherData\":")
    let known = export.session.description
    text.put(
      FieldValue.object(named: [
        "kymograph": known.software, "uuid": export.session.uuid, "clock": known.clock,
      ]).json)
    text.put(",\"traceEvents\":[\n")
    let title = "session \(number)" + (known.name.map { " \($0)" } ?? "")
    put("M", "process_name", at: nil, args: EventField.list(["name": title]))
    put("M", "thread_name", at: nil, args: EventField.list(["name": "events"]))
    try writeSamples()
    try writeFrames()
    try writeTouches()
    try writeInstants()
    text.put("\n]}\n")
  }

  // MARK: Kinds

  private func writeSamples() throws {
    let keys = export.writtenKeys
    var names: [KeyHandle: String] = [:]
    var taken: Set<String> = []
    for key in export.keys where keys[key.handle] != nil {
      let plain = key.unit == "1" || key.unit.isEmpty ? key.name : "\(key.name) (\(key.unit))"
      // Two keys of one name and unit differ in their role.
      names[key.handle] = taken.insert(plain).inserted ? plain : "\(plain), \(key.role.rawValue)"
    }
    let rows = try export.samples()
    while let row = try rows.next() {
      steps.take()
      guard let name = names[row.key] else { continue }
      counter(name, at: row.sample.time, ["value": row.sample.value])
      try text.check()
    }
  }

  /// What is open while frames go by.
  private struct OpenSpans {
    var phase: (name: String, span: Int64)?
    var items: [ItemHandle: Int64] = [:]
  }

  private func writeFrames() throws {
    let items = export.writtenItems
    var open = OpenSpans()
    var present: Set<ItemHandle> = []
    var latest: Instant?
    let frames = try FrameChangeCursor(number, in: export.reader)
    while let (frame, changes) = try frames.next() {
      steps.take()
      var time = frame.state.time
      if frame.isKeyFrame { present.removeAll() }
      for change in changes where items[change.item] != nil {
        if case .gone(let item) = change {
          present.remove(item)
        } else {
          present.insert(change.item)
        }
      }
      guard export.options.range.contains(time) else { continue }
      // A span cannot end before it began, so time stands still where it runs backwards.
      if let latest, time < latest {
        losses.add(.time)
        time = latest
      }
      latest = time
      if open.phase?.name != frame.state.phase.rawValue {
        if let phase = open.phase { span("e", phase.name, "phase", phase.span, at: time) }
        let span = newSpan()
        open.phase = (frame.state.phase.rawValue, span)
        self.span("b", frame.state.phase.rawValue, "phase", span, at: time)
      }
      counter(
        "content offset (pt)", at: time,
        ["x": frame.state.contentOffset.x, "y": frame.state.contentOffset.y])
      for (item, span) in open.items.sorted(by: { $0.value < $1.value })
      where !present.contains(item) {
        self.span("e", items[item]?.id ?? "", "item", span, at: time)
        open.items[item] = nil
      }
      for change in changes {
        guard let identity = items[change.item] else { continue }
        if case .changed(let element) = change, export.options.items != nil {
          draw(element, identity.id, at: time)
        }
      }
      // Those that were there before the range began have no change in its first frame.
      if open.items.count != present.count {
        for item in present.sorted(by: { $0.rawValue < $1.rawValue })
        where open.items[item] == nil {
          guard let identity = items[item] else { continue }
          let span = newSpan()
          open.items[item] = span
          self.span(
            "b", identity.id, "item", span, at: time,
            args: EventField.list(["kind": identity.category.rawValue]))
        }
      }
      try text.check()
    }
    guard let latest else { return }
    if let phase = open.phase { span("e", phase.name, "phase", phase.span, at: latest) }
    for (item, span) in open.items.sorted(by: { $0.value < $1.value }) {
      self.span("e", items[item]?.id ?? "", "item", span, at: latest)
    }
  }

  /// Curves of an item that was asked for.
  private func draw(_ element: ElementRecord, _ id: String, at time: Instant) {
    let pose = element.pose
    counter(
      "\(id) center (pt)", at: time,
      ["x": pose.center.x, "y": pose.center.y])
    counter(
      "\(id) size (pt)", at: time,
      [
        "width": pose.size.width,
        "height": pose.size.height,
      ])
    counter("\(id) alpha", at: time, ["value": pose.alpha])
  }

  private func writeTouches() throws {
    var open: [Int: (span: Int64, latest: Instant)] = [:]
    let touches = try export.reader.touches(in: number)
    while let touch = try touches.next() {
      steps.take()
      guard export.options.range.contains(touch.time) else { continue }
      let name = "contact \(touch.contact)"
      var time = touch.time
      if let before = open[touch.contact], time < before.latest {
        losses.add(.time)
        time = before.latest
      }
      if open[touch.contact] == nil {
        let span = newSpan()
        self.span("b", name, "touch", span, at: time)
        open[touch.contact] = (span, time)
      }
      counter(
        name, at: time,
        ["x": touch.position.x, "y": touch.position.y])
      if let found = open[touch.contact] {
        if touch.phase == .ended || touch.phase == .cancelled {
          span("e", name, "touch", found.span, at: time)
          open[touch.contact] = nil
        } else {
          open[touch.contact] = (found.span, time)
        }
      }
      try text.check()
    }
    for (contact, found) in open.sorted(by: { $0.key < $1.key }) {
      span("e", "contact \(contact)", "touch", found.span, at: found.latest)
    }
  }

  private func writeInstants() throws {
    for decision in try export.reader.decisions(in: number)
    where export.options.range.contains(decision.time) {
      put(
        "i", "decision: \(decision.outcome.rawValue)", at: decision.time, category: "decision",
        args: NDJSONExport.fields(of: decision), more: ",\"s\":\"p\"")
    }
    let events = try export.reader.events(in: number)
    while let event = try events.next() {
      steps.take()
      guard export.options.range.contains(event.time) else { continue }
      let bytes = Array(event.fieldsJSON.utf8)
      var fields: [EventField] = []
      if case .object(let found)? = try? parseJSON(bytes) {
        // Each as the text that it is: an argument may not be a list everywhere.
        fields = found.sorted { $0.key < $1.key }.map {
          EventField($0.key, $0.value.fieldValue)
        }
      } else {
        losses.add(.eventFields)
      }
      put(
        "i", event.kind.rawValue, at: event.time, category: "event", args: fields,
        more: ",\"s\":\"t\"")
      try text.check()
    }
  }

  // MARK: Events of the trace

  private func newSpan() -> Int64 {
    defer { stream.nextSpan += 1 }
    return stream.nextSpan
  }

  /// The beginning ("b") or end ("e") of something that may overlap with others.
  private func span(
    _ phase: StaticString, _ name: String, _ category: StaticString, _ id: Int64, at time: Instant,
    args: [EventField] = []
  ) {
    put(phase, name, at: time, category: category, args: args, more: ",\"id\":\"\(id)\"")
  }

  private func counter(_ name: String, at time: Instant, _ numbers: KeyValuePairs<String, Double>) {
    var kept: [EventField] = []
    for (name, number) in numbers {
      if number.isFinite {
        kept.append(EventField(name, .number(number)))
      } else {
        losses.add(.notFinite)
      }
    }
    guard !kept.isEmpty else { return }
    put("C", name, at: time, args: kept)
  }

  private func put(
    _ phase: StaticString, _ name: String, at time: Instant?, category: StaticString? = nil,
    args: [EventField], more: String = ""
  ) {
    text.put(
      stream.isFirst ? "{\"ph\":\"\(phase)\",\"name\":" : ",\n{\"ph\":\"\(phase)\",\"name\":")
    stream.isFirst = false
    text.quote(name)
    if let category { text.put(",\"cat\":\"\(category)\"") }
    if let time { text.put(",\"ts\":\(ChromeTraceExport.microseconds(time))") }
    text.put(",\"pid\":\(number),\"tid\":0\(more)")
    if !args.isEmpty || time == nil {
      text.name("args")
      text.put(FieldValue.object(args).json)
    }
    text.put("}")
  }

  /// Nanoseconds as microseconds with all their digits.
  static func microseconds(_ time: Instant) -> String {
    let magnitude = time.nanoseconds.magnitude
    let digits = String(magnitude % 1000)
    let fraction = String(repeating: "0", count: 3 - digits.count) + digits
    return (time.nanoseconds < 0 ? "-" : "") + "\(magnitude / 1000)"
      + (magnitude % 1000 == 0 ? "" : ".\(fraction)")
  }
}
