package import TimelineModel

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
