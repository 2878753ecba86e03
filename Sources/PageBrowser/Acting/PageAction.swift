package import TimelineModel

/// Something that is done to a page.
package enum PageAction: Hashable, Sendable {
  /// A press and release of the mouse.
  case click(ElementPlace)
  /// The mouse comes to an element.
  case hover(ElementPlace)
  /// A key is pressed and released.
  case press(PageKey)
  /// Nothing, for so many milliseconds.
  case wait(Double)
  /// One finger, or the mouse with its button down.
  case drag(PageDrag)
  /// Touches as they were recorded.
  case gesture(PageGesture)
}

/// An element, and where it is touched.
package struct ElementPlace: Hashable, Sendable {
  /// The selector (CSS) of the element.
  package var selector: String
  /// The place from the element's upper left corner in px. `nil`: the middle of its visible part.
  package var from: Point2D?

  package init(_ selector: String, from: Point2D? = nil) {
    (self.selector, self.from) = (selector, from)
  }
}

package struct PageDrag: Hashable, Sendable {
  package var place: ElementPlace
  /// The distance in px; y points down.
  package var way: Point2D
  /// From the landing to the last place, in milliseconds.
  package var duration: Double
  /// How long the finger rests before it lifts, in milliseconds.
  package var hold: Double
  package var path: FingerPath

  package init(
    _ place: ElementPlace, way: Point2D, duration: Double, hold: Double = 0, path: FingerPath
  ) {
    (self.place, self.way, self.duration) = (place, way, duration)
    (self.hold, self.path) = (hold, path)
  }

  /// The time between the last place and the lift, in milliseconds.
  static let liftDelay = 4.0
  /// From the landing to the lift, in milliseconds.
  package var length: Double { duration + hold + Self.liftDelay }
}

package struct PageGesture: Hashable, Sendable {
  /// Its source, for the person.
  package var name: String
  /// The touches. Times count from the first one.
  package var touches: [TouchSample]
  /// Where its first touch lands. `nil`: where it was recorded.
  package var place: ElementPlace?
  /// How much larger its way is.
  package var scale: Double

  package init(
    name: String, touches: [TouchSample], place: ElementPlace? = nil, scale: Double = 1
  ) {
    (self.name, self.touches, self.place, self.scale) = (name, touches, place, scale)
  }

  /// From the first touch to the last, in milliseconds.
  package var length: Double {
    guard let first = touches.first, let last = touches.last else { return 0 }
    return last.time.seconds(since: first.time) * 1000
  }
}

extension PageAction {
  /// The element that it is about. `nil` if there is none.
  package var place: ElementPlace? {
    switch self {
    case .click(let place), .hover(let place): place
    case .drag(let drag): drag.place
    case .gesture(let gesture): gesture.place
    case .press, .wait: nil
    }
  }

  /// The action, for the person.
  package var words: String {
    func milliseconds(_ length: Double) -> String { "\(FieldValue.jsonNumber(length)) ms" }
    switch self {
    case .click(let place): return "click \(place.selector)"
    case .hover(let place): return "hover \(place.selector)"
    case .press(let key): return "press \(key.name)"
    case .wait(let length): return "wait \(milliseconds(length))"
    case .drag(let drag):
      let way = [drag.way.x, drag.way.y].map(FieldValue.jsonNumber).joined(separator: ", ")
      let hold = drag.hold > 0 ? ", then held \(milliseconds(drag.hold))" : ""
      return
        "drag on \(drag.place.selector) by (\(way)) px in \(milliseconds(drag.duration))\(hold)"
    case .gesture(let gesture):
      let place = gesture.place.map { " on \($0.selector)" } ?? ""
      return "gesture \(gesture.name)\(place) in \(milliseconds(gesture.length.rounded()))"
    }
  }

  /// Its name in a recording.
  package var kind: String {
    switch self {
    case .click: "click"
    case .hover: "hover"
    case .press: "press"
    case .wait: "wait"
    case .drag: "drag"
    case .gesture: "gesture"
    }
  }

  /// Its fields in a recording, from which ``init(kind:fields:touches:)`` makes it again.
  var fields: [EventField] {
    var fields = EventField.known(["kind": kind, "target": place?.selector])
    if let from = place?.from { fields.append(EventField("from", FieldValue(from))) }
    switch self {
    case .click, .hover: break
    case .press(let key): fields.append(EventField("key", .text(key.name)))
    case .wait(let length): fields.append(EventField("duration_ms", .number(length)))
    case .drag(let drag):
      fields += EventField.list([
        "way": FieldValue(drag.way), "path": drag.path.rawValue, "duration_ms": drag.duration,
        "hold_ms": drag.hold,
      ])
    case .gesture(let gesture):
      fields += EventField.list([
        "source": gesture.name, "scale": gesture.scale, "duration_ms": gesture.length,
      ])
    }
    return fields
  }
}

extension PageAction {
  /// An action as a recording says it was done.
  ///
  /// - Parameters:
  ///   - fields: The fields of an event `action`.
  ///   - touches: The touches of the recording from the action's beginning to its end, for a gesture.
  /// - Returns: nil for anything but an action of this program's.
  package init?(recorded fields: FieldValue, touches: () throws -> [TouchSample]) rethrows {
    func place() -> ElementPlace? {
      guard case .text(let selector)? = fields["target"] else { return nil }
      return ElementPlace(selector, from: fields["from"]?.asPoint)
    }
    guard case .text(let kind)? = fields["kind"] else { return nil }
    switch kind {
    case "click":
      guard let place = place() else { return nil }
      self = .click(place)
    case "hover":
      guard let place = place() else { return nil }
      self = .hover(place)
    case "press":
      guard case .text(let name)? = fields["key"], let key = PageKey(name) else { return nil }
      self = .press(key)
    case "wait":
      guard let length = fields["duration_ms"]?.asNumber, Self.lengths.contains(length) else {
        return nil
      }
      self = .wait(length)
    case "drag":
      guard let place = place(), let way = fields["way"]?.asPoint,
        let duration = fields["duration_ms"]?.asNumber, Self.lengths.contains(duration),
        let hold = fields["hold_ms"]?.asNumber, Self.lengths.contains(hold),
        case .text(let name)? = fields["path"], let path = FingerPath(rawValue: name)
      else { return nil }
      self = .drag(PageDrag(place, way: way, duration: duration, hold: hold, path: path))
    case "gesture":
      guard case .text(let name)? = fields["source"] else { return nil }
      // The touches that were recorded have their scale and place.
      self = .gesture(PageGesture(name: name, touches: try touches()))
    default: return nil
    }
  }

  /// How long a part of an action may be, in milliseconds.
  package static let lengths = 0.0...60_000
}
