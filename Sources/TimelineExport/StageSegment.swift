import TimelineModel

/// A stretch in which an item is there, visible and at one place in the drawing order.
struct StageSegment {
  /// The item.
  let item: ItemHandle
  /// The drawing order: larger is nearer.
  let zIndex: Int
  /// Whether it turns in space.
  let isSpatial: Bool
  /// Its first frame, in nanoseconds since the first frame of all.
  let start: Int64
  /// The frame in which it is no more, or the end of all.
  var end: Int64
  /// What the format keeps.
  var curves: [CurveThinning]
}
