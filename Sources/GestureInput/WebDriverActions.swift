import JSONText

/// The actions that a program sends to a WebDriver: moves with durations, in ticks that all of its devices share.
///
/// A driver performs a move in straight and even steps over its duration, so positions are written each ``step``.
/// Source: W3C WebDriver, "perform a pointer move" and "dispatch actions".
struct WebDriverActions {
  /// Why actions tell no positions.
  struct Trouble: Error {
    var message: String
  }

  /// From one position of a move to the next, in nanoseconds: that of a display.
  private static let step: Int64 = 16_666_667
  /// The most positions of a file.
  private static let mostRows = 1_000_000
  /// The longest move, in milliseconds.
  private static let longest: Int64 = 600_000

  private(set) var rows: [TouchRow] = []
  private var time: Int64 = 0
  private var pointers: [String: Pointer] = [:]

  private struct Pointer {
    var x = 0.0
    var y = 0.0
    var isDown = false
  }

  /// What a reader must know.
  let note =
    "The moves are read as straight and even over their durations, as a WebDriver performs them. The positions and times "
    + "in a browser differ from them."

  /// The sequences of actions in a request: `{"actions": [{"type": "pointer", "actions": […]}]}`. `nil` if there are none.
  static func sequences(in value: JSONValue) -> [[String: JSONValue]]? {
    switch value {
    case .object(let fields):
      if let found = fields["actions"].flatMap(sequences(ofList:)) { return found }
      for key in ["params", "parameters", "value", "body", "data"] {
        if let found = fields[key].flatMap(sequences(in:)) { return found }
      }
      return sequences(ofList: .array([value]))
    case .array: return sequences(ofList: value)
    default: return nil
    }
  }

  private static func sequences(ofList value: JSONValue) -> [[String: JSONValue]]? {
    guard case .array(let values) = value else { return nil }
    let objects = values.compactMap { if case .object(let fields) = $0 { fields } else { nil } }
    guard objects.count == values.count,
      objects.allSatisfy({ fields in
        guard case .string(let type)? = fields["type"], case .array? = fields["actions"] else {
          return false
        }
        return ["pointer", "key", "none", "wheel"].contains(type)
      }), objects.contains(where: { $0["type"] == .string("pointer") })
    else { return nil }
    return objects
  }

  /// Takes a request, after those before it.
  mutating func take(_ sequences: [[String: JSONValue]], line: Int) throws(Trouble) {
    let actions = sequences.map { sequence -> [[String: JSONValue]] in
      guard case .array(let values)? = sequence["actions"] else { return [] }
      return values.map { if case .object(let fields) = $0 { fields } else { [:] } }
    }
    for tick in 0..<(actions.map(\.count).max() ?? 0) {
      var duration: Int64 = 0
      for list in actions where tick < list.count {
        guard let milliseconds = Self.integer(list[tick]["duration"]) else { continue }
        guard (0...Self.longest).contains(milliseconds) else {
          throw Trouble(
            message: "A duration of the actions is not between 0 and \(Self.longest) ms.")
        }
        duration = max(duration, milliseconds * 1_000_000)
      }
      for (index, list) in actions.enumerated() where tick < list.count {
        guard sequences[index]["type"] == .string("pointer") else { continue }
        let name = sequences[index]["id"].flatMap {
          if case .string(let text) = $0 { text } else { nil }
        }
        try perform(list[tick], of: name ?? "pointer \(index)", tick: duration, line: line)
      }
      time += duration
    }
  }

  private mutating func perform(
    _ action: [String: JSONValue], of name: String, tick: Int64, line: Int
  ) throws(Trouble) {
    guard case .string(let type)? = action["type"] else { return }
    var pointer = pointers[name] ?? Pointer()
    switch type {
    case "pointerDown":
      pointer.isDown = true
      try append(name, pointer, .began, at: time, line: line)
    case "pointerUp", "pointerCancel":
      let phase: WrittenPhase = type == "pointerUp" ? .ended : .cancelled
      if pointer.isDown { try append(name, pointer, phase, at: time, line: line) }
      pointer.isDown = false
    case "pointerMove":
      let end = try Self.target(of: action, from: pointer)
      let length = Self.integer(action["duration"]).map { $0 * 1_000_000 } ?? tick
      let from = pointer
      var passed = min(Self.step, length)
      while pointer.isDown {
        let part = length == 0 ? 1 : Double(passed) / Double(length)
        pointer.x = from.x + (end.x - from.x) * part
        pointer.y = from.y + (end.y - from.y) * part
        if passed >= length { (pointer.x, pointer.y) = (end.x, end.y) }
        try append(name, pointer, .moved, at: time + passed, line: line)
        if passed >= length { break }
        // The last step is at least half of one.
        passed = length - passed < Self.step * 3 / 2 ? length : passed + Self.step
      }
      (pointer.x, pointer.y) = (end.x, end.y)
    default: break
    }
    pointers[name] = pointer
  }

  private mutating func append(
    _ name: String, _ pointer: Pointer, _ phase: WrittenPhase, at time: Int64, line: Int
  ) throws(Trouble) {
    guard rows.count < Self.mostRows else {
      throw Trouble(message: "The actions have more than \(Self.mostRows) positions.")
    }
    var row = TouchRow(line: line, time: .nanoseconds(time), identifier: name, phase: phase)
    (row.x, row.y) = (pointer.x, pointer.y)
    rows.append(row)
  }

  /// Where a move ends.
  private static func target(
    of action: [String: JSONValue], from pointer: Pointer
  ) throws(Trouble) -> (x: Double, y: Double) {
    guard let x = number(action["x"]), let y = number(action["y"]) else {
      throw Trouble(message: "A pointerMove has no x and y.")
    }
    switch action["origin"] {
    case nil, .null?, .string("viewport")?: return (x, y)
    case .string("pointer")?: return (pointer.x + x, pointer.y + y)
    default:
      throw Trouble(
        message:
          "A pointerMove begins at an element, whose position the file does not have. Write positions with the "
          + "origin viewport.")
    }
  }

  private static func integer(_ value: JSONValue?) -> Int64? {
    if case .integer(let number)? = value { number } else { nil }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let number)?: coordinate(Double(number))
    case .number(let number)?: coordinate(number)
    default: nil
    }
  }
}
