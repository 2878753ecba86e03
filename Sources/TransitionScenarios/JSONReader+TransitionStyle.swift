import GestureInput
import JSONText
import MotionPhysics
import TimelineModel
import TransitionEngine

extension JSONReader {
  /// `[top, left, bottom, right]`, in points.
  func insets() throws(JSONError) -> ContentInsets {
    let numbers = try numbers(count: 4)
    return ContentInsets(top: numbers[0], left: numbers[1], bottom: numbers[2], right: numbers[3])
  }

  /// How poses are mixed.
  func transitionStyle() throws(JSONError) -> Scenario.TransitionStyle {
    let type = try object()["type"]?.string() ?? "linear"
    var style = Scenario.TransitionStyle()
    let fields: JSONFields
    switch type {
    case "linear":
      fields = try object(allowing: ["type", "transforms"])
    case "snapshot":
      fields = try object(allowing: ["type", "transforms", "includesArriving"])
      style.kind = .snapshot(
        includesArriving: try fields["includesArriving"]?.bool() ?? false)
    case "follow":
      fields = try object(allowing: ["type", "keys", "transforms"])
      var keys: [FollowTransitionLayout.Key] = []
      for element in try fields.required("keys").array() {
        let name = try element.keyName()
        guard let key = FollowTransitionLayout.Key(name: name) else {
          throw element.failure("The name of a followed key must end in X or Y, its axis.")
        }
        keys.append(key)
      }
      guard !keys.isEmpty else {
        throw failure("Missing key: a transition that follows keys must name one.")
      }
      style.kind = .follow(keys)
    default:
      throw failure(
        "Unknown transition type '\(type)'. "
          + remedy(for: type, among: ["linear", "follow", "snapshot"]))
    }
    style.transforms = try fields["transforms"]?.choice(TransformMixing.self) ?? .decomposed
    return style
  }
}
