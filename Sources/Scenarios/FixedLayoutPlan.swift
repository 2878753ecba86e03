import JSONText
public import TimelineModel
public import TransitionEngine

/// A layout whose every pose is stated in the scenario.
public struct FixedLayoutPlan: Sendable {
  /// Extent of the content, in points.
  public var contentSize: Size
  /// Poses by section and item.
  public var items: [[Pose]]
  /// Headers, footers and other views of sections.
  public var supplementary: [FixedLayout.Element]
  /// Ornaments of the layout.
  public var decoration: [FixedLayout.Element]

  init(_ reader: JSONReader, data: CollectionData) throws(JSONError) {
    let fields = try reader.object(allowing: [
      "type", "contentSize", "items", "supplementary", "decoration",
    ])
    items = []
    if let list = fields["items"] { items = try Self.readItems(list, data: data) }
    supplementary = try Self.readElements(fields["supplementary"], data: data)
    decoration = try Self.readElements(fields["decoration"], data: nil)
    if let size = try fields["contentSize"]?.size() {
      contentSize = size
    } else {
      contentSize = .zero
      for pose in items.joined() + (supplementary + decoration).map(\.pose) {
        contentSize.width = max(contentSize.width, pose.frame.maxX)
        contentSize.height = max(contentSize.height, pose.frame.maxY)
      }
    }
  }

  private static func readItems(
    _ reader: JSONReader, data: CollectionData
  ) throws(JSONError) -> [[Pose]] {
    let sections = try reader.array()
    var items: [[Pose]] = []
    for (number, section) in sections.enumerated() {
      let poses = try section.array()
      let count = number < data.sections.count ? data.itemCounts[number] : 0
      guard poses.count <= count else {
        throw section.failure(
          "There are \(poses.count) poses for the \(count) items of section \(number).")
      }
      var row: [Pose] = []
      for pose in poses {
        row.append(try PoseReader.read(pose, fields: pose.object(allowing: PoseReader.fieldNames)))
      }
      items.append(row)
    }
    return items
  }

  private static func readElements(
    _ reader: JSONReader?, data: CollectionData?
  ) throws(JSONError) -> [FixedLayout.Element] {
    var elements: [FixedLayout.Element] = []
    var paths = Set<ElementPath>()
    for element in try reader?.array() ?? [] {
      let fields = try element.object(allowing: ["kind", "indexPath"] + PoseReader.fieldNames)
      let path = try fields.required("indexPath")
      let indexPath = try path.indexPath()
      if let data, indexPath.section >= data.sections.count {
        throw path.failure("There is no section \(indexPath.section).")
      }
      let kind = try fields.required("kind").string()
      let elementPath = ElementPath(
        category: .supplementary, elementKind: kind, indexPath: indexPath)
      guard paths.insert(elementPath).inserted else {
        throw element.failure("The \(kind) at this index path is stated twice.")
      }
      elements.append(
        FixedLayout.Element(
          kind: kind, indexPath: indexPath, pose: try PoseReader.read(element, fields: fields)))
    }
    return elements
  }
}
