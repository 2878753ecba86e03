extension StoryFilm {
  /// A channel of an element that changes by less than is told of.
  typealias SmallChange = (name: String, channel: ElementTrack.Channel, change: Double)

  /// The changes of elements that are too small to be told of, and more than rounding.
  static func small(_ all: [ElementTrack], isScrolled: Bool) -> [SmallChange] {
    var found: [SmallChange] = []
    for item in all {
      let changes = ElementTrack.Channel.allCases.map { ($0, item.values($0).extent) }
      let isTold = changes.contains { $1 >= $0.range }
      for (channel, change) in changes where change < channel.range && change > channel.rounding {
        // What moves is off by parts of a point in other respects, and so is what rides or is scrolled.
        let isPlace = channel == .x || channel == .y
        let isRiding = item.carrier != nil || isScrolled
        guard channel == .alpha || !isTold, !isPlace || !isRiding else { continue }
        found.append((item.name, channel, change))
      }
    }
    return found
  }
}

extension ElementTrack.Channel {
  /// A range that is no more than rounding.
  var rounding: Double {
    switch self {
    case .x, .y, .width, .height: 0.05
    case .angle: 0.000_5
    case .alpha: 0.000_5
    }
  }
}
