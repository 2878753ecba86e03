import GestureInput
import JSONText
import TransitionEngine

extension LayoutType {
  /// All items in one line, zoomed near the middle of the viewport.
  static let line = LayoutType(
    name: "line",
    fieldNames: [
      "scrollDirection", "itemSize", "spacing", "inset", "zoomFactor", "activeDistance",
    ]
  ) { fields throws(JSONError) in
    var line = LineLayoutParameters()
    line.scrollDirection =
      try fields["scrollDirection"]?.choice(FlowLayoutParameters.ScrollDirection.self)
      ?? line.scrollDirection
    line.itemSize = try fields["itemSize"]?.size() ?? line.itemSize
    line.spacing = try fields["spacing"]?.nonNegativeNumber() ?? line.spacing
    line.inset = try fields["inset"]?.insets() ?? line.inset
    if let zoomFactor = fields["zoomFactor"] {
      line.zoomFactor = try zoomFactor.number()
      guard line.zoomFactor >= -1 else {
        throw zoomFactor.failure(
          "Must be a zoom factor of −1 or more, where −1 makes an item vanish.")
      }
    }
    line.activeDistance = try fields["activeDistance"]?.nonNegativeNumber() ?? line.activeDistance
    let parameters = line
    return { LineLayout(name: $0, parameters: parameters) }
  }
}
