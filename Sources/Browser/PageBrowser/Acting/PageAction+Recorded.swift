package import TimelineModel

extension PageAction {
  /// An action as a recording says it was done.
  ///
  /// - Parameters:
  ///   - fields: The fields of an event `action`.
  ///   - touches: The touches of the recording from the action's beginning to its end, for a gesture.
  /// - Returns: nil for what is no action of this program's.
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

extension PageSettings {
  /// The settings that a recording was made with.
  ///
  /// - Parameter fields: The fields of its event `action` of the kind `open`.
  /// - Returns: nil for what is not one.
  package init?(recorded fields: FieldValue) {
    guard case .text("open")? = fields["kind"], let size = fields["viewport"]?.asPoint,
      case .text(let items)? = fields["items"], let ratio = fields["dpr"]?.asNumber,
      let slowdown = fields["slowdown"]?.asNumber,
      let width = Int(exactly: size.x), let height = Int(exactly: size.y),
      Self.sizes.contains(width), Self.sizes.contains(height), Self.ratios.contains(ratio),
      Self.slowdowns.contains(slowdown)
    else { return nil }
    self.init(
      width: width, height: height, hasTouch: fields["pointer"] == .text("touch"),
      pixelRatio: ratio, prefersReducedMotion: fields["reducedMotion"] == .flag(true),
      isDark: fields["dark"] == .flag(true), slowdown: slowdown, items: items)
  }

  /// How long a side of the window may be, in px.
  package static let sizes = 50...10_000
  /// How many dots a px may have.
  package static let ratios = 0.25...8
  /// How many times slower the processor may be made.
  package static let slowdowns = 1.0...50
}

extension FieldValue {
  /// A field of an object; nil for another value.
  package subscript(name: String) -> FieldValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  /// The number, whole or not.
  package var asNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }

  /// Two numbers as a place or a way.
  package var asPoint: Point2D? {
    guard case .list(let values) = self, values.count == 2, let x = values[0].asNumber,
      let y = values[1].asNumber
    else { return nil }
    return Point2D(x: x, y: y)
  }
}
