/// An element at a moment, as a layout or a frame places it.
package struct ElementListing: ResultRow {
  var category: ElementCategory
  var elementKind: String?
  var id: String?
  var indexPath: ItemIndexPath
  var pose: Pose

  package init(
    _ category: ElementCategory, kind: String?, id: String?, at indexPath: ItemIndexPath,
    _ pose: Pose
  ) {
    (self.category, elementKind, self.id) = (category, kind, id)
    (self.indexPath, self.pose) = (indexPath, pose)
  }

  package static let fields = makeFields()

  private static func makeFields() -> [ResultField<ElementListing>] {
    [
      ResultField("category", "Cell, supplementary or decoration element.", \.category.rawValue),
      ResultField("element_kind", "The kind of a supplementary or decoration.", \.elementKind),
      ResultField("id", "The element's id.", \.id),
      ResultField("index_path", "The element's section, and its index in it.", \.indexPath),
      ResultField("frame", unit: "pt", "The element's x, y, width and height.", \.pose.frame),
      ResultField("center", unit: "pt", "The element's center as x and y.", \.pose.center),
      ResultField("size", unit: "pt", "The element's width and height.", \.pose.size),
      ResultField("alpha", unit: "1", "The element's opacity, 0 to 1.", \.pose.alpha),
      ResultField("z_index", "The element's drawing order, from back to front.", \.pose.zIndex),
      ResultField("hidden", "Whether the element is hidden.", \.pose.isHidden),
      ResultField("transform", "The element's transform, as numbers.", \.pose.transform.components),
    ]
  }
}
