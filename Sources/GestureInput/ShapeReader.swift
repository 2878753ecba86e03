import TimelineModel

/// Reads lines of a log in one of the shapes of ``TextShape/all``, or in the shape of `--pattern`.
func readShape(
  _ source: GestureSource, _ shape: TextShape.Compiled, _ reading: GestureReading,
  into log: inout TouchLog
) throws(GestureError) {
  var reader = ShapeReader(shape)
  reader.read(source)
  try reader.write(to: &log, source, unit: reading.timeUnit)
}

/// Finds the reports of one shape in lines.
struct ShapeReader {
  /// One report of one contact, before the contacts are known.
  private struct Report {
    var row: TouchRow
    /// Whether the time is the line's, not the log's.
    var hasOwnTime: Bool
    var time: WrittenTime?
    var digits: Int?
    var stamp: WrittenClock?
    var dx: Double?
    var dy: Double?
    /// Whether the report is of another contact, and repeats where this one was.
    var isAside = false
    /// What stands before the report, which tells apart two places of a program that print it.
    var origin: Int
  }

  private let shape: TextShape.Compiled
  private var reports: [Report] = []
  private var events: [KernelEvent] = []
  /// The time of a line that has nothing else, which is that of the lines after it.
  private var carried: WrittenClock?
  private var carriedTime: ShapeFields?
  private var cut: [Int] = []
  /// The lines that begin with a pattern of the shape, also those that are not reports of a contact.
  private(set) var matches = 0
  private(set) var firstLine: Int?

  /// A longer line is not one of a log.
  private static let longestLine = 1 << 16
  /// Most lines of a report that was broken, and of one that always is spread.
  private static let mostParts = 8
  private static let mostSpreadLines = 40

  init(_ shape: TextShape.Compiled) { self.shape = shape }

  /// How many reports of a contact, or events of a kernel, were found.
  var count: Int { reports.count + events.count }

  /// Whether a report lacks a time.
  var lacksTimes: Bool { !reports.isEmpty && !reports.contains { $0.time != nil } }

  // MARK: Finding reports

  /// Reads lines, all of them or so many of the first.
  mutating func read(_ source: GestureSource, atMost count: Int = .max) {
    let lines = source.lines
    var next = 0
    while next < min(lines.count, count) {
      let line = lines[next]
      next += 1
      guard line.text.count <= Self.longestLine else { continue }
      let prefix = LinePrefix(line.text)
      let text = line.text[prefix.end...]
      let stamp = prefix.time ?? carried
      if text.isEmpty {
        carried = prefix.time
        continue
      }
      var found = begin(in: text)
      if prefix.time != nil, found == nil { carried = nil }
      var rest = text
      while let (match, pattern) = found {
        let own = text[rest.startIndex..<match.start]
        rest = text[match.end...]
        found = shape.fields.isEmpty && rest.isEmpty ? nil : begin(in: rest)
        let behind = rest[..<(found?.match.start ?? rest.endIndex)]
        if let found { rest = rest[found.match.start...] }
        next = take(
          match, pattern, behind, line, stamp, before: own, lines, next, isLast: found == nil)
      }
    }
  }

  /// The first report that begins in a text, and the pattern that it begins with.
  private func begin(in text: ArraySlice<UInt8>) -> (match: ShapePattern.Match, pattern: Int)? {
    var first: (match: ShapePattern.Match, pattern: Int)?
    for (index, pattern) in shape.lines.enumerated() {
      guard let match = pattern.match(text, phases: shape.shape.phases) else { continue }
      if first.map({ match.start < $0.match.start }) ?? true { first = (match, index) }
    }
    return first
  }

  /// Takes the report that begins with a match.
  ///
  /// - Parameters:
  ///   - behind: The text after the match, up to the next report on the line.
  ///   - next: The index of the next line.
  ///   - isLast: Whether the line has no report after this one.
  /// - Returns: The index of the line after the report.
  private mutating func take(
    _ match: ShapePattern.Match, _ pattern: Int, _ behind: ArraySlice<UInt8>,
    _ line: GestureSource.Line,
    _ stamp: WrittenClock?, before: ArraySlice<UInt8>, _ lines: [GestureSource.Line], _ next: Int,
    isLast: Bool
  ) -> Int {
    matches += 1
    firstLine = firstLine ?? line.number
    var next = next
    var fields = match.fields
    var text = Array(behind)
    var pointers = take(text[...], &fields)
    if isLast, !shape.fields.isEmpty {
      let limit = shape.shape.isSpread ? Self.mostSpreadLines : Self.mostParts
      for _ in 0..<limit {
        guard next < lines.count, shape.shape.isSpread || isBroken(fields, pointers, text, stamp)
        else { break }
        let prefix = LinePrefix(lines[next].text)
        let part = lines[next].text[prefix.end...]
        guard part.count + text.count <= Self.longestLine, begin(in: part) == nil else { break }
        if !shape.shape.isSpread, prefix.time != nil { break }
        text.append(UInt8(ascii: " "))
        text += part
        next += 1
        fields = match.fields
        pointers = take(text[...], &fields)
      }
    }
    if fields.isOther { return next }
    let origin = hash(before)
    if fields.time == nil, stamp == nil, carriedTime == nil, let time = leadingTime(before) {
      (fields.time, fields.unit, fields.digits) = (time.time, time.unit, time.digits)
    }
    if shape.fields.isEmpty, !line.isTerminated, fields.endsInHole, match.end == line.text.endIndex,
      fields.phase != .ended, fields.phase != .cancelled
    {
      cut.append(line.number)
      return next
    }
    if let event = kernelEvent(fields, line.number) {
      events.append(event)
      return next
    }
    if pointers.isEmpty {
      add(fields, line.number, stamp, origin)
    } else {
      for (index, pointer) in pointers.sorted(by: { $0.key < $1.key }) {
        var own = fields
        own.add(pointer)
        own.identifier = pointer.identifier ?? String(index)
        if let phaseIndex = fields.phaseIndex, phaseIndex != index {
          own.phase = .moved
          own.isAside = true
        }
        add(own, line.number, stamp, origin)
      }
    }
    return next
  }

  /// The number that is all of what stands before a report: `81440 `, `[81.440] `, `81440 ms: `.
  private func leadingTime(_ text: ArraySlice<UInt8>) -> ShapeFields? {
    var scan = ByteScan(text, at: text.startIndex)
    if "[(".utf8.contains(scan.byte) { scan.index += 1 }
    var fields = ShapeFields()
    _ = scan.blanks()
    guard isDigit(scan.byte), fields.take(.time, nil, &scan, before: [], [:]) else { return nil }
    while "]):,|->".utf8.contains(scan.byte) || scan.byte == UInt8(ascii: " "), !scan.isAtEnd {
      scan.index += 1
    }
    return scan.isAtEnd ? fields : nil
  }

  /// Finds the fields of a report in a text: those of single pointers by their index.
  private func take(_ text: ArraySlice<UInt8>, _ fields: inout ShapeFields) -> [Int: ShapeFields] {
    var pointers: [Int: ShapeFields] = [:]
    for field in shape.fields {
      var rest = text
      while let match = field.match(rest, phases: shape.shape.phases) {
        guard let index = match.fields.index else {
          var found = match.fields
          found.endsInHole = false
          // The first field that says it counts.
          if fields.x != nil { found.x = nil }
          if fields.y != nil { found.y = nil }
          fields.add(found)
          break
        }
        var pointer = pointers[index] ?? ShapeFields()
        pointer.add(match.fields)
        pointers[index] = pointer
        rest = rest[match.end...]
      }
    }
    return pointers
  }

  /// Whether a report goes on in the next line: its position is missing, or its time and the bracket that ends it.
  private func isBroken(
    _ fields: ShapeFields, _ pointers: [Int: ShapeFields], _ text: [UInt8], _ stamp: WrittenClock?
  ) -> Bool {
    let holes = shape.holes
    if fields.isOther || fields.phase == .ended && fields.time != nil { return false }
    let place =
      pointers.values.contains { $0.x != nil && $0.y != nil } || fields.y != nil || fields.dy != nil
    if holes.contains(.y), !place { return true }
    guard holes.contains(.time), fields.time == nil, stamp == nil else { return false }
    let opened = text.count { "({".utf8.contains($0) } + 1
    return opened > text.count { ")}".utf8.contains($0) }
  }

  private func kernelEvent(_ fields: ShapeFields, _ line: Int) -> KernelEvent? {
    guard let type = fields.type, let code = fields.code,
      let value = fields.value.flatMap({ Int32($0) }),
      let time = fields.time?.nanoseconds(in: fields.unit ?? .seconds)
    else { return nil }
    let kind: KernelEvent.Kind
    if let type = UInt16(type), let code = UInt16(code) {
      kind = .init(type: type, code: code)
    } else {
      kind = .init(label: code)
    }
    return KernelEvent(nanoseconds: time, line: line, kind: kind, value: value)
  }

  private mutating func add(
    _ fields: ShapeFields, _ line: Int, _ stamp: WrittenClock?, _ origin: Int
  ) {
    let hasPlace = fields.x != nil && fields.y != nil || fields.dx != nil || fields.dy != nil
    let hasMeaning = hasPlace || fields.phase != nil || fields.isDown != nil
    guard hasMeaning else {
      // A line that has a time alone tells that of the lines after it.
      if fields.time != nil { carriedTime = fields }
      return
    }
    guard hasPlace || fields.phase != .moved else { return }
    var row = TouchRow(line: line, time: .nanoseconds(0))
    (row.identifier, row.phase, row.isDown) = (fields.identifier ?? "", fields.phase, fields.isDown)
    (row.x, row.y) = (fields.x, fields.y)
    var report = Report(
      row: row, hasOwnTime: true, dx: fields.dx, dy: fields.dy, isAside: fields.isAside,
      origin: origin)
    if let timed = fields.time == nil ? carriedTime : fields {
      (report.time, report.digits, report.row.unit) = (timed.time, timed.digits, timed.unit)
    } else {
      report.hasOwnTime = false
      // Whole seconds are not times of a finger.
      if let stamp, stamp.digits > 0 {
        (report.time, report.digits) = (.nanoseconds(stamp.nanoseconds), stamp.digits)
        report.stamp = stamp
      }
    }
    reports.append(report)
  }

  private func hash(_ bytes: ArraySlice<UInt8>) -> Int {
    // FNV-1a. Hasher is seeded at random.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes where !isDigit(byte) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return Int(truncatingIfNeeded: hash)
  }

  // MARK: Making rows

  /// Writes the contacts into a log.
  mutating func write(
    to log: inout TouchLog, _ source: GestureSource, unit: TimeUnit?
  ) throws(GestureError) {
    for line in cut {
      log.losses.add(line: line, "The file ends in the middle of this line. It was left out.")
    }
    if !events.isEmpty, events.count >= reports.count {
      readTouches(from: events, into: &log)
      return
    }
    let name = shape.shape.title
    let hasOwnTimes = reports.contains { $0.hasOwnTime }
    guard let first = reports.first else { return }
    if !hasOwnTimes {
      let stamps = LogClock(reports.compactMap(\.stamp))
      if let warning = stamps.warning { log.warn(warning) }
      var index = 0
      for report in reports.indices where reports[report].stamp != nil {
        reports[report].time = .nanoseconds(stamps.times[index])
        index += 1
      }
    }
    let timed = reports.filter { $0.time != nil && $0.hasOwnTime == hasOwnTimes }
    guard !timed.isEmpty else {
      throw source.error(
        .unsupported, line: first.row.line,
        "The lines have positions and no times (\(name)). Write the milliseconds into each line, or record with"
          + " libinput record on Linux, getevent -lt on Android or kymo watch in a browser.")
    }
    if let digits = timed.compactMap(\.digits).max(), digits < 3 {
      guard digits == 2 else {
        throw source.error(
          .unsupported, line: timed[0].row.line,
          "The times have \(digits == 0 ? "whole seconds" : "steps of 100 ms") alone, which does not give the speed of a finger"
            + " (\(name)). Write milliseconds into each line.")
      }
      log.losses.add(
        line: timed[0].row.line,
        "Times have 2 digits, steps of 10 ms. The program that wrote the file rounded them.")
    }
    var rows = TouchRows()
    rows.noun = "line"
    for row in try placed(hasOwnTimes: hasOwnTimes, source) { rows.append(row) }
    try rows.refuseBackwardTimes(source)
    try rows.write(to: &log, unit: unit, source)
    if shape.holes.contains(.dx), !reports.contains(where: { $0.row.x != nil }) {
      log.areDeltas = true
      log.warn("Positions are sums of the deltas since the start of each gesture.")
    }
  }

  /// The rows with a position each, without those that are written twice.
  private func placed(hasOwnTimes: Bool, _ source: GestureSource) throws(GestureError) -> [TouchRow]
  {
    var places: [String: Point2D] = [:]
    var last: [String: Report] = [:]
    var rows: [TouchRow] = []
    var (pairs, conflicts) = (0, 0)
    for report in reports {
      var row = report.row
      let id = row.identifier
      if shape.holes.contains(.dx), row.phase == .began, row.x == nil {
        places[id] = Point2D(x: 0, y: 0)
      }
      let before = places[id] ?? Point2D(x: 0, y: 0)
      if let x = row.x, let y = row.y {
        places[id] = Point2D(x: x, y: y)
      } else if report.dx != nil || report.dy != nil {
        places[id] = Point2D(x: before.x + (report.dx ?? 0), y: before.y + (report.dy ?? 0))
      }
      guard let time = report.time, report.hasOwnTime == hasOwnTimes else { continue }
      row.time = time
      if let place = places[id] { (row.x, row.y) = (place.x, place.y) }
      if report.isAside, let earlier = last[id], earlier.row.x == row.x, earlier.row.y == row.y {
        continue
      }
      if let earlier = last[id], earlier.time == time, earlier.row.phase == row.phase,
        earlier.row.isDown == row.isDown, report.dx == nil
      {
        if earlier.row.x == row.x, earlier.row.y == row.y { continue }
        if report.hasOwnTime, earlier.origin != report.origin || row.phase == .began {
          conflicts += 1
        }
      }
      pairs += 1
      var kept = report
      kept.row = row
      last[id] = kept
      rows.append(row)
      guard conflicts == 0 || conflicts * 10 < pairs else {
        throw source.error(
          .unsupported, line: row.line,
          "The lines \(last[id]?.row.line ?? row.line) and those before it tell two positions of one contact at one"
            + " time, as two views do (\(shape.shape.title)). Keep the lines of one view.")
      }
    }
    return rows
  }
}
