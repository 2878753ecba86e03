/// What another library's name for a part of a transition is called here, and where to see it.
///
/// This list is the one source: `kymo help NAME` answers from it, and a test compares it with the table of the
/// article "Coming from collection view transitions".
struct KnownName: Sendable {
  /// Their names; arguments and the case of letters do not count when one is looked up.
  var theirs: [String]
  /// Ours: types and members, and steps and fields of a scenario.
  var ours: [String]
  /// Files of `Tests/Fixtures/gallery`.
  var gallery: [String]

  init(_ theirs: String..., ours: [String], gallery: String...) {
    self.theirs = theirs
    self.ours = ours
    self.gallery = gallery
  }

  /// The row that knows a name, in any spelling that its documentation has; nil where there is none.
  static func row(for name: String) -> KnownName? {
    let wanted = key(of: name)
    return wanted.isEmpty ? nil : all.first { $0.theirs.contains { key(of: $0) == wanted } }
  }

  /// What `kymo help NAME` prints; 80 columns.
  var help: String {
    let parts = [
      ("here", ours.joined(separator: ", ")),
      ("example", gallery.map { "Tests/Fixtures/gallery/" + $0 }.joined(separator: ", ")),
      ("article", "Coming from collection view transitions"),
      ("", "ComingFromCollectionViews.md in Sources/Products/Kymograph/Kymograph.docc/Articles"),
    ]
    var text = wrapped(theirs.joined(separator: ", "), width: 80).joined(separator: "\n") + "\n"
    for (label, value) in parts {
      for (number, line) in wrapped(value, width: 70).enumerated() {
        text += "  " + (number == 0 ? label : " ").padded(to: 8) + line + "\n"
      }
    }
    return text
  }

  /// A name without its type, its arguments, `tl_`, and what stands between its words.
  private static func key(of name: String) -> String {
    let parts = name.lowercased().split { "(:_)".contains($0) }
      .drop { $0 == "tl" || $0 == "collectionview" }
    let member = (parts.first?.split(separator: ".").last ?? "").filter {
      $0.isLetter || $0.isNumber
    }
    return member.hasSuffix("atindexpath") ? String(member.dropLast(11)) : member
  }

  static let all: [KnownName] = [
    KnownName(
      "startInteractiveTransition(to:completion:)",
      "startInteractiveTransitionToCollectionViewLayout:completion:",
      ours: ["CollectionView.startInteractiveTransition(to:completion:)", "step start"],
      gallery: "offset-target.json"),
    KnownName(
      "transitionProgress", "invalidateLayout()",
      ours: [
        "TransitionLayout.transitionProgress", "CollectionView.invalidateLayout()", "step progress",
      ], gallery: "own-attribute.json"),
    KnownName(
      "finishInteractiveTransition()", "cancelInteractiveTransition()",
      ours: [
        "CollectionView.finishInteractiveTransition()",
        "CollectionView.cancelInteractiveTransition()",
        "CollectionView.releaseInteractiveTransition()", "step finish", "step cancel",
      ], gallery: "values.decide.json"),
    KnownName(
      "UICollectionViewTransitionLayout", "initWithCurrentLayout:nextLayout:",
      "collectionView(_:transitionLayoutForOldLayout:newLayout:)",
      ours: ["TransitionLayout", "CollectionViewDelegate.transitionLayout(for:to:)"],
      gallery: "follow-finger.json"),
    KnownName(
      "updateValue(_:forAnimatedKey:)", "valueForAnimatedKey(_:)", "value(forAnimatedKey:)",
      ours: [
        "TransitionLayout.updateValue(_:forAnimatedKey:)",
        "TransitionLayout.valueForAnimatedKey(_:)", "step value",
      ], gallery: "follow-finger.json", "values.carry.json", "values.alone.json"),
    KnownName(
      "TLTransitionLayout", "toContentOffset",
      ours: ["TransitionLayout.toContentOffset", "field offset"], gallery: "offset-target.json"),
    KnownName(
      "keyIndexPath", "keyIndexPaths", "placement",
      "toContentOffsetForLayout:indexPaths:placement:",
      ours: ["CollectionView.toContentOffset(for:items:placement:options:)", "Placement"],
      gallery: "resize.json"),
    KnownName(
      "TLTransitionAnimator", "transitionToCollectionViewLayout:duration:completion:",
      "TLTransitionAnimatorLayout", "collectionViewDidCompleteTransitioning",
      ours: [
        "CollectionView.animateTransition(to:duration:easing:completion:)",
        "TransitionLayout.transitionDidEnd(completed:finished:)", "step animate",
      ], gallery: "easing.json"),
    KnownName(
      "cancelInteractiveTransitionInPlaceWithCompletion:", "cancel in place",
      ours: [
        "CollectionView.cancelInteractiveTransitionInPlace(completion:)", "step cancelInPlace",
      ],
      gallery: "cancel-in-place.json"),
    KnownName(
      "Resize", ours: ["step animate", "field offset"], gallery: "resize.json", "resize.off.json"),
    KnownName(
      "Pinch", "UIPinchGestureRecognizer", ours: ["GestureDriver", "field gesture"],
      gallery: "pinch.json", "pinch.shrink.json"),
    KnownName(
      "initialLayoutAttributesForAppearingItem(at:)",
      "finalLayoutAttributesForDisappearingItem(at:)",
      ours: [
        "CollectionViewLayout.initialLayoutAttributesForAppearingItem(at:)",
        "CollectionViewLayout.finalLayoutAttributesForDisappearingItem(at:)",
      ], gallery: "insert.fly-in.json", "delete.fly-out.json"),
    KnownName(
      "performBatchUpdates(_:completion:)", "prepareForCollectionViewUpdates:",
      "finalizeCollectionViewUpdates()",
      ours: [
        "CollectionView.performBatchUpdates",
        "CollectionViewLayout.prepare(forCollectionViewUpdates:)", "step update",
      ], gallery: "insert.fly-in.json"),
    KnownName(
      "shouldInvalidateLayout(forBoundsChange:)", "prepareForAnimatedBoundsChange:",
      "finalizeAnimatedBoundsChange()",
      ours: [
        "CollectionView.setViewport",
        "CollectionViewLayout.shouldInvalidateLayout(forBoundsChange:)",
        "CollectionViewLayout.prepare(forAnimatedBoundsChange:)", "step bounds",
      ], gallery: "rotation.wrong.json", "rotation.right.json"),
    KnownName(
      "setCollectionViewLayout(_:animated:completion:)",
      ours: ["CollectionView.setCollectionViewLayout", "step setLayout"],
      gallery: "resize.off.json"),
    KnownName(
      "useLayoutToLayoutNavigationTransitions",
      ours: [
        "CollectionViewController.useLayoutToLayoutNavigationTransitions", "NavigationController",
        "step push", "step pop",
      ], gallery: "push-pop.json"),
    KnownName(
      "animateTransition(using:)", "UIViewControllerAnimatedTransitioning",
      "snapshotView(afterScreenUpdates:)",
      ours: ["LineToGridAnimator", "SnapshotAnimator"], gallery: "line-to-grid.json",
      "snapshot.json"),
    KnownName(
      "apply(layoutAttributes:)", "applyLayoutAttributes:", "layoutAttributesClass",
      ours: [
        "TransitionLayout.updateLayoutAttributes", "TransitionLayout.progressChanged",
        "key item.ID.NAME",
      ], gallery: "own-attribute.json"),
    KnownName(
      "SelectedItem", "deleteSections(_:)",
      ours: ["SelectedSection", "CollectionView.deleteSections(_:)", "step update"],
      gallery: "drill-down.json"),
    KnownName(
      "handlePinch:", "resizeItemAtIndexPath:withPinchDistance:", "resetPinchedItem",
      ours: [
        "PinchFlowLayout.resizeItem(at:withPinchDistance:)", "PinchFlowLayout.resetPinchedItem()",
        "step pinch", "step endPinch",
      ], gallery: "pinch-item.json", "pinch-item.touches.json"),
  ]
}
