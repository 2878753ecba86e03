import JSONText
import MotionMeasures
import TimelineModel
import TimelineStore

/// Everything that a session holds, one JSON object a line, in the order of time.
///
/// The lines are those of an app that records itself (`kymo record --from-ndjson`), with more kinds: `declare`
/// names keys and items before they are used, frames say what changed, and decisions, estimates and losses have
/// lines of their own. Rows of one kind keep their order, also where their times run backwards.
struct NDJSONExport: SessionFormat {
  static let name = "ndjson"
  static let title = "NDJSON"

  let work: ExportWork
  private let keys: [KeyHandle: KeyRecord]
  private let items: [ItemHandle: ElementIdentity]
  /// Names that more than one key has, in different roles: their values say the role.
  private let ambiguousNames: Set<String>

  static func write(_ work: ExportWork) throws -> ExportReport {
    try NDJSONExport(work).write()
    return ExportReport()
  }

  private init(_ work: ExportWork) {
    self.work = work
    keys = work.export.writtenKeys
    items = work.export.writtenItems
    var seen: Set<String> = []
    ambiguousNames = Set(work.export.keys.filter { !seen.insert($0.name).inserted }.map(\.name))
  }

  /// One kind of rows: when its next one is, and what writes it and goes on.
  private struct Source {
    var time: () -> Int64?
    var write: () throws -> Void
  }

  private func write() throws {
    writeHeader()
    declareNames()
    let (reader, number) = (export.reader, export.session.number)
    let samples = try export.samples()
    let touches = try reader.touches(in: number)
    var estimates = try reader.estimates(in: number).makeIterator()
    var decisions = try reader.decisions(in: number).makeIterator()
    let events = try reader.events(in: number)
    var labels = try timedLabels().makeIterator()
    let sources = [
      try source(
        samples.next, time: \.sample.time, isWritten: { keys[$0.key] != nil }, write: put),
      try source(touches.next, time: \.time, write: put),
      try source(
        { estimates.next() }, time: \.time, isWritten: { keys[$0.key] != nil }, write: put),
      try source({ decisions.next() }, time: \.time, write: put),
      try source({ labels.next() }, time: \.time, write: put),
      try source(events.next, time: \.time, write: put), try frames(),
    ]
    // The earliest goes first. Of equal times the kind that stands first above.
    while true {
      var next: (source: Source, time: Int64)?
      for source in sources {
        guard let time = source.time() else { continue }
        if let found = next, found.time <= time { continue }
        next = (source, time)
      }
      guard let next else { break }
      try next.source.write()
      try text.check()
    }
    try writeLosses()
  }

  // MARK: Kinds of rows

  /// A source over a cursor. Rows that are not asked for are passed over.
  private func source<Row>(
    _ next: @escaping () throws -> Row?, time: @escaping (Row) -> Instant,
    isWritten: @escaping (Row) -> Bool = { _ in true }, write: @escaping (Row) -> Void
  ) throws -> Source {
    let range = export.options.range
    let steps = steps
    func advance() throws -> Row? {
      while let row = try next() {
        steps.take()
        if range.contains(time(row)), isWritten(row) { return row }
      }
      return nil
    }
    var head = try advance()
    return Source(
      time: { head.map { time($0).nanoseconds } },
      write: {
        guard let row = head else { return }
        write(row)
        head = try advance()
      })
  }

  /// Frames say what changed, but the first one that is written stands whole.
  private func frames() throws -> Source {
    let cursor = try FrameChangeCursor(export.session.number, in: export.reader)
    var present: [ItemHandle: ElementRecord] = [:]
    var isFirst = true
    let range = export.options.range
    return try source(
      { () throws -> WrittenFrame? in
        guard let (frame, changes) = try cursor.next() else { return nil }
        var written = WrittenFrame(frame: frame)
        let isInRange = range.contains(frame.state.time)
        // Until the first frame is written it must be known how everything stands.
        if isFirst {
          if frame.isKeyFrame { present.removeAll() }
          for change in changes {
            switch change {
            case .changed(let element), .same(let element): present[element.item] = element
            case .gone(let item): present[item] = nil
            }
          }
        }
        guard isInRange else { return written }
        if isFirst {
          written.isWhole = true
          written.changed =
            present.values.sorted { $0.item.rawValue < $1.item.rawValue }
          isFirst = false
          present.removeAll()
        } else {
          written.isWhole = frame.isKeyFrame
          for change in changes {
            switch change {
            case .changed(let element), .same(let element): written.changed.append(element)
            // A frame that stands whole says by itself who is gone.
            case .gone(let item): if !written.isWhole { written.gone.append(item) }
            }
          }
        }
        return written
      }, time: { $0.frame.state.time }, write: put)
  }

  /// A frame as it is written.
  private struct WrittenFrame {
    var frame: FrameRecord
    /// Whether ``changed`` is everything that is there.
    var isWhole = false
    var changed: [ElementRecord] = []
    var gone: [ItemHandle] = []
  }

  // MARK: Rows

  private func begin(_ time: Instant) {
    text.put("{\"t_ns\":")
    text.put(time.nanoseconds)
  }

  private func put(_ row: SampleRecord) {
    guard let key = keys[row.key] else { return }
    guard row.sample.value.isFinite else { return losses.add(.notFinite) }
    begin(row.sample.time)
    text.name("key")
    text.quote(key.name)
    text.name("value")
    text.put(row.sample.value)
    if row.phase != .driving {
      text.name("phase")
      text.quote(row.phase.rawValue)
    }
    if ambiguousNames.contains(key.name) {
      text.name("role")
      text.quote(key.role.rawValue)
    }
    text.put("}\n")
  }

  private func put(_ touch: TouchSample) {
    guard touch.position.isFinite else { return losses.add(.notFinite) }
    put(
      "touch", at: touch.time,
      EventField.known([
        "contact": touch.contact, "phase": touch.phase.rawValue, "x": touch.position.x,
        "y": touch.position.y, "slot": touch.slot, "trackingID": touch.trackingID,
        "resampled": touch.isResampled ? true : nil, "heard_ns": touch.heard,
        "touchHeard_ns": touch.touchHeard,
      ]))
  }

  private func put(_ name: StaticString, at time: Instant, _ fields: [EventField]) {
    begin(time)
    text.name(name)
    text.put(FieldValue.object(fields).json)
    text.put("}\n")
  }

  private func put(_ row: ReleaseEstimate) {
    guard let key = keys[row.key] else { return }
    put("estimate", at: row.time, NDJSONExport.fields(of: row, key: key))
  }

  private func put(_ row: ReleaseDecision) {
    put("decision", at: row.time, NDJSONExport.fields(of: row))
  }

  /// A label at the release that it is about.
  private struct TimedLabel {
    var time: Instant
    var label: ReleaseLabel
  }

  /// The labels in the order of time: at the release of their transition, else at its start, else at the end.
  private func timedLabels() throws -> [TimedLabel] {
    let (reader, session) = (export.reader, export.session)
    let labels = try RecordingLabels(of: reader, sessions: [session]).labels(in: session.number)
    guard !labels.isEmpty else { return [] }
    var startTimes: [Int: Instant] = [:]
    for transition in try reader.transitions(in: session.number) {
      startTimes[transition.number] = transition.start
    }
    for release in try reader.releases(in: session.number).all {
      startTimes[release.transition] = release.time
    }
    return labels.map {
      TimedLabel(time: startTimes[$0.transition] ?? session.end ?? .zero, label: $0)
    }.sorted { ($0.time, $0.label.transition) < ($1.time, $1.label.transition) }
  }

  private func put(_ row: TimedLabel) {
    put(
      "label", at: row.time,
      row.label.fields.filter { $0.value != .null }
        + EventField.list(["at_ns": row.label.wallClockNanoseconds]))
  }

  private func put(_ event: EventRecord) {
    begin(event.time)
    text.name("event")
    text.quote(event.kind.rawValue)
    let bytes = Array(event.fieldsJSON.utf8)
    // As it stands in the recording, where that is an object on one line with names of its own.
    if case .object(let fields)? = try? parseJSON(bytes),
      !fields.keys.contains("t_ns"), !fields.keys.contains("event"),
      !bytes.contains(where: { $0 < 0x20 }),
      let open = bytes.firstIndex(of: UInt8(ascii: "{")),
      let close = bytes.lastIndex(of: UInt8(ascii: "}"))
    {
      if !fields.isEmpty {
        text.put(",")
        text.put(String(decoding: bytes[(open + 1)..<close], as: UTF8.self))
      }
    } else {
      losses.add(.eventFields)
    }
    text.put("}\n")
  }

  private func put(_ row: WrittenFrame) {
    let state = row.frame.state
    begin(state.time)
    text.name("frame")
    text.put("{\"phase\":")
    text.quote(state.phase.rawValue)
    if let progress = state.progress {
      text.name("progress")
      text.put(progress)
    }
    text.name("contentOffset")
    text.pair(state.contentOffset.x, state.contentOffset.y)
    text.name("contentSize")
    text.pair(state.contentSize.width, state.contentSize.height)
    if let began = state.began {
      text.name("began_ns")
      text.put(began.nanoseconds)
    }
    if state.isUnread { text.put(",\"unread\":true") }
    let changed = row.changed.filter { items[$0.item] != nil }
    let gone = row.gone.compactMap { items[$0] }
    // Also where nothing changed: a frame that lists nothing would be an empty one.
    text.name(row.isWhole ? "items" : "changed")
    text.put("[")
    var isFirst = true
    for element in changed {
      guard let identity = items[element.item] else { continue }
      guard element.pose.isFinite else {
        losses.add(.notFinite)
        continue
      }
      if !isFirst { text.put(",") }
      isFirst = false
      put(element, identity)
    }
    text.put("]")
    if !gone.isEmpty {
      text.name("gone")
      text.put(FieldValue.list(gone.map { .object(NDJSONExport.fields(of: $0)) }).json)
    }
    text.put("}}\n")
  }

  private func put(_ element: ElementRecord, _ identity: ElementIdentity) {
    let pose = element.pose
    text.put("{\"id\":")
    text.quote(identity.id)
    if identity.category != .cell {
      text.name("kind")
      text.quote(identity.category.rawValue)
    }
    if let kind = identity.elementKind {
      text.name("elementKind")
      text.quote(kind)
    }
    text.put(",\"indexPath\":[\(element.indexPath.section),\(element.indexPath.item)]")
    text.name("center")
    text.pair(pose.center.x, pose.center.y)
    text.name("size")
    text.pair(pose.size.width, pose.size.height)
    if pose.alpha.bitPattern != 1.0.bitPattern {
      text.name("alpha")
      text.put(pose.alpha)
    }
    if pose.zIndex != 0 { text.put(",\"zIndex\":\(pose.zIndex)") }
    if pose.isHidden { text.put(",\"hidden\":true") }
    let components = pose.transform.components
    if components.map(\.bitPattern) != ElementTransform.identity.components.map(\.bitPattern) {
      text.put(",\"transform\":" + FieldValue.list(components.map(FieldValue.number)).json)
    }
    text.put("}")
  }

  /// What the recorder could not keep, at the end: these are about no single moment.
  private func writeLosses() throws {
    for loss in try export.reader.losses(in: export.session.number) {
      text.put("{\"loss\":{\"what\":")
      text.quote(loss.what.rawValue)
      if let key = loss.key.flatMap({ handle in export.keys.first { $0.handle == handle } }) {
        text.name("key")
        text.quote(key.name)
      }
      text.put(",\"first_ns\":\(loss.first.nanoseconds),\"last_ns\":\(loss.last.nanoseconds)")
      text.put(",\"count\":\(loss.count)}}\n")
    }
  }
}
