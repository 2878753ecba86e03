import TimelineModel

extension Wording {
  /// What comes back for a moment when it had faded out.
  static func flashBehindFade(_ shown: Double) -> String {
    "flashes: back for \(milliseconds(shown)) when it had faded out"
  }

  /// How something goes with a finger otherwise than at a distance.
  static func driven(_ driven: StoryDetail.Driven, _ unit: String) -> String {
    func length(_ number: Double) -> String { "\(NumberText.whole(number)) \(unit)" }
    switch driven {
    case .resists(let resisting):
      return "resists at the edge: \(NumberText.fixed(resisting.share.value, 2)) of the finger, "
        + "back after the lift"
        + (resisting.own.map { "; " + behind("finger", resisting.lag, $0) } ?? "")
    case .steps(let steps):
      return "moves in steps: stands still for up to \(steps.longest) frames "
        + "(\(milliseconds(steps.seconds))) under a moving finger, "
        + "in \(steps.still) of \(steps.of) frames"
    case .wraps(let way, let count):
      let rows = count.map { " (\($0) \($0 == 1 ? "item" : "items"))" } ?? ""
      return "wraps by \(length(abs(way)))\(rows): the picture stays the same"
    case .goesBack(let way, let whole, let speed):
      return "goes back to where it was: \(length(way)) of \(length(whole)), "
        + "let go at \(length(speed))/s"
    case .drops(let way): return "goes \(length(abs(way))) at once after the lift, and rests there"
    case .stepsAside(let way, let animation):
      let by = animation.map { ": \(words($0))" } ?? ""
      return "goes \(length(way)) during the drag, not with the finger\(by)"
    }
  }

  static func followsScroll(_ found: StoryDetail.ScrollFollowing) -> String {
    "follows the scroll of \(name(found.scroller)), \(NumberText.fixed(found.lag.value, 1)) frames "
      + "(\(ends(found.lag) { NumberText.fixed($0, 1) })), "
      + "\(milliseconds(found.lag.value * found.frame)) behind it; "
      + "goes \(NumberText.fixed(found.gain, 2)) times as far"
      + (found.share.map { " (lerp \(NumberText.fixed($0, 2)))" } ?? "")
  }
}
