import MotionPhysics
import TimelineModel

extension CollectionViewController {
  /// Runs the load hook of a controller that is about to share a view, with a view that is thrown away; a
  /// warning of the shared one names what was set in vain.
  func load(beforeSharing shared: CollectionView) {
    guard !isLoaded else { return }
    isLoaded = true
    // Cannot fail: the rate is a clock's.
    guard let clock = try? DisplayClock(refreshRate: shared.clock.refreshRate) else { return }
    // Not the controller's own layout: it may be at work in the shared view just now.
    let standIn = CollectionView(
      viewport: shared.viewport, contentInset: shared.contentInset,
      data: dataSource?.data ?? CollectionData(),
      layout: FixedLayout(name: layout.name, contentSize: .zero, items: []), clock: clock,
      sink: DiscardingTimeline())
    standIn.dataSource = dataSource
    standIn.delegate = delegate
    let before = ViewProperties(standIn)
    sharedView = standIn
    viewDidLoad()
    sharedView = nil
    let changed = ViewProperties(standIn).names(differingFrom: before)
    guard !changed.isEmpty else { return }
    shared.log.warn(
      "load-hook-without-effect",
      "The load hook of the controller with layout \(layout.name) set \(changed.joined(separator: ", "))"
        + "; it shares the root's view, so that has no effect. Set it when it was shown.")
  }
}

/// What a load hook may set on a view.
private struct ViewProperties {
  var viewport: Size
  var contentInset: EdgeInsets
  var contentOffset: Point
  var data: CollectionData
  var layout: any CollectionViewLayout
  var dataSource: (any CollectionViewDataSource)?
  var delegate: (any CollectionViewDelegate)?
  var transforms: TransformMixing
  var settle: SettleParameters
  var release: ReleaseParameters
  var reentry: ReentryPolicy

  init(_ view: CollectionView) {
    viewport = view.viewport
    contentInset = view.contentInset
    contentOffset = view.contentOffset
    data = view.data
    layout = view.restingLayout
    dataSource = view.dataSource
    delegate = view.delegate
    transforms = view.transforms
    settle = view.settle
    release = view.release
    reentry = view.reentry
  }

  /// The properties, by UIKit's or the view's name, that are not as they were.
  func names(differingFrom other: ViewProperties) -> [String] {
    let differences = [
      ("viewport", viewport != other.viewport),
      ("contentInset", contentInset != other.contentInset),
      ("contentOffset", contentOffset != other.contentOffset),
      ("data", data != other.data),
      ("collectionViewLayout", layout !== other.layout),
      ("dataSource", dataSource !== other.dataSource),
      ("delegate", delegate !== other.delegate),
      ("transforms", transforms != other.transforms),
      ("settle", settle != other.settle),
      ("release", release != other.release),
      ("reentry", reentry != other.reentry),
    ]
    return differences.filter(\.1).map(\.0)
  }
}
