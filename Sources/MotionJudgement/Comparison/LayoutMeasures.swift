import TimelineModel

/// How far an element's two places are apart at an instant.
package struct LayoutErrors {
  /// Between the centers, in points.
  var distance: Separation
  /// Of width and height, in points.
  var size: Separation
  /// Of alpha, no unit.
  var alpha: Separation

  /// The names of the three, as limits call them.
  package static let names = ["frame.center", "frame.size", "alpha"]

  /// The number of a name's place.
  subscript(position: Int) -> Separation {
    switch position {
    case 0: distance
    case 1: size
    default: alpha
    }
  }
}

/// What a tolerance file asks of elements, measured while the frames are walked through.
struct LayoutMeasures {
  /// One value of one element that a limit is about.
  private struct Entry {
    var quantity: Int
    var name: String
    var number: Tolerances.RuleReference
    var level: Tolerances.Level
    var measure: LadderMeasure
  }

  private let tolerances: Tolerances?
  private var entries: [[Entry]] = []
  /// Elements of which a limit says that nothing is judged.
  private var isOff: [Bool] = []
  private var indicesByIdentity: [ElementIdentity: Int] = [:]

  init(_ tolerances: Tolerances?) { self.tolerances = tolerances }

  /// Looks up the limits of elements. Each counts from nothing.
  mutating func prepare(_ identities: [ElementIdentity]) {
    entries = []
    isOff = []
    indicesByIdentity = [:]
    for (position, identity) in identities.enumerated() {
      indicesByIdentity[identity] = position
      var found: [Entry] = []
      var offCount = 0
      for (quantity, name) in LayoutErrors.names.enumerated() {
        let full = "item.\(identity.id).\(name)"
        guard let match = tolerances?.ladder(for: full, item: identity.id) else { continue }
        if match.rule.level == .off {
          offCount += 1
        } else {
          found.append(
            Entry(
              quantity: quantity, name: full, number: match.number, level: match.rule.level,
              measure: LadderMeasure(match.ladder)))
        }
      }
      entries.append(found)
      isOff.append(offCount == LayoutErrors.names.count)
    }
  }

  /// Adds a stretch of an element, or its first instant.
  @inline(__always)
  mutating func add(
    _ position: Int, from: (time: Instant, errors: LayoutErrors)?,
    to: (time: Instant, errors: LayoutErrors)
  ) {
    guard !entries[position].isEmpty else { return }
    let start = from ?? to
    for index in entries[position].indices {
      let quantity = entries[position][index].quantity
      entries[position][index].measure.add(
        from: start.time.seconds, start.errors[quantity], to: to.time.seconds,
        to.errors[quantity])
    }
  }

  /// What the limits say of an element. `nil` where none is about it, empty where it is left alone.
  func verdicts(of identity: ElementIdentity) -> [Verdict]? {
    guard let position = indicesByIdentity[identity] else { return nil }
    if entries[position].isEmpty { return isOff[position] ? [] : nil }
    return entries[position].flatMap {
      $0.measure.verdicts(of: $0.name, rule: $0.number, level: $0.level)
    }
  }
}
