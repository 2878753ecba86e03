import TimelineModel

/// The records of a recording child, so that its parent can tell every row from every other: the n-th
/// thing of a sort holds the number n.
enum Load {
  /// Threads that record at once.
  static let threads = 4
  /// Elements in each frame.
  static let items = 3

  /// Three values of a key fall on each instant.
  static func time(_ index: UInt64) -> Instant { Instant(nanoseconds: Int64(index / 3) * 100_000) }

  /// Whole and broken numbers in turn, which are stored in different ways.
  static func value(_ index: UInt64) -> Double { Double(index) * 0.5 }

  /// The n-th frame's state.
  static func frame(_ index: UInt64) -> FrameState {
    FrameState(
      time: Instant(nanoseconds: Int64(index) * 8_333_333), phase: .driving,
      progress: Double(index), contentOffset: .zero, contentSize: Size2D(width: 1, height: 1))
  }

  /// Where an element stands in the n-th frame. The second one stands still.
  static func pose(_ item: Int, in index: UInt64) -> Pose {
    Pose(
      center: Point2D(x: item == 1 ? 1 : Double(index) / 3, y: Double(item)),
      size: Size2D(width: 10, height: 20))
  }

  /// The n-th touch.
  static func touch(_ index: UInt64) -> TouchSample {
    TouchSample(
      time: time(index), contact: 0, phase: .moved, position: Point2D(x: Double(index), y: 0.5))
  }

  /// The n-th event.
  static func event(_ index: UInt64) -> TimelineEvent {
    TimelineEvent(time: time(index), kind: .mark, fields: [EventField("n", .integer(Int64(index)))])
  }
}
