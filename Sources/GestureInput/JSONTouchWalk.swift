// Over 400 lines: one walk over a value, whose steps share what they found above it.
import JSONText

/// Finds the reports of touches in JSON values, whatever is around them.
struct JSONTouchWalk {
  /// What stands above a value and holds for the positions in it.
  struct Context {
    var time: WrittenTime?
    var unit: TimeUnit?
    var phase: WrittenPhase?
    /// Whether the event is of another kind than a touch.
    var isOther = false
    var identifier: String?
    var trackingID: Int?
    var slot: Int?
    var isDown: Bool?
    var isResampled = false
    /// Which of the contacts listed in it an event is about.
    var actionIndex: Int?
    /// Which list of positions it is in.
    var list = 0
  }

  let source: GestureSource
  private(set) var agent: String?
  private var hasValues = false
  private var rows = TouchRows()
  private let names = JSONFieldNames()
  private var down: [String] = []
  /// Where the contacts of lists were last.
  private var lastPlaces: [String: Place] = [:]
  private var lists = 0
  private var refusal: GestureError?
  private var notes: [String] = []
  private var losses = LossList()
  /// Positions that have no time, and the first fields of objects that have no position.
  private var timeless = 0
  private var seenNames: [String] = []
  private var traceEvents = 0
  private var recorderSteps = 0
  private var isSorted = false
  private var actions = WebDriverActions()
  private var isDOM = false

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
    var context = Context()
    context.list = lists
    _ = walk(piece.value, context, line: piece.line, depth: 0)
    if let refusal { throw refusal }
  }

  /// Writes the contacts of all values into a log.
  mutating func write(to log: inout TouchLog, unit: TimeUnit?) throws(GestureError) {
    if !actions.rows.isEmpty {
      for row in actions.rows { append(row, Context()) }
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
    if isDOM { rows.usualUnit = .milliseconds }
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
    if let sentence = losses.sentences.first {
      return source.error(.unknownFormat, "No touch can be read as json. \(sentence)")
    }
    let seen = seenNames.prefix(8).map { "'\(shown(Array($0.utf8)[...]))'" }.joined(separator: ", ")
    return source.error(
      .noTouches, line: line,
      "The JSON contains no positions of touches\(seen.isEmpty ? "" : " (its fields are \(seen))"). An event has x and y, "
        + "and a time such as \"t_ms\" or \"timeStamp\".")
  }

  // MARK: Values

  /// Takes the touches in a value.
  ///
  /// - Returns: How many rows they made.
  private mutating func walk(
    _ value: JSONValue, _ context: Context, line: Int, depth: Int
  ) -> Int {
    switch value {
    case .object(let fields): return object(fields, context, line: line)
    case .array(let values):
      if let objects = Self.objects(ofTable: values) {
        return walk(.array(objects), context, line: line, depth: depth)
      }
      if context.time != nil, let first = values.first, isPlace(first), !hasTime(first) {
        return contacts(values, named: nil, context, line: line)
      }
      var inside = context
      if values.count > 1, values.contains(where: isPlace) {
        lists += 1
        inside.list = lists
      }
      return values.reduce(0) { $0 + walk($1, inside, line: line, depth: depth + 1) }
    default: return 0
    }
  }

  private mutating func object(
    _ fields: [String: JSONValue], _ above: Context, line: Int
  ) -> Int {
    if fields["predicted"] == .bool(true) { return 0 }
    if let count = special(fields, above, line: line) { return count }
    if let objects = Self.objects(ofColumns: fields) ?? columns(fields) {
      return walk(.array(objects), above, line: line, depth: 0)
    }
    var context = above
    let hasOwnTime = read(fields, into: &context)
    if let list = bestList(fields, hasOwnTime: hasOwnTime, context) {
      return contacts(list.values, named: list.name, context, line: line)
    }
    if let merged = fields.first(where: { name($0.key).plain.hasPrefix("coalesced") }),
      case .array(let values) = merged.value, values.contains(where: { isPlace($0) && hasTime($0) })
    {
      return values.reduce(0) { $0 + walk($1, context, line: line, depth: 0) }
    }
    if let place = place(of: fields) {
      return take(place, context, line: line)
    }
    var found: [(name: String, count: Int)] = []
    for (key, value) in fields.sorted(by: { $0.key < $1.key }) {
      let isNested =
        if case .object = value { true } else if case .array = value { true } else { false }
      guard isNested, !name(key).isOther else { continue }
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

  /// An event without a position is a lift, or else it is a loss if it should have one.
  private mutating func noteWithoutPlace(
    _ fields: [String: JSONValue], _ context: Context, hasOwnTime: Bool, line: Int
  ) {
    if seenNames.isEmpty { seenNames = fields.keys.sorted() }
    guard hasOwnTime, let phase = context.phase, let time = context.time else { return }
    switch phase {
    case .ended, .cancelled:
      let lifted = context.identifier.map { [$0] } ?? down
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

  // MARK: Fields

  private func name(_ text: String) -> JSONFieldName { names[text] }

  /// The fields that name something, the most telling first.
  private func candidates(
    _ fields: [String: JSONValue], _ rank: (JSONFieldName) -> Int?
  ) -> [(key: String, value: JSONValue)] {
    guard fields.count > 0 else { return [] }
    var found: [(rank: Int, key: String, value: JSONValue)] = []
    for (key, value) in fields {
      if let rank = rank(name(key)), value != .null { found.append((rank, key, value)) }
    }
    if found.count > 1 { found.sort { ($0.rank, $0.key) < ($1.rank, $1.key) } }
    return found.map { ($0.key, $0.value) }
  }

  /// Reads all that an object says of its positions.
  ///
  /// - Returns: Whether it has a time of its own.
  private mutating func read(_ fields: [String: JSONValue], into context: inout Context) -> Bool {
    var hasOwnTime = false
    for (key, value) in candidates(fields, { $0.ranks[.time] }) {
      guard let time = time(value) else { continue }
      (context.time, context.unit, hasOwnTime) = (time, name(key).unit, true)
      if rows.rows.isEmpty { rows.timeName = shown(Array(key.utf8)[...]) }
      break
    }
    readPhase(fields, into: &context)
    for (key, value) in candidates(fields, { $0.ranks[.identifier] }) {
      guard let id = Self.word(value) else { continue }
      context.identifier = id
      if name(key).plain == "slot" { break }
      if case .integer(let number) = value,
        ["pointerId", "identifier", "trackingId", "tracking_id"].contains(key)
      {
        context.trackingID = Int(number)
      }
      break
    }
    if case .integer(let number)? = candidates(fields, { $0.ranks[.trackingID] }).first?.value {
      context.trackingID = Int(number)
    }
    if case .integer(let number)? = candidates(fields, { $0.ranks[.slot] }).first?.value {
      context.slot = Int(number)
    }
    if let flag = candidates(fields, { $0.ranks[.isDown] }).lazy.compactMap({ Self.flag($0.value) })
      .first
    {
      context.isDown = flag
    }
    if case .bool(let flag)? = candidates(fields, { $0.ranks[.isResampled] }).first?.value {
      context.isResampled = flag
    }
    if case .integer(let index)? = fields.first(where: { name($0.key).plain == "actionindex" })?
      .value
    {
      context.actionIndex = Int(index)
    }
    return hasOwnTime
  }

  private mutating func readPhase(_ fields: [String: JSONValue], into context: inout Context) {
    var number: Int?
    var isOther = false
    for (_, value) in candidates(fields, { $0.ranks[.phase] }) {
      switch value {
      case .string(let word):
        guard let phase = WrittenPhase(word: word) else {
          isOther = true
          continue
        }
        context.phase = phase
        context.isOther = false
        noteKind(word, phase, fields, &context)
        return
      case .integer(let found): number = number ?? Int(found)
      default: break
      }
    }
    if let number {
      context.phase = .number(number)
    } else if isOther, context.phase == nil {
      context.isOther = true
    }
  }

  /// A mouse moves with and without a button pressed, under the same word.
  private mutating func noteKind(
    _ word: String, _ phase: WrittenPhase, _ fields: [String: JSONValue], _ context: inout Context
  ) {
    let plain = word.lowercased()
    let isMouse = plain.hasPrefix("mouse")
    isDOM =
      isDOM || isMouse || plain.hasPrefix("pointer") && !plain.hasSuffix("event")
      || plain.hasPrefix("touch")
    guard phase == .moved, context.isDown == nil else { return }
    let pointer = fields["pointerType"].flatMap(Self.word)
    if isMouse || pointer.map({ $0 != "touch" }) ?? false { context.isDown = false }
  }

  /// The time of a field: a number, a text, or seconds and nanoseconds.
  private func time(_ value: JSONValue) -> WrittenTime? {
    switch value {
    case .integer(let number): return .number(whole: number, billionths: 0)
    case .number(let number): return WrittenTime(number)
    case .string(let text): return WrittenTime(text: Array(text.utf8)[...])
    case .object(let fields):
      guard
        case .integer(let seconds)? = fields.first(where: {
          ["sec", "secs", "seconds"].contains($0.key)
        })?.value,
        case .integer(let rest)? = fields.first(where: {
          ["nsec", "nsecs", "nanos", "nanosec", "nanoseconds"].contains($0.key)
        })?
        .value
      else { return nil }
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let (sum, sumOverflow) = whole.addingReportingOverflow(rest)
      return overflow || sumOverflow ? nil : .nanoseconds(sum)
    default: return nil
    }
  }

  private static func word(_ value: JSONValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .string(let text): text.utf8.count <= 200 ? text : nil
    default: nil
    }
  }

  private static func flag(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .string(let word): TouchField.flag(word)
    default: nil
    }
  }

  // MARK: Positions

  private struct Place: Equatable {
    var x: Double
    var y: Double
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number)?: coordinate(Double(number))
    case .number(let number)?: coordinate(number)
    case .string(let text)?:
      text.utf8.count <= 40 ? coordinate(trimmed(Array(text.utf8)[...])) : nil
    default: nil
    }
  }

  /// The position of an object: x and y of its own, or of a field that names a position.
  private func place(of fields: [String: JSONValue]) -> Place? {
    let isRectangle =
      fields["width"] != nil && fields["height"] != nil
      || fields["left"] != nil && fields["top"] != nil
    if isRectangle {
      // The element under the finger has a width too, and neither a time nor a name of a contact.
      let known = fields.keys.contains { key in
        let name = name(key)
        return [TouchField.time, .identifier, .phase].contains { name.ranks[$0] != nil }
      }
      guard known else { return nil }
    }
    var best: (rank: Int, place: Place)?
    for (key, value) in fields {
      guard let rank = name(key).ranks[.x], rank < best?.rank ?? .max, let x = Self.number(value)
      else { continue }
      for (other, value) in fields where name(other).ranks[.y] == rank {
        if let y = Self.number(value) { best = (rank, Place(x: x, y: y)) }
      }
    }
    if let best { return best.place }
    for (_, value) in candidates(fields, { $0.placeRank }) {
      if let place = nestedPlace(value) { return place }
    }
    return nil
  }

  /// `{"x": 1, "y": 2}`, `{"dx": 1, "dy": 2}` of Flutter's Offset, `[1, 2]`, `"Offset(1.0, 2.0)"`, `"{1, 2}"`.
  private func nestedPlace(_ value: JSONValue) -> Place? {
    switch value {
    case .object(let fields):
      for (x, y) in [
        ("x", "y"), ("X", "Y"), ("dx", "dy"), ("clientX", "clientY"), ("pageX", "pageY"),
        ("left", "top"),
      ] {
        if let x = Self.number(fields[x]), let y = Self.number(fields[y]) {
          return Place(x: x, y: y)
        }
      }
      return nil
    case .array(let values):
      guard (2...4).contains(values.count), let x = Self.number(values[0]),
        let y = Self.number(values[1])
      else {
        return nil
      }
      return Place(x: x, y: y)
    case .string(let text):
      guard text.utf8.count <= 100 else { return nil }
      let numbers = text.utf8.split { !"+-.0123456789eE".utf8.contains($0) }
        .compactMap { coordinate(Array($0)[...]) }
      return (2...3).contains(numbers.count) ? Place(x: numbers[0], y: numbers[1]) : nil
    default: return nil
    }
  }

  private func isPlace(_ value: JSONValue) -> Bool {
    guard case .object(let fields) = value else { return false }
    return place(of: fields) != nil
  }

  private func hasTime(_ value: JSONValue) -> Bool {
    guard case .object(let fields) = value else { return false }
    return candidates(fields) { $0.ranks[.time] }.contains { time($0.value) != nil }
  }

  /// Takes a position with all that is known of it.
  private mutating func take(_ place: Place, _ context: Context, line: Int) -> Int {
    guard let time = context.time else {
      timeless += 1
      losses.add(line: line, "The position has no time that can be read. It was left out.")
      return 0
    }
    var row = TouchRow(line: line, time: time, unit: context.unit)
    (row.x, row.y) = (place.x, place.y)
    row.identifier = context.identifier ?? ""
    (row.slot, row.trackingID, row.phase) = (context.slot, context.trackingID, context.phase)
    (row.isDown, row.isResampled) = (context.isDown, context.isResampled)
    append(row, context)
    return 1
  }

  private mutating func append(_ row: TouchRow, _ context: Context) {
    switch row.phase {
    case .began?, .moved?:
      if row.isDown != false, !down.contains(row.identifier), down.count < NamedContacts.limit {
        down.append(row.identifier)
      }
    case .ended?, .cancelled?: down.removeAll { $0 == row.identifier }
    default: break
    }
    var row = row
    (row.list, row.isOther) = (context.list, context.isOther)
    rows.append(row)
  }

  // MARK: Lists of contacts

  /// The list of an event that tells most of its contacts.
  private func bestList(
    _ fields: [String: JSONValue], hasOwnTime: Bool, _ context: Context
  ) -> (name: String, values: [JSONValue])? {
    guard context.time != nil else { return nil }
    var empty: (name: String, values: [JSONValue])?
    for (key, value) in candidates(fields, { $0.listRank }) {
      guard let values = Self.elements(value) else { continue }
      let plain = TouchName.words(of: key).joined()
      if values.isEmpty {
        empty = empty ?? (plain, values)
        continue
      }
      // Events of their own have their own times.
      guard values.allSatisfy(isPlace), hasOwnTime || !values.contains(where: hasTime) else {
        continue
      }
      return (plain, values)
    }
    guard let empty, [nil, .ended, .cancelled].contains(context.phase), !down.isEmpty,
      place(of: fields) == nil
    else {
      return nil
    }
    return empty
  }

  /// An array, or an object that has numbers for names, as a TouchList is written.
  private static func elements(_ value: JSONValue) -> [JSONValue]? {
    switch value {
    case .array(let values): return values
    case .object(let fields):
      let numbered = fields.compactMap { key, value in Int(key).map { (index: $0, value: value) } }
      guard !numbered.isEmpty || fields["length"] == .integer(0) else { return nil }
      return numbered.sorted { $0.index < $1.index }.map(\.value)
    default: return nil
    }
  }

  /// Takes an event that lists contacts.
  ///
  /// Without phases, and in a list of those that touch, a contact that is missing has lifted.
  private mutating func contacts(
    _ values: [JSONValue], named list: String?, _ context: Context, line: Int
  ) -> Int {
    guard let time = context.time else { return 0 }
    var listed: [(place: Place, context: Context)] = []
    for (index, value) in values.enumerated() {
      guard case .object(let fields) = value, let place = place(of: fields) else { continue }
      var inside = context
      inside.identifier = nil
      let phase = inside.phase
      inside.phase = nil
      _ = read(fields, into: &inside)
      inside.time = time
      inside.unit = context.unit
      inside.identifier =
        inside.identifier
        ?? (values.count == 1 && context.identifier != nil ? context.identifier : "\(index)")
      if inside.phase == nil || list == "changedtouches" { inside.phase = phase }
      if inside.phase == .number(-1) { inside.phase = phase }
      listed.append((place, inside))
    }
    let ids = listed.compactMap(\.context.identifier)
    let before = down
    let isChange = list == "changedtouches" || listed.contains { $0.context.phase != context.phase }
    let isLift = context.phase == .ended || context.phase == .cancelled
    var count = 0
    for (index, var one) in listed.enumerated() {
      let id = ids[index]
      if !isChange {
        one.context.phase = phase(of: id, at: index, context, list, ids, before)
        // An event about another contact repeats where this one is.
        if one.context.phase == .moved, lastPlaces[id] == one.place { continue }
      }
      lastPlaces[id] = one.place
      count += take(one.place, one.context, line: line)
    }
    guard !isChange else { return count }
    // Whoever is missing has lifted.
    let listsAllDown = list != "touchpoints" || isLift && ids.isEmpty
    for id in before where !ids.contains(id) && listsAllDown {
      let phase: WrittenPhase = context.phase == .cancelled ? .cancelled : .ended
      append(
        TouchRow(line: line, time: time, unit: context.unit, identifier: id, phase: phase), context)
      count += 1
    }
    return count
  }

  /// What a listed contact does.
  private func phase(
    of id: String, at index: Int, _ context: Context, _ list: String?, _ ids: [String],
    _ before: [String]
  ) -> WrittenPhase {
    var phase = context.phase
    var action = context.actionIndex
    if case .number(let number)? = phase {
      // Android's number, with the index of the contact in the higher bits.
      phase = [0: .began, 1: .ended, 2: .moved, 3: .cancelled, 5: .began, 6: .ended][number & 0xFF]
      if number > 255 { action = number >> 8 }
    }
    let isDown = before.contains(id)
    switch phase {
    case .ended?, .cancelled?:
      if let action, ids.count > 1 { return action == index ? phase! : .moved }
      let lifts = list == "touchpoints" || before.allSatisfy(ids.contains)
      return lifts && isDown ? phase! : isDown ? .moved : .hovers
    default: return isDown ? .moved : .began
    }
  }

  // MARK: Tables in JSON

  /// The rows of `[["t", "x", "y"], [0, 1, 2]]`.
  private static func objects(ofTable values: [JSONValue]) -> [JSONValue]? {
    guard case .array(let header)? = values.first, header.count > 2 else { return nil }
    let names = header.compactMap { if case .string(let name) = $0 { name } else { nil } }
    guard names.count == header.count else { return nil }
    return objects(names, values.dropFirst())
  }

  /// The rows of `{"columns": ["t", "x", "y"], "data": [[0, 1, 2]]}`.
  private static func objects(ofColumns fields: [String: JSONValue]) -> [JSONValue]? {
    guard case .array(let header)? = fields["columns"] ?? fields["header"] ?? fields["fields"],
      case .array(let rows)? = fields["data"] ?? fields["rows"] ?? fields["values"]
    else { return nil }
    let names = header.compactMap { if case .string(let name) = $0 { name } else { nil } }
    return names.count == header.count ? objects(names, rows[...]) : nil
  }

  private static func objects(_ names: [String], _ rows: ArraySlice<JSONValue>) -> [JSONValue] {
    rows.compactMap { row in
      guard case .array(let cells) = row, cells.count == names.count else { return nil }
      return .object(Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The rows of `{"t": [0, 12], "x": [1, 2], "y": [3, 4]}`.
  private func columns(_ fields: [String: JSONValue]) -> [JSONValue]? {
    var lists: [String: [JSONValue]] = [:]
    for (key, value) in fields {
      guard case .array(let values) = value, values.count > 1,
        [TouchField.time, .x, .y, .phase, .identifier].contains(where: {
          name(key).ranks[$0] != nil
        }),
        values.allSatisfy({ Self.number($0) != nil || Self.word($0) != nil || time($0) != nil })
      else { continue }
      lists[key] = values
    }
    guard lists.count > 2, let count = lists.values.first?.count,
      lists.values.allSatisfy({ $0.count == count }),
      lists.keys.contains(where: { name($0).ranks[.time] != nil })
    else { return nil }
    return (0..<count).map { index in .object(lists.mapValues { $0[index] }) }
  }

  // MARK: Known programs

  /// Takes an object of a program that is known. `nil` if it is none.
  private mutating func special(
    _ fields: [String: JSONValue], _ above: Context, line: Int
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
    if case .string(let kind)? = fields["ph"], kind.utf8.count == 1,
      let time = fields["ts"].flatMap({ time($0) })
    {
      return traceEvent(fields, time, above, line: line)
    }
    return nil
  }

  /// A step of DevTools' recorder, Puppeteer's and Playwright's: an action and how to find its element.
  private static func isStep(_ value: JSONValue) -> Bool {
    guard case .object(let fields) = value, case .string? = fields["type"] ?? fields["action"]
    else { return false }
    return fields["selectors"] != nil || fields["assertedEvents"] != nil || fields["offsetX"] != nil
  }

  /// An event of Chrome's tracing, whose times are microseconds. Source: Trace Event Format.
  private mutating func traceEvent(
    _ fields: [String: JSONValue], _ time: WrittenTime, _ above: Context, line: Int
  ) -> Int {
    traceEvents += 1
    guard case .object(let arguments)? = fields["args"] else { return 0 }
    var context = above
    (context.time, context.unit) = (time, .microseconds)
    readPhase(["name": fields["name"] ?? .null], into: &context)
    guard context.phase != nil || Self.isInput(fields["cat"]) else { return 0 }
    rows.timeName = "ts"
    isSorted = true
    let count = walk(.object(arguments), context, line: line, depth: 0)
    if count == 0 {
      noteWithoutPlace([:], context, hasOwnTime: context.phase == .ended, line: line)
    }
    return count
  }

  private static func isInput(_ category: JSONValue?) -> Bool {
    guard case .string(let text)? = category else { return false }
    return text.contains("input") || text.contains("devtools.timeline")
  }
}
