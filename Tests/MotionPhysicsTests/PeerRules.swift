import MotionPhysics
import TimelineModel

/// The peers' rules told again in their own terms: GNOME over a list of snap points, Compose over a list
/// of anchors in pixels, Flutter over its animation controllers, which run the other way. Slow and plain, to
/// hold the rules of two ends against.
enum PeerRules {
  /// libadwaita and GNOME Shell, no long swipes: the snap point where a swipe that began at the first one ends; the
  /// numbers are those of a touch screen.
  static func gnome(
    progress: Double, pixelsPerMillisecond velocity: Double, points: [Double] = [0, 1],
    least: Double = 0.3, deceleration: Double = 0.998
  ) -> Double {
    func closest(_ place: Double) -> Int {
      var best = 0
      for index in points.indices where abs(points[index] - place) < abs(points[best] - place) {
        best = index
      }
      return best
    }
    func isSame(_ left: Double, _ right: Double) -> Bool { abs(left - right) < .ulpOfOne }
    if abs(velocity) < least { return points[closest(progress)] }
    let slope = deceleration / (1.0 - deceleration) / 1000
    var way = abs(velocity) * slope
    if abs(velocity) > 2 {
      let c = slope / 2 / 0.35
      let x = abs(velocity) - 2 + c
      way = 0.35 * x * x - 0.35 * c * c + slope * 2
    }
    let place = min(max(progress + (velocity < 0 ? -way : way), points[0]), points[1])
    let before = points.lastIndex { isSame($0, place) || $0 < place } ?? 0
    let after = points.firstIndex { isSame($0, place) || $0 > place } ?? points.count - 1
    if (velocity > 0 ? before : after) == 0 { return points[velocity > 0 ? after : before] }
    return points[closest(place)]
  }

  /// Compose with anchors at 0 and `distance`: the anchor that is gone to.
  static func compose(
    offset: Double, velocity: Double, distance: Double, velocityThreshold: Double = 125,
    positionalShare: Double = 0.5
  ) -> Double {
    let anchors = [0, distance]
    func nearest(_ ways: [Double]) -> Double {
      var best = 0
      for index in ways.indices where ways[index] <= ways[best] { best = index }
      return anchors[best]
    }
    func directed(_ upwards: Bool) -> Double {
      nearest(
        anchors.map { anchor in
          let way = upwards ? anchor - offset : offset - anchor
          return way < 0 ? .infinity : way
        })
    }
    if velocity == 0 { return nearest(anchors.map { abs(offset - $0) }) }
    let forwards = velocity > 0
    if abs(velocity) >= velocityThreshold { return directed(forwards) }
    let left = directed(false)
    let right = directed(true)
    let start = forwards ? left : right
    let isFar = abs(start - offset) >= abs(left - right) * positionalShare
    return isFar == forwards ? right : left
  }

  /// Flutter's back swipe: whether the page leaves. The controller is 1 while the page covers all.
  static func cupertinoLeaves(dragged: Double, pageWidthsPerSecond velocity: Double) -> Bool {
    let controller = 1 - dragged
    if abs(velocity) >= 1 { return !(velocity <= 0) }
    return !(controller > 0.5)
  }

  /// Flutter's dismissal to one side: whether it goes.
  static func dismisses(
    extent: Double, velocity: Double, cross: Double, width: Double, threshold: Double = 0.4
  ) -> Bool {
    // Only one direction is allowed: the extent does not become negative.
    let controller = min(max(extent, 0) / width, 1)
    if controller == 1 { return true }
    let isFling =
      extent > 0 && !(abs(velocity) - abs(cross) < 400) && !(abs(velocity) < 700)
    if isFling { return velocity > 0 && threshold < 1 }
    return controller > 0 && controller > threshold
  }
}
