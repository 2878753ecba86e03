import GestureInput
import JSONText
import TimelineModel
import TransitionEngine

extension LayoutType {
  /// A flow in which one item has the size of a pinch.
  static let pinch = LayoutType(
    name: "pinch", fieldNames: FlowLayoutParameters.fieldNames + ["pinchedItem", "pinchedSize"]
  ) { fields throws(JSONError) in
    let parameters = try FlowLayoutParameters(fields)
    let item = try fields.itemPath("pinchedItem")
    let size = item == nil ? fields["pinchedSize"] : try fields.fields.required("pinchedSize")
    let pinchedSize = try size?.size() ?? .zero
    return { name in
      let layout = PinchFlowLayout(name: name, parameters: parameters)
      layout.pinchedItem = item
      layout.pinchedSize = pinchedSize
      return layout
    }
  }
}
