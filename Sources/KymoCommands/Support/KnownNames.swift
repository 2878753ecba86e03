/// What another library's name for a part of a transition is called here, and where to see it.
///
/// This list is the one source: `kymo help NAME` answers from it, and a test compares it with the table of the
/// article "Coming from collection view transitions".
struct KnownName: Sendable {
  /// Their names. Arguments and the case of letters do not count when one is looked up.
  var theirs: [String]
  /// Ours: types and members, and steps and fields of a scenario.
  var ours: [String]
  /// Files of `Tests/Fixtures/gallery`.
  var gallery: [String]

  private init(_ row: Substring) {
    let cells = row.split(separator: " | ").map { $0.split(separator: ", ").map(String.init) }
    (theirs, ours, gallery) = (cells[0], cells[1], cells[2])
  }

  /// The row that knows a name, in any spelling that its documentation has. `nil` where there is none.
  static func row(for name: String) -> KnownName? {
    for key in keys(of: name) {
      if let row = all.first(where: { $0.theirs.contains { keys(of: $0).contains(key) } }) {
        return row
      }
    }
    return nil
  }

  /// What `kymo help NAME` prints. 80 columns.
  var help: String {
    let parts = [
      ("here", ours.joined(separator: ", ")),
      ("example", gallery.map { "Tests/Fixtures/gallery/" + $0 }.joined(separator: ", ")),
      ("article", "Coming from collection view transitions"),
      ("", "ComingFromCollectionViews.md in Sources/Kymograph/Kymograph.docc/Articles"),
    ]
    var text = wrapped(theirs.joined(separator: ", "), width: 80).joined(separator: "\n") + "\n"
    for (label, value) in parts {
      for (number, line) in wrapped(value, width: 70).enumerated() {
        text += "  " + (number == 0 ? label : " ").padded(to: 8) + line + "\n"
      }
    }
    return text
  }

  /// A name without its type, `tl_`, and what stands between its words: with its first argument, as Objective-C names
  /// what Swift calls `prepare(for:)` and `init(currentLayout:)`, and without arguments.
  private static func keys(of name: String) -> [String] {
    let words = name.lowercased().split { "(:_)".contains($0) }
      .drop { $0 == "tl" || $0 == "collectionview" }.prefix(2)
      .map { word in
        let member = (word.split(separator: ".").last ?? "").filter { $0.isLetter || $0.isNumber }
        return member.hasSuffix("atindexpath") ? String(member.dropLast(11)) : member
      }
    guard let first = words.first, !first.isEmpty else { return [] }
    if first == "init" { return ["initwith" + words.dropFirst().joined()] }
    return words.count > 1 ? [words.joined(), first] : [first]
  }

  /// All rows.
  static let all = text.split(separator: "\n").map(KnownName.init)

  /// A row on each line: their names, ours, and files of the gallery.
  private static var text: String {
    """
    startInteractiveTransition(to:completion:), startInteractiveTransitionToCollectionViewLayout:completion:, UICollectionViewLayoutInteractiveTransitionCompletion, transitionLayout | CollectionView.startInteractiveTransition(to:completion:), step start | offset-target.json
    transitionProgress, invalidateLayout() | TransitionLayout.transitionProgress, CollectionView.invalidateLayout(), step progress | own-attribute.json
    finishInteractiveTransition(), cancelInteractiveTransition() | CollectionView.finishInteractiveTransition(), CollectionView.cancelInteractiveTransition(), CollectionView.releaseInteractiveTransition(), step finish, step cancel | values.decide.json
    UICollectionViewTransitionLayout, initWithCurrentLayout:nextLayout:, collectionView(_:transitionLayoutForOldLayout:newLayout:), currentLayout, nextLayout, newLayout | TransitionLayout, TransitionLayout.currentLayout, TransitionLayout.nextLayout, CollectionViewDelegate.transitionLayout(for:to:) | follow-finger.json
    updateValue(_:forAnimatedKey:), valueForAnimatedKey(_:), value(forAnimatedKey:), PositionX, PositionY | TransitionLayout.updateValue(_:forAnimatedKey:), TransitionLayout.valueForAnimatedKey(_:), step value | follow-finger.json, values.carry.json, values.alone.json
    TLTransitionLayout, toContentOffset, contentOffset | TransitionLayout.toContentOffset, CollectionView.contentOffset, field offset | offset-target.json
    keyIndexPath, keyIndexPaths, placement, toContentOffsetForLayout:indexPaths:placement:, scrollToItemAtIndexPath:atScrollPosition:animated:, UICollectionViewScrollPositionCenteredVertically | CollectionView.toContentOffset(for:items:placement:options:), CollectionView.scrollToItem(at:position:), Placement | resize.json
    TLTransitionAnimator, transitionToCollectionViewLayout:duration:completion:, TLTransitionAnimatorLayout, collectionViewDidCompleteTransitioning, UICollectionView+TLTransitionAnimator, TLLayoutTransitioning | CollectionView.animateTransition(to:duration:easing:completion:), TransitionLayout.transitionDidEnd(completed:finished:), step animate | easing.json
    cancelInteractiveTransitionInPlaceWithCompletion:, cancel in place | CollectionView.cancelInteractiveTransitionInPlace(completion:), step cancelInPlace | cancel-in-place.json
    Resize | step animate, field offset | resize.json, resize.off.json
    Pinch, UIPinchGestureRecognizer, UIGestureRecognizerStateBegan, UIGestureRecognizerStateChanged, UIGestureRecognizerStateEnded, UIGestureRecognizerStateCancelled, state, numberOfTouches, locationOfTouch:inView: | TouchPhase, field gesture | pinch.json, pinch.shrink.json
    initialLayoutAttributesForAppearingItem(at:), finalLayoutAttributesForDisappearingItem(at:), finalLayoutAttributesForAppearingItemAtIndexPath: | CollectionViewLayout.initialLayoutAttributesForAppearingItem(at:), CollectionViewLayout.finalLayoutAttributesForDisappearingItem(at:) | insert.fly-in.json, delete.fly-out.json
    performBatchUpdates(_:completion:), prepareForCollectionViewUpdates:, finalizeCollectionViewUpdates(), UICollectionViewUpdateItem, updateAction, UICollectionUpdateActionInsert, UICollectionUpdateActionDelete, UICollectionUpdateActionMove, indexPathBeforeUpdate, indexPathAfterUpdate, indexPathsToAnimate | CollectionView.performBatchUpdates, CollectionViewLayout.prepare(forCollectionViewUpdates:), UpdateItem, step update | insert.fly-in.json
    shouldInvalidateLayout(forBoundsChange:), prepareForAnimatedBoundsChange:, finalizeAnimatedBoundsChange(), bounds | CollectionView.setViewport, CollectionViewLayout.shouldInvalidateLayout(forBoundsChange:), CollectionViewLayout.prepare(forAnimatedBoundsChange:), step bounds | rotation.wrong.json, rotation.right.json
    setCollectionViewLayout(_:animated:completion:), collectionViewLayout | CollectionView.setCollectionViewLayout, CollectionView.collectionViewLayout, step setLayout | resize.off.json
    UICollectionView, UITableView, dataSource, delegate, numberOfItems(inSection:), IndexSet | CollectionView, CollectionViewDataSource, CollectionData, field sections | drill-down.json
    UICollectionViewLayout, prepareLayout, prepare(), layoutAttributesForItem(at:), layoutAttributesForElementsInRect: | CollectionViewLayout, CollectionViewLayout.prepare(in:), CollectionViewLayout.layoutAttributesForItem(at:), CollectionViewLayout.layoutAttributesForElements(in:) | circle.json
    UICollectionViewFlowLayout, itemSize, sectionInset, minimumLineSpacing, minimumInteritemSpacing, scrollDirection, contentInset, UIEdgeInsets | FlowLayout, FlowLayoutParameters, ContentInsets, field layouts | resize.json
    UICollectionViewLayoutAttributes, frame, center, size, transform, alpha, zIndex, CGAffineTransformRotate, CGAffineTransformMakeScale | LayoutAttributes, Pose, Transform2D | insert.fly-in.json
    useLayoutToLayoutNavigationTransitions, UICollectionViewController, viewDidLoad, navigationController:didShowViewController:animated:, FJDetailViewController, DetailCollectionViewController, MasterCollectionViewController, prepare(for:sender:), UIStoryboardSegue, performSegue(withIdentifier:sender:) | CollectionViewController.useLayoutToLayoutNavigationTransitions, NavigationController, step push, step pop | push-pop.json
    animateTransition(using:), UIViewControllerAnimatedTransitioning, snapshotView(afterScreenUpdates:), transitionDuration:, completeTransition:, finalFrameForViewController:, animateWithDuration:delay:options:animations:completion:, fromCollectionView, toCollectionView | field transition | line-to-grid.json, snapshot.json
    apply(layoutAttributes:), applyLayoutAttributes:, layoutAttributesClass, setNeedsLayout(), UICollectionViewCell | TransitionLayout.updateLayoutAttributes, TransitionLayout.progressChanged, key item.ID.NAME | own-attribute.json
    SelectedItem, deleteSections(_:), arrayOfSections, allItems, collectionView(_:didSelectItemAt:), collectionView:didSelectItemAtIndexPath: | CollectionView.deleteSections(_:), step update | drill-down.json
    handlePinch:, resizeItemAtIndexPath:withPinchDistance:, resetPinchedItem, indexPathForItemAtPoint:, FJAnimatedFlowLayout | step pinch, step endPinch | pinch-item.json, pinch-item.touches.json
    """
  }
}
