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
      ResultField("category", "Cell, supplementary or decoration.", \.category.rawValue),
      ResultField("element_kind", "The kind of a supplementary or decoration.", \.elementKind),
      ResultField("id", "The item's identifier.", \.id),
      ResultField("index_path", "Section and item.", \.indexPath),
      ResultField("frame", unit: "pt", "x, y, width and height.", \.pose.frame),
      ResultField("center", unit: "pt", "x and y.", \.pose.center),
      ResultField("size", unit: "pt", "Width and height.", \.pose.size),
      ResultField("alpha", unit: "1", "The opacity.", \.pose.alpha),
      ResultField("z_index", "The order from back to front.", \.pose.zIndex),
      ResultField("hidden", "Whether it is hidden.", \.pose.isHidden),
      ResultField("transform", "The transform's components.", \.pose.transform.components),
    ]
  }
}
