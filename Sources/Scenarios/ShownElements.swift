import TimelineModel

/// The elements of one frame in the order in which they came, changed one by one.
struct ShownElements {
  /// An element of a frame.
  struct Element {
    var identity: ElementIdentity
    var pose: Pose
    var indexPath: IndexPath
  }

  private var elements: [Element?] = []
  private var places: [ElementIdentity: Int] = [:]

  /// Those that are there.
  var all: some Sequence<Element> { elements.lazy.compactMap { $0 } }

  /// Puts an element in, or in the place of how it was before.
  mutating func show(_ element: Element) {
    if let place = places[element.identity] {
      elements[place] = element
    } else {
      places[element.identity] = elements.count
      elements.append(element)
    }
  }

  /// Takes an element out; false where it is not there.
  mutating func remove(_ identity: ElementIdentity) -> Bool {
    guard let place = places.removeValue(forKey: identity) else { return false }
    elements[place] = nil
    // Once most places are empty the rest moves together, so that coming and going costs no memory.
    if elements.count > 64, places.count < elements.count / 2 { close() }
    return true
  }

  private mutating func close() {
    elements.removeAll { $0 == nil }
    for (place, element) in elements.enumerated() {
      if let element { places[element.identity] = place }
    }
  }
}
