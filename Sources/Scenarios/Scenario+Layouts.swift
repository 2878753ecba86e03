import JSONText
import TimelineModel
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
      layouts.append(
        NamedLayout(
          name: name, plan: try readPlan(layout, data: data, scale: scale),
          json: layout.value.sortedJSON))
    }
    return layouts
  }

  private static func readPlan(
    _ reader: JSONReader, data: CollectionData, scale: Double
  ) throws(JSONError) -> LayoutPlan {
    let type = try reader.object().required("type")
    switch try type.string() {
    case "flow": return .flow(try readFlow(reader, data: data, scale: scale))
    case "fixed": return .fixed(try FixedLayoutPlan(reader, data: data))
    case let other:
      throw type.failure("There is no layout type \"\(other)\"; there are flow and fixed.")
    }
  }

  /// What a flow layout and one of its sections have in common.
  private static let sectionFieldNames = [
    "minimumLineSpacing", "minimumInteritemSpacing", "sectionInset", "headerReferenceSize",
    "footerReferenceSize",
  ]

  private static func readFlow(
    _ reader: JSONReader, data: CollectionData, scale: Double
  ) throws(JSONError) -> FlowLayoutParameters {
    let fields = try reader.object(
      allowing: [
        "type", "scrollDirection", "itemSize", "itemSizes", "sections", "lastRow", "rowAlignment",
        "snap",
      ] + sectionFieldNames)
    var flow = FlowLayoutParameters()
    flow.scrollDirection =
      try fields["scrollDirection"]?.choice(FlowLayoutParameters.ScrollDirection.self)
      ?? flow.scrollDirection
    flow.itemSize = try fields["itemSize"]?.size() ?? flow.itemSize
    if let sizes = fields["itemSizes"] { flow.itemSizes = try readSizes(sizes, data: data) }
    let common = try readSection(fields)
    flow.minimumLineSpacing = common.minimumLineSpacing ?? flow.minimumLineSpacing
    flow.minimumInteritemSpacing = common.minimumInteritemSpacing ?? flow.minimumInteritemSpacing
    flow.sectionInset = common.sectionInset ?? flow.sectionInset
    flow.headerReferenceSize = common.headerReferenceSize ?? flow.headerReferenceSize
    flow.footerReferenceSize = common.footerReferenceSize ?? flow.footerReferenceSize
    if let sections = fields["sections"] {
      for element in try counted(sections, data: data) {
        flow.sections.append(try readSection(element.object(allowing: sectionFieldNames)))
      }
    }
    flow.lastRow =
      try fields["lastRow"]?.choice(FlowLayoutParameters.LastRow.self) ?? flow.lastRow
    flow.rowAlignment =
      try fields["rowAlignment"]?.choice(FlowLayoutParameters.RowAlignment.self)
      ?? flow.rowAlignment
    flow.snapsToPixels = try fields["snap"]?.bool() ?? false
    flow.scale = scale
    return flow
  }

  private static func readSection(_ fields: JSONFields) throws(JSONError) -> FlowSectionParameters {
    var section = FlowSectionParameters()
    section.minimumLineSpacing = try fields["minimumLineSpacing"]?.nonNegativeNumber()
    section.minimumInteritemSpacing = try fields["minimumInteritemSpacing"]?.nonNegativeNumber()
    section.sectionInset = try fields["sectionInset"]?.insets()
    section.headerReferenceSize = try fields["headerReferenceSize"]?.size()
    section.footerReferenceSize = try fields["footerReferenceSize"]?.size()
    return section
  }

  private static func readSizes(
    _ reader: JSONReader, data: CollectionData
  ) throws(JSONError) -> [[Size]] {
    var sizes: [[Size]] = []
    for (number, section) in try counted(reader, data: data).enumerated() {
      let items = try section.array()
      guard items.count <= data.itemCounts[number] else {
        throw section.failure(
          "There are \(items.count) sizes for the \(data.itemCounts[number]) items of section "
            + "\(number).")
      }
      var row: [Size] = []
      for item in items { row.append(try item.size()) }
      sizes.append(row)
    }
    return sizes
  }

  /// The elements of an array that has at most one for each section.
  private static func counted(
    _ reader: JSONReader, data: CollectionData
  ) throws(JSONError) -> [JSONReader] {
    let elements = try reader.array()
    guard elements.count <= data.sections.count else {
      throw reader.failure(
        "There are \(elements.count) entries for \(data.sections.count) sections.")
    }
    return elements
  }
}
