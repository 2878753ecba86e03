/// The names of a touch's parts in tables, JSON and logs. One list serves all of them.
enum TouchField: String, CaseIterable {
  case time = "t"
  case x
  case y
  /// Which contact a report is about.
  case identifier = "id"
  case phase
  /// Whether the contact is down: 0 or 1, true or false, or the pressed buttons.
  case isDown = "down"
  case slot
  case trackingID = "tracking_id"
  case isResampled = "resampled"

  /// The names of a field, plain as ``TouchName`` writes them, the most telling first. A table that has two of them is read
  /// by the first.
  var names: [String] {
    switch self {
    case .time:
      [
        "t", "eventtime", "timestamp", "time", "ts", "touchtime", "timeoffset", "elapsed",
        "elapsedtime", "clock", "stamp", "when", "uptime", "systemtime", "systime",
        "sensortimestamp",
        "hardwaretimestamp", "devicetime", "epoch", "epochtime", "unixtime", "relativetime",
        "reltime",
        "timesincestart", "timeelapsed", "unix", "unixtimestamp", "gametime", "walltime",
        "devicetimestamp", "clienttimestamp", "clienttime", "recordtimestamp", "recordtime",
        "servertimestamp", "servertime", "logtimestamp", "logtime", "timestamputc", "utc",
        "utctime", "localtime", "datetime", "date",
        "zeit", "zeitstempel", "temps", "tiempo", "tempo",
      ]
    case .x: Self.axis("x")
    case .y: Self.axis("y")
    case .identifier:
      [
        "id", "contact", "contactid", "pointerid", "touchid", "fingerid", "identifier", "finger",
        "pointer", "touchindex",
        "fingerindex", "pointerindex", "strokeid", "stroke", "trackingid", "slot", "index",
      ]
    case .phase:
      [
        "phase", "touchphase", "action", "actionmasked", "eventtype", "type", "state", "touchstate",
        "event", "eventname", "eventphase", "gesturestate", "eventaction", "actionname",
        "kind", "name", "method",
      ]
    case .isDown:
      [
        "down", "isdown", "touching", "pressed", "ispressed", "istouching", "touch", "touched",
        "pendown",
        "tipswitch", "incontact", "isincontact", "buttons",
      ]
    case .slot: ["slot"]
    case .trackingID: ["trackingid"]
    case .isResampled: ["resampled"]
    }
  }

  /// In a window before on the page, on the screen and as the panel reports it: the first is what an app works with.
  private static func axis(_ axis: String) -> [String] {
    [
      axis, "client" + axis, "pos" + axis, "position" + axis, "location" + axis, "point" + axis,
      "coord" + axis,
      "touch" + axis, "finger" + axis, "pointer" + axis, "mouse" + axis, "local" + axis,
      "view" + axis, "window" + axis,
      "page" + axis, "offset" + axis, "screen" + axis, "global" + axis, "abs" + axis,
      "absmtposition" + axis, "raw" + axis,
      axis + "pos", axis + "position", axis + "coord", axis + "coordinate", axis + "px",
      "p" + axis,
    ]
  }

  /// How well a name says this field: 0 is best. `nil`: it does not.
  func rank(of name: TouchName) -> Int? { names.firstIndex(of: name.plain) }
}

/// A name of a column or of a field, taken apart: `event_time [ms]`, `location.x`, `timeStampMs`.
struct TouchName: Hashable {
  /// The name in small letters, without signs between them and without its unit.
  var plain: String
  /// The unit that it says.
  var unit: TimeUnit?

  /// Words before a position's axis that add nothing: `location.x` is `x`. `velocity.x` is none.
  private static let places: Set<String> = [
    "location", "position", "pos", "point", "coords", "coordinates", "coordinate", "touch",
    "pointer", "center", "centre",
  ]

  init(_ name: some StringProtocol) {
    var text = String(name)
    // The unit in brackets: `t [ms]`, `time (s)`.
    if let close = text.last, close == "]" || close == ")",
      let open = text.lastIndex(of: close == "]" ? "[" : "(")
    {
      let inside = text[text.index(after: open)...].dropLast()
      unit = TimeUnit(word: inside.filter { $0 != " " })
      // `x[0]` says which pointer, `y (px)` a unit that is not one of time, and `Position (x)` an axis.
      let isAxis = ["x", "y"].contains(inside.lowercased())
      text = String(text[..<open]) + (isAxis ? " " + inside : "")
    }
    var words = TouchName.words(of: text)
    if unit == nil, words.count > 1, let last = words.last, let found = TimeUnit(word: last) {
      unit = found
      words.removeLast()
      // `time in ms`
      if words.count > 1, words.last == "in" { words.removeLast() }
    } else if unit == nil, words.count > 1, words[0] != "s", let found = TimeUnit(word: words[0]) {
      // `ms since start`
      unit = found
      words[0] = "time"
    } else if unit == nil, words.count == 1, let found = TimeUnit(word: words[0]), words[0] != "s" {
      // `millis` alone is a time.
      unit = found
      words = ["t"]
    }
    if words.count > 1, Self.places.contains(words[0]) { words.removeFirst() }
    if words.count > 1,
      ["px", "pt", "dp", "pixels", "points", "mm"].contains(words[words.count - 1])
    {
      words.removeLast()
    }
    // `event.x`, and not `eventTime`.
    if words.count == 2, ["event", "evt", "ev", "e", "cursor", "pen", "stylus"].contains(words[0]),
      ["x", "y"].contains(words[1])
    {
      words.removeFirst()
    }
    if words.count == 1, unit == nil, let split = Self.splitUnit(of: words[0]) {
      (words[0], unit) = (split.name, split.unit)
    }
    plain = words.joined()
  }

  /// `timems` and `tsec`, whose unit no sign parts from the name.
  private static func splitUnit(of word: String) -> (name: String, unit: TimeUnit)? {
    for name in ["timestamp", "eventtime", "time", "elapsed", "t", "ts"] where word.hasPrefix(name)
    {
      if let unit = TimeUnit(word: word.dropFirst(name.count)), word != "ts" { return (name, unit) }
    }
    return nil
  }

  /// The words of a name in small letters: parted by signs, and by a capital behind a small letter.
  static func words(of text: some StringProtocol) -> [String] {
    var words: [String] = []
    var word = ""
    var wasSmall = false
    for character in text {
      let isPart = character.isLetter || character.isNumber
      if !isPart || (character.isUppercase && wasSmall) {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isPart { word += character.lowercased() }
      wasSmall = character.isLowercase
    }
    if !word.isEmpty { words.append(word) }
    return words
  }
}

/// What a text says of a contact in one report.
enum WrittenPhase: Hashable {
  case began
  case moved
  case ended
  case cancelled
  /// A pointer that moves without touching, or enters and leaves.
  case hovers
  /// A number: which system's it is shows when all are known.
  case number(Int)

  /// The phase of a word: `ACTION_MOVE`, `pointerdown`, `UITouchPhaseBegan`, `TouchPhase.Ended`, `mousemove`.
  ///
  /// - Returns: nil for a word of something else: a click, a key.
  init?(word: some StringProtocol) {
    var plain = String(word.lowercased().unicodeScalars.filter { ("a"..."z").contains($0) })
    if plain.isEmpty {
      guard let number = Int(word) else { return nil }
      self = .number(number)
      return
    }
    for suffix in Self.suffixes where plain.hasSuffix(suffix) && plain.count > suffix.count {
      plain.removeLast(suffix.count)
    }
    while true {
      // `dragged` is a word, though `drag` may stand before one.
      if let (phase, _) = Self.words.first(where: { $0.1.contains(plain) }) {
        self = phase
        return
      }
      let prefix = Self.prefixes.first { plain.hasPrefix($0) && plain.count > $0.count }
      guard let prefix else { return nil }
      plain.removeFirst(prefix.count)
    }
  }

  /// What systems put before the word that says the phase.
  private static let prefixes = [
    "action", "touch", "pointer", "mouse", "finger", "event", "phase", "uitouch", "gesture", "drag",
    "pan", "sdl",
    "nonprimary", "screen", "input", "qt", "qevent", "raw", "type", "state", "button", "motion",
    "on", "responder", "handler", "uigesturerecognizer", "ui", "ns", "left", "scale", "wm", "wl",
    "mt", "tap", "es", "hid", "top",
  ]

  /// What systems put after it.
  private static let suffixes = ["event", "details", "gesture", "notify"]

  private static let words: [(WrittenPhase, Set<String>)] = [
    (
      .began,
      [
        "down", "start", "started", "starts", "begin", "begins", "began", "begun", "press",
        "pressed", "landed", "grant", "granted", "making", "make", "maketouch",
      ]
    ),
    (
      .moved,
      [
        "move", "moved", "moves", "moving", "motion", "update", "updated", "change", "changed",
        "drag", "dragged",
        "dragging", "stationary", "hold", "stay", "active", "touching",
      ]
    ),
    (
      .ended,
      [
        "up", "end", "ended", "ends", "release", "released", "releases", "lift", "lifted",
        "completed", "finished", "breaking", "breaktouch",
      ]
    ),
    (
      .cancelled,
      [
        "cancel", "canceled", "cancelled", "cancels", "aborted", "failed", "interrupted",
        "terminate",
        "terminated",
      ]
    ),
    (
      .hovers,
      [
        "hover", "hovered", "hovermove", "enter", "entered", "exit", "exited", "leave", "left",
        "over", "out", "added", "removed", "possible", "undetermined", "starting", "startinrange",
        "hovering", "hoverinrange", "lingering", "lingerinrange", "leaving", "outofrange",
        "nottouching",
      ]
    ),
  ]
}
