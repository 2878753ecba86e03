import PictureTracking

/// A clip whose pictures are computed: an element with a smooth pattern over a page with another one.
struct DrawnClip {
  var width = 160
  var height = 240
  /// The element's size in its first picture.
  var size = (width: 64.0, height: 40.0)
  /// Where the element's center is in each picture, and how it looks there.
  var states: [State]
  /// What stands before the element in a picture: left, top, right and lower edge.
  var cover: (Int) -> (left: Double, top: Double, right: Double, bottom: Double)? = { _ in nil }
  /// Other elements with the same pattern, by picture.
  var others: (Int) -> [State] = { _ in [] }
  /// Whether the page shows nothing in a picture.
  var isPageEmpty = false
  /// Whether the element has one colour.
  var isFlat = false

  struct State {
    var x: Double
    var y: Double
    var scale = 1.0
    var turn = 0.0
    var opacity = 1.0
    var isThere = true
  }

  var rectangle: TrackRectangle {
    let first = states[0]
    return TrackRectangle(
      x: first.x - size.width / 2, y: first.y - size.height / 2, width: size.width,
      height: size.height)
  }

  /// The pattern at a place of the element, from its center. It has no detail finer than eight pixels.
  private func element(_ u: Double, _ v: Double) -> Double {
    if isFlat { return 120 }
    return 120 + 50 * wave(u / 9 + 0.4) * wave(v / 11) + 30 * wave(u / 17 - v / 13)
      + 20 * wave(v / 23 + u / 31)
  }

  private func page(_ x: Double, _ y: Double) -> Double {
    isPageEmpty ? 60 : 60 + 20 * wave(x / 19) * wave(y / 14 + 1) + 10 * wave((x + 2 * y) / 37)
  }

  /// A sine of a period of 2π, by a polynomial that is the same on each machine.
  private func wave(_ angle: Double) -> Double {
    let turns = angle / (2 * .pi)
    let part = 2 * (turns - turns.rounded(.down)) - 1
    return -4 * part * (1 - abs(part)) * (0.775 + 0.225 * 4 * abs(part) * (1 - abs(part)))
  }

  private func draw(_ state: State, over value: Double, _ x: Double, _ y: Double) -> Double {
    let (cosine, sine) = DrawnClip.turned(state.turn)
    let (dx, dy) = (x - state.x, y - state.y)
    let u = (cosine * dx + sine * dy) / state.scale
    let v = (-sine * dx + cosine * dy) / state.scale
    // The edge goes over one pixel, as a renderer's does.
    func share(_ place: Double, _ half: Double) -> Double {
      min(1, max(0, (half - abs(place)) * state.scale + 0.5))
    }
    let covered = share(u, size.width / 2) * share(v, size.height / 2) * state.opacity
    return covered > 0 ? value + covered * (element(u, v) - value) : value
  }

  /// The cosine and the sine of a small angle, by their series.
  private static func turned(_ angle: Double) -> (Double, Double) {
    let square = angle * angle
    return (
      1 - square / 2 + square * square / 24, angle * (1 - square / 6 + square * square / 120)
    )
  }

  func picture(_ index: Int) -> GreyPicture {
    var values: [UInt8] = []
    values.reserveCapacity(width * height)
    let state = states[index]
    let front = cover(index)
    let others = others(index)
    for row in 0..<height {
      for column in 0..<width {
        let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
        var value = page(x, y)
        for other in others { value = draw(other, over: value, x, y) }
        if state.isThere { value = draw(state, over: value, x, y) }
        if let front, x > front.left, x < front.right, y > front.top, y < front.bottom {
          value = 30 + 60 * wave(x / 8) * wave(y / 8)
        }
        values.append(UInt8(min(255, max(0, value.rounded()))))
      }
    }
    return GreyPicture(width: width, height: height, values: values)
  }

  /// Tracks the element from a picture on, and back from it.
  func track(
    from reference: Int = 0, rectangle: TrackRectangle? = nil, everySecondFrom thinned: Int = .max
  ) throws -> TrackResult {
    func time(_ index: Int) -> Double { Double(index) / 60 }
    let tracker = try ElementTracker(
      picture(reference), index: reference, time: time(reference), rectangle ?? self.rectangle)
    for index in (reference + 1)..<max(reference + 1, states.count) {
      tracker.follow(picture(index), index: index, time: time(index))
      if index == thinned { tracker.keepEvery(2) }
    }
    for index in stride(from: reference - 1, through: 0, by: -1) {
      tracker.follow(picture(index), index: index, time: time(index))
    }
    return tracker.finish()
  }
}
