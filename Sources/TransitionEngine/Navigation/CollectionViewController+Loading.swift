import MotionPhysics
import TimelineModel

extension CollectionViewController {
  /// Runs the load hook of a controller that is about to share a view, with a view that is thrown away. A
  /// warning of the shared one names the unused settings.
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
    let before = standIn.properties
    sharedView = standIn
    viewDidLoad()
    sharedView = nil
    let changed = zip(standIn.properties, before).filter { $0.value != $1.value }.map(\.0.name)
    guard !changed.isEmpty else { return }
    shared.log.warn(
      "load-hook-without-effect",
      "The load hook of the controller with layout \(layout.name) set \(changed.joined(separator: ", "))"
        + ". It shares the root's view, so that has no effect. Set it when it was shown.")
  }
}

extension CollectionView {
  /// The properties that a load hook may set on a view, by UIKit's or the view's name.
  fileprivate var properties: [(name: String, value: AnyHashable)] {
    [
      ("viewport", viewport), ("contentInset", contentInset), ("contentOffset", contentOffset),
      ("data", data), ("collectionViewLayout", ObjectIdentifier(restingLayout)),
      ("dataSource", dataSource.map { ObjectIdentifier($0) }),
      ("delegate", delegate.map { ObjectIdentifier($0) }), ("transforms", transforms),
      ("settle", settle), ("release", release), ("reentry", reentry),
    ]
  }
}
