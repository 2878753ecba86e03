import MotionPhysics
import TimelineModel
import TimelineSession

/// A declared animation: of a style sheet, or of a script that hands it to the browser.
struct DeclaredAnimation: Hashable, Sendable {
  let item: String
  /// `CSSTransition`, `CSSAnimation` or `Animation`.
  let kind: String
  /// What runs: a property, an animation's name. Empty: it has no name.
  let name: String
  let properties: [String]
  /// Seconds.
  let duration: Double
  let delay: Double
  let easing: String
  /// `nil`: it never ends.
  let iterations: Double?
  /// When it was first seen, in seconds of the session.
  let time: Double
  /// When it began. `nil`: not yet.
  let start: Double?
}

extension DeclaredAnimation {
  /// - Returns: nil if the mark names no element or no duration.
  init?(_ mark: StoryFilm.Mark) {
    let fields = mark.fields
    guard let item = fields["item"]?.asText, let duration = fields["duration_ms"]?.asNumber,
      duration.isFinite
    else { return nil }
    self.item = item
    kind = fields["kind"]?.asText ?? ""
    name = fields["name"]?.asText ?? ""
    properties = (fields["properties"]?.asList ?? []).compactMap(\.asText)
    self.duration = duration / 1000
    delay = (fields["delay_ms"]?.asNumber ?? 0) / 1000
    easing = fields["easing"]?.asText ?? "linear"
    iterations = fields["iterations"]?.asNumber ?? (fields["iterations"] == nil ? 1 : nil)
    time = mark.time
    start = fields["start_ns"]?.asNumber.map { $0 / 1e9 }
  }

  /// Properties whose animation moves or sizes an element.
  private static let geometry: Set<String> = [
    "transform", "translate", "left", "top", "right", "bottom", "margin", "marginTop", "marginLeft",
    "inset", "scale", "rotate", "width", "height",
  ]

  /// Whether it moves or sizes its element.
  var movesElement: Bool { !Self.geometry.isDisjoint(with: properties) }

  /// When it ends, in seconds of the session. `nil`: never.
  var end: Double? { iterations.map { (start ?? time) + delay + duration * $0 } }

  /// Whether it ends by itself.
  var isFinite: Bool { iterations != nil }

  /// How fast the eased way begins: its slope at 0, in ways a duration. `nil`: the easing is not one that tells it.
  var startSlope: Double? {
    guard let curve = Easing(named: easing)?.controlPoints else { return nil }
    if curve.x1 > 0 { return curve.y1 / curve.x1 }
    return curve.y1 == 0 && curve.x2 != 0 ? curve.y2 / curve.x2 : 4
  }
}
