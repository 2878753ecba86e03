import KymographCLibrary
import TimelineModel

extension FilmedPage {
  /// A sheet that a finger throws 220 px up within 110 ms, and that a spring takes to -300; the first px of the way may be a
  /// dead zone.
  static func sheet(
    rate: Double = 60, delay: Double = 0, share: Double = 1, jump: Double = 0, zone: Double = 0,
    keeps: Double = 1, leak: Double = 0,
    target: Double = -300, stiffness: Double = 260, damping: Double = 27, seconds: Double = 0.11,
    isHeard: Bool = true, name: String = "sheet"
  ) -> FilmedPage {
    var page = FilmedPage()
    page.rate = rate
    let (start, way) = (0.2, -220.0)
    page.swipe(from: start, seconds: seconds, by: way, x: leak > 0 ? 60 : 0, isHeard: isHeard)
    let lift = start + seconds + 0.004
    /// What the page knew of the finger in the frame of a number, as a share of the way.
    func known(_ frame: Int) -> Double {
      let told = page.touches.last {
        ($0.heard?.seconds ?? $0.time.seconds + 0.001) <= Double(frame) * page.frame + 1e-9
      }
      return told.map { ($0.position.y - 140) / way } ?? 0
    }
    var shown: [Double] = [0]
    var velocity = 0.0
    let speed = way * 1.6 / seconds * keeps
    for frame in 1..<Int(page.seconds * page.rate) {
      let time = Double(frame) * page.frame
      if time < lift + 0.001 {
        let heard = known(max(0, frame - Int(delay)))
        let wanted = min(0, way * heard + zone) + (heard > 0 ? jump : 0)
        shown.append(shown[frame - 1] + share * (wanted - shown[frame - 1]))
        velocity = speed
      } else {
        var (place, rest) = (shown[frame - 1], page.frame)
        while rest > 0 {
          let step = min(rest, 1e-4)
          velocity += (stiffness * (target - place) - damping * velocity) * step
          place += velocity * step
          rest -= step
        }
        shown.append(place)
      }
    }
    page.keys.append(
      ("progress", { [rate] in shown[min(shown.count - 1, Int(($0 * rate).rounded()))] / way }))
    page.elements.append(
      (
        name,
        { time in
          let frame = min(shown.count - 1, Int((time * page.rate).rounded()))
          let across = time < lift ? leak * 60 * known(frame) : leak * 60
          return (Rect2D(x: 20 + across, y: 480 + shown[frame], width: 350, height: 300), 1)
        }
      ))
    return page
  }
}
