import TimelineModel

/// One line of `libinput debug-events`: ` event10  GESTURE_SWIPE_UPDATE  +9.53s  3  0.17/26.33 ( 0.64/53.60 unaccelerated)`.
///
/// After the name newer versions count repetitions. Logs put words of their own before the line and signs after it.
struct DebugEvent {
  enum Kind: String {
    case swipe
    case pinch
    case scroll
  }

  /// How far a gesture went since its last line, in millionths. Of a pinch also the scale since its beginning and the
  /// turn in degrees.
  struct Step {
    var accelerated: (x: Int64, y: Int64)
    var unaccelerated: (x: Int64, y: Int64)
    var scale: Int64 = 1_000_000
    var angle: Int64 = 0
  }

  enum Content {
    /// A device's name.
    case device(String?)
    case gesture(Kind, time: (nanoseconds: Int64, digits: Int), TouchPhase, Step?)
    /// The reports of a touch screen.
    case touch
    /// A hold, a wheel, a pointer, a key.
    case other
  }

  /// The device as the line names it: `event10`. Empty where that was cut off.
  let source: String
  let content: Content

  /// The place of an event's name among the words of a line. `nil` where there is none.
  static func name(in words: [ArraySlice<UInt8>]) -> Int? {
    words.indices.first { index in
      let word = words[index]
      let isName =
        ["GESTURE_", "POINTER_", "DEVICE_", "KEYBOARD_", "TOUCH_", "TABLET_", "SWITCH_"].contains {
          word.starts(with: $0.utf8)
        }
      guard isName else { return false }
      if index > 0, isDevice(words[index - 1]) { return true }
      // The device may have been cut off. Then a time follows, with or without a count before it.
      return words[(index + 1)...].prefix(2).contains { $0.first == UInt8(ascii: "+") }
    }
  }

  /// Whether a line is the last word of another that was broken: a line of the same kind may end without it.
  static func isEnd(_ text: ArraySlice<UInt8>) -> Bool {
    let words = words(text, without: "(){}".utf8)
    guard words.count == 1 else { return false }
    return ["cancelled", "finger", "wheel", "continuous"].contains {
      words[0].elementsEqual($0.utf8)
    }
  }

  init?(_ text: ArraySlice<UInt8>) {
    let words = words(text, without: "/()@*{}".utf8)
    guard let index = Self.name(in: words) else { return nil }
    source =
      index > 0 && Self.isDevice(words[index - 1])
      ? shown(words[index - 1].drop { $0 == UInt8(ascii: "-") }) : ""
    let name = String(decoding: words[index], as: UTF8.self)
    var rest = words[(index + 1)...]
    switch name {
    case "DEVICE_ADDED":
      content = .device(Self.deviceName(in: text))
      return
    case "GESTURE_SWIPE_BEGIN", "GESTURE_SWIPE_UPDATE", "GESTURE_SWIPE_END", "GESTURE_PINCH_BEGIN",
      "GESTURE_PINCH_UPDATE", "GESTURE_PINCH_END", "POINTER_AXIS", "POINTER_SCROLL_FINGER":
      break
    case "TOUCH_DOWN", "TOUCH_MOTION", "TOUCH_UP", "TOUCH_CANCEL":
      content = .touch
      return
    default:
      content = .other
      return
    }
    // The count of repetitions stands before the time.
    if let count = rest.first, wholeNumber(count) != nil { rest.removeFirst() }
    guard let time = Self.time(&rest) else { return nil }
    if name.starts(with: "POINTER") {
      guard let content = Self.scroll(Array(rest), time: time) else { return nil }
      self.content = content
      return
    }
    guard let fingers = rest.popFirst(), wholeNumber(fingers) != nil else { return nil }
    let kind = name.contains("PINCH") ? Kind.pinch : .swipe
    switch name.split(separator: "_").last {
    case "BEGIN": content = .gesture(kind, time: time, .began, nil)
    case "END":
      let isCancelled = rest.first?.elementsEqual("cancelled".utf8) == true
      guard isCancelled || rest.isEmpty else { return nil }
      content = .gesture(kind, time: time, isCancelled ? .cancelled : .ended, nil)
    default:
      guard let step = Self.step(Array(rest), kind) else { return nil }
      content = .gesture(kind, time: time, .moved, step)
    }
  }

  /// `0.17 26.33 0.64 53.60 unaccelerated 1.07 0.41`, the last two of a pinch.
  private static func step(_ words: [ArraySlice<UInt8>], _ kind: Kind) -> Step? {
    guard words.count >= (kind == .pinch ? 7 : 5), words[4].elementsEqual("unaccelerated".utf8),
      let dx = millionths(words[0]), let dy = millionths(words[1]), let ux = millionths(words[2]),
      let uy = millionths(words[3])
    else { return nil }
    var step = Step(accelerated: (dx, dy), unaccelerated: (ux, uy))
    if kind == .pinch {
      guard let scale = millionths(words[5]), scale >= 0, let angle = millionths(words[6]) else {
        return nil
      }
      (step.scale, step.angle) = (scale, angle)
    }
    return step
  }

  /// `vert 8.15 0.0 horiz 0.00 0.0 finger`, in older versions without the numbers of wheel clicks, in the oldest
  /// without what scrolls. A scroll that says 0 is over.
  private static func scroll(
    _ words: [ArraySlice<UInt8>], time: (nanoseconds: Int64, digits: Int)
  ) -> Content? {
    func number(after name: String) -> Int64? {
      guard let index = words.firstIndex(where: { $0.elementsEqual(name.utf8) }),
        index + 1 < words.count
      else { return nil }
      return millionths(words[index + 1])
    }
    guard let y = number(after: "vert"), let x = number(after: "horiz") else { return nil }
    if let source = words.last,
      source.first.map({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) == true,
      !source.elementsEqual("finger".utf8)
    {
      return .other
    }
    let step = Step(accelerated: (x, y), unaccelerated: (x, y))
    return .gesture(.scroll, time: time, x == 0 && y == 0 ? .ended : .moved, step)
  }

  /// `+9.53s`, with or without space after the sign.
  private static func time(
    _ rest: inout ArraySlice<ArraySlice<UInt8>>
  ) -> (nanoseconds: Int64, digits: Int)? {
    guard var word = rest.popFirst(), word.first == UInt8(ascii: "+") else { return nil }
    word.removeFirst()
    if word.isEmpty { word = rest.popFirst() ?? [] }
    guard word.last == UInt8(ascii: "s"), let time = nanoseconds(fromSeconds: word.dropLast()),
      let point = word.firstIndex(of: UInt8(ascii: "."))
    else { return nil }
    return (time, word.endIndex - point - 2)
  }

  private static func isDevice(_ word: ArraySlice<UInt8>) -> Bool {
    let word = word.drop { $0 == UInt8(ascii: "-") }
    return word.starts(with: "event".utf8) && wholeNumber(word.dropFirst(5)) != nil
  }

  /// The words between the event's name and the seat. A name may have any sign in it.
  private static func deviceName(in text: ArraySlice<UInt8>) -> String? {
    let words = GestureInput.words(text)
    guard let index = name(in: words) else { return nil }
    let name = words[(index + 1)...].prefix { !$0.starts(with: "seat".utf8) }
    return name.isEmpty ? nil : shown(Array(name.joined(separator: " ".utf8))[...])
  }

  /// A decimal number in millionths. libinput prints two digits after the point. Fewer are a number that was cut off.
  private static func millionths(_ text: ArraySlice<UInt8>) -> Int64? {
    let isNegative = text.first == UInt8(ascii: "-")
    let parts = (isNegative ? text.dropFirst() : text)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, (2...6).contains(parts[1].count), let whole = wholeNumber(parts[0]),
      whole <= Int64(largestCoordinate), let fraction = wholeNumber(parts[1])
    else { return nil }
    let scale = (parts[1].count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
    let number = whole * 1_000_000 + fraction * scale
    return isNegative ? -number : number
  }
}
