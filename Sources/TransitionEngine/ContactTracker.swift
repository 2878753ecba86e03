import TimelineModel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures the contacts that are down. Contacts may join and leave: each measure then goes on from
/// the value that it has.
struct ContactTracker {
  private struct Contact {
    var number: Int
    var position: Point2D
    /// The direction from the middle when it was last measured, in radians. `nil` on the middle itself.
    var angle: Double?
  }

  private var contacts: [Contact] = []
  private var began = Point2D.zero
  private var translation = Point2D.zero
  private var scale = 1.0
  private var rotation = 0.0
  private var distance = 0.0
  // The base of the measures since the last finger joined or left.
  private var centroidBase = Point2D.zero
  private var distanceBase = 0.0
  private var scaleBase = 1.0
  private var distanceShift = 0.0

  var count: Int { contacts.count }

  var numbers: [Int] { contacts.map(\.number) }

  func contains(_ number: Int) -> Bool { position(of: number) != nil }

  /// Where a contact that is down was last.
  func position(of number: Int) -> Point2D? { contacts.first { $0.number == number }?.position }

  /// Forgets the measures: a gesture begins with the contacts that are down.
  mutating func begin() {
    began = centroid
    translation = .zero
    scale = 1
    rotation = 0
    distance = spread
    rebase()
    distanceShift = 0
  }

  /// Moves a contact. ``measure()`` takes it in.
  mutating func move(_ number: Int, to position: Point2D) {
    guard position.isFinite, let index = contacts.firstIndex(where: { $0.number == number }) else {
      return
    }
    contacts[index].position = position
  }

  mutating func add(_ number: Int, at position: Point2D) {
    guard position.isFinite, !contains(number) else { return }
    contacts.append(Contact(number: number, position: position))
    rebase()
  }

  mutating func remove(_ number: Int) {
    contacts.removeAll { $0.number == number }
    rebase()
  }

  /// Takes in where the contacts moved to.
  mutating func measure() {
    guard !contacts.isEmpty else { return }
    let middle = centroid
    translation = Point2D(x: middle.x - centroidBase.x, y: middle.y - centroidBase.y)
    distance = spread + distanceShift
    if distanceBase > 0 {
      let measured = scaleBase * spread / distanceBase
      if measured.isFinite { scale = measured }
    } else if spread > 0 {
      // The contacts began on one place: a share can be told from here on.
      distanceBase = spread
      scaleBase = scale
    }
    var turned = 0.0
    for index in contacts.indices {
      guard let angle = angle(of: contacts[index].position, from: middle) else { continue }
      if let before = contacts[index].angle { turned += folded(angle - before) }
      contacts[index].angle = angle
    }
    rotation += turned / Double(contacts.count)
  }

  func value(of source: GestureMapping.Source) -> Double {
    switch source {
    case .translationX: translation.x
    case .translationY: translation.y
    case .centroidX: began.x + translation.x
    case .centroidY: began.y + translation.y
    case .scale: scale
    case .distance: distance
    case .rotation: rotation
    }
  }

  /// Lets every measure go on from its value with the contacts that are down now.
  private mutating func rebase() {
    guard !contacts.isEmpty else { return }
    let middle = centroid
    centroidBase = Point2D(x: middle.x - translation.x, y: middle.y - translation.y)
    distanceShift = distance - spread
    distanceBase = spread
    scaleBase = scale
    for index in contacts.indices {
      contacts[index].angle = angle(of: contacts[index].position, from: middle)
    }
  }

  private var centroid: Point2D {
    guard !contacts.isEmpty else { return .zero }
    let share = 1 / Double(contacts.count)
    return contacts.reduce(into: Point2D.zero) { sum, contact in
      sum.x += contact.position.x * share
      sum.y += contact.position.y * share
    }
  }

  /// How far the contacts are apart: two from each other, more from their middle on average.
  private var spread: Double {
    switch contacts.count {
    case 0, 1:
      return 0
    case 2:
      let (first, second) = (contacts[0].position, contacts[1].position)
      return hypot(second.x - first.x, second.y - first.y)
    default:
      let middle = centroid
      let sum = contacts.reduce(0) {
        $0 + hypot($1.position.x - middle.x, $1.position.y - middle.y)
      }
      return sum / Double(contacts.count)
    }
  }

  private func angle(of position: Point2D, from middle: Point2D) -> Double? {
    let (x, y) = (position.x - middle.x, position.y - middle.y)
    return x == 0 && y == 0 ? nil : atan2(y, x)
  }

  /// A difference of angles as the shorter way round.
  private func folded(_ angle: Double) -> Double {
    if angle > .pi { return angle - 2 * .pi }
    if angle <= -.pi { return angle + 2 * .pi }
    return angle
  }
}
