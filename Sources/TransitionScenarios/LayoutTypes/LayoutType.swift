import GestureInput
import JSONText
import TimelineModel
import TransitionEngine

/// One type of layout that scenario files can name: its fields, and how a layout is made from them.
///
/// A new type is a file in this folder with a `static let`, and one more entry in ``all``.
struct LayoutType: Sendable {
  /// Makes a layout under a name, a new one each time.
  typealias Maker = @Sendable (_ name: String) -> any CollectionViewLayout

  /// The text of the field `type`.
  let name: String
  let fieldNames: [String]
  let read: @Sendable (LayoutFields) throws(JSONError) -> Maker

  /// Every type, in the order in which messages name them.
  static let all: [LayoutType] = [
    .flow, .fixed, .line, .circle, .stack, .enlarged, .flyIn, .pinch,
  ]

  /// The type that an object names.
  ///
  /// - Throws: An error at the field `type`, with the nearest known name.
  static func named(by reader: JSONReader) throws(JSONError) -> LayoutType {
    let field = try reader.object().required("type")
    let name = try field.string()
    if let type = all.first(where: { $0.name == name }) { return type }
    let names = all.map(\.name)
    throw field.failure("Unknown layout type '\(name)'. \(remedy(for: name, among: names))")
  }
}

/// The fields of one layout in a scenario file, and what of the scenario they are checked against.
struct LayoutFields {
  /// The fields, of which each is one that the type knows.
  let fields: JSONFields
  /// The sections and items at the start.
  let data: CollectionData
  /// Most items that a scenario may have in all its sections. A guard against a mistyped number, ours.
  /// The layouts themselves have no limit.
  static let itemLimit: Int64 = 1_000_000
  /// Pixels per point.
  let scale: Double

  init(
    _ reader: JSONReader, of type: LayoutType, data: CollectionData, scale: Double
  ) throws(JSONError) {
    fields = try reader.object(allowing: ["type"] + type.fieldNames)
    self.data = data
    self.scale = scale
  }

  /// A field, or nil when it is left out.
  subscript(name: String) -> JSONReader? { fields[name] }

  /// The path of an item that is there at the start. `nil` when the field is left out.
  func itemPath(_ name: String) throws(JSONError) -> ItemIndexPath? {
    guard let reader = fields[name] else { return nil }
    return try data.itemPath(reader)
  }
}

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

extension LayoutType {
  /// Rows of items, one after the other.
  static let flow = LayoutType(name: "flow", fieldNames: FlowLayoutParameters.fieldNames) {
    fields throws(JSONError) in
    let parameters = try FlowLayoutParameters(fields)
    return { FlowLayout(name: $0, parameters: parameters) }
  }
}

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
