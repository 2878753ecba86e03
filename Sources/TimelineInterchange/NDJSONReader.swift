import GestureInput
package import JSONText
package import TimelineModel

/// Reads an app's own timeline, one JSON object a line, into a sink.
///
/// The first line is the header. Every further line has `t_ns` and one of `key`, `frame`, `touch`,
/// `event`, `decision`, `estimate` and `label`, or is a `declare`. The article "NDJSON lines" lists the fields.
package struct NDJSONReader {
  /// What the header says.
  package struct Header {
    /// What is known of the session before its first value.
    package var session: SessionDescription
    /// What an exported session says of itself.
    package var recorded = Recorded()
    /// Whether the lines are an export: they stand in the order in which they were recorded.
    package private(set) var isExport = false

    package init(_ line: JSONReader, software: String) throws(JSONError) {
      let fields = try line.object(allowing: [
        "kymograph", "name", "refreshRate", "viewport", "clock", "device", "software",
        "origin", "recorded",
      ])
      let version = try fields.required("kymograph")
      guard try version.integer() == 1 else {
        throw version.failure("Unknown version of these lines. Known: 1.")
      }
      session = SessionDescription(
        software: try fields["software"]?.string() ?? software,
        clock: try fields["clock"]?.string() ?? "app", name: try fields["name"]?.string())
      session.device = try fields["device"]?.string()
      session.origin = try fields["origin"].map { origin throws(JSONError) in
        try SessionOrigin(origin)
      }
      guard let facts = fields["recorded"] else {
        session.refreshRate = try fields["refreshRate"]?.positiveNumber()
        session.viewport = try fields["viewport"]?.size()
        return
      }
      // What was recorded is recorded again, whatever it is.
      isExport = true
      session.refreshRate = try fields["refreshRate"]?.number()
      session.viewport = try fields["viewport"]?.anySize()
      recorded = try Recorded(facts, into: &session)
    }
  }

  /// Where the lines go.
  package let sink: any TimelineSink
  /// The latest instant that a line named.
  package private(set) var end = Instant.zero
  /// How an exported session ended. None: as its decisions and events say.
  package private(set) var outcome = SessionOutcome.none
  /// What was said of transitions, in the order of the lines. A sink takes none, since labels are not recorded live.
  package private(set) var labels: [ReleaseLabel] = []
  /// What in the lines is likely meant otherwise. ``LineWarnings/all()`` once the last was taken.
  package var warnings = LineWarnings()
  private var nextIndex = 0
  private var indexes: [ElementIdentity: Int] = [:]
  /// The roles of keys that were declared. Of a name that has several the first.
  var roles: [String: KeyRole] = [:]
  /// What the newest frame showed, for frames that say only what changed. `nil` before the first.
  private var shown: ShownElements?

  package init(sink: any TimelineSink) {
    self.sink = sink
  }

  /// Ends where an exported session ended, which may be before or after its last line.
  package mutating func end(as recorded: Recorded) {
    if let end = recorded.end { self.end = end }
    if let outcome = recorded.outcome { self.outcome = outcome }
  }

  /// Takes one line.
  ///
  /// Nothing of a line that is refused reaches the sink.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - bytes: The text that it was read from, for the order of an event's fields.
  ///   - number: Its number in the input, for ``doubts``.
  package mutating func take(
    _ line: JSONReader, bytes: [UInt8], number: Int = 0
  ) throws(JSONError) {
    warnings.line = number
    let fields = try line.object()
    // Most lines are values, and have no other name.
    if fields["key"] != nil, fields.hasOnly(NDJSONReader.valueFields) {
      return try takeValue(fields)
    }
    // An event's own fields may have any name, those of the other kinds too.
    if fields["event"] == nil {
      if fields["declare"] != nil { return try takeDeclaration(line) }
      if let loss = fields["loss"] {
        throw loss.failure(
          "A loss of another recorder is not recorded again.")
      }
    }
    let kinds = fields["event"] != nil ? ["event"] : NDJSONReader.kinds.filter { fields[$0] != nil }
    guard kinds.count == 1 else {
      throw line.failure(
        "A line must have exactly one of key, frame, touch, event, decision, estimate and label.")
    }
    let time = Instant(nanoseconds: try fields.required("t_ns").integer())
    switch kinds[0] {
    case "key": return try takeValue(line.object(allowing: NDJSONReader.valueFields))
    case "frame": try takeFrame(line, time)
    case "touch": try takeTouch(line, time)
    case "decision": try takeDecision(line, time)
    case "estimate": try takeEstimate(line, time)
    case "label": labels.append(try NDJSONReader.label(line))
    default: try takeEvent(fields, bytes, time)
    }
    end = max(end, time)
  }

  private static let kinds = ["key", "frame", "touch", "decision", "estimate", "label"]

  private static let valueFields = ["t_ns", "key", "value", "phase", "unit", "role"]

  private mutating func takeValue(_ fields: JSONFields) throws(JSONError) {
    let time = Instant(nanoseconds: try fields.required("t_ns").integer())
    let name = try fields.required("key").string()
    let value = try fields.required("value").number()
    var (phase, unit, role) = (MotionPhase.driving, "", self.role(of: name))
    // Most values have no more than the three.
    if fields.fieldCount > 3 {
      phase = try fields["phase"]?.choice(MotionPhase.self) ?? phase
      unit = try fields["unit"]?.string() ?? unit
      role = try fields["role"]?.choice(KeyRole.self) ?? role
    }
    sink.record(
      value, for: sink.keyHandle(for: name, role: role, unit: unit), at: time, phase: phase)
    warnings.take(value, of: name, isProgress: role == .progress, phase, at: time)
    end = max(end, time)
  }

  private mutating func takeFrame(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "frame"])
    let fields = try line.object().required("frame").object(allowing: [
      "progress", "phase", "contentOffset", "contentSize", "items", "changed", "gone",
      "began_ns", "unread",
    ])
    let progress = fields["progress"].flatMap { $0.isNull ? nil : $0 }
    let state = FrameState(
      time: time,
      phase: try fields["phase"]?.choice(MotionPhase.self) ?? (progress == nil ? .idle : .driving),
      progress: try progress?.number(),
      contentOffset: try fields["contentOffset"]?.point() ?? .zero,
      contentSize: try fields["contentSize"]?.anySize() ?? .zero,
      began: try fields.instant("began_ns"), isUnread: try fields["unread"]?.bool() ?? false)
    let elements = try readElements(fields)
    sink.beginFrame(state)
    for item in elements.all {
      sink.record(item.pose, of: sink.itemHandle(for: item.identity), at: item.indexPath)
    }
    sink.endFrame()
    warnings.take("frame", at: time)
    shown = elements
  }

  /// What a frame shows: all that it lists, or what the frame before showed with what changed.
  private mutating func readElements(_ fields: JSONFields) throws(JSONError) -> ShownElements {
    var elements = ShownElements()
    if let part = fields["changed"] ?? fields["gone"] {
      guard fields["items"] == nil else {
        throw part.failure("A frame must have either items, or changed and gone.")
      }
      guard let shown else {
        throw part.failure("The first frame must have items.")
      }
      elements = shown
    }
    var seen = Set<ElementIdentity>()
    for element in try (fields["items"] ?? fields["changed"])?.array() ?? [] {
      let item = try readItem(element)
      guard seen.insert(item.identity).inserted else {
        throw element.failure("The item '\(item.identity.id)' appears twice in this frame.")
      }
      elements.show(item)
    }
    for element in try fields["gone"]?.array() ?? [] {
      let identity = try readIdentity(element.object(allowing: ["id", "kind", "elementKind"]))
      guard !seen.contains(identity), elements.remove(identity) else {
        throw element.failure("The item '\(identity.id)' is not in the frame before.")
      }
    }
    return elements
  }

  /// Who an element is.
  func readIdentity(_ fields: JSONFields) throws(JSONError) -> ElementIdentity {
    ElementIdentity(
      category: try fields["kind"]?.choice(ElementCategory.self) ?? .cell,
      elementKind: try fields["elementKind"]?.string(), id: try fields.required("id").string())
  }

  private mutating func readItem(
    _ reader: JSONReader
  ) throws(JSONError) -> ShownElements.Element {
    let fields = try reader.object(
      allowing: ["id", "kind", "elementKind", "indexPath"] + PoseReader.fieldNames)
    let identity = try readIdentity(fields)
    let pose = try PoseReader.read(reader, fields: fields, isRecorded: true)
    if let parts = try fields["indexPath"]?.array(count: 2) {
      let indexPath = ItemIndexPath(
        section: Int(try parts[0].integer()), item: Int(try parts[1].integer()))
      return ShownElements.Element(identity: identity, pose: pose, indexPath: indexPath)
    }
    // Without an index path, elements are numbered in the order in which they are first named.
    if indexes[identity] == nil {
      indexes[identity] = nextIndex
      nextIndex += 1
    }
    return ShownElements.Element(
      identity: identity, pose: pose,
      indexPath: ItemIndexPath(section: 0, item: indexes[identity] ?? 0))
  }

  /// Takes a touch. Its pressure and type, which pointer events have, are looked over and not recorded.
  private func takeTouch(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "touch"])
    let fields = try line.object().required("touch").object(allowing: [
      "contact", "slot", "trackingID", "phase", "x", "y", "resampled", "heard_ns", "touchHeard_ns",
      "pressure", "type",
    ])
    sink.record(
      TouchSample(
        time: time,
        contact: Int(
          try fields.required("contact").integer(in: Int64(Int32.min)...Int64(Int32.max))),
        slot: try fields["slot"].map { field throws(JSONError) in Int(try field.integer()) },
        trackingID: try fields["trackingID"].map { field throws(JSONError) in
          Int(try field.integer())
        },
        phase: try fields.required("phase").choice(TouchPhase.self),
        position: Point2D(
          x: try fields.required("x").number(), y: try fields.required("y").number()),
        isResampled: try fields["resampled"]?.bool() ?? false,
        heard: try fields.instant("heard_ns"), touchHeard: try fields.instant("touchHeard_ns")))
  }

  private mutating func takeEvent(
    _ fields: JSONFields, _ bytes: [UInt8], _ time: Instant
  ) throws(JSONError) {
    let kind = TimelineEvent.Kind(rawValue: try fields.required("event").string())
    // The parser keeps no order of fields. It has looked over the syntax and the depth.
    var values: [EventField] = []
    if case .object(let all)? = FieldValue(json: bytes, levels: .max) {
      values = all.filter { $0.name != "t_ns" && $0.name != "event" }
    }
    warnings.take(event: kind.rawValue)
    sink.record(TimelineEvent(time: time, kind: kind, fields: values))
  }
}

extension JSONFields {
  /// An instant in nanoseconds. `nil` where there is no such field.
  fileprivate func instant(_ name: String) throws(JSONError) -> Instant? {
    guard let field = self[name] else { return nil }
    return Instant(nanoseconds: try field.integer())
  }
}

/// The elements of one frame in the order in which they came, changed one by one.
struct ShownElements {
  /// An element of a frame.
  struct Element {
    var identity: ElementIdentity
    var pose: Pose
    var indexPath: ItemIndexPath
  }

  private var elements: [Element?] = []
  private var indices: [ElementIdentity: Int] = [:]

  /// Those that are there.
  var all: some Sequence<Element> { elements.lazy.compactMap { $0 } }

  /// Puts an element in, or in the place of how it was before.
  mutating func show(_ element: Element) {
    if let index = indices[element.identity] {
      elements[index] = element
    } else {
      indices[element.identity] = elements.count
      elements.append(element)
    }
  }

  /// Takes an element out. False where it is not there.
  mutating func remove(_ identity: ElementIdentity) -> Bool {
    guard let index = indices.removeValue(forKey: identity) else { return false }
    elements[index] = nil
    // Once most places are empty the rest moves together, so that coming and going costs no memory.
    if elements.count > 64, indices.count < elements.count / 2 { close() }
    return true
  }

  private mutating func close() {
    elements.removeAll { $0 == nil }
    for (index, element) in elements.enumerated() {
      if let element { indices[element.identity] = index }
    }
  }
}

/// Puts an app's lines into the order of their time before they are taken.
///
/// A line waits until one has come that is later by more than ``window``. Lines of one time keep their order.
/// What has no time (a declaration, a line that will be refused) is not held back.
package struct LineOrder {
  /// A line, its number in the input, and the text that it was read from.
  package typealias Line = (number: Int, reader: JSONReader, bytes: [UInt8])

  /// How far lines may be out of the order of time and still be sorted, in nanoseconds: a fifth of a second of the
  /// app's time. An app that reports touches with the frame that shows them is some frames late.
  package static let window: Int64 = 200_000_000
  /// The most bytes of lines that wait, so that memory is bounded. The oldest of more are taken earlier.
  package static let mostBytes = 8 << 20
  /// So much longer than the window the oldest line waits at most, so that not every line means sorting.
  private static let slack = window / 4

  /// How many lines came too late to be sorted: they are taken where they stand.
  package private(set) var lateCount = 0
  /// The number of the first of those. `nil` without any.
  package private(set) var firstLate: Int?

  private var waiting: [(time: Int64, line: Line)] = []
  private var bytes = 0
  private var (earliest, newest) = (Int64.max, Int64.min)
  /// The latest time that was taken.
  private var taken = Int64.min

  package init() {}

  /// Adds a line.
  ///
  /// - Returns: The lines that need not wait any longer, in the order in which they are to be taken.
  package mutating func add(_ line: Line) -> [Line] {
    guard let time = try? line.reader.object()["t_ns"]?.integer() else { return [line] }
    if time < taken {
      lateCount += 1
      firstLate = firstLate ?? line.number
      return [line]
    }
    waiting.append((time, line))
    bytes += line.bytes.count
    (earliest, newest) = (min(earliest, time), max(newest, time))
    if bytes > LineOrder.mostBytes { return take { _, left in left > LineOrder.mostBytes / 2 } }
    let newest = newest
    guard age(earliest, at: newest) > LineOrder.window + LineOrder.slack else { return [] }
    return take { time, _ in age(time, at: newest) > LineOrder.window }
  }

  /// Takes all that wait: at the end of the input, and when an app is silent.
  package mutating func rest() -> [Line] { take { _, _ in true } }

  /// Takes the oldest lines, as long as their time, or the bytes that are left, ask for it.
  private mutating func take(while isReady: (_ time: Int64, _ left: Int) -> Bool) -> [Line] {
    // Swift's sort keeps the order of equals, and is quick where most is in order already.
    waiting.sort { $0.time < $1.time }
    let ready = waiting.prefix {
      guard isReady($0.time, bytes) else { return false }
      bytes -= $0.line.bytes.count
      return true
    }
    taken = ready.last?.time ?? taken
    waiting.removeFirst(ready.count)
    earliest = waiting.first?.time ?? .max
    return ready.map(\.line)
  }
}

/// How much earlier a time is than another, in nanoseconds. Nothing overflows.
private func age(_ time: Int64, at newest: Int64) -> Int64 {
  let (age, overflow) = newest.subtractingReportingOverflow(time)
  return overflow ? .max : age
}
