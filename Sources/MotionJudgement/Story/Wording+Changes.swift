import MotionMeasures
import MotionPhysics
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

  /// How something scrolls without a finger.
  static func scrollsAlone(
    _ found: StoryDetail.Scrolling, _ length: (Double) -> String
  ) -> String {
    let along = found.axis == .x ? (found.way < 0 ? " left" : " right") : found.way < 0 ? " up" : ""
    let time =
      found.duration > 0
      ? " in \(milliseconds(found.duration))\(scrollCurve(found.curve))" : " at once"
    let end =
      found.rests
      ? "rests at \(length(found.end)), \(milliseconds(found.wait)) after \(instant(found.after))"
      : "still scrolls at the end of the recording"
    return "scrolls by \(length(abs(found.way)))\(along)\(time); \(end)"
  }

  private static func scrollCurve(_ curve: StoryDetail.Settling.Curve) -> String {
    switch curve {
    case .none, .spring: ""
    case .eased(let eased):
      eased.power < 1
        ? ", ever faster" : ", eases out (power \(NumberText.fixed(eased.power, 1)))"
    case .constant: ", at constant speed"
    }
  }

  /// A change of an element beside its geometry.
  static func changes(_ found: StoryDetail.LookChange) -> String {
    if found.what.contains("canvas") { return "a canvas is redrawn; its content cannot be read" }
    if found.what == ["removed"] { return "is removed" }
    if found.what == ["focus"] { return "gets the focus" }
    let names = found.what.filter { $0 != "removed" }.map(property)
    let more = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
    let what = names.prefix(mostNames).joined(separator: ", ") + more
    let verb = names.count > 1 ? "change" : "changes"
    switch found.end {
    case .declared(let animation): return "\(what) \(verb): \(words(animation))"
    case .atOnce: return "\(what) \(verb) at once"
    case .frames(let count, let last):
      return
        "\(what) \(verb) \(count) times until \(milliseconds(last)) after \(instant(found.after))"
    }
  }

  private static let mostNames = 3

  /// A property of a style as style sheets write it.
  private static func property(_ name: String) -> String {
    let plain = name.reduce(into: "") { text, letter in
      text +=
        letter.isUppercase && !name.hasPrefix("svg ") ? "-\(letter.lowercased())" : "\(letter)"
    }
    let pseudo = plain.hasPrefix("::") ? "its ::" : ""
    return pseudo + ForeignText.shownName(String(plain.drop { $0 == ":" }))
  }
}

// MARK: - Pictures

extension Wording {
  /// Why elements are lost in pictures, as the tracker says it.
  private static let losses = [
    "not found", "covered", "left the picture", "faded", "several places look alike",
  ]

  static func pictures(_ found: StoryDetail.Pictures) -> String {
    var parts = ["\(found.count) pictures"]
    if found.repeated > 0 { parts.append("\(found.repeated) repeated") }
    if found.held > 0 { parts.append("\(found.held) held") }
    if found.gaps > 0 {
      parts.append(
        "\(found.gaps) \(found.gaps == 1 ? "gap" : "gaps") in motion, "
          + "\(found.gaps == 1 ? "" : "the longest ")\(milliseconds(found.longestGap))")
    }
    return parts.joined(separator: ", ")
  }

  /// That an element was not found in some pictures.
  static func lost(from start: Double, to end: Double?, _ reason: String?) -> String {
    "lost from \(NumberText.fixed(start, 3)) s to \(end.map { "\(NumberText.fixed($0, 3)) s" } ?? "the end")"
      + (reason.map { ": \(losses.contains($0) ? $0 : name($0))" } ?? "")
  }
}
