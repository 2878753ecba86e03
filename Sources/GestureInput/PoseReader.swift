package import JSONText
package import TimelineModel

/// Reads a pose's fields, the same in a layout of a scenario and in the frames of NDJSON.
package enum PoseReader {
  package static let fieldNames = [
    "center", "size", "frame", "alpha", "zIndex", "hidden", "transform",
  ]

  /// Reads a pose from an object's fields.
  ///
  /// - Parameters:
  ///   - reader: The object.
  ///   - fields: Its fields.
  ///   - isRecorded: Whether it is something that was on a screen: a spring that overshoots makes sizes negative,
  ///     and the order is whatever it was.
  package static func read(
    _ reader: JSONReader, fields: JSONFields, isRecorded: Bool = false
  ) throws(JSONError) -> Pose {
    var pose: Pose
    let transform = try fields["transform"]?.transform() ?? .identity
    if let frame = fields["frame"] {
      guard fields["center"] == nil, fields["size"] == nil else {
        throw frame.failure("A pose must have either a frame, or a center and a size.")
      }
      guard transform == .identity else {
        throw frame.failure(
          "A pose with a transform must have a center and a size instead of a frame.")
      }
      pose = Pose(frame: try frame.rect())
    } else {
      pose = Pose(
        center: try fields.required("center").point(),
        size: isRecorded
          ? try fields.required("size").anySize() : try fields.required("size").size(),
        transform: transform)
    }
    pose.alpha = try fields["alpha"]?.number() ?? 1
    let order = isRecorded ? Int64.min...Int64.max : Int64(Int32.min)...Int64(Int32.max)
    pose.zIndex = Int(try fields["zIndex"]?.integer(in: order) ?? 0)
    pose.isHidden = try fields["hidden"]?.bool() ?? false
    return pose
  }
}
