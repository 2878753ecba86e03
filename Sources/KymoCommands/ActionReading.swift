import GestureInput
import PageBrowser
import TimelineModel
import TimelineStore

/// Reads the actions of `kymo watch`: flags in the order of the words, of which some are about the one before.
struct ActionReading {
  /// An action whose own flags are still to come.
  private struct Draft {
    /// The flag that began it.
    var flag: String
    var selector = ""
    var from: Point2D?
    var way = Point2D.zero
    var scale = 1.0
    var duration: Double?
    /// How long it is held before the lift, and before it moves. `nil`: as long as usual.
    var hold: Double?
    var holdFirst: Double?
    var path: FingerPath
    var key: PageKey?
    var gesture: PageGesture?

    /// Takes the selector from a value that ends with another word.
    ///
    /// - Returns: The last word.
    mutating func split(_ value: String) -> String {
      let words = value.split(separator: " ", omittingEmptySubsequences: false)
      selector = words.dropLast().joined(separator: " ")
      return String(words.last ?? "")
    }

    /// The action with all that was said of it.
    var action: PageAction {
      let place = ElementPlace(selector, from: from)
      if let gesture { return .gesture(gesture) }
      if let key { return .press(key) }
      let motion = FingerMotion(
        duration: duration ?? 0, hold: hold ?? 0, holdFirst: holdFirst ?? 0, path: path)
      switch flag {
      case WatchFlags.click.name:
        return .click(place, hold: hold ?? PageAction.pressLength)
      case WatchFlags.tap.name: return .tap(place, hold: hold ?? PageAction.pressLength)
      case WatchFlags.longPress.name:
        return .longPress(place, hold: hold ?? PageAction.longPressLength)
      case WatchFlags.hover.name: return .hover(place)
      case WatchFlags.wait.name: return .wait(duration ?? 0)
      case WatchFlags.wheel.name: return .wheel(place, way: way)
      case WatchFlags.pinch.name:
        return .pinch(PagePinch(place, scale: scale, motion: motion))
      default: return .drag(PageDrag(place, way: way, motion: motion))
      }
    }
  }

  private var drafts: [Draft] = []
  private let invocation: Invocation

  /// The most actions of a call, ours.
  private static let most = 100
  /// The way of a swipe that is given by a word, in px.
  private static let usualWay = 240.0
  /// How long a flick and a drag take, in milliseconds.
  private static let (flick, drag) = (120.0, 420.0)
  /// How fast a finger can be told to be, in milliseconds for the whole way.
  private static let durations = 16.0...30_000

  /// The actions that the words ask for.
  static func actions(_ invocation: Invocation) throws -> [PageAction] {
    var reading = ActionReading(invocation: invocation)
    for (name, value) in invocation.flagsInOrder { try reading.take(name, value) }
    return reading.drafts.map(\.action)
  }

  private init(invocation: Invocation) { self.invocation = invocation }

  private mutating func take(_ name: String, _ value: String) throws {
    var draft = Draft(flag: name, path: .throw)
    switch name {
    case WatchFlags.click.name, WatchFlags.hover.name, WatchFlags.tap.name,
      WatchFlags.longPress.name:
      draft.selector = value
    case WatchFlags.press.name:
      guard let key = PageKey(value) else {
        throw Failure.usage(
          "--\(name): unknown key '\(value)'. Write a letter, a digit or one of "
            + PageKey.names.joined(separator: ", "))
      }
      draft.key = key
    case WatchFlags.wait.name:
      draft.duration = try milliseconds(value, name, in: PageAction.lengths)
    case WatchFlags.pinch.name:
      let word = draft.split(value)
      guard let scale = Double(word), PagePinch.scales.contains(scale), scale != 1 else {
        throw Failure.usage(
          "--\(name) must end with a scale from \(FieldValue.jsonNumber(PagePinch.scales.lowerBound)) to "
            + "\(FieldValue.jsonNumber(PagePinch.scales.upperBound)), above 1 to open (got '\(word)')"
        )
      }
      draft.scale = scale
      (draft.duration, draft.path) = (Self.drag, .drag)
    case WatchFlags.wheel.name:
      let word = draft.split(value)
      guard let way = point(word), way != .zero else {
        throw Failure.usage("--\(name) must end with DX,DY in px such as 0,300 (got '\(word)')")
      }
      draft.way = way
    case WatchFlags.swipe.name, WatchFlags.drag.name:
      draft.way = try way(draft.split(value), name)
      let isDrag = name == WatchFlags.drag.name
      (draft.duration, draft.path) = isDrag ? (Self.drag, .drag) : (Self.flick, .throw)
    case WatchFlags.gesture.name: draft.gesture = try gesture(value)
    default: return try change(name, value)
    }
    if draft.selector.isEmpty, draft.key == nil, draft.gesture == nil, name != WatchFlags.wait.name
    {
      throw Failure.usage("--\(name) needs a selector. Write #ID, .CLASS or [ATTRIBUTE]")
    }
    guard drafts.count < Self.most else {
      throw Failure.usage(
        "more than \(Self.most) actions are given. Split them into several calls")
    }
    drafts.append(draft)
  }

  /// Takes a flag of the action before it. Another flag is none of ours.
  private mutating func change(_ name: String, _ value: String) throws {
    let swipes = [WatchFlags.swipe.name, WatchFlags.drag.name]
    let moves = swipes + [WatchFlags.pinch.name]
    let presses =
      moves + [
        WatchFlags.click.name, WatchFlags.tap.name, WatchFlags.longPress.name,
      ]
    let owners: [String: [String]] = [
      WatchFlags.speed.name: moves, WatchFlags.path.name: moves, WatchFlags.holdFirst.name: moves,
      WatchFlags.hold.name: presses,
      WatchFlags.from.name: presses + [WatchFlags.hover.name, WatchFlags.wheel.name],
      WatchFlags.on.name: [WatchFlags.gesture.name],
      WatchFlags.scale.name: [WatchFlags.gesture.name],
    ]
    guard let flags = owners[name] else { return }
    guard let index = drafts.indices.last, flags.contains(drafts[index].flag) else {
      let names = flags.map { "--\($0)" }.joined(separator: " or ")
      throw Failure.usage("--\(name) belongs to an action before it. Put it after \(names)")
    }
    switch name {
    case WatchFlags.speed.name:
      switch value {
      case "flick": (drafts[index].duration, drafts[index].path) = (Self.flick, .throw)
      case "drag": (drafts[index].duration, drafts[index].path) = (Self.drag, .drag)
      default: drafts[index].duration = try milliseconds(value, name, in: Self.durations)
      }
    case WatchFlags.hold.name:
      drafts[index].hold = try milliseconds(value, name, in: PageAction.lengths)
    case WatchFlags.holdFirst.name:
      drafts[index].holdFirst = try milliseconds(value, name, in: PageAction.lengths)
    case WatchFlags.path.name:
      guard let path = FingerPath(rawValue: value) else {
        throw Failure.unknown(value, of: name, among: FingerPath.allCases.map(\.rawValue))
      }
      drafts[index].path = path
    case WatchFlags.from.name:
      guard let point = point(value) else {
        throw Failure.usage("--\(name) must be a position X,Y in px such as 10,20 (got '\(value)')")
      }
      drafts[index].from = point
    case WatchFlags.on.name: drafts[index].gesture?.place = ElementPlace(value)
    default:
      guard let scale = Double(value), scale > 0, scale <= 100 else {
        throw Failure.usage("--\(name) must be a number above 0, at most 100 (got '\(value)')")
      }
      drafts[index].gesture?.scale = scale
    }
  }

  /// A length of time: a bare number is in milliseconds.
  private func milliseconds(
    _ text: String, _ name: String, in range: ClosedRange<Double>
  ) throws -> Double {
    let length = Double(text) ?? parseTime(text).map { Double($0) / 1e6 }
    guard let length, range.contains(length) else {
      throw Failure.usage(
        "--\(name) must be from \(Int(range.lowerBound)) to \(Int(range.upperBound)) ms, such as 150 or 150ms "
          + "(got '\(text)')")
    }
    return length
  }

  private func point(_ text: String) -> Point2D? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
    guard abs(x) <= 10_000, abs(y) <= 10_000 else { return nil }
    return Point2D(x: x, y: y)
  }

  private func way(_ text: String, _ name: String) throws -> Point2D {
    switch text {
    case "up": return Point2D(x: 0, y: -Self.usualWay)
    case "down": return Point2D(x: 0, y: Self.usualWay)
    case "left": return Point2D(x: -Self.usualWay, y: 0)
    case "right": return Point2D(x: Self.usualWay, y: 0)
    default:
      guard let way = point(text), way != .zero else {
        throw Failure.usage(
          "--\(name) must be up, down, left, right or DX,DY in px such as 0,-240 (got '\(text)')"
        )
      }
      return way
    }
  }

  /// The touches of a gesture file, or of a recording.
  private func gesture(_ name: String) throws -> PageGesture {
    let touches: [TouchSample]
    if SessionArgument.split(name).path.hasSuffix(".kymo") {
      let source = try SessionArgument(invocation.console, name)
      touches = try source.reader.touches(in: source.session.number).rest()
    } else {
      touches = try readGestureFile(name, invocation).touches
    }
    let ordered = touches.enumerated()
      .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    let file = name.split(separator: "/").last.map(String.init) ?? name
    let gesture = PageGesture(name: file, touches: ordered)
    guard !ordered.isEmpty else {
      throw Failure.usage("\(name) has no touches. Name a gesture file or another session")
    }
    guard PageAction.lengths.contains(gesture.length) else {
      throw Failure.usage("\(name): the touches last longer than 60 s. Cut the recording")
    }
    return gesture
  }
}
