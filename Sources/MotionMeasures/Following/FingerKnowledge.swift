import TimelineModel
package import TimelineSession

/// The places of a finger that a page knew in each frame of a drive.
///
/// An event that is heard as a frame's callbacks begin is known to that frame.
package struct FingerKnowledge {
  /// The place that the page was told of first: where the finger landed.
  let landing: FingerPlace
  /// For each frame the place that the page was told of last; the landing before it was told of any.
  package let places: [FingerPlace]

  /// Looks up what was known.
  ///
  /// - Parameters:
  ///   - places: The finger's places; those that the page was not told of are left out.
  ///   - began: When the callbacks of each frame ran, in seconds of the session.
  /// - Returns: nil if the page was told of fewer than two places.
  package init?(_ places: [FingerPlace], began: some Sequence<Double>) {
    let told = places.filter { $0.heard != nil }.sorted {
      ($0.heard ?? 0, $0.time) < ($1.heard ?? 0, $1.time)
    }
    guard told.count > 1 else { return nil }
    let heard = told.compactMap(\.heard)
    landing = told[0]
    self.places = began.map { instant in
      told[max(0, heard.partitioningIndex { $0 > instant } - 1)]
    }
  }

  /// How far the finger had come along an axis in each frame, in points.
  package func along(_ axis: FingerAxis) -> [Double] {
    places.map { $0.along(axis) - landing.along(axis) }
  }

  /// The frames in which a finger drives: from the last that did not know of an instant to the last that did not know of its
  /// lift.
  ///
  /// - Parameters:
  ///   - start: When the page was told that the finger landed, or moved, in seconds of the session.
  ///   - lift: When it was told of the lift.
  ///   - began: When the callbacks of each frame ran, rising.
  /// - Returns: nil if there are fewer than two.
  package static func drive(from start: Double, to lift: Double, began: [Double]) -> ClosedRange<
    Int
  >? {
    let first = max(0, began.partitioningIndex { $0 >= start } - 1)
    let last = began.partitioningIndex { $0 >= lift } - 1
    return last > first ? first...last : nil
  }
}
