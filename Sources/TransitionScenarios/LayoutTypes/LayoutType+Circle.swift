import GestureInput
import JSONText
import TransitionEngine

extension LayoutType {
  /// All items on one circle round the middle of the viewport.
  static let circle = LayoutType(name: "circle", fieldNames: ["itemSize", "radius"]) {
    fields throws(JSONError) in
    var circle = CircleLayoutParameters()
    circle.itemSize = try fields["itemSize"]?.size() ?? circle.itemSize
    circle.radius = try fields["radius"]?.nonNegativeNumber()
    let parameters = circle
    return { CircleLayout(name: $0, parameters: parameters) }
  }
}
