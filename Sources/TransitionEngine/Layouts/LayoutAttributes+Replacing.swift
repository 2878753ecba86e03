import TimelineModel

extension [LayoutAttributes] {
  /// The elements of a rectangle after one of them was changed: it stays in its place as long as it meets
  /// the rectangle, and comes last when it meets it only now.
  func replacing(_ changed: LayoutAttributes, in rect: Rect) -> [LayoutAttributes] {
    var elements = self
    let place = elements.firstIndex { $0.path == changed.path }
    switch (place, changed.frame.intersects(rect)) {
    case (let place?, true): elements[place] = changed
    case (let place?, false): elements.remove(at: place)
    case (nil, true): elements.append(changed)
    case (nil, false): break
    }
    return elements
  }
}
