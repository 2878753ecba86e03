/// Reads points that XML writes as attributes, such as the gestures of the $1 and $N recognizers:
/// `<Gesture Name="arrow"><Stroke index="1"><Point X="71" Y="73" T="0"/></Stroke></Gesture>`.
///
/// The names are those of ``TouchField``. Points of one stroke are one contact if nothing else names it.
///
/// - Returns: nil. The format names no device.
func readGestureXML(
  _ source: GestureSource, _ reading: GestureReading, into log: inout TouchLog
) throws(GestureError) -> String? {
  var rows = TouchRows()
  rows.noun = "point"
  var names: [String: TouchName] = [:]
  var stroke = 0
  var hasPoints = false
  var timeless = 0
  var tags = XMLTags(source.bytes)
  while let tag = tags.next() {
    func value(_ field: TouchField) -> (text: String, name: TouchName)? {
      var best: (rank: Int, text: String, name: TouchName)?
      for (key, text) in tag.attributes {
        let name = names[key] ?? TouchName(key)
        if names.count < 1000 { names[key] = name }
        if let rank = field.rank(of: name), rank < best?.rank ?? .max { best = (rank, text, name) }
      }
      return best.map { ($0.text, $0.name) }
    }
    guard let xText = value(.x), let yText = value(.y) else {
      // Any other element parts strokes.
      if hasPoints { stroke += 1 }
      hasPoints = false
      continue
    }
    guard let x = coordinate(Array(xText.text.utf8)[...]),
      let y = coordinate(Array(yText.text.utf8)[...])
    else {
      log.losses.add(
        line: tag.line, "The element '\(tag.name)' has no numbers for x and y. It was left out.")
      continue
    }
    guard let timeText = value(.time), let time = WrittenTime(text: Array(timeText.text.utf8)[...])
    else {
      timeless += 1
      log.losses.add(line: tag.line, "The element '\(tag.name)' has no time. It was left out.")
      continue
    }
    hasPoints = true
    if rows.rows.isEmpty {
      rows.timeName =
        tag.attributes.keys.filter { TouchField.time.rank(of: TouchName($0)) != nil }.sorted().first
        ?? "time"
      // The recognizers' files count milliseconds.
      if tag.name == "Point" { rows.usualUnit = .milliseconds }
    }
    var row = TouchRow(line: tag.line, time: time, unit: timeText.name.unit)
    (row.x, row.y) = (x, y)
    row.identifier = value(.identifier)?.text ?? "stroke \(stroke)"
    row.phase = value(.phase).flatMap { WrittenPhase(word: $0.text) }
    rows.append(row)
  }
  if tags.isCut {
    log.losses.add(
      line: source.lines.last?.number ?? 0, "The file ends before the elements of its XML do.")
  }
  guard !rows.rows.isEmpty else {
    guard timeless > 0 else { return nil }
    throw source.error(
      .unsupported, line: source.lines.first?.number,
      "The points of this file have no times. A velocity takes an attribute such as T for each point."
    )
  }
  if rows.rows.contains(where: { $0.phase != nil }) { rows.joinStrokes() }
  try rows.write(to: &log, unit: reading.timeUnit, source)
  return nil
}

/// Whether a line begins InkML, or XML with points.
func isXML(_ text: ArraySlice<UInt8>, of format: GestureFormat) -> Bool {
  let start = text.prefix(1 << 12)
  guard start.contains(UInt8(ascii: "<")) else { return false }
  let words = String(decoding: start, as: UTF8.self).split(
    separator: "<", omittingEmptySubsequences: true
  )
  .map { $0.prefix { !" />\t".contains($0) }.split(separator: ":").last ?? "" }
  return format == .inkML
    ? words.contains("ink")
    : text.first == UInt8(ascii: "<") && !words.contains("ink")
      && words.contains { $0.first?.isLetter ?? false }
}
