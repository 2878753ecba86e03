import JSONText

/// An incremental snapshot of rrweb that tells of a mouse or a finger.
///
/// Source: `EventType`, `IncrementalSource` and `MouseInteractions` in rrweb's types.
struct RrwebEvent {
  private(set) var rows: [TouchRow] = []
  private(set) var note: String?

  /// `nil` if the object is not an event of rrweb.
  init?(_ fields: [String: JSONValue]) {
    guard case .integer(let type)? = fields["type"], case .object(let data)? = fields["data"],
      let time = Self.time(fields["timestamp"])
    else { return nil }
    // A full snapshot holds the page, whose elements have positions too.
    guard type == 3, case .integer(let source)? = data["source"] else {
      guard type <= 6, data["source"] == nil else { return nil }
      return
    }
    switch source {
    case 1, 6, 12: takePositions(data, isMouse: source != 6, time)
    case 2: takeInteraction(data, time)
    default: break
    }
  }

  private mutating func takePositions(_ data: [String: JSONValue], isMouse: Bool, _ time: Int64) {
    guard case .array(let positions)? = data["positions"] else { return }
    for position in positions {
      guard case .object(let fields) = position, let x = Self.number(fields["x"]),
        let y = Self.number(fields["y"])
      else { continue }
      let offset = Self.number(fields["timeOffset"]).map { Int64($0 * 1e6) } ?? 0
      var row = Self.row(time &+ offset, isMouse: isMouse, data)
      (row.x, row.y, row.phase) = (x, y, .moved)
      // A mouse moves without a button as well.
      row.isDown = isMouse ? false : nil
      rows.append(row)
    }
  }

  private mutating func takeInteraction(_ data: [String: JSONValue], _ time: Int64) {
    guard case .integer(let type)? = data["type"] else { return }
    let phase: WrittenPhase
    switch type {
    case 0, 9: phase = .ended
    case 1, 7: phase = .began
    case 8: phase = .moved
    case 10: phase = .cancelled
    default: return
    }
    var row = Self.row(time, isMouse: type < 2, data)
    (row.x, row.y, row.phase) = (Self.number(data["x"]), Self.number(data["y"]), phase)
    rows.append(row)
  }

  /// The identifier of rrweb's `id` is that of the element. A finger has none, or a `pointerId`.
  private static func row(_ time: Int64, isMouse: Bool, _ data: [String: JSONValue]) -> TouchRow {
    var row = TouchRow(line: 0, time: .nanoseconds(time))
    row.identifier = isMouse ? "mouse" : "touch"
    if case .integer(let id)? = data["pointerId"] { row.identifier += " \(id)" }
    return row
  }

  /// Milliseconds since 1970 in nanoseconds.
  private static func time(_ value: JSONValue?) -> Int64? {
    switch value {
    case .integer(let number)?:
      WrittenTime.number(whole: number, billionths: 0).nanoseconds(in: .milliseconds)
    case .number(let number)?: WrittenTime(number)?.nanoseconds(in: .milliseconds)
    default: nil
    }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number)?: coordinate(Double(number))
    case .number(let number)?: coordinate(number)
    default: nil
    }
  }
}
