import TimelineModel

/// Everything that a frame shows.
struct Screen {
  /// One element on the screen.
  struct Element {
    var item: ItemHandle
    var path: ElementPath
    var pose: Pose
    /// Whether the layout still places it.
    var isPlaced = true
    /// The two poses that a transition is mixing it from, where it goes on under a change.
    var ends: (from: Pose, to: Pose)?
  }

  var elements: [Element]
  var offset: Point
  var contentSize: Size
}
