import TimelineModel

extension FilmedPage {
  /// A page of one element that a simulated drag moves.
  init(_ drag: SimulatedDrag, name: String) {
    rate = drag.rate
    // So many frames come before the landing.
    let still = 12
    let landing = Double(still + 1) / rate - drag.phase
    let shown = drag.driven.values + drag.settle.values
    seconds = Double(still + shown.count + 12) / rate
    func touch(_ time: Double, _ phase: TouchPhase, _ way: Double) {
      var touch = TouchSample(
        time: Instant(seconds: landing + time) ?? .zero, contact: 0, phase: phase,
        position: Point2D(x: 100, y: 500 + way))
      touch.heard = Instant(seconds: landing + time + drag.delivery)
      touches.append(touch)
    }
    for (place, way) in drag.places.values.enumerated() {
      touch(drag.places.times[place], place == 0 ? .began : .moved, way)
    }
    touch(drag.lift, .ended, drag.places.values.last ?? 0)
    add(name, at: Rect2D(x: 20, y: 480, width: 350, height: 300)) { [rate] time in
      let frame = Int((time * rate).rounded()) - still
      return shown[min(max(0, frame), shown.count - 1)]
    }
  }
}
