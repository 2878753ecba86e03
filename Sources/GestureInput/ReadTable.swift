import TimelineModel

/// Reads comma-separated rows. The header names the columns, in any order: `t_ns` (whole
/// nanoseconds), `id` (or `contact`), `phase` (began, moved, ended, cancelled, or down, move, up,
/// cancel), `x`, `y`, and where they are known `slot`, `trackingID` and `resampled` (true or false), so that
/// the touches that `kymo` prints can be read again. When a program heard of a touch (`heard_ns`, `touch_heard_ns`) is
/// looked over: a gesture is the motion of the fingers.
///
/// - Returns: nil. The format names no device.
func readTable(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) -> String? {
  let rows = source.lines.filter { $0.text.first != UInt8(ascii: "#") }
  guard let header = rows.first else { return nil }
  let columns = try CSVColumns(header, in: source)
  var contacts = NamedContacts()
  for row in rows.dropFirst() {
    guard let (touch, id) = columns.touch(row) else {
      log.losses.add(line: row.number, unreadable(row, as: "row"))
      continue
    }
    // Without a line end the last number may be cut short, unless the row is the lift that closes
    // the recording.
    if !row.isTerminated && !contacts.isLastLift(touch, id: id) {
      log.losses.add(line: row.number, unreadable(row, as: "row"))
      continue
    }
    contacts.take(touch, id: id, to: &log)
  }
  log.hasOpenContacts = contacts.hasContacts
  return nil
}

/// The fields of a row, without surrounding space and quotation marks.
func csvColumns(_ text: ArraySlice<UInt8>) -> [String] {
  text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { field in
    let field = trimmed(field)
    let isQuoted =
      field.count >= 2 && field.first == UInt8(ascii: "\"") && field.last == UInt8(ascii: "\"")
    return String(decoding: isQuoted ? field.dropFirst().dropLast() : field, as: UTF8.self)
  }
}

private struct CSVColumns {
  private let count: Int
  private let indices: [String: Int]

  init(_ header: GestureSource.Line, in source: GestureSource) throws(GestureError) {
    let known = [
      "t_ns", "id", "phase", "x", "y", "slot", "tracking_id", "resampled", "heard_ns",
      "touch_heard_ns",
    ]
    let columns = csvColumns(header.text).map { $0 == "contact" ? "id" : $0 }
    var indices: [String: Int] = [:]
    for (index, column) in columns.enumerated() {
      guard known.contains(column) else {
        throw source.error(
          .unsupported, line: header.number,
          "Unknown column '\(shown(Array(column.utf8)[...]))'. Known: \(known.joined(separator: ", "))."
        )
      }
      guard indices.updateValue(index, forKey: column) == nil else {
        throw source.error(
          .unsupported, line: header.number, "The column '\(column)' appears twice.")
      }
    }
    for column in known.prefix(5) where indices[column] == nil {
      throw source.error(
        .unsupported, line: header.number,
        "Missing column '\(column)'. The header is t_ns,id,phase,x,y.")
    }
    self.count = columns.count
    self.indices = indices
  }

  /// The row's touch and the name of its contact. `nil` for a row that does not fit.
  func touch(_ row: GestureSource.Line) -> (TouchLog.Touch, id: String)? {
    let fields = csvColumns(row.text)
    guard fields.count == count, let time = field("t_ns", fields).flatMap({ Int64($0) }),
      let id = field("id", fields), !id.isEmpty,
      let phase = field("phase", fields).flatMap(phase(named:)),
      let x = field("x", fields).flatMap({ coordinate(Array($0.utf8)[...]) }),
      let y = field("y", fields).flatMap({ coordinate(Array($0.utf8)[...]) }),
      let isResampled = isResampled(field("resampled", fields))
    else { return nil }
    let touch = TouchLog.Touch(
      nanoseconds: time, line: row.number, contact: 0,
      slot: field("slot", fields).flatMap { Int($0) },
      trackingID: field("tracking_id", fields).flatMap { Int($0) }, phase: phase, x: x, y: y,
      isResampled: isResampled)
    return (touch, id)
  }

  private func field(_ column: String, _ fields: [String]) -> String? {
    indices[column].map { fields[$0] }
  }

  /// Whether the place was computed: "true" or "false", and false where it is not said. `nil` for any
  /// other word.
  private func isResampled(_ text: String?) -> Bool? {
    switch text {
    case nil, "", "false": false
    case "true": true
    default: nil
    }
  }

  private func phase(named name: String) -> TouchPhase? {
    switch name {
    case "began", "down": .began
    case "moved", "move": .moved
    case "ended", "up": .ended
    case "cancelled", "cancel": .cancelled
    default: nil
    }
  }
}
