import JSONText
import TransitionEngine

extension LayoutType {
  /// A flow whose new items fly in.
  static let flyIn = LayoutType(
    name: "flyIn", fieldNames: FlowLayoutParameters.fieldNames + ["tracksUpdates"]
  ) { fields throws(JSONError) in
    let parameters = try FlowLayoutParameters(fields)
    let tracksUpdates = try fields["tracksUpdates"]?.bool() ?? true
    return {
      FlyInFlowLayout(name: $0, parameters: parameters, tracksUpdates: tracksUpdates)
    }
  }
}
