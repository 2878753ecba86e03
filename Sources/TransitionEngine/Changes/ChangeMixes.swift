import MotionPhysics
import TimelineModel

/// The elements of an animated change with the motion of each, ready for one frame after the other: nothing is asked
/// or looked up any more.
struct ChangeMixes {
  /// Which elements, in the order in which they are recorded.
  private var elements: ContiguousArray<(item: ItemHandle, indexPath: ItemIndexPath)> = []
  private var poses = PoseMixes()
  /// The motion that each of them keeps, by its place in ``elements``. Empty if none carries anything.
  private var velocities: ContiguousArray<PoseVelocity?> = []
  /// How many of them the layout places. The others come last and are gone at the end.
  private var placedCount = 0

  /// Gathers the elements of a change that stand still in the layout.
  init(
    _ change: AnimatedChange, of shown: [Screen.Element], over layout: any CollectionViewLayout
  ) {
    let isCarrying = !change.velocities.isEmpty
    change.forEachWay(of: shown, over: layout) { way in
      elements.append((way.item, way.path.indexPath))
      poses.append(PoseMix(from: way.start, to: way.end, transforms: change.transforms))
      if isCarrying { velocities.append(way.velocity) }
      if way.isPlaced { placedCount += 1 }
    }
  }

  /// Records the elements as they stand at a time of the change.
  ///
  /// - Complexity: O(number of elements), without allocating for flat transforms.
  func record(_ change: AnimatedChange, at time: Instant, into sink: any TimelineSink) {
    let (fraction, thrown) = (change.fraction(at: time), change.throwLength(at: time))
    let count = change.isOver(at: time) ? placedCount : elements.count
    for number in 0..<count {
      let (item, indexPath) = elements[number]
      if thrown != 0, !velocities.isEmpty, let velocity = velocities[number] {
        let pose = velocity.carrying(poses.pose(of: number, at: fraction), for: thrown)
        sink.record(pose, of: item, at: indexPath)
      } else {
        sink.record(poses.pose(of: number, at: fraction), of: item, at: indexPath)
      }
    }
  }
}
