/// The meaning of a field's name in JSON.
final class JSONFieldName {
  /// How well it says each field of a touch. 0 is best.
  private(set) var ranks: [TouchField: Int] = [:]
  let unit: TimeUnit?
  /// The name without signs.
  let plain: String
  /// How well it names a position that has an x and a y of its own.
  let placeRank: Int?
  /// How well it names a list of contacts.
  let listRank: Int?
  /// Whether it holds something else that looks like a position: a speed, the element under the finger.
  let isOther: Bool

  init(_ name: String) {
    let found = TouchName(name)
    (plain, unit) = (found.plain, found.unit)
    for field in TouchField.allCases { ranks[field] = field.rank(of: found) }
    let joined = TouchName.words(of: name).joined()
    if let specific = Self.identifiers.firstIndex(of: joined) {
      ranks[.identifier] = specific - Self.identifiers.count
    }
    placeRank = Self.places.firstIndex(of: joined)
    listRank = Self.lists.firstIndex(of: joined)
    isOther = TouchName.words(of: name).contains(where: Self.others.contains)
  }

  /// Names that say more of a contact than `id`, which may be that of the event.
  private static let identifiers = [
    "pointerid", "touchid", "fingerid", "contactid", "identifier", "pointer", "finger",
  ]
  /// Names of positions, the window's before the screen's.
  private static let places = [
    "position", "pos", "location", "localposition", "point", "coords", "coordinates", "coordinate",
    "center",
    "touchposition", "locationinview", "locationinwindow", "clientposition", "pageposition",
    "globalposition",
    "screenposition", "rawposition", "xy", "offset", "p",
  ]
  /// Lists of contacts: those that changed tell most.
  static let lists = [
    "changedtouches", "touches", "alltouches", "touchpoints", "pointers", "fingers", "contacts",
    "targettouches",
  ]
  private static let others: Set<String> = [
    "previous", "prev", "delta", "velocity", "speed", "acceleration", "translation", "movement",
    "target", "element",
    "rect", "bounds", "size", "viewport", "scroll", "predicted", "scale", "rotation", "tilt",
    "radius", "window",
    "screen", "initial", "origin", "anchor", "layout", "insets", "expected",
  ]
}
