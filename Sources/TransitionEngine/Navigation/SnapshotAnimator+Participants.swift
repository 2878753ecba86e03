import TimelineModel

extension SnapshotAnimator {
  /// The pictures of what is on the source's screen, each with its end, then those of what arrives.
  static func participants(
    from source: CollectionView, to destination: CollectionView, _ options: Options
  ) -> [Participant] {
    let screen = source.screen()
    let sourceShift = options.sourceOrigin - screen.offset
    let destinationShift = options.destinationOrigin - destination.contentOffset
    var known: Set<ElementIdentity> = []
    var result: [Participant] = []
    for element in screen.elements {
      guard let identity = source.identity(of: element) else { continue }
      known.insert(identity)
      let start = element.pose.moved(by: sourceShift)
      let end = destination.placement(of: identity, like: element.path, in: source.elements.data)?
        .moved(by: destinationShift)
      result.append(
        Participant(
          identity: identity, indexPath: element.path.indexPath,
          presence: end == nil ? .disappearing : .surviving, from: start, to: end ?? start.faded))
    }
    guard options.includesArriving else { return result }
    for element in destination.screen().elements where element.isPlaced {
      guard let identity = destination.identity(of: element), !known.contains(identity) else {
        continue
      }
      let end = element.pose.moved(by: destinationShift)
      result.append(
        Participant(
          identity: identity, indexPath: element.path.indexPath, presence: .appearing,
          from: end.faded, to: end))
    }
    return result
  }
}

extension CollectionView {
  fileprivate func identity(of element: Screen.Element) -> ElementIdentity? {
    element.isPlaced
      ? elements.data.identity(of: element.path) : elements.identity(of: element.item)
  }

  /// Where the layout puts an element that another view shows at a path. `nil` where the data or the layout
  /// does not have it.
  fileprivate func placement(
    of identity: ElementIdentity, like path: ElementPath, in data: CollectionData
  ) -> Pose? {
    var path = path
    if elements.data.identity(of: path) != identity {
      if path.category == .cell {
        guard let found = elements.data.indexPath(ofItem: identity.id) else { return nil }
        path.indexPath = found
      } else {
        guard data.sections.indices.contains(path.indexPath.section) else { return nil }
        let id = data.sections[path.indexPath.section].id
        guard let section = elements.data.sections.firstIndex(where: { $0.id == id }) else {
          return nil
        }
        path.indexPath.section = section
      }
    }
    layoutIfNeeded()
    return collectionViewLayout.finitePose(at: path)
  }
}

extension Pose {
  fileprivate func moved(by shift: Point2D) -> Pose {
    var moved = self
    moved.center.x += shift.x
    moved.center.y += shift.y
    return moved
  }
}

extension Point2D {
  fileprivate static func - (left: Point2D, right: Point2D) -> Point2D {
    Point2D(x: left.x - right.x, y: left.y - right.y)
  }
}
