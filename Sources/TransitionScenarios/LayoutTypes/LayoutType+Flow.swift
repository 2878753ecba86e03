import JSONText
import TransitionEngine

extension LayoutType {
  /// Rows of items, one after the other.
  static let flow = LayoutType(name: "flow", fieldNames: FlowLayoutParameters.fieldNames) {
    fields throws(JSONError) in
    let parameters = try FlowLayoutParameters(fields)
    return { FlowLayout(name: $0, parameters: parameters) }
  }
}
