import TimelineModel

/// An element as every command prints it.
func elementFields(_ path: ElementPath, id: String?, pose: Pose) -> [Field] {
  [
    Field("kind", .text(path.category.rawValue)),
    Field("elementKind", FieldValue(path.elementKind)),
    Field("id", FieldValue(id)),
    Field("indexPath", FieldValue(path.indexPath)),
    Field("frame", FieldValue(pose.frame)),
    Field("center", FieldValue(pose.center)),
    Field("size", FieldValue(pose.size)),
    Field("alpha", .number(pose.alpha)),
    Field("zIndex", .integer(Int64(pose.zIndex))),
    Field("hidden", .flag(pose.isHidden)),
    Field("transform", .list(pose.transform.components.map(FieldValue.number))),
  ]
}

/// The columns that ``elementFields(_:id:pose:)`` fills.
let elementColumns = [
  "kind", "elementKind", "id", "indexPath", "frame", "center", "size", "alpha", "zIndex", "hidden",
  "transform",
]
