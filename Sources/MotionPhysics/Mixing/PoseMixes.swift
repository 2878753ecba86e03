package import TimelineModel

/// The ways of many elements from one pose to another, kept close together: each gives the poses that
/// ``PoseMix`` gives, and an upright one takes no more than 96 bytes.
package struct PoseMixes: Sendable {
  private struct Entry {
    let upright: UprightMix
    /// Twice the place of its transform, and 1 more where that is flat. Negative when both ends' are the
    /// identity.
    let transform: Int32

    var index: Int { Int(transform >> 1) }
    var isFlat: Bool { transform & 1 == 1 }
  }

  private var entries: ContiguousArray<Entry> = []
  private var transforms: ContiguousArray<TransformMix> = []
  /// The flat ones among the transforms, at the same places. Anything at the places of the others.
  private var flats: ContiguousArray<FlatTransformMix> = []

  package init() {}

  /// How many ways there are.
  package var count: Int { entries.count }

  /// Appends a way. Its number is the ``count`` before.
  package mutating func append(_ mix: PoseMix) {
    var number: Int32 = -1
    if let transform = mix.transform {
      number = Int32(transforms.count) * 2 + (transform.flat == nil ? 0 : 1)
      transforms.append(transform)
      flats.append(
        transform.flat ?? FlatTransformMix(numbersFrom: .identity, to: .identity))
    }
    entries.append(Entry(upright: mix.upright, transform: number))
  }

  /// Takes all of them out, and keeps the memory for the next ones.
  package mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    transforms.removeAll(keepingCapacity: true)
    flats.removeAll(keepingCapacity: true)
  }

  /// The pose of one of them at a progress. See ``PoseMix/pose(at:)``.
  ///
  /// - Parameters:
  ///   - number: Not negative, and below ``count``.
  ///   - progress: No unit. May leave 0 to 1. NaN counts as 0.
  /// - Complexity: O(1), without allocating for a flat transform.
  package func pose(of number: Int, at progress: Double) -> Pose {
    if entries[number].transform >= 0 { return turned(number, at: progress) }
    return entries[number].upright.quickPose(at: progress, .identity)
      ?? lerped(number, at: progress)
  }

  @inline(never)
  private func turned(_ number: Int, at progress: Double) -> Pose {
    guard entries[number].isFlat else { return lerped(number, at: progress) }
    let flat = flats[entries[number].index].transform(at: progress)
    return entries[number].upright.quickPose(at: progress, .flat(flat))
      ?? lerped(number, at: progress)
  }

  @inline(never)
  private func lerped(_ number: Int, at progress: Double) -> Pose {
    var pose = entries[number].upright.lerped(at: progress)
    if entries[number].transform >= 0 {
      pose.transform = transforms[entries[number].index].transform(at: progress)
    }
    return pose
  }
}
