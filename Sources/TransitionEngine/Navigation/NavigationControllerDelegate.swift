/// Who hears what a navigation controller shows.
public protocol NavigationControllerDelegate: AnyObject {
  /// Sent when a push or a pop begins, before anything moves. Default: nothing.
  func navigationController(
    _ navigationController: NavigationController, willShow controller: CollectionViewController,
    animated: Bool)

  /// Sent when a push or a pop is over and its layout is installed: the place to exchange the shared
  /// view's data source and delegate, and to scroll. Not sent after a cancelled pop, nor for one that
  /// another push or pop has taken over. Default: nothing.
  func navigationController(
    _ navigationController: NavigationController, didShow controller: CollectionViewController,
    animated: Bool)
}

extension NavigationControllerDelegate {
  /// Does nothing.
  public func navigationController(
    _ navigationController: NavigationController, willShow controller: CollectionViewController,
    animated: Bool
  ) {}

  /// Does nothing.
  public func navigationController(
    _ navigationController: NavigationController, didShow controller: CollectionViewController,
    animated: Bool
  ) {}
}
