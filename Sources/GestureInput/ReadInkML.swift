/// Reads the traces of InkML: each is a contact, and its format says which of its numbers are X, Y and T.
///
/// Numbers may be differences, as the language allows them. Source: W3C Ink Markup Language, sections 3.1 and 3.2.
///
/// - Returns: nil. The name of a device is not read.
func readInkML(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) -> String? {
  var formats = TraceFormats()
  var rows = TouchRows()
  rows.timeName = "T"
  rows.noun = "point"
  var count = 0
  var tags = XMLTags(source.bytes)
  while let tag = tags.next() {
    guard tag.name == "trace", !tag.isEnd, !tag.isEmpty else {
      formats.take(tag)
      continue
    }
    if let type = tag.attributes["type"], type != "penDown" { continue }
    let format = try formats.format(of: tag, source)
    guard let channels = TraceChannels(format) else {
      throw source.error(
        .unsupported, line: tag.line,
        "The traces have no X, Y and T. Their channels are \(format.map(\.name).joined(separator: ", ")), and a velocity "
          + "takes the times T.")
    }
    // A trace may go on with one before it.
    let name =
      tag.attributes["priorRef"].map { String($0.drop { $0 == "#" }) } ?? tag.attributes["id"]
      ?? "trace \(count)"
    count += 1
    let offset = tag.attributes["timeOffset"].flatMap { WrittenTime(text: Array($0.utf8)[...]) }?
      .nanoseconds(in: .milliseconds)
    var decoder = TraceDecoder(count: format.count)
    var points = tag.text.split(separator: UInt8(ascii: ",")).filter { !trimmed($0).isEmpty }
    // The last number may be cut off.
    if tag.isOpen { _ = points.popLast() }
    for point in points {
      guard let values = decoder.values(of: point), let x = values[channels.x].flatMap(coordinate),
        let y = values[channels.y].flatMap(coordinate),
        let t = values[channels.time].flatMap({ WrittenTime($0) })
      else {
        log.losses.add(
          line: tag.line,
          "'\(shown(trimmed(point)))' is not a point of the trace's format. It was left out.")
        continue
      }
      var time = t
      if let offset, let unit = channels.unit, let own = t.nanoseconds(in: unit) {
        time = .nanoseconds(own &+ offset)
      }
      var row = TouchRow(line: tag.line, time: time, unit: channels.unit, identifier: name)
      (row.x, row.y) = (x, y)
      rows.append(row)
    }
  }
  if tags.isCut {
    log.losses.add(
      line: source.lines.last?.number ?? 0, "The file ends before the elements of its XML do.")
  }
  guard !rows.rows.isEmpty else { return nil }
  try rows.write(to: &log, unit: reading.timeUnit, source)
  return nil
}

/// One number of a trace's points.
private struct TraceChannel: Hashable {
  var name: String
  var units: String?
}

/// The formats that a document defines, and which of its contexts have them.
private struct TraceFormats {
  /// The channels of a trace if the document defines none.
  private static let usual = [TraceChannel(name: "X"), TraceChannel(name: "Y")]

  private var known: [String: [TraceChannel]] = [:]
  /// All formats without a name as well, to see whether there are several.
  private var all: Set<[TraceChannel]> = []
  private var last = usual
  /// The names of the elements around: a context or a source has the format inside.
  private var around: [String] = []
  private var current: [TraceChannel]?
  private var currentName: String?

  mutating func take(_ tag: XMLTags.Tag) {
    switch (tag.name, tag.isEnd) {
    case ("traceFormat", false):
      (current, currentName) = ([], tag.attributes["id"])
    case ("channel", false):
      guard current != nil, let name = tag.attributes["name"] else { return }
      current?.append(TraceChannel(name: name, units: tag.attributes["units"]))
    case ("traceFormat", true):
      guard let channels = current, !channels.isEmpty else { return }
      for name in around + [currentName].compactMap({ $0 }) { known[name] = channels }
      all.insert(channels)
      last = channels
      current = nil
    case ("context", false), ("inkSource", false):
      let reference = tag.attributes["traceFormatRef"] ?? tag.attributes["inkSourceRef"]
      if let id = tag.attributes["id"] {
        if let found = reference.flatMap({ known[String($0.drop { $0 == "#" })] }) {
          known[id] = found
        }
        if !tag.isEmpty { around.append(id) }
      } else if !tag.isEmpty {
        around.append("")
      }
    case ("context", true), ("inkSource", true): _ = around.popLast()
    default: break
    }
  }

  /// The format of a trace: that of its context, or the only one.
  func format(of trace: XMLTags.Tag, _ source: GestureSource) throws(GestureError) -> [TraceChannel]
  {
    if let name = trace.attributes["contextRef"], let found = known[String(name.drop { $0 == "#" })]
    {
      return found
    }
    guard all.count <= 1 else {
      throw source.error(
        .unsupported, line: trace.line,
        "The file has several trace formats, and this trace does not say which it has. Keep one format in the file."
      )
    }
    return last
  }
}

/// Which of a trace's numbers are the position and the time.
private struct TraceChannels {
  var x: Int
  var y: Int
  var time: Int
  var unit: TimeUnit?

  init?(_ channels: [TraceChannel]) {
    func index(_ name: String) -> Int? { channels.firstIndex { $0.name.uppercased() == name } }
    guard let x = index("X"), let y = index("Y"), let time = index("T") else { return nil }
    (self.x, self.y, self.time) = (x, y, time)
    unit = channels[time].units.flatMap { TimeUnit(word: $0) }
  }
}

/// Turns the numbers of a trace's points into values: a mark before a number says that it and those after it in its channel
/// are differences (`'`), differences of differences (`"`) or values again (`!`).
private struct TraceDecoder {
  private enum Mode { case value, difference, secondDifference }
  private struct Channel {
    var mode = Mode.value
    var value: Double?
    var difference = 0.0
  }

  private var channels: [Channel]

  init(count: Int) { channels = Array(repeating: Channel(), count: count) }

  /// The values of a point, nil where a channel has none. `nil` if the text is not a point.
  mutating func values(of text: ArraySlice<UInt8>) -> [Double?]? {
    var rest = trimmed(text)
    var index = 0
    while let byte = rest.first {
      if byte <= 32 {
        rest.removeFirst()
        continue
      }
      guard index < channels.count else { return nil }
      switch byte {
      case UInt8(ascii: "'"): channels[index].mode = .difference
      case UInt8(ascii: "\""): channels[index].mode = .secondDifference
      case UInt8(ascii: "!"): channels[index].mode = .value
      case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "T"), UInt8(ascii: "F"):
        if byte != UInt8(ascii: "*") { channels[index].value = nil }
        index += 1
      default:
        let sign = byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") ? 1 : 0
        let digits = rest.dropFirst(sign).prefix { ".0123456789eE".utf8.contains($0) }
        guard !digits.isEmpty,
          let number = Double(String(decoding: rest[..<digits.endIndex], as: UTF8.self)),
          number.isFinite
        else { return nil }
        take(number, at: index)
        index += 1
        rest = rest[digits.endIndex...]
        continue
      }
      rest.removeFirst()
    }
    // Channels that stand last may be missing.
    for missing in index..<max(index, channels.count) { channels[missing].value = nil }
    return channels.map(\.value)
  }

  private mutating func take(_ number: Double, at index: Int) {
    let before = channels[index].value
    switch channels[index].mode {
    case .value:
      channels[index].value = number
      channels[index].difference = before.map { number - $0 } ?? 0
    case .difference:
      channels[index].difference = number
      channels[index].value = before.map { $0 + number }
    case .secondDifference:
      channels[index].difference += number
      let difference = channels[index].difference
      channels[index].value = before.map { $0 + difference }
    }
  }
}
