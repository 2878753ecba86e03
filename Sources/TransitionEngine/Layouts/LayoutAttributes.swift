public import TimelineModel

/// One element as a layout places it: where it stands in the numbering, and its pose.
public struct LayoutAttributes: Hashable, Sendable {
  /// Category, kind and index path.
  public var path: ElementPath
  /// Center, size, transform, alpha, z order and visibility.
  public var pose: Pose

  /// Makes the attributes of one element.
  public init(path: ElementPath, pose: Pose) {
    self.path = path
    self.pose = pose
  }

  /// The bounding box after the transform. See `Pose/frame`.
  public var frame: Rect2D {
    get { pose.frame }
    set { pose.frame = newValue }
  }
}
