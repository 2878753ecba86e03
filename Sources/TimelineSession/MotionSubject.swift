/// The subject of a requirement, or of `--key`.
///
/// As a text it is the name of a key, `item.ID` with an attribute (`item.card.center.y`, `item.card.frame`),
/// `finger.x` or `finger.y`, `finger.N.x` or `finger.N.y` for one contact, `event.NAME`, or `frames`. A recorded key of
/// that name overrides the other meanings. In requirements, `*` in a key's name or an element's ID matches any text and
/// `?` one letter, unless there is one of that very name.
public enum MotionSubject: Hashable, Sendable {
  /// A key's values, in the key's unit.
  case key(String)
  /// An attribute of the elements of an ID, while they are shown.
  case item(String, ItemAttribute = .frame)
  /// The position of a finger along an axis, in points. Without a contact's number, of the contact that is down longest.
  case finger(FingerAxis, contact: Int? = nil)
  /// Events of a kind, or marks of this text.
  case event(String)
  /// The frames of the display, or the instants at which any key was set where there are none.
  case frames
}

/// A number, a place or a rectangle that an element has in every frame. Lengths are points, in content coordinates.
public enum ItemAttribute: String, CaseIterable, Sendable {
  /// The horizontal place of the center.
  case centerX = "center.x"
  /// The vertical place of the center.
  case centerY = "center.y"
  /// The center, both ways at once.
  case center
  /// The width before the transform.
  case width
  /// The height before the transform.
  case height
  /// The opacity, 0 to 1. No unit.
  case alpha
  /// The bounding box after the transform.
  case frame
}

extension ItemAttribute {
  /// The attributes that are one number.
  package static let numbers = allCases.filter { $0 != .center && $0 != .frame }
}

/// An axis of a contact's position.
public enum FingerAxis: String, CaseIterable, Sendable {
  /// To the right.
  case x
  /// Down.
  case y
}

/// An instant that a requirement counts from.
public enum MotionMoment: Hashable, Sendable {
  /// The start of the transition. Without one, of the session.
  case start
  /// The release: as it was decided, or derived. In a session without one, the lift of the last contact.
  case release
  /// The first event of a kind, or the first mark of this text.
  case event(String)
  /// Seconds since the session's start.
  case seconds(Double)
}

extension MotionSubject {
  /// What the texts of elements, contacts and events begin with.
  private static let prefixes = (item: "item.", finger: "finger.", event: "event.")

  /// What the texts of elements begin with.
  package static let itemPrefix = prefixes.item

  /// Reads a subject.
  ///
  /// - Returns: nil for a text that names nothing: an element without an ID, another axis than x and y.
  package init?(_ text: String) {
    if text == "frames" {
      self = .frames
    } else if text.hasPrefix(Self.prefixes.finger) {
      let parts = text.dropFirst(Self.prefixes.finger.count)
        .split(separator: ".", omittingEmptySubsequences: false)
      guard let last = parts.last, let axis = FingerAxis(rawValue: String(last)), parts.count < 3
      else { return nil }
      let contact = parts.count == 2 ? Int(parts[0]) : nil
      // "finger.00.x" and "finger.+0.x" are no second names of a contact.
      guard parts.count == 1 || contact.map({ "\($0)" == parts[0] && $0 >= 0 }) == true else {
        return nil
      }
      self = .finger(axis, contact: contact)
    } else if text.hasPrefix(Self.prefixes.event) {
      self = .event(String(text.dropFirst(Self.prefixes.event.count)))
    } else if text.hasPrefix(Self.prefixes.item) {
      let rest = text.dropFirst(Self.prefixes.item.count)
      // The longer name first: "center.x" is no ID that ends in "center".
      let attribute = ItemAttribute.allCases.first { rest.hasSuffix(".\($0.rawValue)") }
      let id = attribute.map { rest.dropLast($0.rawValue.count + 1) } ?? rest
      self = .item(String(id), attribute ?? .frame)
    } else {
      self = .key(text)
    }
    guard !name.isEmpty else { return nil }
  }

  /// The name that it is looked up by.
  private var name: String {
    switch self {
    case .key(let name), .item(let name, _), .event(let name): name
    case .finger(let axis, _): axis.rawValue
    case .frames: "frames"
    }
  }

  /// The subject as a file names it.
  package var text: String {
    switch self {
    case .key(let name): name
    case .item(let id, let attribute): "\(Self.prefixes.item)\(id).\(attribute.rawValue)"
    case .finger(let axis, let contact):
      Self.prefixes.finger + (contact.map { "\($0)." } ?? "") + axis.rawValue
    case .event(let name): Self.prefixes.event + name
    case .frames: "frames"
    }
  }

  /// Whether it is one number at a time.
  package var isNumber: Bool {
    switch self {
    case .key, .finger: true
    case .item(_, let attribute): attribute != .center && attribute != .frame
    case .event, .frames: false
    }
  }

  /// The subjects of one number each that it consists of: those of a center are two, those of an element as a whole all
  /// of its attributes. None of events and frames.
  package var numbers: [MotionSubject] {
    switch self {
    case .item(let id, .center): [.item(id, .centerX), .item(id, .centerY)]
    case .item(let id, .frame): ItemAttribute.numbers.map { .item(id, $0) }
    case .event, .frames: []
    default: [self]
    }
  }

  /// Whether a text begins as that of an element or of a finger does.
  package static func isComputed(_ name: String) -> Bool {
    name.hasPrefix(prefixes.item) || name.hasPrefix(prefixes.finger)
  }

  /// Whether it is a number or a place, which can be told to have moved.
  package var isPosition: Bool {
    if case .item(_, .center) = self { return true }
    return isNumber
  }

  /// Whether it is an element, whatever of it.
  package var isItem: Bool {
    if case .item = self { return true }
    return false
  }

  package var isEvent: Bool {
    if case .event = self { return true }
    return false
  }
}

extension MotionMoment {
  /// Reads an instant: `start`, `release` or `event.NAME`. `nil` for another text.
  package init?(_ text: String) {
    switch text {
    case "start": self = .start
    case "release": self = .release
    default:
      guard case .event(let name) = MotionSubject(text) else { return nil }
      self = .event(name)
    }
  }

  /// The instant as a file names it.
  package var text: String {
    switch self {
    case .start: "start"
    case .release: "release"
    case .event(let name): MotionSubject.event(name).text
    case .seconds(let seconds): "\(seconds) s"
    }
  }
}
