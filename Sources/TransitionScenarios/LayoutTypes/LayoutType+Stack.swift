import GestureInput
import JSONText
import TransitionEngine

extension LayoutType {
  /// All items in one pile, with or without a backdrop.
  static let stack = LayoutType(
    name: "stack",
    fieldNames: [
      "itemSize", "center", "angleStep", "itemOffset", "visibleBelowTop", "backdropMargin",
    ]
  ) { fields throws(JSONError) in
    var stack = StackLayoutParameters()
    stack.itemSize = try fields["itemSize"]?.size() ?? stack.itemSize
    stack.center = try fields["center"]?.point()
    stack.angleStep = try fields["angleStep"]?.number() ?? stack.angleStep
    stack.itemOffset = try fields["itemOffset"]?.point() ?? stack.itemOffset
    if let visible = fields["visibleBelowTop"] {
      stack.visibleBelowTop = Int(try visible.integer(in: 0...LayoutFields.itemLimit))
    }
    stack.backdropMargin = try fields["backdropMargin"]?.nonNegativeNumber()
    let parameters = stack
    return { StackLayout(name: $0, parameters: parameters) }
  }
}
