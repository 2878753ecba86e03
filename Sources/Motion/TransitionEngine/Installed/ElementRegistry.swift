import TimelineModel

/// The data that is shown, and by which handle the sink knows each element of it.
final class ElementRegistry {
  var data: CollectionData { didSet { handles = PathTable() } }
  private let log: EventLog
  private var handles = PathTable<ItemHandle>()
  private var identities: [ItemHandle: ElementIdentity] = [:]

  init(data: CollectionData, log: EventLog) {
    self.data = data
    self.log = log
  }

  /// The handle of an element of the data; nil for one that it does not have.
  func handle(of path: ElementPath) -> ItemHandle? {
    if let known = handles[path] { return known }
    guard let identity = data.identity(of: path) else { return nil }
    let handle = log.sink.itemHandle(for: identity)
    handles.set(handle, at: path)
    if identities[handle] == nil { identities[handle] = identity }
    return handle
  }

  /// The handle of the old content of an element that is reloaded: it leaves under the element's id, as the kind
  /// `reloaded`.
  func leavingHandle(of item: ItemHandle) -> ItemHandle {
    guard var identity = identities[item] else { return item }
    identity.elementKind = identity.elementKind.map { "\($0) reloaded" } ?? "reloaded"
    let handle = log.sink.itemHandle(for: identity)
    identities[handle] = identity
    return handle
  }

  /// What stands behind a handle that was given out, also when the data has it no more.
  func identity(of handle: ItemHandle) -> ElementIdentity? { identities[handle] }

  /// The handle of an element that a layout placed; one that is not in the data is warned of.
  func handle(of path: ElementPath, placedBy layout: any CollectionViewLayout) -> ItemHandle? {
    if let known = handle(of: path) { return known }
    warn(
      "unknown-element",
      "Layout \(layout.name) placed a \(path.category.rawValue) at \(path.indexPath.text), which the data "
        + "does not have. It is left out.")
    return nil
  }

  /// The elements that a layout placed, as the sink knows them. What is not finite, or not in the data, is
  /// left out with a warning.
  func identified(
    _ elements: [LayoutAttributes], placedBy layout: any CollectionViewLayout
  ) -> [Screen.Element] {
    var identified: [Screen.Element] = []
    identified.reserveCapacity(elements.count)
    // By number, which does not copy the whole element.
    for number in elements.indices {
      let path = elements[number].path
      guard elements[number].pose.isFinite else {
        warn(
          "non-finite",
          "Layout \(layout.name) gave a \(path.category.rawValue) at \(path.indexPath.text) a number that is "
            + "not finite. It is left out.")
        continue
      }
      guard let item = handle(of: path, placedBy: layout) else { continue }
      identified.append(Screen.Element(item: item, path: path, pose: elements[number].pose))
    }
    return identified
  }

  private func warn(_ code: String, _ message: String) {
    log.warnOnce([LayoutWarning(code: code, message: message)])
  }
}
