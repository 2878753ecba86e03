import MotionMeasures
import TimelineModel

// The English about what a page does beside the motion of its elements: what the browser took, scrolls, other changes.

extension Wording {
  static func fingerTaken(
    _ found: StoryDetail.FingerTaken, _ length: (Double) -> String
  ) -> String {
    let taken = "the browser takes the finger after \(length(abs(found.taken))) (pointercancel)"
    let missing =
      "touch-action: \(found.remedy) is missing on \(ForeignText.shownName(found.selector))"
    guard let before = found.before, let after = found.after else {
      return "\(taken), but nothing scrolls. If it should follow the finger, \(missing)"
    }
    let (way, more) = (length(abs(after)), abs(after) - abs(before))
    let of = "\(way) of the finger's \(length(abs(found.way)))"
    guard abs(before) >= 1 else { return "\(taken); follows touch events for \(of): \(missing)" }
    let then =
      more > 2
      ? "; follows touch events on to \(of)"
      : more < -2 ? "; then it goes back" : "; then it stands still"
    return "follows \(found.axis.rawValue) for \(length(abs(before))), \(taken)\(then): \(missing)"
  }
}
