import MotionMeasures
import TimelineModel
import TimelineSession

extension Wording {
  /// What two fingers made of an element's size.
  static func scaling(_ found: StoryDetail.Scaling) -> String {
    func times(_ scale: Double) -> String { NumberText.fixed(scale, 2) }
    let rest = found.to.width / max(found.from.width, 1e-9)
    let isBack = abs(rest - 1) < 0.01
    return "scales \(times(found.atLift)) times with the fingers (\(times(found.fingers))), "
      + (isBack
        ? "goes back to \(text(found.to))"
        : "rests at \(times(rest)) times: \(text(found.from)) to \(text(found.to))")
  }

  /// Where something ended, and what was decided.
  static func outcome(_ found: StoryDetail.Outcome, unit: String) -> String {
    func length(_ number: Double) -> String { "\(NumberText.whole(number)) \(unit)" }
    var place = "(\(signed(found.x)), \(signed(found.y))) \(unit)"
    if abs(found.x) < 1 {
      place = length(found.y)
    } else if abs(found.y) < 1 {
      place = length(found.x)
    }
    if found.isScroll { place = "scroll \(place)" }
    var text =
      switch found.end {
      case .rests: "rests at \(place)"
      case .back: "goes back to where it was"
      case .moves(true): "still moves at the end, at \(place)"
      case .moves(false): "is at \(place) when the next action comes"
      }
    if let wait = found.wait { text += " \(milliseconds(wait)) after the lift" }
    if let drawn = found.drawn {
      text = "a corner is drawn, \(Wording.text(drawn.from)) to \(Wording.text(drawn.to)); " + text
    }
    if let items = found.items {
      let steps = abs(items.steps)
      let number = items.number.map { "item \($0) of \(items.count)" }
      text += ", \(steps) of \(items.count) items \(items.steps > 0 ? "on" : "back")"
      text += number.map { " (\($0))" } ?? ""
    }
    if let isWith = found.isWithFinger {
      text += isWith ? ", in the finger's direction" : ", against the finger's direction"
    }
    guard let release = found.release else { return text }
    text += "; let go after \(length(release.way))"
    if release.isStopped { return text + ", at rest" }
    return text + (release.speed.map { " at \(length($0))/s" } ?? "")
  }
}
