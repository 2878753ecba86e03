import TimelineModel

/// The longest length that a layout or a view takes, in points. A million kilometres at any density:
/// sums of 2^60 of them still fit a double, so that no content size overflows. Our own choice.
let longestLength = 1e12

/// The longest that a settle may take, in seconds. A spring without friction would never end. The same bound
/// as that of the walk that looks for a settling time.
let longestSettleSeconds = 102.4

extension Double {
  /// A length that sums cannot overflow: not a number becomes 0, so does a negative zero, and too large
  /// is cut off.
  var asLength: Double {
    isNaN ? 0 : Swift.min(Swift.max(self, -longestLength), longestLength) + 0
  }

  /// A length that is not negative either.
  var asExtent: Double { Swift.max(0, asLength) }

  /// A duration in seconds that an animation can have: 0 for anything but a positive number, and cut off where a
  /// settle is.
  var asAnimationSeconds: Double { self > 0 ? Swift.min(self, longestSettleSeconds) : 0 }
}

extension Size2D {
  var asExtents: Size2D { Size2D(width: width.asExtent, height: height.asExtent) }
}

extension Point2D {
  var asLengths: Point2D { Point2D(x: x.asLength, y: y.asLength) }
}

extension ContentInsets {
  var asLengths: ContentInsets {
    ContentInsets(
      top: top.asLength, left: left.asLength, bottom: bottom.asLength, right: right.asLength)
  }
}

extension Int {
  /// A number rounded down and cut to a range, whatever it is, not a number becomes the lower end.
  init(_ number: Double, in range: ClosedRange<Int>) {
    let rounded = number.rounded(.down)
    if rounded >= Double(range.upperBound) {
      self = range.upperBound
    } else if rounded > Double(range.lowerBound) {
      self = Int(rounded)
    } else {
      self = range.lowerBound
    }
  }
}
