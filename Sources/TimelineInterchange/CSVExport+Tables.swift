import TimelineModel
import TimelineStore

extension CSVExport {
  /// One row for each value.
  func writeSamples() throws {
    let keys = export.writtenKeys
    try header(["session", "t_ns", "key", "value", "phase", "unit", "role", "ordinal"])
    let rows = try export.samples()
    while let row = try rows.next() {
      steps.take()
      guard let key = keys[row.key] else { continue }
      cell(session)
      cell(row.sample.time.nanoseconds)
      cell(key.name)
      cell(row.sample.value)
      cell(row.phase.rawValue)
      cell(key.unit)
      cell(key.role.rawValue)
      cell(row.ordinal)
      try endRow()
    }
  }

  /// One row for each instant and one column for each key. Nothing is made up: a key that has no value at an
  /// instant has an empty cell, and one with several has several rows.
  func writeWideSamples() throws {
    let keys = export.keys.filter(export.takes)
    var positions: [KeyHandle: Int] = [:]
    for (index, key) in keys.enumerated() { positions[key.handle] = index }
    try header(["session", "t_ns"] + distinctNames(keys.map(\.name)))
    let rows = try export.samples()
    var values = [Double?](repeating: nil, count: keys.count)
    var open: (time: Instant, ordinal: Int64)?
    func close() throws {
      guard let row = open else { return }
      cell(session)
      cell(row.time.nanoseconds)
      for value in values { cell(value) }
      try endRow()
      for index in values.indices { values[index] = nil }
      open = nil
    }
    while let row = try rows.next() {
      steps.take()
      guard let index = positions[row.key] else { continue }
      let isSame = open.map { $0.time == row.sample.time && $0.ordinal == row.ordinal } ?? false
      if !isSame || values[index] != nil {
        try close()
        open = (row.sample.time, row.ordinal)
      }
      values[index] = row.sample.value
    }
    try close()
  }

  /// Names of columns: what is there already gets `_2`, `_3` behind it.
  private func distinctNames(_ names: [String]) -> [String] {
    var taken: Set<String> = ["session", "t_ns"]
    return names.map { name in
      var number = 2
      var candidate = name
      while !taken.insert(candidate).inserted {
        candidate = "\(name)_\(number)"
        number += 1
      }
      return candidate
    }
  }

  func writeFrames() throws {
    let frames = try export.reader.frames(in: session)
    try table(
      [
        "frame", "t_ns", "phase", "progress", "content_offset_x", "content_offset_y",
        "content_width", "content_height", "is_key_frame", "began_ns", "unread",
      ], frames.next, time: \.state.time
    ) { frame in
      let state = frame.state
      cell(frame.number)
      cell(state.time.nanoseconds)
      cell(state.phase.rawValue)
      cell(state.progress)
      cell(state.contentOffset.x)
      cell(state.contentOffset.y)
      cell(state.contentSize.width)
      cell(state.contentSize.height)
      cell(frame.isKeyFrame ? 1 : 0 as Int64)
      cell(state.began?.nanoseconds)
      cell(state.isUnread ? 1 : 0 as Int64)
    }
  }

  func writeAttributes() throws {
    try header([
      "session", "frame", "t_ns", "category", "element_kind", "id", "change", "index_section",
      "index_item", "center_x", "center_y", "width", "height", "alpha", "z_index", "hidden",
      "transform_a", "transform_b", "transform_c", "transform_d", "transform_tx", "transform_ty",
      "transform_3d", "item",
    ])
    let items = export.writtenItems
    let frames = try FrameChangeCursor(session, in: export.reader)
    while let (frame, changes) = try frames.next() {
      steps.take()
      guard export.options.range.contains(frame.state.time) else { continue }
      for change in changes {
        guard let identity = items[change.item] else { continue }
        cell(session)
        cell(frame.number)
        cell(frame.state.time.nanoseconds)
        cell(identity.category.rawValue)
        cell(identity.elementKind)
        cell(identity.id)
        switch change {
        case .changed(let element): write("changed", element)
        case .same(let element): write("same", element)
        case .gone:
          cell("gone")
          for _ in 0..<16 { none() }
        }
        cell(Int64(change.item.rawValue))
        try endRow()
      }
    }
  }

  private func write(_ change: String, _ element: ElementRecord) {
    let pose = element.pose
    cell(change)
    cell(Int64(element.indexPath.section))
    cell(Int64(element.indexPath.item))
    for number in [
      pose.center.x, pose.center.y, pose.size.width, pose.size.height, pose.alpha,
    ] {
      cell(number)
    }
    cell(Int64(pose.zIndex))
    cell(pose.isHidden ? 1 : 0 as Int64)
    switch pose.transform {
    case .flat(let flat):
      for number in flat.components { cell(number) }
      none()
    case .spatial(let spatial):
      for _ in 0..<6 { none() }
      cell(FieldValue.list(spatial.components.map(FieldValue.number)).json)
    }
  }

  func writeEvents() throws {
    let events = try export.reader.events(in: session)
    try table(["t_ns", "event", "fields", "sequence"], events.next, time: \.time) { event in
      cell(event.time.nanoseconds)
      cell(event.kind.rawValue)
      cell(event.fieldsJSON)
      cell(event.sequence)
    }
  }

  func writeTouches() throws {
    let touches = try export.reader.touches(in: session)
    try table(
      [
        "t_ns", "contact", "slot", "tracking_id", "phase", "x", "y", "resampled", "heard_ns",
        "touch_heard_ns",
      ], touches.next, time: \.time
    ) { touch in
      cell(touch.time.nanoseconds)
      cell(Int64(touch.contact))
      cell(touch.slot.map(Int64.init))
      cell(touch.trackingID.map(Int64.init))
      cell(touch.phase.rawValue)
      cell(touch.position.x)
      cell(touch.position.y)
      cell(touch.isResampled ? 1 : 0 as Int64)
      cell(touch.heard?.nanoseconds)
      cell(touch.touchHeard?.nanoseconds)
    }
  }

  func writeDecisions() throws {
    var decisions = try export.reader.decisions(in: session).makeIterator()
    func next() -> ReleaseDecision? { decisions.next() }
    try table(
      ["t_ns"] + ReleaseDecision.columns.map(snakeCase), next, time: \.time
    ) { decision in
      cell(decision.time.nanoseconds)
      for field in decision.row { cell(field.value) }
    }
  }

  private func cell(_ value: FieldValue) {
    switch value {
    case .integer(let integer): cell(integer)
    case .number(let number): cell(number)
    case .text(let words): cell(words)
    default: none()
    }
  }
}
