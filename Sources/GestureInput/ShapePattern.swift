/// A pattern of lines: literal text with holes, `touch {id} at {x},{y} after {t:ms}`.
///
/// The holes are `{t}` with a unit or without one, `{x}`, `{y}`, the steps `{dx}` and `{dy}`, `{id}`, `{phase}`, `{down}` and
/// `{…}`, which is any text. `{phase:moved}` and `{down:1}` take no text, and say what the line means. In the list of shapes
/// `{n}` is a pointer's index, and `{type}`, `{code}` and `{value}` are the kernel's. A space is any space, a brace that no
/// name follows is itself, and `_` may be missing. Text before and behind the pattern does not matter.
struct ShapePattern: Sendable {
  enum Hole: String, Sendable {
    case time = "t"
    case x, y, dx, dy
    case identifier = "id"
    case phase
    case isDown = "down"
    case index = "n"
    case type, code, value
  }

  enum Piece: Sendable {
    case text([UInt8])
    case hole(Hole, unit: TimeUnit?)
    case phase(WrittenPhase)
    case isDown(Bool)
  }

  /// Why a text is not a pattern, in a sentence.
  struct Fault: Error {
    var sentence: String
  }

  /// The pieces between `{…}`. Each but the first begins with text, and so does the first unless it begins a line.
  private let segments: [[Piece]]
  /// All holes.
  let holes: Set<Hole>
  /// The longest text without a space and an underscore that every match contains. Empty if there is none.
  let needle: [UInt8]

  /// Most occurrences of a segment's first text in a line at which the segment is tried.
  private static let mostTries = 64

  init(_ pattern: String) throws(Fault) {
    var segments: [[Piece]] = [[]]
    var holes: Set<Hole> = []
    var text: [UInt8] = []
    let bytes = Array(pattern.utf8)
    func endText() {
      guard !text.isEmpty else { return }
      // Space at the very beginning says nothing.
      if text == [UInt8(ascii: " ")], segments.count == 1, segments[0].isEmpty {
        text = []
        return
      }
      segments[segments.count - 1].append(.text(text))
      text = []
    }
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "{"), let end = Self.holeEnd(bytes, index) {
        let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
        index = end + 1
        endText()
        if name == "…" || name == "..." {
          segments.append([])
          continue
        }
        let piece = try Self.piece(name)
        if case .hole(let hole, _) = piece {
          holes.insert(hole)
          if case .hole = segments[segments.count - 1].last {
            throw Fault(
              sentence: "No text stands before {\(name)}, so it is not known where it begins.")
          }
          if segments.count > 1, segments[segments.count - 1].isEmpty {
            throw Fault(
              sentence:
                "No text stands between {…} and {\(name)}, so it is not known where that begins.")
          }
        }
        segments[segments.count - 1].append(piece)
      } else {
        index += 1
        let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        if isBlank, text.last == UInt8(ascii: " ") { continue }
        text.append(isBlank ? UInt8(ascii: " ") : byte)
      }
    }
    if text.last == UInt8(ascii: " ") { text.removeLast() }
    endText()
    self.segments = segments.filter { !$0.isEmpty }
    self.holes = holes
    var needle: ArraySlice<UInt8> = []
    for case .text(let text) in segments.joined() {
      for part in text.split(whereSeparator: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "_") })
      where part.count > needle.count { needle = part }
    }
    self.needle = Array(needle)
  }

  /// The index of the brace that ends a hole. `nil` if a brace is only a brace.
  private static func holeEnd(_ bytes: [UInt8], _ start: Int) -> Int? {
    guard start + 1 < bytes.count,
      isLetter(bytes[start + 1]) || bytes[start + 1] == 0xE2
        || bytes[start + 1] == UInt8(ascii: ".")
    else { return nil }
    let end = bytes[start...].prefix(24).firstIndex(of: UInt8(ascii: "}"))
    return end.flatMap { end in bytes[start..<end].contains(UInt8(ascii: " ")) ? nil : end }
  }

  private static func piece(_ name: String) throws(Fault) -> Piece {
    let parts = name.split(separator: ":", maxSplits: 1)
    let value = parts.count > 1 ? String(parts[1]) : nil
    guard let hole = Hole(rawValue: String(parts[0])) else {
      throw Fault(
        sentence:
          "{\(name)} is not a hole. Use {t}, {x}, {y}, {dx}, {dy}, {id}, {phase}, {down} and {…}.")
    }
    guard let value else { return .hole(hole, unit: nil) }
    switch hole {
    case .time:
      guard let unit = TimeUnit(word: value) else {
        throw Fault(
          sentence: "'\(value)' is not a unit of time. Use {t:ns}, {t:us}, {t:ms} or {t:s}.")
      }
      return .hole(.time, unit: unit)
    case .phase:
      guard let phase = WrittenPhase(word: value) else {
        throw Fault(
          sentence: "'\(value)' is not a phase. Use {phase:began}, moved, ended or cancelled.")
      }
      return .phase(phase)
    case .isDown: return .isDown(value == "1")
    default: throw Fault(sentence: "{\(name)} takes nothing behind its colon.")
    }
  }

  // MARK: Matching

  /// Where a pattern fits, and what its holes hold.
  struct Match {
    var start: Int
    var end: Int
    var fields: ShapeFields
  }

  /// The first match in a text. `nil` if there is none.
  ///
  /// Cost: linear in the text, times the positions at which a segment begins, of which at most 64 are tried.
  ///
  /// - Parameter phases: Words of phases that the vocabulary does not have, or has with another meaning.
  func match(_ text: ArraySlice<UInt8>, phases: [String: WrittenPhase]) -> Match? {
    guard let first = segments.first else { return nil }
    var fields = ShapeFields()
    guard let head = Self.find(first, text, from: text.startIndex, phases, &fields) else {
      return nil
    }
    var end = head.end
    for segment in segments.dropFirst() {
      guard let next = Self.find(segment, text, from: end, phases, &fields) else { return nil }
      end = next.end
    }
    return Match(start: head.start, end: end, fields: fields)
  }

  private static func find(
    _ segment: [Piece], _ text: ArraySlice<UInt8>, from start: Int,
    _ phases: [String: WrittenPhase],
    _ fields: inout ShapeFields
  ) -> (start: Int, end: Int)? {
    guard case .text(let literal) = segment[0] else {
      var found = fields
      guard start == text.startIndex, let end = take(segment, text, at: start, phases, &found)
      else { return nil }
      fields = found
      return (start, end)
    }
    var (position, tries) = (start, 0)
    // Space before a word says that no other word ends there.
    let isWord = literal.count > 1 && literal[0] == UInt8(ascii: " ")
    let first = isWord ? literal[1] : literal[0]
    while tries < mostTries, let next = text[position...].firstIndex(of: first) {
      position = next + 1
      if isWord, next > text.startIndex, isWordByte(text[next - 1]) { continue }
      guard take(literal, text, at: next) != nil else { continue }
      tries += 1
      var found = fields
      if let end = take(segment, text, at: next, phases, &found) {
        fields = found
        return (next, end)
      }
    }
    return nil
  }

  /// The index behind a segment that begins at an index.
  private static func take(
    _ segment: [Piece], _ text: ArraySlice<UInt8>, at start: Int, _ phases: [String: WrittenPhase],
    _ fields: inout ShapeFields
  ) -> Int? {
    var index = start
    for (number, piece) in segment.enumerated() {
      switch piece {
      case .text(let literal):
        guard let end = take(literal, text, at: index) else { return nil }
        index = end
        fields.endsInHole = false
      case .hole(let hole, let unit):
        var scan = ByteScan(text, at: index)
        _ = scan.blanks()
        var before: [UInt8] = []
        if number + 1 < segment.count, case .text(let literal) = segment[number + 1] {
          before = literal
        }
        guard fields.take(hole, unit, &scan, before: before, phases) else { return nil }
        index = scan.index
        fields.endsInHole = true
      case .phase(let phase): fields.phase = phase
      case .isDown(let isDown): fields.isDown = isDown
      }
    }
    return index
  }

  /// The index behind a literal. A space may be missing beside a sign, and an underscore anywhere.
  static func take(_ literal: [UInt8], _ text: ArraySlice<UInt8>, at start: Int) -> Int? {
    var scan = ByteScan(text, at: start)
    let isWord = literal.count > 1 && literal[0] == UInt8(ascii: " ")
    for byte in literal.dropFirst(
      isWord && start < text.endIndex && text[start] == literal[1] ? 1 : 0)
    {
      if byte == UInt8(ascii: " ") {
        let before = scan.index > text.startIndex ? text[scan.index - 1] : 0
        guard scan.blanks() || !isWordByte(before) || !isWordByte(scan.byte) else { return nil }
      } else if byte == UInt8(ascii: "_") {
        _ = scan.take("_")
      } else {
        guard scan.byte == byte, !scan.isAtEnd else { return nil }
        scan.index += 1
      }
    }
    return scan.index
  }
}
