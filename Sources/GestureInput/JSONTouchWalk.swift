import JSONText

/// Finds the reports of touches in JSON values, whatever is around them.
struct JSONTouchWalk {
  let source: GestureSource
  var agent: String?
  var hasValues = false
  var rows = TouchRows()
  let reader = JSONEventReader()
  var down: [String] = []
  /// Where the contacts of lists were last.
  var lastPlaces: [String: JSONPlace] = [:]
  var lists = 0
  var refusal: GestureError?
  var notes: [String] = []
  var losses = LossList()
  /// Positions that have no time, and the first fields of objects that have no position.
  var timeless = 0
  var seenNames: [String] = []
  var traceEvents = 0
  var recorderSteps = 0
  var isSorted = false
  var actions = WebDriverActions()
  var isOfBrowser = false

  init(source: GestureSource) {
    self.source = source
    rows.noun = "event"
  }

  // MARK: Documents

  /// Takes one value of a text.
  mutating func take(_ piece: JSONPiece) throws(GestureError) {
    hasValues = true
    if let found = WebDriverActions.sequences(in: piece.value) {
      do throws(WebDriverActions.Trouble) {
        try actions.take(found, line: piece.line)
      } catch {
        throw source.error(.unsupported, line: piece.line, error.message)
      }
      return
    }
    var context = JSONEvent()
    context.list = lists
    _ = walk(piece.value, context, line: piece.line, depth: 0)
    if let refusal { throw refusal }
  }

  /// Writes the contacts of all values into a log.
  mutating func write(to log: inout TouchLog, unit: TimeUnit?) throws(GestureError) {
    if !actions.rows.isEmpty {
      isSorted = true
      for row in actions.rows { append(row, JSONEvent()) }
      log.warn(actions.note)
    }
    guard !rows.rows.isEmpty else {
      losses.add(log.losses)
      throw noTouches()
    }
    for note in notes { log.warn(note) }
    log.losses.add(losses)
    if isSorted { rows.sortByTime(unit: unit) }
    rows.dropOthers()
    rows.dropUselessNames()
    rows.partLists()
    if isOfBrowser { rows.usualUnit = .milliseconds }
    try rows.write(to: &log, unit: unit, source)
  }

  /// Why a file has no touches.
  private func noTouches() -> GestureError {
    let line = source.lines.first?.number
    guard hasValues else {
      return source.error(.unknownFormat, "The file contains no JSON that can be read.")
    }
    if recorderSteps > 0, timeless == 0 || recorderSteps >= timeless {
      return source.error(
        .unsupported, line: line,
        "These are the steps of a recorder of actions. They have no times and no positions between. Record the touches of "
          + "the page with the files of kymo web-recorder.")
    }
    if traceEvents > 0, timeless == 0 {
      return source.error(
        .unsupported, line: line,
        "The events of this trace have no positions. Record the touches of the page with the files of kymo web-recorder."
      )
    }
    if timeless > 0 {
      return source.error(
        .unsupported, line: line,
        "The JSON has positions and no times. Each event must have one, such as \"t_ms\" or \"timeStamp\". The files of "
          + "kymo web-recorder record it.")
    }
    let seen = seenNames.prefix(8).map { "'\(shown(Array($0.utf8)[...]))'" }.joined(separator: ", ")
    return source.error(
      .noTouches, line: line,
      "The JSON contains no positions of touches\(seen.isEmpty ? "" : " (its fields are \(seen))"). An event has x and y, "
        + "and a time such as \"t_ms\" or \"timeStamp\".")
  }

  // MARK: Values

  /// The most fields of an event.
  static let mostFields = 400

  /// Takes the touches in a value.
  ///
  /// - Returns: How many rows they made.
  mutating func walk(
    _ value: JSONValue, _ context: JSONEvent, line: Int, depth: Int
  ) -> Int {
    switch value {
    case .object(let fields): return object(fields, context, line: line)
    case .array(let values):
      if let objects = JSONEventReader.objects(ofTable: values) {
        return walk(.array(objects), context, line: line, depth: depth)
      }
      if context.time != nil, let first = values.first, reader.isPlace(first),
        !reader.hasTime(first)
      {
        return contacts(values, named: nil, context, line: line)
      }
      var inside = context
      if values.count > 1, values.contains(where: reader.isPlace) {
        lists += 1
        inside.list = lists
      }
      return values.reduce(0) { $0 + walk($1, inside, line: line, depth: depth + 1) }
    default: return 0
    }
  }

  mutating func object(
    _ fields: [String: JSONValue], _ above: JSONEvent, line: Int
  ) -> Int {
    if fields["predicted"] == .bool(true) { return 0 }
    if let count = special(fields, above, line: line) { return count }
    var context = above
    var hasOwnTime = false
    // An object with so many fields is a list whose names are keys.
    if fields.count <= Self.mostFields {
      if let objects = JSONEventReader.objects(ofColumns: fields) ?? reader.columns(fields) {
        return walk(.array(objects), above, line: line, depth: 0)
      }
      hasOwnTime = reader.read(fields, into: &context)
      if let list = bestList(fields, hasOwnTime: hasOwnTime, context) {
        return contacts(list.values, named: list.name, context, line: line)
      }
      if let merged = fields.first(where: { reader.name($0.key).plain.hasPrefix("coalesced") }),
        case .array(let values) = merged.value,
        values.contains(where: { reader.isPlace($0) && reader.hasTime($0) })
      {
        return values.reduce(0) { $0 + walk($1, context, line: line, depth: 0) }
      }
      if let place = reader.place(of: fields) {
        return take(place, context, line: line)
      }
    }
    var found: [(name: String, count: Int)] = []
    for (key, value) in Self.inOrder(fields) {
      let isNested =
        if case .object = value { true } else if case .array = value { true } else { false }
      guard isNested, fields.count > Self.mostFields || !reader.name(key).isOther else { continue }
      let count = walk(value, context, line: line, depth: 0)
      if count > 0 { found.append((key, count)) }
    }
    if found.count > 1, refusal == nil,
      !fields.keys.allSatisfy({ Int($0) != nil || $0 == "length" })
    {
      let names = found.prefix(4).map { "'\(shown(Array($0.name.utf8)[...]))'" }.joined(
        separator: " and in ")
      refusal = source.error(
        .unsupported, line: line,
        "The JSON has positions in \(names). Save one of these lists in a file of its own.")
    }
    let count = found.reduce(0) { $0 + $1.count }
    if count == 0 { noteWithoutPlace(fields, context, hasOwnTime: hasOwnTime, line: line) }
    return count
  }

  /// The fields in the order of their names, numbers in the order of numbers.
  private static func inOrder(_ fields: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
    let numbered = fields.compactMap { key, value in
      Int(key).map { (number: $0, key: key, value: value) }
    }
    guard numbered.count == fields.count else { return fields.sorted { $0.key < $1.key } }
    return numbered.sorted { $0.number < $1.number }.map { ($0.key, $0.value) }
  }

  /// An event without a position is a lift, or else it is a loss if it should have one.
  mutating func noteWithoutPlace(
    _ fields: [String: JSONValue], _ context: JSONEvent, hasOwnTime: Bool, line: Int
  ) {
    if seenNames.isEmpty { seenNames = fields.keys.prefix(Self.mostFields).sorted() }
    guard hasOwnTime, let phase = context.phase, let time = context.time else { return }
    switch phase {
    case .ended, .cancelled:
      let lifted =
        context.identifier == nil
        ? down.filter { JSONEvent.kind(ofContact: $0) == context.kind } : [context.contact]
      for id in lifted where down.contains(id) {
        append(
          TouchRow(line: line, time: time, unit: context.unit, identifier: id, phase: phase),
          context)
      }
    case .began, .moved:
      losses.add(line: line, "The event has no position. It was left out.")
    case .hovers, .number: break
    }
  }

  /// Takes a position with all that is known of it.
  mutating func take(_ place: JSONPlace, _ context: JSONEvent, line: Int) -> Int {
    guard let time = context.time else {
      timeless += 1
      losses.add(line: line, "The position has no time that can be read. It was left out.")
      return 0
    }
    var row = TouchRow(line: line, time: time, unit: context.unit)
    (row.x, row.y) = (place.x, place.y)
    row.identifier = context.contact
    (row.slot, row.trackingID, row.phase) = (context.slot, context.trackingID, context.phase)
    (row.isDown, row.isResampled) = (context.isDown, context.isResampled)
    append(row, context)
    return 1
  }

  mutating func append(_ row: TouchRow, _ context: JSONEvent) {
    switch row.phase {
    case .began?, .moved?:
      if row.isDown != false, !down.contains(row.identifier), down.count < NamedContacts.limit {
        down.append(row.identifier)
      }
    case .ended?, .cancelled?: down.removeAll { $0 == row.identifier }
    default: break
    }
    if rows.rows.isEmpty, let name = context.timeName {
      rows.timeName = shown(Array(name.utf8)[...])
    }
    isOfBrowser = isOfBrowser || context.isOfBrowser
    var row = row
    (row.list, row.isOther) = (context.list, context.isOther)
    rows.append(row)
  }

  // MARK: Known programs

  /// Takes an object of a program that is known. `nil` if it is none.
  mutating func special(
    _ fields: [String: JSONValue], _ above: JSONEvent, line: Int
  ) -> Int? {
    if fields["type"] == nil, case .string(let format)? = fields["format"], fields["version"] != nil
    {
      if format != "pointerevents" || fields["version"] != .integer(1) {
        refusal =
          refusal
          ?? source.error(
            .unsupported, line: line,
            "Unknown format or version in the header. Known: 'pointerevents' version 1.")
      }
      if case .string(let text)? = fields["agent"] { agent = shown(Array(text.utf8)[...]) }
      return 0
    }
    if case .array(let steps)? = fields["steps"], steps.contains(where: Self.isStep) {
      recorderSteps += steps.count
      return 0
    }
    if let found = RrwebEvent(fields) {
      isSorted = true
      if let note = found.note, !notes.contains(note) { notes.append(note) }
      for var row in found.rows {
        row.line = line
        append(row, above)
      }
      rows.timeName = "timestamp"
      return found.rows.count
    }
    for case .array(let strokes)? in ["drawing", "ink", "strokes"].map({ fields[$0] })
    where !strokes.isEmpty {
      if let count = take(strokes: strokes, above, line: line) { return count }
    }
    if case .string(let kind)? = fields["ph"], kind.utf8.count == 1,
      let time = fields["ts"].flatMap({ reader.time($0) })
    {
      return traceEvent(fields, time, above, line: line)
    }
    return nil
  }

  /// Takes a drawing: each stroke has a list of all x, one of all y, and one of all times in milliseconds.
  ///
  /// Source: the raw files of Quick, Draw!
  ///
  /// - Returns: nil if a stroke has another shape.
  mutating func take(strokes: [JSONValue], _ context: JSONEvent, line: Int) -> Int? {
    var found: [TouchRow] = []
    for stroke in strokes {
      guard case .array(let lists) = stroke, lists.count == 3 else { return nil }
      let columns = lists.map { list -> [JSONValue] in
        if case .array(let values) = list { values } else { [] }
      }
      guard !columns[0].isEmpty, columns.allSatisfy({ $0.count == columns[0].count }) else {
        return nil
      }
      for index in columns[0].indices {
        guard let x = JSONEventReader.number(columns[0][index]),
          let y = JSONEventReader.number(columns[1][index]),
          let time = reader.time(columns[2][index])
        else { return nil }
        var row = TouchRow(line: line, time: time, unit: .milliseconds)
        (row.x, row.y) = (x, y)
        let isLast = index == columns[0].count - 1
        row.phase = index == 0 ? .began : isLast ? .ended : .moved
        found.append(row)
      }
    }
    rows.timeName = "the third list of a stroke"
    for row in found { append(row, context) }
    return found.count
  }

  /// A step of DevTools' recorder, Puppeteer's and Playwright's: an action and how to find its element.
  static func isStep(_ value: JSONValue) -> Bool {
    guard case .object(let fields) = value, case .string? = fields["type"] ?? fields["action"]
    else { return false }
    return fields["selectors"] != nil || fields["assertedEvents"] != nil || fields["offsetX"] != nil
  }

  /// An event of Chrome's tracing, whose times are microseconds. Source: Trace Event Format.
  mutating func traceEvent(
    _ fields: [String: JSONValue], _ time: WrittenTime, _ above: JSONEvent, line: Int
  ) -> Int {
    traceEvents += 1
    guard case .object(let arguments)? = fields["args"] else { return 0 }
    var context = above
    (context.time, context.unit) = (time, .microseconds)
    reader.readPhase(["name": fields["name"] ?? .null], into: &context)
    guard context.phase != nil || Self.isInput(fields["cat"]) else { return 0 }
    rows.timeName = "ts"
    isSorted = true
    let count = walk(.object(arguments), context, line: line, depth: 0)
    if count == 0 {
      noteWithoutPlace([:], context, hasOwnTime: context.phase == .ended, line: line)
    }
    return count
  }

  static func isInput(_ category: JSONValue?) -> Bool {
    guard case .string(let text)? = category else { return false }
    return text.contains("input") || text.contains("devtools.timeline")
  }
}
