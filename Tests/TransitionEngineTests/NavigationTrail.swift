import TimelineModel

@testable import TransitionEngine

/// A stage with a navigation on its view, and what its delegate heard.
final class Trail: NavigationControllerDelegate {
  let stage: Stage
  let navigation: NavigationController
  let rootSource: FixedSource
  let rootDelegate = PlainDelegate()
  var shows: [String] = []
  var onDidShow: (CollectionViewController) -> Void = { _ in }
  var onWillShow: (CollectionViewController) -> Void = { _ in }

  init(
    items: [Int] = [40], contentOffset: Point2D = .zero,
    viewport: Size2D = Size2D(width: 320, height: 480)
  )
    throws
  {
    stage = try Stage(
      viewport: viewport, contentOffset: contentOffset, items: items,
      from: grid("grid", Size2D(width: 150, height: 100)))
    rootSource = FixedSource(stage.view.data)
    let root = CollectionViewController(collectionView: stage.view)
    root.dataSource = rootSource
    root.delegate = rootDelegate
    navigation = try NavigationController(root: root)
    navigation.delegate = self
  }

  func controller(_ name: String, _ width: Double = 300, _ height: Double = 200)
    -> CollectionViewController
  {
    let controller = CollectionViewController(
      layout: grid(name, Size2D(width: width, height: height)))
    controller.useLayoutToLayoutNavigationTransitions = true
    return controller
  }

  var names: [String] { navigation.viewControllers.map(\.layout.name) }

  func navigationController(
    _ navigationController: NavigationController, willShow controller: CollectionViewController,
    animated: Bool
  ) {
    shows.append("will \(controller.layout.name)")
    onWillShow(controller)
  }

  func navigationController(
    _ navigationController: NavigationController, didShow controller: CollectionViewController,
    animated: Bool
  ) {
    shows.append("did \(controller.layout.name)")
    if controller === navigationController.rootViewController {
      controller.takeOverCollectionView()
    }
    onDidShow(controller)
  }
}

final class FixedSource: CollectionViewDataSource {
  let data: CollectionData

  init(_ data: CollectionData) { self.data = data }
}

final class PlainDelegate: CollectionViewDelegate {
  func transitionLayout(
    for current: any CollectionViewLayout, to next: any CollectionViewLayout
  ) -> TransitionLayout? { nil }
}
