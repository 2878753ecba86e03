package import JSONText
package import TimelineModel

/// Reads an app's own timeline, one JSON object a line, into a sink.
///
/// The first line is the header; every further line has `t_ns` and one of `key`, `frame`, `touch`
/// and `event`. `README.md` documents the fields.
package struct AppLines {
  /// What the header says.
  package struct Header {
    /// What is known of the session before its first value.
    package var session: SessionDescription

    package init(_ line: JSONReader, software: String) throws(JSONError) {
      let fields = try line.object(allowing: [
        "kymograph", "name", "refreshRate", "viewport", "clock", "device", "software",
      ])
      let version = try fields.required("kymograph")
      guard try version.integer() == 1 else {
        throw version.failure("This program reads version 1 of these lines.")
      }
      session = SessionDescription(
        software: try fields["software"]?.string() ?? software,
        clock: try fields["clock"]?.string() ?? "app", name: try fields["name"]?.string())
      session.refreshRate = try fields["refreshRate"]?.positiveNumber()
      session.viewport = try fields["viewport"]?.size()
      session.device = try fields["device"]?.string()
    }
  }

  /// Where the lines go.
  package let sink: any TimelineSink
  /// The latest instant that a line named.
  package private(set) var end = Instant.zero
  /// How the session stands after the lines so far, told by its start, finish and cancel events.
  package private(set) var outcome = SessionOutcome.none
  private var nextIndex = 0
  private var indexes: [ElementIdentity: Int] = [:]

  package init(sink: any TimelineSink) {
    self.sink = sink
  }

  /// Takes one line.
  ///
  /// Nothing of a line that is refused reaches the sink.
  package mutating func take(_ line: JSONReader) throws(JSONError) {
    let fields = try line.object()
    // An event's own fields may have any name, those of the other kinds too.
    let kinds =
      fields["event"] != nil ? ["event"] : ["key", "frame", "touch"].filter { fields[$0] != nil }
    guard kinds.count == 1 else {
      throw line.failure("A line has exactly one of key, frame, touch and event.")
    }
    let time = Instant(nanoseconds: try fields.required("t_ns").integer())
    switch kinds[0] {
    case "key": try takeValue(line, time)
    case "frame": try takeFrame(line, time)
    case "touch": try takeTouch(line, time)
    default: try takeEvent(fields, time)
    }
    end = max(end, time)
  }

  private func takeValue(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    let fields = try line.object(allowing: ["t_ns", "key", "value", "phase", "unit"])
    let name = try fields.required("key").string()
    let value = try fields.required("value").number()
    let phase = try fields["phase"]?.choice(Phase.self) ?? .driving
    let unit = try fields["unit"]?.string() ?? ""
    let role: KeyRole = name == progressKeyName ? .progress : .custom
    sink.record(
      value, for: sink.keyHandle(for: name, role: role, unit: unit), at: time, phase: phase)
  }

  private mutating func takeFrame(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "frame"])
    let fields = try line.object().required("frame").object(allowing: [
      "progress", "phase", "contentOffset", "contentSize", "items",
    ])
    let progress = fields["progress"].flatMap { $0.isNull ? nil : $0 }
    let state = FrameState(
      time: time,
      phase: try fields["phase"]?.choice(Phase.self) ?? (progress == nil ? .idle : .driving),
      progress: try progress?.number(),
      contentOffset: try fields["contentOffset"]?.point() ?? .zero,
      contentSize: try fields["contentSize"]?.size() ?? .zero)
    var poses: [(identity: ElementIdentity, pose: Pose, indexPath: IndexPath)] = []
    var seen = Set<ElementIdentity>()
    for element in try fields["items"]?.array() ?? [] {
      let item = try readItem(element)
      guard seen.insert(item.identity).inserted else {
        throw element.failure("The item \"\(item.identity.id)\" stands twice in this frame.")
      }
      poses.append(item)
    }
    sink.beginFrame(state)
    for item in poses {
      sink.record(item.pose, of: sink.itemHandle(for: item.identity), at: item.indexPath)
    }
    sink.endFrame()
  }

  private mutating func readItem(
    _ reader: JSONReader
  ) throws(JSONError) -> (identity: ElementIdentity, pose: Pose, indexPath: IndexPath) {
    let fields = try reader.object(
      allowing: ["id", "kind", "elementKind", "indexPath"] + PoseReader.fieldNames)
    let identity = ElementIdentity(
      category: try fields["kind"]?.choice(ElementCategory.self) ?? .cell,
      elementKind: try fields["elementKind"]?.string(), id: try fields.required("id").string())
    let pose = try PoseReader.read(reader, fields: fields)
    if let indexPath = try fields["indexPath"]?.indexPath() {
      return (identity, pose, indexPath)
    }
    // Without an index path, elements are numbered in the order in which they are first named.
    if indexes[identity] == nil {
      indexes[identity] = nextIndex
      nextIndex += 1
    }
    return (identity, pose, IndexPath(section: 0, item: indexes[identity] ?? 0))
  }

  private func takeTouch(_ line: JSONReader, _ time: Instant) throws(JSONError) {
    _ = try line.object(allowing: ["t_ns", "touch"])
    let fields = try line.object().required("touch").object(allowing: [
      "contact", "slot", "trackingID", "phase", "x", "y", "resampled",
    ])
    let small = Int64(Int32.min)...Int64(Int32.max)
    sink.record(
      TouchSample(
        time: time, contact: Int(try fields.required("contact").integer(in: small)),
        slot: try fields["slot"].map { field throws(JSONError) in
          Int(try field.integer(in: small))
        },
        trackingID: try fields["trackingID"].map { field throws(JSONError) in
          Int(try field.integer(in: small))
        },
        phase: try fields.required("phase").choice(TouchPhase.self),
        position: Point(
          x: try fields.required("x").number(), y: try fields.required("y").number()),
        isResampled: try fields["resampled"]?.bool() ?? false))
  }

  private mutating func takeEvent(_ fields: JSONFields, _ time: Instant) throws(JSONError) {
    let kind = Event.Kind(rawValue: try fields.required("event").string())
    var values: [Field] = []
    for name in fields.names where name != "t_ns" && name != "event" {
      values.append(Field(name, try fields.required(name).value.fieldValue))
    }
    switch kind {
    case .start: outcome = .open
    case .finish: outcome = .finished
    case .cancel: outcome = .cancelled
    default: break
    }
    sink.record(Event(time: time, kind: kind, fields: values))
  }
}
