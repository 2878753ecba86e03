import GestureInput
import JSONText
import TimelineModel
import TransitionEngine

/// The fields of a flow layout. Every layout that is built on one takes them too.
extension FlowLayoutParameters {
  static let fieldNames =
    [
      "scrollDirection", "itemSize", "itemSizes", "sections", "lastRow", "rowAlignment",
      "subtractsContentInset", "snap",
    ] + FlowSectionParameters.fieldNames

  init(_ fields: LayoutFields) throws(JSONError) {
    self.init()
    scrollDirection = try fields["scrollDirection"]?.choice(ScrollDirection.self) ?? scrollDirection
    itemSize = try fields["itemSize"]?.size() ?? itemSize
    if let reader = fields["itemSizes"] {
      itemSizes = try Self.readSizes(reader, data: fields.data)
    }
    let common = try FlowSectionParameters(fields.fields)
    minimumLineSpacing = common.minimumLineSpacing ?? minimumLineSpacing
    minimumInteritemSpacing = common.minimumInteritemSpacing ?? minimumInteritemSpacing
    sectionInset = common.sectionInset ?? sectionInset
    headerReferenceSize = common.headerReferenceSize ?? headerReferenceSize
    footerReferenceSize = common.footerReferenceSize ?? footerReferenceSize
    if let reader = fields["sections"] {
      for element in try Self.bySection(reader, data: fields.data) {
        sections.append(
          try FlowSectionParameters(element.object(allowing: FlowSectionParameters.fieldNames)))
      }
    }
    lastRow = try fields["lastRow"]?.choice(LastRow.self) ?? lastRow
    rowAlignment = try fields["rowAlignment"]?.choice(RowAlignment.self) ?? rowAlignment
    subtractsContentInset =
      try fields["subtractsContentInset"]?.bool() ?? subtractsContentInset
    snapsToPixels = try fields["snap"]?.bool() ?? snapsToPixels
    scale = fields.scale
  }

  private static func readSizes(
    _ reader: JSONReader, data: CollectionData
  ) throws(JSONError) -> [[Size2D]] {
    var sizes: [[Size2D]] = []
    for (number, section) in try bySection(reader, data: data).enumerated() {
      let items = try section.array()
      guard items.count <= data.itemCounts[number] else {
        throw section.failure(
          "Must have as many sizes as section \(number) has items: "
            + "\(data.itemCounts[number]) (got \(items.count)).")
      }
      var row: [Size2D] = []
      for item in items { row.append(try item.size()) }
      sizes.append(row)
    }
    return sizes
  }

  /// The elements of an array that has at most one for each section.
  private static func bySection(
    _ reader: JSONReader, data: CollectionData
  ) throws(JSONError) -> [JSONReader] {
    let elements = try reader.array()
    guard elements.count <= data.sections.count else {
      throw reader.failure(
        "Must have an entry for each of \(data.sections.count) sections (got \(elements.count)).")
    }
    return elements
  }
}

/// The common parameters of a flow layout and its sections.
extension FlowSectionParameters {
  static let fieldNames = [
    "minimumLineSpacing", "minimumInteritemSpacing", "sectionInset", "headerReferenceSize",
    "footerReferenceSize",
  ]

  init(_ fields: JSONFields) throws(JSONError) {
    self.init()
    minimumLineSpacing = try fields["minimumLineSpacing"]?.nonNegativeNumber()
    minimumInteritemSpacing = try fields["minimumInteritemSpacing"]?.nonNegativeNumber()
    sectionInset = try fields["sectionInset"]?.insets()
    headerReferenceSize = try fields["headerReferenceSize"]?.size()
    footerReferenceSize = try fields["footerReferenceSize"]?.size()
  }
}
