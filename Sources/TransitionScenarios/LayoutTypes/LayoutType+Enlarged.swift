import GestureInput
import JSONText
import TransitionEngine

extension LayoutType {
  /// A flow in which one item is enlarged.
  static let enlarged = LayoutType(
    name: "enlarged", fieldNames: FlowLayoutParameters.fieldNames + ["enlargedItem", "factor"]
  ) { fields throws(JSONError) in
    let parameters = try FlowLayoutParameters(fields)
    var enlarged = EnlargedItemLayout.Enlargement()
    enlarged.item = try fields.itemPath("enlargedItem")
    enlarged.factor = try fields["factor"]?.nonNegativeNumber() ?? enlarged.factor
    let enlargement = enlarged
    return { EnlargedItemLayout(name: $0, parameters: parameters, enlargement: enlargement) }
  }
}
