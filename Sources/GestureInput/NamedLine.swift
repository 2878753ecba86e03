/// What the named values of a line say.
struct NamedLine {
  var row: TouchRow
  var hasOwnTime = false
  /// Whether it has a phase, or a word of touches.
  var isOfTouch = false
  private var isOfMotion = false
  var stamp: WrittenClock?
  /// The names of its values and the words before them: lines of one place in a program have the same.
  var kind: String
  let text: ArraySlice<UInt8>

  /// Longer lines are not read so.
  private static let longest = 4096

  init?(_ line: GestureSource.Line) {
    guard line.text.count <= Self.longest else { return nil }
    let prefix = LinePrefix(line.text)
    let tags = Self.words(in: line.text[..<prefix.end]).filter { !Self.levels.contains($0) }
    text = line.text[prefix.end...]
    stamp = prefix.time
    row = TouchRow(line: line.number, time: .nanoseconds(0))
    kind = ""
    var ranks: [TouchField: Int] = [:]
    var names: [String] = []
    var firstValue = text.endIndex
    for value in Self.values(in: text) {
      let fields = value.fields
      guard !fields.isEmpty else { continue }
      firstValue = min(firstValue, value.nameStart)
      for (field, rank, place) in fields where rank < ranks[field] ?? .max {
        guard set(field, value, at: place) else { continue }
        ranks[field] = rank
      }
      names.append(value.name)
    }
    var words = tags
    var scan = ByteScan(text, at: text.startIndex)
    while !scan.isAtEnd {
      let start = scan.index
      let bytes = scan.word()
      if scan.index == start { scan.index += 1 }
      guard let first = bytes.first, isLetter(first) else { continue }
      let word = String(decoding: bytes, as: UTF8.self)
      isOfTouch = isOfTouch || Self.touchWords.contains { Self.has($0, in: bytes) }
      isOfMotion =
        isOfMotion || start < firstValue && Self.motionWords.contains { Self.has($0, in: bytes) }
      if let phase = Self.phase(of: word) {
        if row.phase == nil, ranks[.phase] == nil { row.phase = phase }
      } else if start < firstValue {
        words.append(word)
      }
    }
    kind = (words + ["|"] + names).joined(separator: " ")
    isOfTouch = isOfTouch || row.phase != nil || row.isDown != nil
    if row.x == nil || row.y == nil || isOfMotion { (row.x, row.y) = (nil, nil) }
  }

  /// What lines of touches say of themselves, if they have no phase.
  private static let touchWords = [
    "touch", "pointer", "mouse", "finger", "drag", "gesture", "swipe", "stroke", "cursor", "pos",
    "location", "tap", "pen", "stylus", "move",
  ].map { Array($0.utf8) }
  /// Lines with such words before x and y have other numbers than positions.
  private static let motionWords = [
    "veloc", "speed", "delta", "accel", "gyro", "scroll", "magnet", "gravity", "size", "scale",
  ].map { Array($0.utf8) }

  /// Whether a word of ASCII contains letters, large or small.
  private static func has(_ letters: [UInt8], in word: ArraySlice<UInt8>) -> Bool {
    var start = word.startIndex
    while start + letters.count <= word.endIndex {
      var count = 0
      while count < letters.count, word[start + count] | 0x20 == letters[count] { count += 1 }
      if count == letters.count { return true }
      start += 1
    }
    return false
  }
  private static let levels: Set<String> = [
    "V", "D", "I", "W", "E", "F", "VERBOSE", "TRACE", "DEBUG", "INFO", "LOG", "NOTICE", "WARN",
    "WARNING", "ERROR",
  ]

  /// The words of a text that begin with a letter.
  static func words(in text: ArraySlice<UInt8>) -> [String] {
    text.split { !isWordByte($0) }.filter { isLetter($0[$0.startIndex]) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// A phase of a word that stands by itself: the words that are common in any text do not count.
  private static func phase(of word: String) -> WrittenPhase? {
    let isHandler =
      word.hasPrefix("on_") || word.hasPrefix("on") && word.dropFirst(2).first?.isUppercase == true
    let name = isHandler ? String(word.dropFirst(2)).replacing("_", with: "") : word
    guard let phase = WrittenPhase(word: name), case let small = name.lowercased() else {
      return nil
    }
    let strict: Set<String> = [
      "down", "move", "moved", "up", "began", "begin", "ended", "end", "start", "cancel",
      "cancelled", "canceled", "press",
      "pressed", "release", "released", "drag", "dragged", "motion", "update",
    ]
    // `touchstart`, `ACTION_MOVE`, `WM_POINTERDOWN`.
    let isCompound = ["touch", "pointer", "mouse", "action", "pan", "drag", "finger"].contains {
      small.count > $0.count
        && (small.hasPrefix($0) || small.hasPrefix("wm_" + $0) || small.hasPrefix("sdl_" + $0))
    }
    return isCompound || strict.contains(small) ? phase : nil
  }

  private mutating func set(_ field: TouchField, _ value: Value, at place: Int) -> Bool {
    switch field {
    case .x:
      guard place < value.numbers.count else { return false }
      row.x = value.numbers[place]
      return true
    case .y:
      guard place < value.numbers.count else { return false }
      row.y = value.numbers[place]
      return true
    case .time:
      guard let time = value.time else { return false }
      // Whole seconds of a date are not times of a finger.
      if case .nanoseconds = time, value.digits == 0 { return false }
      (row.time, row.unit, hasOwnTime) = (time, value.unit, true)
      return true
    case .identifier:
      row.identifier = value.word
      return !value.word.isEmpty
    case .phase:
      guard let phase = WrittenPhase(word: value.word) else { return false }
      row.phase = phase
      return true
    case .isDown:
      switch value.word.lowercased() {
      case "true", "1": row.isDown = true
      case "false", "0": row.isDown = false
      default: return false
      }
      return true
    case .slot, .trackingID, .isResampled: return false
    }
  }

  // MARK: Values

  /// A name with what stands after it.
  private struct Value {
    var name: String
    var nameStart: Int
    var word = ""
    var time: WrittenTime?
    var unit: TimeUnit?
    /// The digits of a clock's fraction.
    var digits = 0
    /// One number, or the two of a position.
    var numbers: [Double] = []
    var starts: [Int] = []

    /// The fields that the name says, each with its rank and the index of its number.
    var fields: [(TouchField, Int, Int)] {
      let plain = TouchName(name).plain
      if numbers.count == 2 {
        guard let rank = Self.positions.firstIndex(of: plain) else { return [] }
        return [(.x, rank, 0), (.y, rank, 1)]
      }
      return [TouchField.time, .x, .y, .identifier, .phase, .isDown].compactMap { field in
        field.rank(of: TouchName(name)).map { (field, $0, 0) }
      }
    }

    private static let positions = [
      "position", "pos", "location", "point", "coords", "coordinates", "xy", "at", "touch",
      "localposition",
      "globalposition", "clientposition", "screenposition", "rawposition", "pageposition",
    ]
  }

  /// The holes that names say, by the index at which their number begins.
  static func holes(in text: ArraySlice<UInt8>) -> [Int: String] {
    var holes: [Int: String] = [:]
    var best: [TouchField: Int] = [:]
    for value in values(in: text) {
      for (field, rank, _) in value.fields { best[field] = min(best[field] ?? .max, rank) }
    }
    for value in values(in: text) {
      for (field, rank, place) in value.fields
      where place < value.starts.count && rank == best[field] {
        let unit = (value.unit ?? TouchName(value.name).unit).map { ":\($0.rawValue)" } ?? ":ms"
        if [.time, .x, .y, .identifier].contains(field) {
          holes[value.starts[place]] = field.rawValue + (field == .time ? unit : "")
        }
      }
    }
    return holes
  }

  /// The named values of a text: a name, `=` or `:`, and a number, a word, a clock or two numbers in brackets.
  private static func values(in text: ArraySlice<UInt8>) -> [Value] {
    var values: [Value] = []
    var scan = ByteScan(text, at: text.startIndex)
    while !scan.isAtEnd {
      guard isLetter(scan.byte) || scan.byte == UInt8(ascii: "_") else {
        scan.index += 1
        continue
      }
      let start = scan.index
      var end = start
      while isWordByte(scan.byte) || ".".utf8.contains(scan.byte) && isLetter(scan.byte(after: 1)) {
        scan.index += 1
        end = scan.index
      }
      // A unit in brackets, `t [ms]: 12`, or an index, `x[0]=12`.
      var after = scan
      _ = after.blanks()
      if "[(".utf8.contains(after.byte) {
        let close = after.byte == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: ")")
        if let index = text[after.index...].prefix(8).firstIndex(of: close),
          "=:".utf8.contains(index + 1 < text.endIndex ? text[index + 1] : 0)
        {
          scan.index = index + 1
          end = scan.index
        }
      }
      var value = Value(name: String(decoding: text[start..<end], as: UTF8.self), nameStart: start)
      after = scan
      _ = after.blanks()
      let isMarked = after.take("=") || after.take(":")
      // `id 0, x 400.0, y 900.0`.
      let isBare = !isMarked && bareNames.contains(value.name) && after.index > scan.index
      guard isMarked || isBare && (isDigit(after.byte) || after.byte == UInt8(ascii: "-")) else {
        continue
      }
      _ = after.blanks()
      scan.index = after.index
      guard take(&value, &after) else { continue }
      values.append(value)
      scan.index = after.index
    }
    return values
  }

  /// Names that may have their value behind a blank.
  private static let bareNames: Set<String> = ["x", "y", "X", "Y", "id", "slot", "time"]

  private static func take(_ value: inout Value, _ scan: inout ByteScan) -> Bool {
    value.unit = TouchName(value.name).unit
    if let clock = WrittenClock(scan.text, at: scan.index) {
      (value.time, value.digits, scan.index) = (
        .nanoseconds(clock.nanoseconds), clock.digits, clock.end
      )
      return true
    }
    let start = scan.index
    if let pair = pair(&scan) {
      (value.numbers, value.starts) = (pair.map(\.number), pair.map(\.start))
      return true
    }
    scan.index = start
    var exact = scan
    let written = WrittenNumber(&exact)
    let number = writtenNumber(&scan)
    // Some times are larger than any coordinate.
    if number == nil, written != nil { scan.index = exact.index }
    if number != nil || written != nil {
      (value.numbers, value.starts) = (number.map { [$0] } ?? [], [start])
      let end = scan.index
      if let written, exact.index == end { value.time = written.time }
      value.word = String(decoding: scan.text[start..<end], as: UTF8.self)
      let behind = scan.word()
      if let unit = TimeUnit(word: String(decoding: behind, as: UTF8.self)) { value.unit = unit }
      if !behind.isEmpty, value.unit == nil {
        value.word += String(decoding: behind, as: UTF8.self)
      }
      return true
    }
    let quote = scan.byte == UInt8(ascii: "\"") || scan.byte == UInt8(ascii: "'")
    if quote { scan.index += 1 }
    while isWordByte(scan.byte) || scan.byte == UInt8(ascii: ".") { scan.index += 1 }
    let word = scan.text[(start + (quote ? 1 : 0))..<scan.index]
    // `PointerId(value=0)` is read from the inside.
    if scan.byte == UInt8(ascii: "(") || scan.byte == UInt8(ascii: "{") { return false }
    // A heading: `touch_down: pos=…`, `touch down: id 0, …`.
    var behind = scan
    _ = behind.blanks()
    if !quote {
      if behind.byte == UInt8(ascii: "=") || behind.byte == UInt8(ascii: ":") { return false }
      let isBare = isDigit(behind.byte) || behind.byte == UInt8(ascii: "-")
      if isBare, bareNames.contains(String(decoding: word, as: UTF8.self)) { return false }
    }
    value.word = String(decoding: word, as: UTF8.self)
    return !word.isEmpty
  }

  /// `(12.5, 40)`, `{12, 40}`, `[12, 40]`, `Offset(12.5, 40)`, `(x: 12, y: 40)`, `12.5,40`.
  private static func pair(_ scan: inout ByteScan) -> [(number: Double, start: Int)]? {
    let isNamed = isLetter(scan.byte)
    if isNamed { while isWordByte(scan.byte) || scan.byte == UInt8(ascii: ".") { scan.index += 1 } }
    var brackets = 0
    while "({[<".utf8.contains(scan.byte), brackets < 2 {
      scan.index += 1
      brackets += 1
    }
    if isNamed, brackets == 0 { return nil }
    _ = scan.blanks()
    var pair: [(number: Double, start: Int)] = []
    for count in 0..<2 {
      var label = scan
      if isLetter(label.byte) {
        _ = label.word()
        guard brackets > 0, label.take(":") || label.take("=") else { return nil }
        _ = label.blanks()
        scan = label
      }
      let start = scan.index
      guard let number = writtenNumber(&scan) else { return nil }
      pair.append((number, start))
      if count == 0 {
        _ = scan.blanks()
        guard scan.take(",") || scan.take(";") || scan.take("/") else { return nil }
        let blanks = scan.blanks()
        // `x: 12, 40 …` without brackets is two values.
        if brackets == 0, blanks { return nil }
      }
    }
    _ = scan.blanks()
    if brackets > 0, !")}]>".utf8.contains(scan.byte) { return nil }
    return pair
  }
}
