import JSONText
import TransitionEngine

extension Scenario {
  /// Reads the layouts in the order of their names.
  static func readLayouts(
    _ reader: JSONReader, data: CollectionData, scale: Double
  ) throws(JSONError) -> [NamedLayout] {
    let fields = try reader.object()
    guard !fields.names.isEmpty else { throw reader.failure("At least one layout is wanted.") }
    var layouts: [NamedLayout] = []
    for name in fields.names {
      let layout = try fields.required(name)
      let type = try LayoutType.named(by: layout)
      let make = try type.read(LayoutFields(layout, of: type, data: data, scale: scale))
      layouts.append(
        NamedLayout(name: name, type: type.name, json: layout.value.sortedJSON, make: make))
    }
    return layouts
  }
}
