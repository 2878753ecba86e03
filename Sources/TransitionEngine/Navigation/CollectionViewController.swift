import MotionPhysics
import TimelineModel

/// One controller of a stack of collection views, as UICollectionViewController is one: a layout, a data
/// source and a delegate.
///
/// The root of a ``NavigationController`` has a view of its own. A controller that is pushed with
/// ``useLayoutToLayoutNavigationTransitions`` shares that view as long as it is on the stack, and only
/// its layout is used: the view keeps the root's data source and delegate until somebody changes them.
open class CollectionViewController {
  /// Whether the controller, once pushed, shows the root's view in its own layout. False for a root, true
  /// for a pushed controller. A change while it is on a stack means nothing.
  public final var useLayoutToLayoutNavigationTransitions = false
  /// The layout of the view while the controller is on top. While another one is, the layout that
  /// the view had when it was left.
  public internal(set) final var layout: any CollectionViewLayout
  /// Who knows this controller's data. A root's is given to its view. Not kept alive.
  public final weak var dataSource: (any CollectionViewDataSource)?
  /// This controller's delegate for the view. A root's is given to its view. Not kept alive.
  public final weak var delegate: (any CollectionViewDelegate)?

  final var ownView: CollectionView?
  /// The substitute for ``ownView``: the root's view, or that of the load hook.
  final var sharedView: CollectionView?
  final var isLoaded = false
  /// Where the view stood when another controller covered this one, in points.
  final var coveredOffset: Point2D?

  /// Makes a controller without a view, to be pushed.
  public init(
    layout: any CollectionViewLayout, dataSource: (any CollectionViewDataSource)? = nil,
    delegate: (any CollectionViewDelegate)? = nil
  ) {
    self.layout = layout
    self.dataSource = dataSource
    self.delegate = delegate
  }

  /// Makes a controller with a view of its own, to be a root. It takes over the view's layout, data source
  /// and delegate.
  public init(collectionView: CollectionView) {
    layout = collectionView.restingLayout
    dataSource = collectionView.dataSource
    delegate = collectionView.delegate
    ownView = collectionView
  }

  /// The view that shows the controller: the root's while it is on a stack, else its own, if any.
  public final var collectionView: CollectionView? { sharedView ?? ownView }

  /// Runs once, before the controller is first shown: the place to set properties of the view.
  ///
  /// That works for a root only. A pushed controller does not have the shared view yet. It has one that is
  /// thrown away afterwards. A property of that view has no effect (UIKit says nothing; here a warning event
  /// "load-hook-without-effect" tells it). Default: nothing.
  open func viewDidLoad() {}

  /// Makes this controller's data source and delegate those of the view that it has, and reloads the data.
  /// The work that the article does by hand in `didShow`. Does nothing without a view.
  public final func takeOverCollectionView() {
    guard let view = collectionView else { return }
    view.dataSource = dataSource
    view.delegate = delegate
    view.reloadData()
  }
}

/// A controller and its view are changed in place. Use them from one thread at a time.
@available(*, unavailable)
extension CollectionViewController: Sendable {}

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
