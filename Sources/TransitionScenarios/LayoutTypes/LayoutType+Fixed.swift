import GestureInput
import JSONText
import TimelineModel
import TransitionEngine

extension LayoutType {
  /// Every pose stated outright.
  static let fixed = LayoutType(
    name: "fixed", fieldNames: ["contentSize", "items", "supplementary", "decoration"]
  ) { fields throws(JSONError) in
    let plan = try FixedLayoutPlan(fields)
    return { name in
      FixedLayout(
        name: name, contentSize: plan.contentSize, items: plan.items,
        supplementary: plan.supplementary, decoration: plan.decoration)
    }
  }
}

/// The parameters of a fixed layout.
private struct FixedLayoutPlan: Sendable {
  /// Extent of the content, in points.
  let contentSize: Size2D
  let items: [[Pose]]
  /// Headers, footers and other views of sections.
  let supplementary: [FixedLayout.Element]
  let decoration: [FixedLayout.Element]

  init(_ fields: LayoutFields) throws(JSONError) {
    items =
      try fields["items"].map { reader throws(JSONError) in
        try Self.readItems(reader, data: fields.data)
      } ?? []
    supplementary = try Self.readElements(fields["supplementary"], data: fields.data)
    decoration = try Self.readElements(fields["decoration"], data: nil)
    if let size = try fields["contentSize"]?.size() {
      contentSize = size
    } else {
      var size = Size2D.zero
      for pose in items.joined() + (supplementary + decoration).map(\.pose) {
        size.width = max(size.width, pose.frame.maxX)
        size.height = max(size.height, pose.frame.maxY)
      }
      contentSize = size
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
          "Must have as many poses as section \(number) has items: \(count) (got \(poses.count)).")
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
        throw path.failure("Unknown section \(indexPath.section).")
      }
      let kind = try fields.required("kind").string()
      let elementPath = ElementPath(
        category: .supplementary, elementKind: kind, indexPath: indexPath)
      guard paths.insert(elementPath).inserted else {
        throw element.failure("The \(kind) at this index path appears twice.")
      }
      elements.append(
        FixedLayout.Element(
          kind: kind, indexPath: indexPath, pose: try PoseReader.read(element, fields: fields)))
    }
    return elements
  }
}
