/// Pictures that show again what the one before showed, though the element was on its way: the recorder or the app stood.
///
/// Both look alike in a picture, so it is "repeated", never "late".
package enum PictureRepeats {
  /// An element that moves less stands, in pixels, and one that moves at least so far before and behind was on its way.
  private static let (stands, moves) = (0.23, 1.2)
  /// So many pictures may stand.
  private static let most = 5
  /// Of its neighbours' change a repeated picture has at most this share.
  private static let share = 0.35

  /// What a picture in which the element stands says.
  package enum Kind: Hashable, Sendable {
    /// The whole picture stands.
    case repeated
    /// The element stands while the rest of the picture goes on.
    case held
  }

  /// The pictures in which an element stands between two ways in one direction.
  ///
  /// - Parameters:
  ///   - poses: The element's poses by picture.
  ///   - changes: The mean difference of each picture to the one before, in levels of grey.
  package static func find(_ poses: [Int: TrackedPose], changes: [Double]) -> [Int: Kind] {
    var found: [Int: Kind] = [:]
    var index = 2
    while index < changes.count - 1 {
      guard let before = poses[index - 1] else {
        index += 1
        continue
      }
      var end = index
      while let pose = poses[end], length(pose.x - before.x, pose.y - before.y) < stands {
        end += 1
      }
      defer { index = max(end, index + 1) }
      guard end > index, end <= index + most, end < changes.count, let earlier = poses[index - 2],
        let later = poses[end]
      else { continue }
      let way = (x: before.x - earlier.x, y: before.y - earlier.y)
      let next = (x: later.x - before.x, y: later.y - before.y)
      let (one, two) = (length(way.x, way.y), length(next.x, next.y))
      guard min(one, two) > moves, way.x * next.x + way.y * next.y > 0.7 * one * two else {
        continue
      }
      let change = changes[index..<end].max() ?? 0
      let isRepeated = change < share * min(changes[index - 1], changes[end])
      for picture in index..<end { found[picture] = isRepeated ? .repeated : .held }
    }
    return found
  }
}
