import JSONText

/// Reads what the fields of objects say of a touch.
///
/// It remembers the meanings of names and of words, since each event has the same.
final class JSONEventReader {
  /// The most names and words that are kept.
  private static let most = 10_000
  private var names: [String: JSONFieldName] = [:]
  private var phases: [String: WrittenPhase?] = [:]

  func name(_ text: String) -> JSONFieldName {
    if let known = names[text] { return known }
    let found = JSONFieldName(text)
    if names.count < Self.most { names[text] = found }
    return found
  }

  private func phase(of word: String) -> WrittenPhase? {
    if let known = phases[word] { return known }
    let found = word.utf8.count <= 200 ? WrittenPhase(word: word) : nil
    if phases.count < Self.most { phases[word] = found }
    return found
  }

  /// The fields that name something, the most telling first.
  func candidates(
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
  func read(_ fields: [String: JSONValue], into context: inout JSONEvent) -> Bool {
    var hasOwnTime = false
    for (key, value) in candidates(fields, { $0.ranks[.time] }) {
      guard let time = time(value) else { continue }
      (context.time, context.unit, hasOwnTime) = (time, name(key).unit, true)
      context.timeName = key
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

  func readPhase(_ fields: [String: JSONValue], into context: inout JSONEvent) {
    var number: Int?
    var isOther = false
    for (_, value) in candidates(fields, { $0.ranks[.phase] }) {
      switch value {
      case .string(let word):
        guard let phase = phase(of: word) else {
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
  func noteKind(
    _ word: String, _ phase: WrittenPhase, _ fields: [String: JSONValue], _ context: inout JSONEvent
  ) {
    let plain = word.lowercased()
    let isMouse = plain.hasPrefix("mouse")
    if isMouse || plain.hasPrefix("pointer") { context.kind = isMouse ? "mouse" : "pointer" }
    context.isOfBrowser =
      isMouse || plain.hasPrefix("pointer") && !plain.hasSuffix("event")
      || plain.hasPrefix("touch")
    guard phase == .moved, context.isDown == nil else { return }
    let pointer = fields["pointerType"].flatMap(Self.word)
    if isMouse || pointer.map({ $0 != "touch" }) ?? false { context.isDown = false }
  }

  /// The time of a field: a number, a text, or seconds and nanoseconds.
  func time(_ value: JSONValue) -> WrittenTime? {
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

  static func word(_ value: JSONValue) -> String? {
    switch value {
    case .integer(let number): String(number)
    case .string(let text): text.utf8.count <= 200 ? text : nil
    default: nil
    }
  }

  static func flag(_ value: JSONValue) -> Bool? {
    switch value {
    case .bool(let flag): flag
    case .integer(let number): number != 0
    case .string(let word): TouchField.flag(word)
    default: nil
    }
  }

  // MARK: Positions

  static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number)?: coordinate(Double(number))
    case .number(let number)?: coordinate(number)
    case .string(let text)?:
      text.utf8.count <= 40 ? coordinate(trimmed(Array(text.utf8)[...])) : nil
    default: nil
    }
  }

  /// The position of an object: x and y of its own, or of a field that names a position.
  func place(of fields: [String: JSONValue]) -> JSONPlace? {
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
    var best: (rank: Int, place: JSONPlace)?
    for (key, value) in fields {
      guard let rank = name(key).ranks[.x], rank < best?.rank ?? .max, let x = Self.number(value)
      else { continue }
      for (other, value) in fields where name(other).ranks[.y] == rank {
        if let y = Self.number(value) { best = (rank, JSONPlace(x: x, y: y)) }
      }
    }
    if let best { return best.place }
    for (_, value) in candidates(fields, { $0.placeRank }) {
      if let place = nestedPlace(value) { return place }
    }
    return nil
  }

  /// `{"x": 1, "y": 2}`, `{"dx": 1, "dy": 2}` of Flutter's Offset, `[1, 2]`, `"Offset(1.0, 2.0)"`, `"{1, 2}"`.
  func nestedPlace(_ value: JSONValue) -> JSONPlace? {
    switch value {
    case .object(let fields):
      for (x, y) in [
        ("x", "y"), ("X", "Y"), ("dx", "dy"), ("clientX", "clientY"), ("pageX", "pageY"),
        ("left", "top"),
      ] {
        if let x = Self.number(fields[x]), let y = Self.number(fields[y]) {
          return JSONPlace(x: x, y: y)
        }
      }
      return nil
    case .array(let values):
      guard (2...4).contains(values.count), let x = Self.number(values[0]),
        let y = Self.number(values[1])
      else {
        return nil
      }
      return JSONPlace(x: x, y: y)
    case .string(let text):
      return JSONPlace(text: text)
    default: return nil
    }
  }

  func isPlace(_ value: JSONValue) -> Bool {
    guard case .object(let fields) = value else { return false }
    return place(of: fields) != nil
  }

  func hasTime(_ value: JSONValue) -> Bool {
    guard case .object(let fields) = value else { return false }
    return candidates(fields) { $0.ranks[.time] }.contains { time($0.value) != nil }
  }

  // MARK: Tables

  /// The rows of `[["t", "x", "y"], [0, 1, 2]]`.
  static func objects(ofTable values: [JSONValue]) -> [JSONValue]? {
    guard case .array(let header)? = values.first, header.count > 2 else { return nil }
    let names = header.compactMap { if case .string(let name) = $0 { name } else { nil } }
    guard names.count == header.count else { return nil }
    return objects(names, values.dropFirst())
  }

  /// The rows of `{"columns": ["t", "x", "y"], "data": [[0, 1, 2]]}`.
  static func objects(ofColumns fields: [String: JSONValue]) -> [JSONValue]? {
    guard case .array(let header)? = fields["columns"] ?? fields["header"] ?? fields["fields"],
      case .array(let rows)? = fields["data"] ?? fields["rows"] ?? fields["values"]
    else { return nil }
    let names = header.compactMap { if case .string(let name) = $0 { name } else { nil } }
    return names.count == header.count ? objects(names, rows[...]) : nil
  }

  static func objects(_ names: [String], _ rows: ArraySlice<JSONValue>) -> [JSONValue] {
    rows.compactMap { row in
      guard case .array(let cells) = row, cells.count == names.count else { return nil }
      return .object(Dictionary(zip(names, cells), uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The rows of `{"t": [0, 12], "x": [1, 2], "y": [3, 4]}`.
  func columns(_ fields: [String: JSONValue]) -> [JSONValue]? {
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
}

/// What an object says of the positions in it, with what stands above it.
struct JSONEvent {
  var time: WrittenTime?
  var unit: TimeUnit?
  var phase: WrittenPhase?
  /// Whether the word is one of a browser's events, whose times are milliseconds.
  var isOfBrowser = false
  /// Which of a browser's events it is, since one finger makes several kinds of them.
  var kind: String?
  /// The field that the time is from.
  var timeName: String?
  /// The contact's name among all kinds of events.
  var contact: String { kind.map { "\($0) \(identifier ?? "")" } ?? identifier ?? "" }

  /// The kind of events that a contact's name says.
  static func kind(ofContact name: String) -> String? {
    ["mouse", "pointer"].first { name.hasPrefix($0 + " ") }
  }

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

/// A position in JSON.
struct JSONPlace: Equatable {
  var x: Double
  var y: Double

  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The position that a text writes: `(1, 2)`, `Offset(1.0, 2.0)`, `Vector2(1, 2)`, `{1, 2}`. `nil` if it has not two
  /// numbers, or three.
  init?(text: String) {
    guard text.utf8.count <= 100 else { return nil }
    let open = text.utf8.firstIndex { "([{<".utf8.contains($0) }
    let numbers = text.utf8[(open ?? text.utf8.startIndex)...]
      .split { !"+-.0123456789eE".utf8.contains($0) }.compactMap { coordinate(Array($0)[...]) }
    guard (2...3).contains(numbers.count) else { return nil }
    (x, y) = (numbers[0], numbers[1])
  }
}
