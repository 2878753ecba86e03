import TimelineModel

extension LabelSheet {
  /// The columns, in the order in which they are written.
  package static let columns = ["uuid", "transition", "label", "note", "at"]

  /// What stands in the column `label` where nothing is said.
  package static let none = "none"

  // MARK: Reading

  /// Reads comma-separated text.
  ///
  /// - Parameters:
  ///   - bytes: The text, UTF-8. Lines end in LF, CR LF or CR.
  ///   - name: What the text is called in messages.
  /// - Throws: ``LabelError`` with the line of the first thing that is not as it must be. Two rows of one
  ///   transition are refused too.
  package init(_ bytes: [UInt8], name: String) throws(LabelError) {
    self.init()
    do throws(CommaSeparatedRows.Fault) {
      var text = try CommaSeparatedRows(bytes)
      guard let header = try text.next() else {
        throw CommaSeparatedRows.Fault(line: 1, what: "the file is empty. \(Self.asked)")
      }
      let columns = try Self.indices(header)
      while let row = try text.next() {
        if row.cells.allSatisfy(\.isEmpty) { continue }
        try add(try Self.row(row, columns))
      }
    } catch {
      throw LabelError("\(name):\(error.line): \(error.what).")
    }
  }

  private static let asked = "The first line must be \(columns.joined(separator: ","))"

  private static func indices(
    _ header: CommaSeparatedRows.Row
  ) throws(CommaSeparatedRows.Fault) -> [String: Int] {
    func fault(_ what: String) -> CommaSeparatedRows.Fault { .init(line: header.line, what: what) }
    if header.cells.count == 1, let separator = [";", "\t"].first(where: header.cells[0].contains) {
      throw fault(
        "fields must be separated by commas, not \(separator == ";" ? "semicolons" : "tabs")")
    }
    var indices: [String: Int] = [:]
    for (index, name) in header.cells.enumerated() {
      guard columns.contains(name) else {
        throw fault("unknown column '\(shortened(name))'. \(asked)")
      }
      guard indices.updateValue(index, forKey: name) == nil else {
        throw fault("the column '\(name)' appears twice")
      }
    }
    for name in columns.prefix(3) where indices[name] == nil {
      throw fault("missing column '\(name)'. \(asked)")
    }
    return indices
  }

  private static func row(
    _ read: CommaSeparatedRows.Row, _ columns: [String: Int]
  ) throws(CommaSeparatedRows.Fault) -> Row {
    func fault(_ what: String) -> CommaSeparatedRows.Fault { .init(line: read.line, what: what) }
    guard read.cells.count == columns.count else {
      throw fault(
        "the line must have \(columns.count) fields (got \(read.cells.count)). It may be cut off")
    }
    func cell(_ name: String) -> String { columns[name].map { read.cells[$0] } ?? "" }
    let uuid = GuardedText.text(of: cell("uuid"))
    guard !uuid.isEmpty, !uuid.utf8.contains(0) else {
      throw fault("missing uuid of the session")
    }
    guard let transition = Int(cell("transition")), "\(transition)" == cell("transition") else {
      throw fault("the transition must be a whole number (got '\(shortened(cell("transition")))')")
    }
    let meaning = GestureMeaning(rawValue: cell("label"))
    guard meaning != nil || cell("label") == none else {
      throw fault(
        "unknown label '\(shortened(cell("label")))'. Known: finish, cancel, unsure, none")
    }
    let note = GuardedText.text(of: cell("note"))
    if let what = ReleaseLabel.fault(ofNote: note) { throw fault("the note \(what)") }
    let time = UTCText.nanoseconds(cell("at"))
    guard time != nil || cell("at").isEmpty else {
      throw fault(
        "the time must be like 2026-05-04T12:30:00Z, or empty (got '\(shortened(cell("at")))')")
    }
    var row = Row(
      uuid: uuid, transition: transition, meaning: meaning, note: note.isEmpty ? nil : note,
      wallClockNanoseconds: time)
    row.line = read.line
    return row
  }

  private mutating func add(_ row: Row) throws(CommaSeparatedRows.Fault) {
    guard let before = set(row) else { return }
    throw CommaSeparatedRows.Fault(
      line: row.line,
      what:
        "transition \(row.transition) of \(Self.shortened(row.uuid)) has a label on line \(before.line) "
        + "already. Keep one of them")
  }

  /// What is quoted in a message.
  private static func shortened(_ text: String) -> String {
    text.count > 40 ? text.prefix(40) + "…" : text
  }

  // MARK: Writing

  /// The comma-separated text, its lines ended by LF.
  package var text: String {
    Self.columns.joined(separator: ",") + "\n"
      + rows.map { row in
        [
          quotedCell(GuardedText.guarded(row.uuid)), "\(row.transition)",
          row.meaning?.rawValue ?? Self.none,
          quotedCell(GuardedText.guarded(row.note ?? "")),
          row.wallClockNanoseconds.map(UTCText.text) ?? "",
        ].joined(separator: ",") + "\n"
      }.joined()
  }
}

/// Instants of the wall clock as RFC 3339 text in UTC.
package enum UTCText {
  private static let day: Int64 = 86_400
  private static let second: Int64 = 1_000_000_000

  /// Nanoseconds since 1970 as text, with as many thousands of digits behind the point as it has: none, three, six
  /// or nine.
  package static func text(_ nanoseconds: Int64) -> String {
    let rest = floored(nanoseconds, second).1
    guard rest > 0 else { return wholeSeconds(nanoseconds) + "Z" }
    var (fraction, digits) = (rest, 9)
    while fraction % 1000 == 0 { (fraction, digits) = (fraction / 1000, digits - 3) }
    return wholeSeconds(nanoseconds) + ".\(padded(fraction, digits))Z"
  }

  /// Nanoseconds since 1970 as text with nine digits behind the point.
  package static func exactText(_ nanoseconds: Int64) -> String {
    wholeSeconds(nanoseconds) + ".\(padded(floored(nanoseconds, second).1, 9))Z"
  }

  private static func wholeSeconds(_ nanoseconds: Int64) -> String {
    let whole = floored(nanoseconds, second).0
    let (days, inDay) = floored(whole, day)
    let (year, month, dayOfMonth) = date(days)
    return
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(padded(inDay / 3600, 2)):"
      + "\(padded(inDay / 60 % 60, 2)):\(padded(inDay % 60, 2))"
  }

  /// Reads RFC 3339 text. `nil` for anything else, and for what does not fit 64 bits of nanoseconds.
  package static func nanoseconds(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    func digits(_ count: Int) -> Int64? {
      let part = rest.prefix(count)
      guard part.count == count, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      rest = rest.dropFirst(count)
      return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    func takes(_ marks: String) -> UInt8? {
      guard let first = rest.first, marks.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = digits(4), takes("-") != nil, let month = digits(2) else { return nil }
    guard takes("-") != nil, let dayOfMonth = digits(2), takes("Tt ") != nil else { return nil }
    guard let hour = digits(2), takes(":") != nil, let minute = digits(2) else { return nil }
    guard takes(":") != nil, let seconds = digits(2), hour < 24 else { return nil }
    guard minute < 60, seconds < 60 else { return nil }
    var fraction: Int64 = 0
    if takes(".") != nil {
      let count = rest.prefix { (0x30...0x39).contains($0) }.count
      guard (1...9).contains(count), let value = digits(count) else { return nil }
      fraction = (count..<9).reduce(value) { number, _ in number * 10 }
    }
    var offset: Int64 = 0
    guard let zone = takes("Zz+-") else { return nil }
    if zone == 0x2B || zone == 0x2D {
      guard let hours = digits(2), takes(":") != nil, let minutes = digits(2) else { return nil }
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (zone == 0x2B ? 1 : -1)
    }
    let days = days(year, month, dayOfMonth)
    guard rest.isEmpty, date(days) == (year, month, dayOfMonth) else { return nil }
    let whole = days * day + hour * 3600 + minute * 60 + seconds - offset
    // The smallest number of all is reached from above.
    let base = whole < 0 ? whole + 1 : whole
    let (scaled, overflow) = base.multipliedReportingOverflow(by: second)
    let (sum, overflows) = scaled.addingReportingOverflow(whole < 0 ? fraction - second : fraction)
    return overflow || overflows ? nil : sum
  }

  private static func floored(_ value: Int64, _ unit: Int64) -> (Int64, Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: unit)
    return rest < 0 ? (quotient - 1, rest + unit) : (quotient, rest)
  }

  private static func padded(_ number: Int64, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }

  // The Gregorian calendar in years that begin in March, so that the day of a leap year comes last. An era is 400
  // years of 146,097 days (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").

  private static let era: Int64 = 146_097
  /// Days from the first of March of the year 0 to 1970-01-01.
  private static let epoch: Int64 = 719_468

  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month > 2 ? year : year - 1
    let (eras, ofEra) = floored(year, 400)
    let ofYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return eras * era + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - epoch
  }

  private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (eras, ofEra) = floored(days + epoch, era)
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * month + 2) / 5 + 1
    return (eras * 400 + year + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, day)
  }
}
