import TimelineModel

/// The hooks of a layout, each with an event before it where ``CollectionView/tracesLayoutCalls`` asks for
/// that.
extension CollectionView {
  func tellPrepareForTransition(_ old: any CollectionViewLayout, _ next: any CollectionViewLayout) {
    recordCall("prepareForTransition(to:)", of: old)
    old.prepareForTransition(to: next)
    recordCall("prepareForTransition(from:)", of: next)
    next.prepareForTransition(from: old)
  }

  func tellFinalizeTransition(_ old: any CollectionViewLayout, _ next: any CollectionViewLayout) {
    recordCall("finalizeLayoutTransition", of: old)
    old.finalizeLayoutTransition()
    recordCall("finalizeLayoutTransition", of: next)
    next.finalizeLayoutTransition()
  }

  func tellPrepare(for updates: [UpdateItem], _ layout: any CollectionViewLayout) {
    recordCall("prepare(forCollectionViewUpdates:)", of: layout)
    layout.prepare(forCollectionViewUpdates: updates)
  }

  func tellFinalizeUpdates(_ layout: any CollectionViewLayout) {
    recordCall("finalizeCollectionViewUpdates", of: layout)
    layout.finalizeCollectionViewUpdates()
  }

  func tellPrepare(forBoundsChangeFrom bounds: Rect, _ layout: any CollectionViewLayout) {
    recordCall("prepare(forAnimatedBoundsChange:)", of: layout)
    layout.prepare(forAnimatedBoundsChange: bounds)
  }

  func tellFinalizeBoundsChange(_ layout: any CollectionViewLayout) {
    recordCall("finalizeAnimatedBoundsChange", of: layout)
    layout.finalizeAnimatedBoundsChange()
  }

  func recordCall(
    _ call: String, of layout: any CollectionViewLayout, at path: ElementPath? = nil
  ) {
    guard tracesLayoutCalls else { return }
    var fields = [Field("call", .text(call)), Field("layout", .text(layout.name))]
    if let path {
      fields.append(Field("kind", .text(path.category.rawValue)))
      fields.append(Field("indexPath", FieldValue(path.indexPath)))
    }
    recordEvent(.layoutCall, fields)
  }
}
