import TimelineModel

/// The data that is shown, and by which handle the sink knows each element of it.
final class ElementRegistry {
  private(set) var data: CollectionData
  private let log: EventLog
  private var known = KnownHandles()
  private var leavingHandles = NumberTable<ItemHandle>()

  init(data: CollectionData, log: EventLog) {
    self.data = data
    self.log = log
  }

  /// Exchanges the data.
  ///
  /// - Parameter plan: The batch update that leads to it. `nil`: none does.
  func replaceData(with data: CollectionData, by plan: UpdatePlan? = nil) {
    self.data = data
    known.forget(by: plan)
  }

  /// The handle of an element of the data. `nil` for one that it does not have.
  func handle(of path: ElementPath) -> ItemHandle? {
    if let handle = known.handle(of: path, in: data) { return handle }
    guard let identity = data.identity(of: path) else { return nil }
    let handle = log.sink.itemHandle(for: identity)
    known.handles.set(handle, at: path)
    if known.identities[handle] == nil { known.identities.set(identity, of: handle) }
    return handle
  }

  /// The handle of the old content of an element that is reloaded: it leaves under the element's id, as the kind
  /// `reloaded`.
  func leavingHandle(of item: ItemHandle) -> ItemHandle {
    if let known = leavingHandles[item] { return known }
    guard var identity = known.identities[item] else { return item }
    identity.elementKind = identity.elementKind.map { "\($0) reloaded" } ?? "reloaded"
    let handle = log.sink.itemHandle(for: identity)
    known.identities.set(identity, of: handle)
    leavingHandles.set(handle, of: item)
    return handle
  }

  /// The element of a handle, also when the data has it no more.
  func identity(of handle: ItemHandle) -> ElementIdentity? { known.identities[handle] }

  func id(of handle: ItemHandle) -> String? { known.identities[handle]?.id }

  /// The handle of an element that a layout placed. One that is not in the data is warned of.
  func handle(of path: ElementPath, placedBy layout: any CollectionViewLayout) -> ItemHandle? {
    if let known = handle(of: path) { return known }
    warn(
      "unknown-element",
      "Layout \(layout.name) placed a \(path.category.rawValue) at \(path.indexPath.text), which the data "
        + "does not have. It is left out.")
    return nil
  }

  /// The elements that a layout placed, as the sink knows them. An element that is not finite, or not in the data, is
  /// left out with a warning.
  func identified(
    _ elements: [LayoutAttributes], placedBy layout: any CollectionViewLayout
  ) -> [Screen.Element] {
    var identified: [Screen.Element] = []
    identified.reserveCapacity(elements.count)
    let data = data
    // Taken out of the object, which checks each access, for as long as nobody else is called.
    var known = KnownHandles()
    swap(&known, &self.known)
    defer { swap(&known, &self.known) }
    // By number, which does not copy the whole element.
    for number in elements.indices {
      let path = elements[number].path
      let isFinite = elements[number].pose.isFinite
      var item = isFinite ? known.handle(of: path, in: data) : nil
      if item == nil {
        swap(&known, &self.known)
        item =
          isFinite ? handle(of: path, placedBy: layout) : refused(path, notFiniteIn: layout)
        swap(&known, &self.known)
      }
      guard let item else { continue }
      identified.append(Screen.Element(item: item, path: path, pose: elements[number].pose))
    }
    return identified
  }

  private func refused(
    _ path: ElementPath, notFiniteIn layout: any CollectionViewLayout
  ) -> ItemHandle? {
    warn(
      "non-finite",
      "Layout \(layout.name) gave a \(path.category.rawValue) at \(path.indexPath.text) a number that is "
        + "not finite. It is left out.")
    return nil
  }

  private func warn(_ code: String, _ message: String) {
    log.warnOnce([LayoutWarning(code: code, message: message)])
  }
}

/// The handles that a sink gave out.
private struct KnownHandles {
  /// By the paths in the data.
  var handles = PathTable<ItemHandle>()
  var identities = NumberTable<ElementIdentity>()
  /// By the paths before the last batch update, and from them back to these.
  private var earlier = PathTable<ItemHandle>()
  private var walk = UpdatePlan.Walk(nil, .back)

  /// Forgets paths, but not how a batch update changed them.
  mutating func forget(by plan: UpdatePlan?) {
    earlier = plan == nil ? PathTable() : handles
    walk = UpdatePlan.Walk(plan, .back)
    handles = PathTable()
  }

  /// The handle of an element, also of one that came through the last batch update with its identity.
  mutating func handle(of path: ElementPath, in data: CollectionData) -> ItemHandle? {
    if let handle = handles[path] { return handle }
    guard let old = walk.place(of: path)?.path, let handle = earlier[old],
      let identity = identities[handle], data.has(identity, at: path)
    else { return nil }
    handles.set(handle, at: path)
    return handle
  }
}
